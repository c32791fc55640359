"""The ports to the world: Clock and Random here, Store and Feed in `events`, Sockets in `stream`."""

import secrets
from datetime import UTC, datetime
from typing import Protocol

from msgspec import Struct

from events.event import uuid7
from events.feed import Feed
from events.store import EventStore
from server.meter import SILENT, Meter


class Clock(Protocol):
    """What time it is."""

    def now(self) -> datetime:
        """Aware UTC."""


class Random(Protocol):
    """Unpredictable bytes."""

    def bytes(self, count: int) -> bytes:
        """That many random bytes."""


class Ports(Struct, frozen=True):
    """What commands touch the world through; sockets are the stream's own."""

    clock: Clock
    random: Random
    store: EventStore
    feed: Feed
    meter: Meter = SILENT


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Aware UTC, to the microsecond."""
        return datetime.now(UTC)


class SystemRandom:
    """The machine's cryptographic randomness."""

    def bytes(self, count: int) -> bytes:
        """That many random bytes."""
        return secrets.token_bytes(count)


def timestamp(moment: datetime) -> str:
    """RFC 3339 in UTC with microseconds and Z, as all times in the API and the log."""
    utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    return utc.isoformat(timespec="microseconds")[: -len("+00:00")] + "Z"


def new_id(clock: Clock, random: Random) -> str:
    """A UUIDv7 from the two ports."""
    return uuid7(int(clock.now().timestamp() * 1000), random.bytes(10))
