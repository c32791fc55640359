"""Where a backup comes from: one snapshot of a database, also of one that servers are writing to."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, Protocol

from events.database import CannotOpen
from events.postgres_link import FAULTS, PostgresLimits, connect, why_not
from events.sqlite_opening import APPLICATION_ID
from server.backup.archive import BackupError
from server.backup.tables import Table

Rows = list[list[Any]]

#: A backup takes its time, between two batches too: a slow disk does not end it.
_PATIENT = {"statement_timeout": "0", "idle_in_transaction_session_timeout": "0"}


class Source(Protocol):
    """A database as it was at one moment."""

    async def tables(self) -> set[str]:
        """The names of its tables."""

    def rows(self, table: Table) -> AsyncIterator[Rows]:
        """All rows of a table, in order, a batch at a time."""


class SqliteSource(Source):
    """A transaction of a connection that only reads: the server that has the file open goes on writing."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def tables(self) -> set[str]:
        """As Source has it."""
        return {row[0] for row in self._connection.execute("select name from sqlite_schema where type = 'table'")}

    async def rows(self, table: Table) -> AsyncIterator[Rows]:
        """As Source has it."""
        found = self._connection.execute(table.select)
        while rows := found.fetchmany(table.at_once):
            yield [list(row) for row in rows]


class PostgresSource(Source):
    """A transaction that sees one snapshot."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def tables(self) -> set[str]:
        """As Source has it."""
        sql = "select tablename from pg_tables where schemaname = any(current_schemas(false))"
        return {row[0] for row in await self._connection.fetch(sql)}

    async def rows(self, table: Table) -> AsyncIterator[Rows]:
        """As Source has it."""
        found = await self._connection.cursor(table.select)
        while rows := await found.fetch(table.at_once):
            yield [list(row) for row in rows]


@asynccontextmanager
async def sqlite_source(path: Path) -> AsyncIterator[Source]:
    """A snapshot of a file, which a server may have open.

    Raises:
        CannotOpen: it is not there, or none of ours.
    """
    if not path.exists():
        raise CannotOpen(f"There is no database {path}; name it with --database.")
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)) as connection:
        try:
            if connection.execute("pragma application_id").fetchone()[0] != APPLICATION_ID:
                raise CannotOpen(f"{path} is a database of another program")
            connection.execute("begin")
            yield SqliteSource(connection)
        except sqlite3.DatabaseError as error:
            raise BackupError(f"{path} cannot be read: {error}") from error


@asynccontextmanager
async def postgres_source(dsn: str) -> AsyncIterator[Source]:
    """A snapshot of a PostgreSQL database, as any user who may read the log.

    Raises:
        CannotOpen: it cannot be reached.
    """
    try:
        connection = await connect(dsn, PostgresLimits(), _PATIENT, hurry=False)
    except FAULTS as error:
        raise why_not(error) from error
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            yield PostgresSource(connection)
    finally:
        await connection.close()
