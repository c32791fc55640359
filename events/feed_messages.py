"""What nodes tell each other of moves, as bytes: hints, checked as far as they can be without the log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from events.event import Undecodable, decode
from events.feed import Moved


class Garbled(Exception):
    """Bytes that are no message of a node of this version."""


Positive = Annotated[int, Meta(ge=1)]


class Move(Struct, frozen=True, array_like=True):
    """A `Moved`: `count` events, the last at `position`; `rows` are (data, digest) of each, or none of them."""

    game: str
    version: Positive
    position: Positive
    count: Positive
    rows: tuple[tuple[bytes, bytes], ...]

    def moved(self) -> Moved:
        """What the node announced. Events that cannot be decoded are left to the log."""
        first = self.position - len(self.rows) + 1
        try:
            events = tuple(decode(data, digest, first + n) for n, (data, digest) in enumerate(self.rows))
        except Undecodable:
            events = ()
        for version, event in enumerate(events, self.version - len(events) + 1):
            if (event.header.game, event.header.version) != (self.game, version):
                events = ()
        return Moved(self.game, self.version, self.position, events, here=False)


class Moves(Struct, frozen=True, array_like=True, tag="moves"):
    """Moves of one node; none: the node is there. `sent`: when by its own clock, which means nothing to others."""

    node: bytes
    sent: float
    moves: tuple[Move, ...]


class Said(Struct, frozen=True, array_like=True, tag="said"):
    """What a node told on a topic."""

    node: bytes
    topic: str
    body: bytes


encode = msgspec.msgpack.Encoder().encode
_decode_any = msgspec.msgpack.Decoder(Moves | Said).decode


def read(message: bytes) -> Moves | Said:
    """The message. Raises Garbled."""
    try:
        return _decode_any(message)
    except msgspec.MsgspecError as error:
        raise Garbled(str(error)) from None


def count_of(moved: Moved) -> int:
    """How many events it tells of, as far as it says so."""
    return max(1, len(moved.events))


def moves(node: bytes, sent: float, announced: Iterable[Moved], rows_bytes_max: int) -> bytes:
    """A message; events go with their move as long as they are no more than so many bytes."""
    return encode(Moves(node, sent, tuple(_move(moved, rows_bytes_max) for moved in announced)))


def _move(moved: Moved, rows_bytes_max: int) -> Move:
    small = sum(len(event.data) for event in moved.events) <= rows_bytes_max
    rows = tuple((event.data, event.digest) for event in moved.events) if small else ()
    return Move(moved.game, moved.version, moved.position, count_of(moved), rows)
