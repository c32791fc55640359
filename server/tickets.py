"""Tickets: a browser cannot send a header with its WebSocket, so it asks for a ticket and says that, once, on any node.

A ticket stands for a token. Only its SHA-256 is kept, in Redis, or in the database where there is no Redis; whichever
node takes it removes it in the same step, so of all who say it one gets in.
"""

import base64
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from typing import Final, Protocol

from events.database import Database, Transaction
from events.redis_link import RedisAway, RedisBusy, RedisLink
from server.meter import Meter
from server.ports import Clock, Random, timestamp
from server.problems import Problem

SCHEMA: Final = (
    "create table tickets(hash blob primary key, token text not null, until text not null) strict",
    "create index tickets_until on tickets(until)",
)
ADD: Final = "insert into tickets values (?, ?, ?)"
FIND: Final = "select token from tickets where hash = ? and until > ?"
REMOVE: Final = "delete from tickets where hash = ?"
PRUNE: Final = "delete from tickets where until <= ?"

#: What a ticket begins with, so that scanners for leaked secrets can tell it.
PREFIX: Final = "tt_"


#: Makes a ticket that nobody has seen.
Fresh = Callable[[], str]


class Shelf(Protocol):
    """Where tickets are kept, by their hash."""

    async def give(self, token: str, fresh: Fresh) -> str:
        """A ticket for this token, which is kept for as long as it is good."""

    async def take(self, ticket: str) -> str | None:
        """The token of a ticket that is good, which it is for this one caller and never again.

        Raises:
            Problem: `unavailable` if that cannot be told now.
        """


class DatabaseShelf(Shelf):
    """Tickets in the database that all nodes share. `good_s`: how long one is good."""

    def __init__(self, database: Database, clock: Clock, good_s: float) -> None:
        self._database = database
        self._clock = clock
        self._good = timedelta(seconds=good_s)
        database.migrate("tickets", SCHEMA)

    async def give(self, token: str, fresh: Fresh) -> str:
        """As Shelf has it; those that are good no more go."""
        ticket, now = fresh(), self._clock.now()

        async def work(transaction: Transaction) -> None:
            await transaction.change(PRUNE, (timestamp(now),))
            await transaction.change(ADD, (_hash(ticket), token, timestamp(now + self._good)))

        await self._database.write(work)
        return ticket

    async def take(self, ticket: str) -> str | None:
        """As Shelf has it. What is no ticket costs no transaction."""
        hashed, now = _hash(ticket), timestamp(self._clock.now())
        if not await self._database.read(FIND, (hashed, now)):
            return None

        async def work(transaction: Transaction) -> str | None:
            rows = await transaction.read(FIND, (hashed, now))
            return str(rows[0][0]) if rows and await transaction.change(REMOVE, (hashed,)) else None

        return await self._database.write(work)


class RedisShelf(Shelf):
    """Tickets in Redis, and on another shelf while it is away: there is then looked too."""

    def __init__(self, link: RedisLink, other: Shelf, good_s: float, meter: Meter) -> None:
        self._link = link
        self._other = other
        self._good_ms = round(1000 * good_s)
        self._meter = meter

    async def give(self, token: str, fresh: Fresh) -> str:
        """As Shelf has it. One that may lie here or not is given to nobody: on both shelves it would be good twice."""
        ticket = fresh()
        try:
            await self._link.call("SET", self._key(ticket), token, "PX", self._good_ms)
        except RedisAway:
            self._meter.count("turnlog_redis_done_without_total", "ticket")
            return await self._other.give(token, fresh)
        return ticket

    async def take(self, ticket: str) -> str | None:
        """As Shelf has it. One that is in a Redis that is away is lost: its holder asks for another.

        Raises:
            Problem: `unavailable` while too much waits for Redis: the ticket is as good as it was.
        """
        try:
            token: bytes | None = await self._link.call("GETDEL", self._key(ticket))
        except RedisBusy as busy:
            sentence = "Too much waits for this server's Redis. Try again in a moment, with the same ticket."
            raise Problem("unavailable", sentence, headers={"Retry-After": "1"}) from busy
        except RedisAway:
            self._meter.count("turnlog_redis_done_without_total", "ticket")
            token = None
        return await self._other.take(ticket) if token is None else token.decode()

    def _key(self, ticket: str) -> str:
        return self._link.name("ticket", _hash(ticket).hex())


class Tickets:
    """Makes tickets and takes them."""

    def __init__(self, shelf: Shelf, random: Random) -> None:
        self._shelf = shelf
        self._random = random

    async def give(self, token: str) -> str:
        """A new ticket for the holder of this token (its id)."""
        return await self._shelf.give(token, self._fresh)

    async def take(self, ticket: str) -> str | None:
        """The id of the token it stands for; None if it is none, too old or used.

        Raises:
            Problem: `unavailable` if that cannot be told now.
        """
        return await self._shelf.take(ticket)

    def _fresh(self) -> str:
        return PREFIX + base64.urlsafe_b64encode(self._random.bytes(32)).decode().rstrip("=")


def _hash(ticket: str) -> bytes:
    return sha256(ticket.encode()).digest()
