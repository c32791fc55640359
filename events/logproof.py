"""The proof that a game stands in the log: where its event is, the way to the root of a signed head, the log's keys.

It holds by itself but for one thing: that the keys are the ones of whom they say. That is what `check_trust` asks.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from events import merkle
from events.heads import Head, Keyring, Successor
from events.merkle import NotProved
from events.notes import Note, NoteError, PublicKey


class KeyLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A key of the log, the first tree size that it signs, and the note of the key before it that says so."""

    key: str
    first: int
    endorsed: str | None


class LogProof(Struct, frozen=True, forbid_unknown_fields=True):
    """That the event of a version is in the log, at a position. hashes: in hexadecimal, from the leaf up.

    head: the signed head whose root they lead to. keys: all keys of the log so far.
    """

    version: int
    position: int
    hashes: tuple[str, ...]
    head: str
    keys: tuple[KeyLine, ...]


class Consistency(Struct, frozen=True, forbid_unknown_fields=True):
    """That the tree of one size goes on from that of an older one."""

    old: int
    new: int
    hashes: tuple[str, ...]


class Logged(Struct, frozen=True):
    """A proof that holds: up to `version` the game is in the log that the head tells of."""

    version: int
    position: int
    head: Head
    note: Note
    keys: Keyring


class LogLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A proof as a line of a replay."""

    log: LogProof


_decode = msgspec.json.Decoder(LogLine).decode


def write_line(proof: LogProof) -> bytes:
    """A proof as a line of a replay."""
    return msgspec.json.encode(LogLine(proof)) + b"\n"


def is_line(line: bytes) -> bool:
    """Whether a line of a replay is such a proof."""
    return line.startswith(b'{"log":')


def read_line(line: bytes, digests: Sequence[bytes]) -> Logged:
    """Check a line (without its end) for the events of a game with these digests, from version 1. Raises NotProved."""
    try:
        proof = _decode(line).log
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise NotProved(f"the proof from the log cannot be read: {error}") from error
    if write_line(proof) != line + b"\n":
        raise NotProved("the proof from the log is not written as in replays")
    if not 0 < proof.version <= len(digests):
        raise NotProved(f"the proof is for version {proof.version}, but there are {len(digests)}")
    return check(proof, digests[proof.version - 1])


def key_lines(keys: Keyring) -> tuple[KeyLine, ...]:
    """The keys as they are told to others."""
    return tuple(
        KeyLine(one.key.text, one.first, None if one.endorsed is None else one.endorsed.source) for one in keys.keys
    )


def keyring_of(lines: Sequence[KeyLine]) -> Keyring:
    """The keys that were told. Raises NoteError."""
    return Keyring(
        [
            Successor(PublicKey.parse(one.key), one.first, None if one.endorsed is None else Note.parse(one.endorsed))
            for one in lines
        ]
    )


def check(proof: LogProof, digest: bytes) -> Logged:
    """Check all of a proof for the event with this digest but whose the keys are. Raises NotProved."""
    try:
        keys, note = keyring_of(proof.keys), Note.parse(proof.head)
        head = keys.open(note)
    except NoteError as error:
        raise NotProved(f"the signed head cannot be believed: {error}") from error
    merkle.check_inclusion(digest, proof.position - 1, head.size, hashes_of(proof.hashes), head.root)
    return Logged(proof.version, proof.position, head, note, keys)


def check_trust(logged: Logged, trusted: Sequence[PublicKey]) -> None:
    """Check that the head is signed by one of the keys trusted, or one that they signed in. Raises NotProved."""
    keys = logged.keys.trusted(trusted)
    if not keys.keys:
        raise NotProved(f"none of the keys that you trust is one of the keys of {logged.head.origin}")
    try:
        keys.open(logged.note)
    except NoteError as error:
        raise NotProved(f"the signed head cannot be believed: {error}") from error


def check_continues(logged: Logged, known: Note, consistency: Consistency | None, trusted: Sequence[PublicKey]) -> Head:
    """Check that the proof's head and one known from elsewhere are of one log; return the known one.

    The known head may be the older or the newer one; unless both are of one size, `consistency` must prove that the
    newer goes on from the older. trusted: as `check_trust`; if empty, the keys that the proof tells. Raises NotProved.
    """
    try:
        head = (logged.keys.trusted(trusted) if trusted else logged.keys).open(known)
    except NoteError as error:
        raise NotProved(f"the head that was given cannot be believed: {error}") from error
    older, newer = sorted((head, logged.head), key=lambda one: one.size)
    check_heads(older, newer, consistency)
    return head


def check_heads(old: Head, new: Head, consistency: Consistency | None) -> None:
    """Check that the log of one head went on from that of an older one. Raises NotProved."""
    if old.size == new.size:
        if old.root != new.root:
            raise NotProved(f"two heads of size {old.size} have different roots: the log was forked or changed")
        return
    if consistency is None:
        raise NotProved(f"a proof is wanted that the log of size {new.size} goes on from that of size {old.size}")
    if (consistency.old, consistency.new) != (old.size, new.size):
        said = f"the proof is from size {consistency.old} to size {consistency.new}"
        raise NotProved(f"{said}, but it must be from size {old.size} to size {new.size}")
    try:
        merkle.check_consistency(old.size, new.size, old.root, new.root, hashes_of(consistency.hashes))
    except NotProved as error:
        raise NotProved(f"the log of size {new.size} does not go on from that of size {old.size}: {error}") from error


def hashes_of(texts: Sequence[str]) -> list[bytes]:
    """The hashes of a proof. Raises NotProved."""
    if len(texts) > merkle.PROOF_HASHES_MAX:
        raise NotProved(f"a proof has at most {merkle.PROOF_HASHES_MAX} hashes")
    try:
        found = [bytes.fromhex(text) for text in texts]
    except ValueError:
        found = []
    if [one.hex() for one in found] != list(texts):
        raise NotProved("the hashes of a proof are written in hexadecimal, small")
    return found
