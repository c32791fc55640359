"""The shapes of answers about the signed log."""

from server.shape import Shape


class SignedHead(Shape):
    """A signed head: `note` is what was signed, with its signature; `at`, when, is not signed."""

    size: int
    root: str
    note: str
    at: str


class LogKey(Shape):
    """A key of the log, the first size that it signs, and the note of the key before it that says so."""

    key: str
    first: int
    endorsed: str | None


class HeadPage(Shape):
    """Heads, the newest first, and all keys. `signing` is false while the server signs no new ones."""

    signing: bool
    latest: SignedHead | None
    keys: list[LogKey]
    heads: list[SignedHead]
    next: str | None


class ConsistencyProof(Shape):
    """That the log of size `new` goes on from that of size `old` (RFC 9162, 2.1.4); hashes in hexadecimal."""

    old: int
    new: int
    hashes: list[str]


class InclusionProof(Shape):
    """That an event is in the log of a signed head (RFC 9162, 2.1.3): leaf `position` - 1 is `digest`."""

    game: str
    version: int
    digest: str
    position: int
    size: int
    hashes: list[str]
    head: str
    keys: list[LogKey]
