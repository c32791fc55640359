"""What the tests of the log share: sealed events, appends, and every kind of store behind one handle."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg

from events.database import Limits
from events.digest import ZERO, salt_key
from events.event import Event, Header, NewEvent, seal
from events.memory import MemoryStore
from events.postgres import PostgresStore
from events.postgres_link import PostgresLimits
from events.postgres_pool import PostgresPool
from events.sqlite import SqliteStore
from events.sqlite_file import MEMORY, SqliteFile
from events.store import Append, Command
from tests.simulation.store_kit import SimKit

SEED = bytes(range(32))
KEY = salt_key(SEED)
AT = "2026-11-30T10:00:00.000000Z"


def sealed(game: str, count: int, previous: Event | None = None, mark: int = 0) -> tuple[Event, ...]:
    """The next `count` events of a game; `mark` makes their content different."""
    events: list[Event] = []
    for _ in range(count):
        version = previous.header.version + 1 if previous else 1
        header = Header(game, version, "acted", AT, "player-1", seat=mark, causes=(-1, 0))
        effects = (b'{"effect":"die_rolled","value":%d}' % (version % 6 + 1), b'{"effect":"turn_ended"}')
        new = NewEvent(header, action=b'{"action":"roll","mark":%d}' % mark, effects=effects)
        previous = seal(new, previous.digest if previous else ZERO, KEY)
        events.append(previous)
    return tuple(events)


def an_append(events: tuple[Event, ...], **more) -> Append:
    return Append(events[0].header.game, events[0].header.version - 1, events, **more)


def a_command(key: str = "key-1", request: bytes = b"request", response: bytes = b"answer", at: str = AT) -> Command:
    return Command("player-1", key, request, response, at)


async def settled(*awaitables):
    """The results or exceptions of all, run at the same time."""
    return await asyncio.gather(*awaitables, return_exceptions=True)


class MemoryKit:
    def __init__(self, folder: Path) -> None:
        self.store = MemoryStore()

    async def damage_event(self, position: int, data: bytes) -> None:
        store = self.store
        _, game, version, _, digest = store._rows[position - 1]
        row = (position, game, version, data, digest)
        store._rows[position - 1] = store._games[game][version - 1] = row

    async def damage_snapshot(self, game: str, state: bytes) -> None:
        store = self.store
        store._snapshots[game] = type(store._snapshots[game])(
            game, store._snapshots[game].version, "f", state, store._snapshots[game].digest
        )


class SqliteKit:
    """A SqliteStore, in memory or in a file."""

    where: str | None = MEMORY

    def __init__(self, folder: Path) -> None:
        self.path = self.where or folder / "log.db"
        self.open()

    def open(self, limits: Limits | None = None) -> SqliteStore:
        self.database = SqliteFile(self.path, limits)
        self.store = SqliteStore(self.database)
        return self.store

    async def reopen(self, limits: Limits | None = None) -> SqliteStore:
        await self.store.close()
        return self.open(limits)

    async def damage_event(self, position: int, data: bytes) -> None:
        def damage(connection):
            trigger = connection.execute(
                "select sql from sqlite_schema where name = 'events_are_not_updated'"
            ).fetchone()
            connection.execute("drop trigger events_are_not_updated")
            connection.execute("update events set data = ? where position = ?", (data, position))
            connection.execute(trigger[0])

        await self.database.write_now(damage)

    async def damage_snapshot(self, game: str, state: bytes) -> None:
        sql = "update snapshots set state = ? where game = ?"
        await self.database.write_now(lambda connection: connection.execute(sql, (state, game)))


class FileKit(SqliteKit):
    where = None


class PostgresKit:
    """A PostgresStore on a database of its own."""

    def __init__(self, dsn: str) -> None:
        self.dsn = dsn

    @classmethod
    @asynccontextmanager
    async def opened(cls, dsn: str) -> "AsyncIterator[PostgresKit]":
        """One whose store is open, and closed at the end."""
        made = cls(dsn)
        await made.open()
        try:
            yield made
        finally:
            await made.store.close()

    async def open(self, limits: PostgresLimits | None = None) -> PostgresStore:
        self.database = PostgresPool(self.dsn, limits)
        await self.database.open()
        self.store = PostgresStore(self.database)
        return self.store

    async def reopen(self, limits: PostgresLimits | None = None) -> PostgresStore:
        await self.store.close()
        return await self.open(limits)

    async def damage_event(self, position: int, data: bytes) -> None:
        async with self.owner() as owner:
            await owner.execute("set session_replication_role = replica")  # the triggers hold for the owner too
            await owner.execute("update log.events set data = $1 where position = $2", data, position)

    async def damage_snapshot(self, game: str, state: bytes) -> None:
        async with self.owner() as owner:
            await owner.execute("update log.snapshots set state = $1 where game = $2", state, game)

    @asynccontextmanager
    async def owner(self) -> AsyncIterator[asyncpg.Connection]:
        """A connection for what no node may do."""
        connection = await asyncpg.connect(self.dsn)
        try:
            yield connection
        finally:
            connection.terminate()  # a server that is away is told nothing


KITS = {
    "memory": MemoryKit,
    "simulated": SimKit,
    "sqlite_memory": SqliteKit,
    "sqlite_file": FileKit,
    "postgres": PostgresKit,
}
