"""The log in a SQLite file: the default store."""

# ruff: noqa: D102 - the protocol says what each method does

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from functools import partial
from hashlib import sha256
from sqlite3 import Connection, IntegrityError

from events.event import Event
from events.sqlite_file import SqliteFile
from events.store import (
    Append,
    Appended,
    Command,
    Conflict,
    Duplicate,
    EventStore,
    KeyReused,
    Quarantined,
    Row,
    Snapshot,
    check_append,
    decode_row,
    read_decodable,
)

SCHEMA = (
    """create table events(
         position integer primary key, game text not null, version integer not null check (version > 0),
         kind text not null, data blob not null, digest blob not null check (length(digest) = 32),
         unique(game, version)) strict""",
    """create table games(
         game text primary key, version integer not null, digest blob not null, position integer not null
       ) strict, without rowid""",
    """create table commands(
         scope text not null, key text not null, request blob not null, response blob not null, at text not null,
         unique(scope, key)) strict""",
    "create index commands_at on commands(at)",
    "create table secrets(game text primary key, secret blob not null) strict, without rowid",
    """create table snapshots(
         game text primary key, version integer not null, format text not null, state blob not null,
         digest blob not null) strict""",
    "create table erasable(game text, version integer, words blob not null, primary key(game, version)) strict",
    """create table quarantine(
         consumer text, position integer, error text not null, primary key(consumer, position)
       ) strict, without rowid""",
    """create trigger events_are_not_updated before update on events
       begin select raise(abort, 'events are append-only'); end""",
    """create trigger events_are_not_deleted before delete on events
       begin select raise(abort, 'events are append-only'); end""",
    """create trigger secrets_are_not_updated before update on secrets
       begin select raise(abort, 'secrets are written once'); end""",
    """create trigger secrets_are_not_deleted before delete on secrets
       begin select raise(abort, 'secrets are written once'); end""",
)

ADD_EVENT = "insert into events(game, version, kind, data, digest) values (?, ?, ?, ?, ?)"
BEGIN_GAME = "insert into games values (?, ?, ?, ?)"
MOVE_GAME = """update games set version = ?, digest = ?, position = ?
  where game = ? and version = ? and digest = coalesce(?, digest)"""
FIND_COMMAND = "select scope, key, request, response, at from commands where scope = ? and key = ?"
KEEP_COMMAND = "insert into commands(scope, key, request, response, at) values (?, ?, ?, ?, ?) on conflict do nothing"
KEEP_SNAPSHOT = """insert into snapshots values (?, ?, ?, ?, ?) on conflict(game) do update
  set version = excluded.version, format = excluded.format, state = excluded.state, digest = excluded.digest
  where excluded.version >= version"""
READ_GAME = """select position, game, version, data, digest from events
  where game = ? and version > ? and version <= ? and kind is not ? order by version"""
READ_ALL = "select position, game, version, data, digest from events where position > ? order by position limit ?"

_LAST = 2**63 - 1


