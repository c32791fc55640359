"""Where a backup is restored to: a new SQLite file, or a PostgreSQL database that was migrated and is empty."""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Protocol

from msgspec.structs import replace

from events.database import CannotOpen
from events.migrations import placed
from events.postgres_link import FAULTS, connect_as_owner, why_not
from server.backup.archive import BackupError
from server.backup.chains import Chains
from server.backup.source import Rows
from server.backup.tables import Table
from server.settings import Settings


class Target(Protocol):
    """A database that has our tables and nothing in them."""

    async def add(self, table: Table, rows: Rows) -> None:
        """Write rows of a table."""

    async def finish(self, chains: Chains) -> None:
        """Write what follows from the log: the head of each game, and of the whole."""


class SqliteTarget(Target):
    """A file that is being made."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def add(self, table: Table, rows: Rows) -> None:
        """As Target has it."""
        self._connection.executemany(table.insert, rows)

    async def finish(self, chains: Chains) -> None:
        """As Target has it."""
        games = ((game, *head) for game, head in chains.games.items())
        self._connection.executemany("insert into games(game, version, digest, position) values (?, ?, ?, ?)", games)


class PostgresTarget(Target):
    """A transaction of the owner's."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def add(self, table: Table, rows: Rows) -> None:
        """As Target has it."""
        await self._copy(table, [tuple(row) for row in rows])

    async def finish(self, chains: Chains) -> None:
        """As Target has it. The epoch is a new one: who had the old database open may not write to this one.

        The fence makes it one that no other copy has, since the old one may be restored, and fenced, itself.
        """
        games = [(game, *head) for game, head in chains.games.items()]
        await self._copy(Table("games", ("game", "version", "digest", "position"), "game"), games)
        await self._connection.execute("update log.head set position = $1", chains.position)
        await self._connection.execute("select log.fence()")

    async def _copy(self, table: Table, rows: list[tuple[Any, ...]]) -> None:
        schema = await placed(self._connection, table.name)
        await self._connection.copy_records_to_table(
            table.name, records=rows, columns=list(table.columns), schema_name=schema
        )


@asynccontextmanager
async def sqlite_target(path: Path) -> AsyncIterator[Target]:
    """A new file, which is there under its name only when all has gone well.

    Raises:
        BackupError: the file is there already.
    """
    if path.exists():
        raise BackupError(f"{path} is there already: restore to another file, or move it away")
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    try:
        await _lay_out(part)
        with _transaction(part) as connection:
            yield SqliteTarget(connection)
        part.rename(path)
    finally:
        for suffix in ("", "-wal", "-shm", ".lock"):
            part.with_name(part.name + suffix).unlink(missing_ok=True)


async def _lay_out(part: Path) -> None:
    from server.services import Services  # noqa: PLC0415 - backups are made without the rest of the server

    part.unlink(missing_ok=True)
    services = Services.open(replace(Settings(), database=str(part)))
    await services.prepare()
    await services.stop()


@contextmanager
def _transaction(part: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(part, isolation_level=None)
    try:
        connection.execute("pragma synchronous = full")
        connection.execute("begin immediate")
        yield connection
        connection.execute("commit")
        connection.execute("pragma wal_checkpoint(truncate)")
    finally:
        connection.close()


@asynccontextmanager
async def postgres_target(dsn: str) -> AsyncIterator[Target]:
    """One transaction in a database that is migrated and empty, as its owner.

    Raises:
        BackupError: something is in it.
        CannotOpen: it cannot be reached, or is not migrated.
    """
    try:
        connection = await connect_as_owner(dsn)
    except FAULTS as error:
        raise why_not(error) from error
    try:
        if await connection.fetchval("select to_regclass('log.events')") is None:
            raise CannotOpen("the database has no tables of turnlog yet: its owner runs `turnlog db migrate`")
        async with connection.transaction():
            if await connection.fetchval("select position from log.head for update"):
                raise BackupError("the database has a log already: restore to an empty one")
            if await connection.fetchval("select exists (select from shell.players)"):
                raise BackupError("the database has players already: restore to an empty one")
            yield PostgresTarget(connection)
    finally:
        await connection.close()
