"""A transaction of PostgreSQL's as rooms get it: statements, savepoints, and what dooms it."""

# ruff: noqa: D102 - the protocol says what each method does

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import asyncpg

from events.database import Row, Transaction, Unfit
from events.dialect import check_text, to_postgres
from events.postgres_link import BUSY, LOST, MODELS, UNFIT

#: Another transaction came first, or made a table anew: the work is done again on what is there now.
AGAIN = (
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.InvalidCachedStatementError,
    asyncpg.OutdatedSchemaCacheError,
)
#: What a table that a node makes is called is told with the place for it.
_MADE = re.compile(r"^\s*create table (?!if\b)(?=\w+\s*\()", re.IGNORECASE)


class Over(BaseException):
    """The transaction cannot be committed any more. No Exception: work that expects faults of its own lets it pass."""


class PostgresTransaction(Transaction):
    """A transaction that is under way. doomed: the error after which PostgreSQL will not commit it any more."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._savepoints = 0
        self.doomed: BaseException | None = None

    def check(self) -> None:
        """Raise what doomed it, whatever the work made of that."""
        if self.doomed is not None:
            raise self.doomed from None
        if self._connection.is_closed():
            raise asyncpg.InterfaceError("the connection was lost before the commit")

    async def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        statement = prepared(sql, parameters)
        return [tuple(row) for row in await self._ask("fetch", statement, *parameters)]

    async def change(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        statement = prepared(sql, parameters)
        return count(await self._ask("execute", statement, *parameters))

    async def change_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        for row in rows:
            check_text(row)
        await self._ask("executemany", to_postgres(sql), rows)

    def attempt(self) -> AbstractAsyncContextManager[None]:
        return self._savepoint()

    @asynccontextmanager
    async def _savepoint(self) -> AsyncIterator[None]:
        self._savepoints += 1
        name = f"attempt_{self._savepoints}"
        await self._ask("execute", f"savepoint {name}")
        try:
            yield
        except BaseException:
            if self.doomed is None:
                await self._ask("execute", f"rollback to savepoint {name}")
            raise
        await self._ask("execute", f"release savepoint {name}")

    async def _ask(self, method: str, *arguments: Any) -> Any:
        try:
            return await getattr(self._connection, method)(*arguments)
        except (*LOST, *AGAIN, *BUSY) as error:
            if isinstance(error, asyncpg.DataError):
                raise
            self.doomed = error
            raise Over from error
        except UNFIT as error:
            raise Unfit(str(error)) from error


def prepared(sql: str, parameters: Sequence[Any]) -> str:
    """A statement as PostgreSQL takes it; its parameters are looked at. Raises Unstorable."""
    check_text(parameters)
    return _MADE.sub(rf"create table {MODELS}.", to_postgres(sql))


def count(tag: str) -> int:
    """The number of rows in the tag that PostgreSQL ends a command with: `UPDATE 3`, `INSERT 0 1`, `CREATE TABLE`."""
    last = tag.rpartition(" ")[2]
    return int(last) if last.isdecimal() else 0
