"""Hash chain over a game's events, with a salted commitment to each item, so that a redacted log verifies too.

    commitment(item) = SHA256(salt(n, item) + JSON bytes)         items: 0 header, 1 details, 2 action, 3… the effects
    body(n)          = SHA256(commitment(0) + commitment(1) + …)
    digest(n)        = SHA256(digest(n-1) + n + body(n))          digest(0): 32 zero bytes

The body is nested so that a reader who may see nothing of an event does not even learn how many items it has. Salts
derive from the game's seed, so that short items (a die) cannot be guessed before the seed is published.
"""

from __future__ import annotations

import hmac
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from hashlib import _Hash as HASH

    from events.event import Event

ZERO = bytes(32)
"""The digest of version 0, before the first event."""

ABSENT = b"null"
"""What an event without details or action commits to in their place."""


class ChainBroken(Exception):
    """The log is not the one that was written; `version`: the first version at which that shows, `reason`: how."""

    def __init__(self, version: int, reason: str) -> None:
        super().__init__(reason)
        self.version = version
        self.reason = reason


class Proof(Struct, frozen=True, omit_defaults=True):
    """What a reader of a redacted log needs to check one event.

    Either `body` alone (the event is hidden from the reader) or all `commitments`, with `(item number, salt, JSON
    bytes)` of the items `shown` to the reader.
    """

    version: int
    digest: bytes
    body: bytes | None = None
    commitments: tuple[bytes, ...] = ()
    shown: tuple[tuple[int, bytes, bytes], ...] = ()


@lru_cache(maxsize=1024)
def salt_key(seed: bytes) -> bytes:
    """The key of all salts of a game, from its 32-byte server seed."""
    return hmac.digest(seed, b"turnlog salt", "sha256")


#: HMAC's pads (RFC 2104), as tables for bytes.translate.
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


@lru_cache(maxsize=1024)
def _keyed(key: bytes) -> tuple[HASH, HASH]:
    """The inner and outer hash of HMAC-SHA256 with the 32-byte key taken in: copies of them are cheaper than hmac."""
    block = key.ljust(64, b"\0")
    return sha256(block.translate(_INNER)), sha256(block.translate(_OUTER))


def _finish(inner: HASH, outer: HASH, message: bytes) -> bytes:
    """HMAC-SHA256 of what `inner` has taken in, and then this."""
    inner, outer = inner.copy(), outer.copy()
    inner.update(message)
    outer.update(inner.digest())
    return outer.digest()


def salt(key: bytes, version: int, item: int) -> bytes:
    """The 16-byte salt of one item; `key` is the game's `salt_key`."""
    return hmac.digest(key, version.to_bytes(8, "big") + item.to_bytes(4, "big"), "sha256")[:16]


def talk_commitment(key: bytes, version: int, words: bytes) -> str:
    """The keyed commitment (hex) that stands in the log for erasable words; `key` is kept and erased with them."""
    return hmac.digest(key, b"turnlog talk" + version.to_bytes(8, "big") + words, "sha256").hex()


def items(event: Event) -> tuple[bytes, ...]:
    """The items of an event that are committed to, in order: header, details, action, each effect."""
    return (event.header_bytes, event.details or ABSENT, event.action or ABSENT, *event.effects)


def commitments(event: Event, key: bytes) -> tuple[bytes, ...]:
    """One 32-byte commitment for each of the event's items; `key` is the game's `salt_key`."""
    keyed, outer = _keyed(key)
    inner = keyed.copy()
    inner.update(event.header.version.to_bytes(8, "big"))
    return tuple(
        sha256(_finish(inner, outer, number.to_bytes(4, "big"))[:16] + item).digest()
        for number, item in enumerate(items(event))
    )


def body(commitments: Iterable[bytes]) -> bytes:
    """The digest of all that an event holds."""
    return sha256(b"".join(commitments)).digest()


def chain(previous: bytes, version: int, body: bytes) -> bytes:
    """The digest of version n, from the digest of version n-1."""
    return sha256(previous + version.to_bytes(8, "big") + body).digest()


def verify(
    events: Iterable[Event],
    key: bytes,
    previous: bytes = ZERO,
    first: int = 1,
    head: tuple[int, bytes] | None = None,
) -> bytes:
    """Check that these are the events first, first+1, … of one game, just as they were written; return the last digest.

    `previous` is the digest of version first-1. A chain cannot tell that its tail is missing: give the `head`
    (version, digest) known from elsewhere to find that too. Raises ChainBroken.
    """
    log = tuple(events)
    for event in log:
        if event.header.game != log[0].header.game:
            reason = (
                f"version {event.header.version} belongs to game {event.header.game}, not to game {log[0].header.game}"
            )
            raise ChainBroken(event.header.version, reason)
    links = ((event.header.version, event.digest, body(commitments(event, key))) for event in log)
    return _follow(links, previous, first, head)


def prove(event: Event, key: bytes, shown: Collection[int] = ()) -> Proof:
    """The proof of an event for a reader who sees the `shown` items of it, to the byte (none: the event is hidden)."""
    version, committed = event.header.version, commitments(event, key)
    if not shown:
        return Proof(version, event.digest, body=body(committed))
    opened = tuple((n, salt(key, version, n), bytes(item)) for n, item in enumerate(items(event)) if n in shown)
    return Proof(version, event.digest, commitments=committed, shown=opened)


def verify_proofs(
    proofs: Sequence[Proof], previous: bytes = ZERO, first: int = 1, head: tuple[int, bytes] | None = None
) -> bytes:
    """As `verify`, for a reader without the seed: the chain is whole and every item shown is the one committed to."""
    links = ((proof.version, proof.digest, _proved_body(proof)) for proof in proofs)
    return _follow(links, previous, first, head)


def _proved_body(proof: Proof) -> bytes:
    version = proof.version
    if (proof.body is None) == (not proof.commitments):
        raise ChainBroken(version, f"the proof of version {version} must hold either a body or commitments")
    if proof.body is not None and proof.shown:
        raise ChainBroken(version, f"the proof of version {version} shows items without their commitments")
    for item, item_salt, data in proof.shown:
        if not 0 <= item < len(proof.commitments):
            raise ChainBroken(version, f"version {version} has no item {item}")
        if not hmac.compare_digest(sha256(item_salt + data).digest(), proof.commitments[item]):
            raise ChainBroken(version, f"item {item} of version {version} is not the one that was committed to")
    return body(proof.commitments) if proof.body is None else proof.body


def _follow(
    links: Iterable[tuple[int, bytes, bytes]], previous: bytes, first: int, head: tuple[int, bytes] | None
) -> bytes:
    """Follow (version, digest, body) from link to link; return the last digest."""
    expected = first
    for version, digest, content in links:
        if version != expected:
            reason = f"version {expected} is missing or out of order: version {version} stands in its place"
            raise ChainBroken(expected, reason)
        if not hmac.compare_digest(chain(previous, version, content), digest):
            raise ChainBroken(version, f"version {version} was changed: its content does not give its digest")
        previous, expected = digest, expected + 1
    last = (expected - 1, previous)
    if head is not None and head != last:
        at = f"ends at version {last[0]}" if head[0] != last[0] else "ends with another digest"
        raise ChainBroken(expected, f"the log {at}, but its head is version {head[0]}")
    return previous
