"""The event: one entry of a game's log, kept as the exact bytes that were hashed."""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct

from events import digest as digests


class Undecodable(Exception):
    """Stored bytes that are no event; names the row: global position (0: not stored), game, version."""

    def __init__(self, reason: str, position: int = 0, game: str = "?", version: int = 0) -> None:
        super().__init__(
            f"the event at position {position} (game {game}, version {version}) cannot be decoded: {reason}"
        )
        self.reason = reason
        self.position = position
        self.game = game
        self.version = version


class Header(Struct, frozen=True, omit_defaults=True, gc=False):
    """What is known of an event without reading into it.

    at: RFC 3339 in UTC with microseconds and `Z`.
    actor: an opaque player id, "server", "bot:<name>" or "operator:<id>". key: idempotency key.
    rules: ruleset and its rules version, "tpoc/1". schema: schema version of the messages inside.
    draws: random draws made so far in the game. scripted: dice and orders of a sandbox game used so far.
    caused_by: version of the event that opened the decision which this event answers.
    causes: one per effect: index of the effect in this event that caused it; -1 the action; -2 an earlier event.
    """

    game: str
    version: int
    kind: str
    at: str
    actor: str
    seat: int | None = None
    key: str | None = None
    rules: str = ""
    schema: int = 1
    draws: int = 0
    scripted: dict[str, int] = {}
    caused_by: int | None = None
    causes: tuple[int, ...] = ()


class NewEvent(Struct, frozen=True):
    """An event before it is sealed. details, action and each effect: JSON bytes.

    erasable: words kept beside the log and never hashed; only their keyed commitment is in details.
    """

    header: Header
    details: bytes | None = None
    action: bytes | None = None
    effects: tuple[bytes, ...] = ()
    erasable: bytes | None = None


class Event(Struct, frozen=True, gc=False):
    """A sealed event: what stores take and give.

    data: the stored JSON, `{"header":…,"details":…,"action":…,"effects":[…]}`; header_bytes, details, action and
    effects are the exact pieces of it that were hashed. position: global, dense, from 1; 0 until stored.
    """

    header: Header
    details: Raw | None
    action: Raw | None
    effects: tuple[Raw, ...]
    digest: bytes
    data: bytes
    header_bytes: bytes
    position: int = 0


class _Envelope(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    header: Raw
    details: Raw
    action: Raw
    effects: tuple[Raw, ...]


_NULL = Raw(digests.ABSENT)
_encode = msgspec.json.Encoder().encode
_decode_envelope = msgspec.json.Decoder(_Envelope).decode
_decode_header = msgspec.json.Decoder(Header).decode


def seal(new: NewEvent, previous_digest: bytes, salt_key: bytes) -> Event:
    """Make an event immutable: fix its bytes and its digest, which continues the chain from `previous_digest`.

    Raises Undecodable if a piece of `new` is not compact JSON: what could not be read again is never written.
    """
    absent = digests.ABSENT
    data = _compose(_encode(new.header), new.details or absent, new.action or absent, new.effects)
    event = decode(data, digests.ZERO, 0)
    if len(event.effects) != len(new.effects):
        raise Undecodable("an effect is not one JSON value", 0, new.header.game, new.header.version)
    body = digests.body(digests.commitments(event, salt_key))
    return msgspec.structs.replace(event, digest=digests.chain(previous_digest, new.header.version, body))


def decode(data: bytes, digest: bytes, position: int) -> Event:
    """The event of a stored row. Raises Undecodable if the bytes are not, to the byte, what `seal` makes."""
    try:
        envelope = _decode_envelope(data)
        header = _decode_header(envelope.header)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Undecodable(str(error), position) from None
    details, action = _present(envelope.details), _present(envelope.action)
    # Every byte is thus either hashed or fixed: nothing can hide in the white space between the items.
    if _compose(envelope.header, envelope.details, envelope.action, envelope.effects) != data:
        raise Undecodable(
            "its JSON is not in the form in which events are written", position, header.game, header.version
        )
    return Event(header, details, action, envelope.effects, digest, data, bytes(envelope.header), position)


def uuid7(milliseconds: int, randomness: bytes) -> str:
    """A UUIDv7 (RFC 9562, section 5.7) from a Unix time in milliseconds and 10 random bytes (74 bits are used)."""
    if len(randomness) != 10:
        raise ValueError(f"a UUIDv7 takes 10 random bytes, not {len(randomness)}")
    random = int.from_bytes(randomness, "big")
    rand_a, rand_b = random >> 68, random & (1 << 62) - 1
    digits = f"{milliseconds << 80 | 0x7 << 76 | rand_a << 64 | 0b10 << 62 | rand_b:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _present(item: Raw) -> Raw | None:
    return None if item == _NULL else item


def _compose(header: bytes, details: bytes, action: bytes, effects: tuple[bytes, ...]) -> bytes:
    parts = (b'{"header":', header, b',"details":', details, b',"action":', action)
    return b"".join((*parts, b',"effects":[', b",".join(effects), b"]}"))
