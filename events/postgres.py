"""The log in PostgreSQL: one for all nodes."""

# ruff: noqa: D102 - the protocol says what each method does

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from hashlib import sha256

from events.event import Event
from events.postgres_pool import PostgresPool
from events.postgres_writer import Writer
from events.store import (
    Append,
    Appended,
    Command,
    EventStore,
    Quarantined,
    Row,
    Snapshot,
    check_append,
    decode_row,
    read_decodable,
)

KEEP_SNAPSHOT = """insert into snapshots(game, version, format, state, digest) values (?, ?, ?, ?, ?)
  on conflict (game) do update
  set version = excluded.version, format = excluded.format, state = excluded.state, digest = excluded.digest
  where excluded.version >= snapshots.version"""
READ_GAME = """select position, game, version, data, digest from events
  where game = ? and version > ? and version <= ? and kind is distinct from ? order by version"""
READ_ALL = "select position, game, version, data, digest from events where position > ? order by position limit ?"
FIND_COMMAND = "select scope, key, request, response, at from commands where scope = ? and key = ?"
FIND_SNAPSHOT = "select game, version, format, state, digest from snapshots where game = ?"
NOTE = "insert into quarantine(consumer, position, error) values (?, ?, ?) on conflict do nothing"
PRUNE = """delete from commands where (scope, key) in
  (select scope, key from commands where at < ? order by at limit ?)"""

#: So many commands are forgotten by one statement, which has its time to keep to.
PRUNED_AT_ONCE = 1000

_LAST = 2**63 - 1


class PostgresStore(EventStore):
    """An EventStore in a PostgresPool, which it closes with itself.

    Unlike SqliteStore it goes on when the outcome of an append stays unknown (StoreFailed): other appends may succeed.
    """

    shared = True

    def __init__(self, pool: PostgresPool) -> None:
        self._pool = pool
        self._writer = Writer(pool)

    async def append(self, append: Append) -> Appended:
        check_append(append)
        return await self._writer.append(append)

    async def read(self, game: str, after: int = 0, until: int | None = None, but: str | None = None) -> list[Event]:
        rows = await self._pool.read(READ_GAME, (game, after, _LAST if until is None else until, but))
        return [decode_row(row) for row in rows]

    async def read_all(self, after: int, limit: int) -> list[Event]:
        def rows_behind(position: int, most: int) -> Awaitable[Sequence[Row]]:
            return self._pool.read(READ_ALL, (position, most))

        return await read_decodable(rows_behind, self.quarantine, after, limit)

    async def head(self) -> int:
        return int((await self._pool.read("select position from head"))[0][0])

    async def game_head(self, game: str) -> tuple[int, bytes] | None:
        rows = await self._pool.read("select version, digest from games where game = ?", (game,))
        return (rows[0][0], rows[0][1]) if rows else None

    async def secret(self, game: str) -> bytes | None:
        rows = await self._pool.read("select secret from secrets where game = ?", (game,))
        return rows[0][0] if rows else None

    async def command(self, scope: str, key: str) -> Command | None:
        rows = await self._pool.read(FIND_COMMAND, (scope, key))
        return Command(*rows[0]) if rows else None

    async def prune_commands(self, before: str) -> int:
        pruned = 0
        while (more := await self._pool.change(PRUNE, (before, PRUNED_AT_ONCE))) > 0:
            pruned += more
        return pruned

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        row = (snapshot.game, snapshot.version, snapshot.format, snapshot.state, snapshot.digest)
        await self._pool.change(KEEP_SNAPSHOT, row)

    async def load_snapshot(self, game: str) -> Snapshot | None:
        rows = await self._pool.read(FIND_SNAPSHOT, (game,))
        if not rows:
            return None
        snapshot = Snapshot(*rows[0])
        if sha256(snapshot.state).digest() != snapshot.digest:
            await self._pool.change("delete from snapshots where game = ? and digest = ?", (game, snapshot.digest))
            return None
        return snapshot

    async def drop_snapshots(self, game: str | None = None) -> int:
        if game is None:
            return await self._pool.change("delete from snapshots")
        return await self._pool.change("delete from snapshots where game = ?", (game,))

    async def words(self, game: str, version: int) -> bytes | None:
        rows = await self._pool.read("select words from erasable where game = ? and version = ?", (game, version))
        return rows[0][0] if rows else None

    async def erase_words(self, game: str, version: int) -> bool:
        return await self._pool.change("delete from erasable where game = ? and version = ?", (game, version)) > 0

    async def quarantine(self, consumer: str, position: int, error: str) -> None:
        await self._pool.change(NOTE, (consumer, position, error.replace("\0", "�")))

    async def quarantined(self) -> list[Quarantined]:
        rows = await self._pool.read("select consumer, position, error from quarantine order by consumer, position")
        return [Quarantined(*row) for row in rows]

    def healthy(self) -> bool:
        return self._writer.healthy() and self._pool.healthy()

    async def close(self) -> None:
        await self._writer.close()
        await self._pool.close()
