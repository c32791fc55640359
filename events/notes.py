"""Signed notes: a text and Ed25519 signatures under it, in the form of C2SP's signed-note specification.

    <text, which ends with a line feed>
    <an empty line>
    — <name of the key> <base64 of the key's id (4 bytes) and the signature (64 bytes)>

A public key is written `<name>+<id>+<base64>`, a private one `PRIVATE+KEY+<name>+<id>+<base64>`, as other programs do.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

NOTE_CHARS_MAX = 64 * 1024
SIGNATURES_MAX = 16

_ED25519 = b"\1"
_NAME = re.compile(r"[^\s+\x00-\x1f\x7f]{1,200}")
_PUBLIC = re.compile(r"([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)")
_PRIVATE = re.compile(r"PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)")
_SIGNATURE = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/=]+)")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")


class NoteError(ValueError):
    """A note or a key that cannot be read, or a signature that does not hold: one sentence."""


class PublicKey(Struct, frozen=True):
    """A public key. raw: its 32 bytes (RFC 8032). name: whose it is."""

    name: str
    raw: bytes

    @classmethod
    def parse(cls, text: str) -> PublicKey:
        """The key of `<name>+<id>+<base64>`. Raises NoteError."""
        match = _PUBLIC.fullmatch(text.strip())
        if match is None:
            raise NoteError("a public key is written <name>+<8 hexadecimal digits>+<base64>")
        key = cls(check_name(match[1]), _key_bytes(match[3]))
        _check_id(match[2], key)
        return key

    @property
    def id(self) -> bytes:
        """The 4 bytes by which signatures name the key."""
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.raw).digest()[:4]

    @property
    def text(self) -> str:
        """The key as it is written."""
        return f"{self.name}+{self.id.hex()}+{to_base64(_ED25519 + self.raw)}"

    def signed(self, note: Note) -> bool:
        """Whether the key signed this note. Raises NoteError if a signature says so and does not hold."""
        mine = [one.signature for one in note.signatures if (one.name, one.id) == (self.name, self.id)]
        for signature in mine:
            try:
                Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, note.text.encode())
            except InvalidSignature:
                raise NoteError(f"the signature of {self.name}+{self.id.hex()} does not hold") from None
        return bool(mine)


class PrivateKey(Struct, frozen=True):
    """A private key. seed: its 32 bytes (RFC 8032)."""

    name: str
    seed: bytes

    def __repr__(self) -> str:
        return f"PrivateKey({self.name!r})"

    @classmethod
    def parse(cls, text: str) -> PrivateKey:
        """The key of `PRIVATE+KEY+<name>+<id>+<base64>`. Raises NoteError, which does not tell what was there."""
        match = _PRIVATE.fullmatch(text.strip())
        if match is None:
            raise NoteError("a private key is written PRIVATE+KEY+<name>+<8 hexadecimal digits>+<base64>")
        key = cls(check_name(match[1]), _key_bytes(match[3]))
        _check_id(match[2], key.public)
        return key

    @property
    def public(self) -> PublicKey:
        """The public key that belongs to it."""
        return PublicKey(self.name, Ed25519PrivateKey.from_private_bytes(self.seed).public_key().public_bytes_raw())

    @property
    def text(self) -> str:
        """The key as it is written: for files that nobody else can read."""
        return f"PRIVATE+KEY+{self.name}+{self.public.id.hex()}+{to_base64(_ED25519 + self.seed)}"

    def sign(self, text: str) -> Note:
        """The note of this text, which ends with a line feed, signed."""
        signature = Ed25519PrivateKey.from_private_bytes(self.seed).sign(text.encode())
        return Note(text, (Signature(self.name, self.public.id, signature),))


class Signature(Struct, frozen=True):
    """A signature, and which key says to have made it."""

    name: str
    id: bytes
    signature: bytes


class Note(Struct, frozen=True):
    """A text and what is signed under it. Believe the text only after a key that you trust `signed` it."""

    text: str
    signatures: tuple[Signature, ...]

    @classmethod
    def parse(cls, source: str) -> Note:
        """The note as it is written, to the byte. Raises NoteError."""
        if len(source) > NOTE_CHARS_MAX:
            raise NoteError(f"a note has at most {NOTE_CHARS_MAX} characters")
        if _CONTROL.search(source):
            raise NoteError("a note has no control characters")
        text, gap, signatures = source.rpartition("\n\n")
        if not gap or not signatures.endswith("\n"):
            raise NoteError("a note is a text, an empty line, and lines of signatures")
        lines = signatures[:-1].split("\n")
        if len(lines) > SIGNATURES_MAX:
            raise NoteError(f"a note has at most {SIGNATURES_MAX} signatures")
        return cls(text + "\n", tuple(map(_signature, lines)))

    @property
    def source(self) -> str:
        """The note as it is written."""
        lines = (f"— {one.name} {to_base64(one.id + one.signature)}\n" for one in self.signatures)
        return f"{self.text}\n{''.join(lines)}"

    def signer(self, keys: Iterable[PublicKey]) -> PublicKey:
        """The first of these keys that signed the note. Raises NoteError if none did, or a signature does not hold."""
        for key in keys:
            if key.signed(self):
                return key
        raise NoteError("it is not signed by a key that is trusted here")


def check_name(name: str) -> str:
    """The name, if a key may have it. Raises NoteError."""
    if not _NAME.fullmatch(name):
        raise NoteError("the name of a key has 1 to 200 characters, no spaces and no plus sign")
    return name


def _signature(line: str) -> Signature:
    match = _SIGNATURE.fullmatch(line)
    if match is None:
        raise NoteError("a signature is written — <name> <base64>")
    raw = from_base64(match[2])
    if len(raw) < 5:
        raise NoteError("a signature is too short")
    return Signature(match[1], raw[:4], raw[4:])


def _key_bytes(text: str) -> bytes:
    raw = from_base64(text)
    if len(raw) != 33 or raw[:1] != _ED25519:
        raise NoteError("the key is not one of Ed25519")
    return raw[1:]


def _check_id(said: str, key: PublicKey) -> None:
    if said != key.id.hex():
        raise NoteError(f"the key's id is {key.id.hex()}, not {said}: it was not copied whole")


def from_base64(text: str) -> bytes:
    """The bytes; there is one way to write them, so that no bit of a note is loose. Raises NoteError."""
    try:
        raw = base64.b64decode(text, validate=True)
    except binascii.Error:
        raw = b""
    if not raw or to_base64(raw) != text:
        raise NoteError("it is not written in base64 as it should be")
    return raw


def to_base64(raw: bytes) -> str:
    """The bytes as they are written in notes."""
    return base64.b64encode(raw).decode()
