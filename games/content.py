"""Content packs: the data a ruleset plays with, named by the SHA-256 of its bytes. Reading files is the shell's."""

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Generic, TypeVar

import msgspec

P = TypeVar("P")


class ContentError(ValueError):
    """A content pack that cannot be played with: one sentence that names the field and the rule."""


def expect(holds: bool, field: str, sentence: str, rule: str) -> None:  # noqa: FBT001 a test and its complaint
    """Refuse a pack unless it `holds`: the field, a sentence, the rule.

    Raises:
        ContentError: it does not.
    """
    if not holds:
        raise ContentError(f"{field}: {sentence} ({rule})")


class Shelf(Generic[P]):
    """The packs of one ruleset by SHA-256. Packs are immutable, so looking one up is looking up a constant."""

    def __init__(self, kind: type[P], check: Callable[[P], None]) -> None:
        self._kind = kind
        self._check = check
        self._packs: dict[str, P] = {}
        self._sources: dict[str, bytes] = {}
        self._names: dict[str, str] = {}

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields at the top of a pack: they tell of which ruleset a pack is."""
        told: tuple[str, ...] = getattr(self._kind, "__struct_encode_fields__", ())
        return told

    def read(self, source: bytes) -> tuple[P, str]:
        """Decode and check a pack without keeping it: the pack and its own name.

        Raises:
            ContentError: it does not decode (then the cause is the decoder's error), or breaks a rule of its ruleset.
        """
        try:
            pack = msgspec.json.decode(source, type=self._kind)
            name = msgspec.json.decode(source, type=_Named).pack
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ContentError(str(error)) from error
        self._check(pack)
        return pack, name

    def add(self, source: bytes) -> str:
        """Decode and check a pack, keep it, and return its SHA-256 in hexadecimal.

        Raises:
            ContentError: as for `read`.
        """
        pack, name = self.read(source)
        digest = sha256(source).hexdigest()
        self._packs[digest] = pack
        self._sources[digest] = source
        self._names.setdefault(name, digest)
        return digest

    def __getitem__(self, digest: str) -> P:
        """The pack with this SHA-256."""
        return self._packs[digest]

    def __contains__(self, digest: object) -> bool:
        """Whether the pack with this SHA-256 is here."""
        return digest in self._packs

    def __iter__(self) -> Iterator[str]:
        """The digests of all packs, in the order they were added."""
        return iter(self._packs)

    def source(self, digest: str) -> bytes:
        """The exact bytes of a pack."""
        return self._sources[digest]

    @property
    def names(self) -> Mapping[str, str]:
        """Digest by the pack's own name (the first one added with it)."""
        return self._names

    def find(self, name: str | None) -> str | None:
        """The digest of a pack by name or digest; without a name the first one (the house pack); None if unknown."""
        if name is None:
            return next(iter(self._packs), None)
        return name if name in self._packs else self._names.get(name)


class _Named(msgspec.Struct):
    pack: str
