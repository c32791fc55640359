"""A log of many games as the tests want it: leaves at hand, heads signed at any size, keys that follow one another."""

from collections.abc import Sequence

import msgspec

from events import merkle
from events.heads import Head, Keyring, Successor
from events.logproof import Consistency, LogProof, key_lines
from events.notes import Note, PrivateKey

NAME = "example.org/games"
KEY, NEXT, STRANGER = (PrivateKey(NAME, bytes([n]) * 32) for n in (1, 2, 3))


class Log:
    """Digests of events in the order of the log; `ring`: the keys."""

    def __init__(self, digests: Sequence[bytes], ring: Keyring | None = None) -> None:
        self.digests = list(digests)
        self.ring = ring or Keyring([Successor(KEY.public)])

    def root(self, size: int) -> bytes:
        frontier = merkle.Frontier()
        frontier.extend(self.digests[:size])
        return frontier.root()

    def head(self, size: int) -> Head:
        return Head(NAME, size, self.root(size))

    def signed(self, size: int, key: PrivateKey = KEY) -> Note:
        return key.sign(self.head(size).text)

    def inclusion(self, position: int, size: int) -> tuple[str, ...]:
        return tuple(self._hash(span) for span in merkle.inclusion_spans(position - 1, size))

    def consistency(self, old: int, new: int) -> Consistency:
        return Consistency(old, new, tuple(self._hash(span) for span in merkle.consistency_spans(old, new)))

    def proof(self, digest: bytes, version: int, size: int | None = None, key: PrivateKey = KEY) -> LogProof:
        """That the event with this digest is in the log of this size (by default all of it)."""
        size = size or len(self.digests)
        position = self.digests.index(digest) + 1
        hashes = self.inclusion(position, size)
        return LogProof(version, position, hashes, self.signed(size, key).source, key_lines(self.ring))

    def _hash(self, span: merkle.Span) -> str:
        start, end = span
        frontier = merkle.Frontier()
        frontier.extend(self.digests[start:end])
        return frontier.root().hex()


def among_others(digests: Sequence[bytes]) -> Log:
    """The log of a game whose events stand among those of others."""
    mixed = [digest for n, one in enumerate(digests) for digest in (one, bytes([n % 256]) * 32)]
    return Log(mixed[:-1] + [bytes([255, n]) * 16 for n in range(7)])


def flipped(proof: LogProof, **fields: object) -> LogProof:
    return msgspec.structs.replace(proof, **fields)
