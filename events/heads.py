"""Signed heads: the size and the root of the tree over the log, signed by the key that was in force at that size.

A head is a checkpoint as in C2SP's tlog-checkpoint specification; its origin is the name that all keys of a log have.
Keys follow one another: the older one signs a note that names its successor and the size from which it signs. Whoever
trusts one key can thus trust all later ones, and no head of a size is good under two of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from events.merkle import HASH_BYTES
from events.notes import Note, NoteError, PrivateKey, PublicKey, check_name, from_base64, to_base64

#: The first words of a note that names a key's successor. No origin has a space, so no such note is a head.
SUCCESSION = "turnlog-key/1"

_SIZE = re.compile(r"[1-9][0-9]{0,17}")
_HEAD_LINES = 3


class Head(Struct, frozen=True):
    """The tree over the first `size` events of a log: its root, and whose log it is. Unsigned, until it is a note."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """What is signed."""
        return f"{self.origin}\n{self.size}\n{to_base64(self.root)}\n"

    @classmethod
    def parse(cls, text: str) -> Head:
        """The head that a note's text tells. Raises NoteError."""
        lines = text.split("\n")
        if len(lines) != _HEAD_LINES + 1 or lines[-1]:
            raise NoteError("a head has three lines: origin, size and root")
        origin, size, root = lines[0], _size(lines[1]), from_base64(lines[2])
        if len(root) != HASH_BYTES:
            raise NoteError(f"the root of a head has {HASH_BYTES} bytes")
        return cls(check_name(origin), size, root)


class Successor(Struct, frozen=True):
    """The key that signs from a tree size on. endorsed: its predecessor's note that says so (None: the first key)."""

    key: PublicKey
    first: int = 1
    endorsed: Note | None = None

    @property
    def text(self) -> str:
        """What the predecessor signs."""
        return f"{SUCCESSION} {self.key.name}\n{self.first}\n{self.key.text}\n"

    @classmethod
    def endorse(cls, key: PublicKey, first: int, old: PrivateKey) -> Successor:
        """This key as the successor of the old one. Raises NoteError if their names differ."""
        if key.name != old.name:
            raise NoteError(f"all keys of a log have one name: this one is {key.name}, the other {old.name}")
        bare = cls(key, first)
        return cls(key, first, old.sign(bare.text))


class Keyring:
    """The keys of a log in the order in which they followed one another.

    Raises NoteError if one does not follow from the one before: by name, size and signature. A key after the first
    without a note (its predecessor was lost) is allowed, but nobody's trust reaches across it.
    """

    def __init__(self, keys: Sequence[Successor]) -> None:
        self.keys = tuple(keys)
        for old, new in zip(self.keys, self.keys[1:], strict=False):
            if new.key.name != old.key.name or new.first <= old.first:
                raise NoteError("the keys do not follow one another: name or size is not as it should be")
            if new.endorsed is not None and (new.endorsed.text != new.text or not old.key.signed(new.endorsed)):
                raise NoteError(f"the key {new.key.text} was not signed in by the key before it")
        if self.keys and self.keys[0].endorsed is not None:
            raise NoteError("the first key has no predecessor to sign it in")

    def of(self, size: int) -> PublicKey:
        """The key in force at a tree size. Raises NoteError if there is none."""
        found = [one.key for one in self.keys if one.first <= size]
        if not found:
            raise NoteError(f"no key is in force at size {size}")
        return found[-1]

    def open(self, note: Note) -> Head:
        """The head that a note tells, signed by the key in force at its size. Raises NoteError."""
        head = Head.parse(note.text)
        key = self.of(head.size)
        if key.name != head.origin:
            raise NoteError(f"it is a head of {head.origin}, not of {key.name}")
        if not key.signed(note):
            signers = ", ".join(f"{one.name}+{one.id.hex()}" for one in note.signatures)
            raise NoteError(f"it is signed by {signers}, but at size {head.size} the key in force is {key.text}")
        return head

    def trusted(self, anchors: Iterable[PublicKey]) -> Keyring:
        """The keys that whoever trusts the anchors can trust: from the first of them on, as far as notes reach."""
        trusted: list[Successor] = []
        anchored = set(anchors)
        for one in self.keys:
            if one.key in anchored or (trusted and one.endorsed is not None):
                trusted.append(one)
            elif trusted:
                break
        if trusted:
            trusted[0] = Successor(trusted[0].key, trusted[0].first)
        return Keyring(trusted)


def _size(text: str) -> int:
    if not _SIZE.fullmatch(text):
        raise NoteError("the size of a head is a number from 1 on, without leading zeros")
    return int(text)