class SqliteStore(EventStore):
    """An EventStore in a SQLite file, which it closes with itself."""

    def __init__(self, database: SqliteFile) -> None:
        self._database = database
        database.migrate("events", SCHEMA)

    async def append(self, append: Append) -> Appended:
        check_append(append)
        return await self._database.write_now(partial(_append, append=append))

    async def read(self, game: str, after: int = 0, until: int | None = None, but: str | None = None) -> list[Event]:
        rows = self._database.read_now(READ_GAME, (game, after, _LAST if until is None else until, but))
        return [decode_row(row) for row in rows]

    async def read_all(self, after: int, limit: int) -> list[Event]:
        def rows_behind(position: int, most: int) -> Awaitable[Sequence[Row]]:
            return self._database.read(READ_ALL, (position, most))

        return await read_decodable(rows_behind, self.quarantine, after, limit)

    async def head(self) -> int:
        return int(self._database.read_now("select coalesce(max(position), 0) from events")[0][0])

    async def game_head(self, game: str) -> tuple[int, bytes] | None:
        rows = self._database.read_now("select version, digest from games where game = ?", (game,))
        return (rows[0][0], rows[0][1]) if rows else None

    async def secret(self, game: str) -> bytes | None:
        rows = self._database.read_now("select secret from secrets where game = ?", (game,))
        return rows[0][0] if rows else None

    async def command(self, scope: str, key: str) -> Command | None:
        rows = self._database.read_now(FIND_COMMAND, (scope, key))
        return Command(*rows[0]) if rows else None

    async def prune_commands(self, before: str) -> int:
        return await self._change("delete from commands where at < ?", before)

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        row = (snapshot.game, snapshot.version, snapshot.format, snapshot.state, snapshot.digest)
        await self._change(KEEP_SNAPSHOT, *row)

    async def load_snapshot(self, game: str) -> Snapshot | None:
        rows = self._database.read_now(
            "select game, version, format, state, digest from snapshots where game = ?", (game,)
        )
        if not rows:
            return None
        snapshot = Snapshot(*rows[0])
        if sha256(snapshot.state).digest() != snapshot.digest:
            await self._change("delete from snapshots where game = ? and digest = ?", game, snapshot.digest)
            return None
        return snapshot

    async def drop_snapshots(self, game: str | None = None) -> int:
        return await self._change("delete from snapshots where ?1 is null or game = ?1", game)

    async def words(self, game: str, version: int) -> bytes | None:
        rows = self._database.read_now("select words from erasable where game = ? and version = ?", (game, version))
        return rows[0][0] if rows else None

    async def erase_words(self, game: str, version: int) -> bool:
        return await self._change("delete from erasable where game = ? and version = ?", game, version) > 0

    async def quarantine(self, consumer: str, position: int, error: str) -> None:
        await self._change("insert or ignore into quarantine values (?, ?, ?)", consumer, position, error)

    async def quarantined(self) -> list[Quarantined]:
        rows = self._database.read_now("select consumer, position, error from quarantine order by consumer, position")
        return [Quarantined(*row) for row in rows]

    def healthy(self) -> bool:
        return self._database.healthy()

    async def close(self) -> None:
        await self._database.close()

    async def _change(self, sql: str, *parameters: object) -> int:
        """Run one statement durably; the number of rows it changed."""
        return await self._database.write_now(lambda connection: connection.execute(sql, parameters).rowcount)


def _append(connection: Connection, append: Append) -> Appended:
    run, game, head = connection.execute, append.game, append.events[-1]
    if append.command is not None:
        _keep(connection, append.command)
    position, moved = 0, 0
    try:
        for event in append.events:
            header = event.header
            position = run(ADD_EVENT, (game, header.version, header.kind, event.data, event.digest)).lastrowid or 0
        if append.expected:
            move = (head.header.version, head.digest, position, game, append.expected, append.follows)
            moved = run(MOVE_GAME, move).rowcount
        else:
            moved = run(BEGIN_GAME, (game, head.header.version, head.digest, position)).rowcount
    except IntegrityError:
        _check_version(connection, append)
        raise
    if moved != 1:
        _check_version(connection, append)
        raise Conflict(append.expected)  # it is at that version, but on another line
    if append.secret is not None:
        run("insert into secrets values (?, ?)", (game, append.secret))
    for version, words in append.erasable:
        run("insert into erasable values (?, ?, ?)", (game, version, words))
    return Appended(position, head.header.version, head.digest)


def _check_version(connection: Connection, append: Append) -> None:
    """Raise Conflict if the game is not at the version that the append expects."""
    row = connection.execute("select version from games where game = ?", (append.game,)).fetchone()
    version = row[0] if row else 0
    if version != append.expected:
        raise Conflict(version)


def _keep(connection: Connection, command: Command) -> None:
    """Keep a command; if its key is known, tell what it was used for."""
    row = (command.scope, command.key, command.request, command.response, command.at)
    if connection.execute(KEEP_COMMAND, row).rowcount == 1:
        return
    known = Command(*connection.execute(FIND_COMMAND, (command.scope, command.key)).fetchone())
    raise Duplicate(known) if known.request == command.request else KeyReused(command.key)
