"""The port to a database: transactions, queries and migrations, for all that is kept beside the log.

Statements are written once, in the SQL that SQLite and PostgreSQL share: `?` marks, `on conflict`, types text, integer
and blob. What still differs, each implementation translates.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, TypeVar

from msgspec import Struct

Result = TypeVar("Result")
Row = tuple[Any, ...]


class CannotOpen(Exception):
    """The database cannot be used as it is; the sentence says why and what to do."""


class Unfit(Exception):
    """A statement does not fit the tables: one of them, or a column, is not there. No value in it is to blame."""


class Limits(Struct, frozen=True):
    """How much may wait (`queue_max` writes), share a commit (`batch_max`), and wait for a foreign lock (`busy_ms`)."""

    queue_max: int = 10_000
    batch_max: int = 256
    busy_ms: int = 250  # of a file: the whole event loop waits with us


class Transaction(Protocol):
    """What a piece of work gets: one transaction. It may wait for nothing but this. Statements may raise Unfit."""

    async def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """The rows of a query, which sees what this transaction has changed."""

    async def change(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Run a statement; how many rows it changed."""

    async def change_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Run a statement once for each row of parameters."""

    def attempt(self) -> AbstractAsyncContextManager[None]:
        """What is changed within is undone, alone, if something is raised there."""


Work = Callable[[Transaction], Awaitable[Result]]
"""Done in a transaction, perhaps more than once, with the changes of all tries but the last undone."""


class Database(Protocol):
    """A database of this process alone, or shared with other nodes."""

    shared: bool
    """Whether other processes may write to it meanwhile."""

    on_commit: Callable[[int, float], None]
    """Told after each transaction how many writes shared it and how many seconds it took."""

    def migrate(self, name: str, statements: Sequence[str]) -> None:
        """Have the numbered statements of a room applied, all or none, that this database has not seen.

        Statements are only ever added. Raises CannotOpen, here or by `open`, if an applied one was changed or is not
        known to this program.
        """

    async def open(self) -> None:
        """Make it ready for use; twice does nothing. Raises CannotOpen."""

    async def write(self, work: Work[Result]) -> Result:
        """Do `work` in a transaction that no other one comes between; return its result once it is durable.

        What `work` raises is raised here and undoes its changes alone. Raises StoreFull when too much waits (nothing
        was written), StoreFailed when the outcome is unknown. If the caller is cancelled, it may be written all the
        same.
        """

    async def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """The rows of a query, which sees what is committed. Raises Unfit."""

    def exclusive(self, name: str, *, always: bool = False) -> AbstractAsyncContextManager[None]:
        """Only one at a time is within, of all processes that share the database.

        always: it waits for nobody who has another name. For names of which there are few, and which may be asked for
        within another one: those who are within the others could have all places, and wait for each other.
        """

    @property
    def waiting(self) -> int:
        """How many writes wait to be committed, appends to the log among them."""

    def healthy(self) -> bool:
        """Whether writes are taken."""

    async def close(self) -> None:
        """Finish what is waiting and let go of it. Closing twice does nothing."""


def tell_nobody(writes: int, seconds: float) -> None:
    """What `on_commit` is until somebody wants to know."""
    del writes, seconds


async def change(database: Database, sql: str, *parameters: object) -> int:
    """Run one statement durably; the number of rows it changed."""

    async def work(transaction: Transaction) -> int:
        return await transaction.change(sql, parameters)

    return await database.write(work)
