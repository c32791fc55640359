"""One SQLite file as a Database: reading, group commit in the event loop, migrations (ADR 0003)."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from events.database import CannotOpen, Database, Limits, Row, Transaction, Unfit, Work, tell_nobody
from events.sqlite_opening import connect, set_up, take_lock
from events.store import StoreFailed, StoreFull

Result = TypeVar("Result")
Step = Callable[[sqlite3.Connection], Result]
"""Work that runs at once."""

MEMORY = ":memory:"

# The disk's fault and not the statement's: after one of these nobody knows what the file holds.
_DISK_FAULTS = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_READONLY,
}


class _Outcome(NamedTuple):
    result: Any
    error: Exception | None


class _Pending(NamedTuple):
    work: Step[Any]
    outcome: asyncio.Future[_Outcome]


class _Turn:
    """A lock by name, kept as long as somebody has it or waits for it."""

    __slots__ = ("lock", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0


class SqliteFile(Database):
    """The one connection to a file (or to ":memory:"), for one process and one thread.

    Raises CannotOpen if another process has the file, or if it is not a file of ours.
    """

    def __init__(self, path: str | Path, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._queue: deque[_Pending] = deque()
        self._failure: str | None = None
        self.shared = False
        self.on_commit: Callable[[int, float], None] = tell_nobody
        self._turns: dict[str, _Turn] = {}
        with contextlib.ExitStack() as opened:
            if str(path) != MEMORY:
                opened.callback(os.close, take_lock(Path(path)))
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # it holds the seeds of running games
            self._connection = connect(path, self._limits)
            opened.callback(self._connection.close)
            set_up(self._connection, path)
            self._files = opened.pop_all()

    async def open(self) -> None:
        """As Database has it: the constructor has opened it."""

    async def write(self, work: Work[Result]) -> Result:
        """As Database has it. `work` runs without a pause, in one transaction with all that is queued by then."""
        return await self.write_now(lambda connection: _run_now(work(_Transaction(connection))))

    async def write_now(self, work: Step[Result]) -> Result:
        """As `write`, for work that is no coroutine.

        After StoreFailed all writes fail until the file is reopened.
        """
        if self._failure is not None:
            raise StoreFailed(self._failure)
        if len(self._queue) >= self._limits.queue_max:
            raise StoreFull(f"{len(self._queue)} writes are waiting")
        loop = asyncio.get_running_loop()
        pending = _Pending(work, loop.create_future())
        self._queue.append(pending)
        if len(self._queue) == 1:
            loop.call_soon(self._commit_batch)
        result, error = await pending.outcome
        if error is not None:
            raise error
        return result  # type: ignore[no-any-return]  # what `work` gave

    async def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """As Database has it, without a pause."""
        with _fitting:
            return self.read_now(sql, parameters)

    @contextlib.asynccontextmanager
    async def exclusive(self, name: str, *, always: bool = False) -> AsyncIterator[None]:
        """As Database has it: no other process has the file, and there are places enough."""
        del always
        turn = self._turns.setdefault(name, _Turn())
        turn.users += 1
        try:
            async with turn.lock:
                yield
        finally:
            turn.users -= 1
            if not turn.users:
                del self._turns[name]

    def read_now(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """The rows of a query. It sees what is committed: no transaction is open between two turns of the loop."""
        return self._connection.execute(sql, parameters).fetchall()

    def migrate(self, name: str, statements: Sequence[str]) -> None:
        """As Database has it, at once."""
        applied = self.read_now("select number, checksum from migrations where name = ? order by number", (name,))
        for number, checksum in applied:
            if number > len(statements):
                raise CannotOpen(
                    f"the file knows statement {number} of {name!r}: a newer program wrote it; use that one"
                )
            if checksum != _checksum(statements[number - 1]):
                raise CannotOpen(f"statement {number} of {name!r} is not the one that was applied to this file")
        run = self._connection.execute
        with self._connection:
            run("begin immediate")
            for number, statement in enumerate(statements[len(applied) :], len(applied) + 1):
                run(statement)
                run("insert into migrations values (?, ?, ?)", (name, number, _checksum(statement)))

    @property
    def waiting(self) -> int:
        """How many writes wait to be committed, appends to the log among them."""
        return len(self._queue)

    def healthy(self) -> bool:
        """Whether writes are taken."""
        return self._failure is None

    async def close(self) -> None:
        """Commit what is queued, fold the write-ahead log into the file, let go of it. Closing twice does nothing."""
        while self._queue:
            self._commit_batch()
        if self.healthy():
            self._connection.execute("pragma optimize")
            self._connection.execute("pragma wal_checkpoint(truncate)")
            self._failure = "the database is closed"
        self._files.close()

    def _commit_batch(self) -> None:
        """One transaction for all that is queued, then the answers: nobody hears of what is not durable."""
        if not self._queue:  # closed in the meantime
            return
        batch = [self._queue.popleft() for _ in range(min(len(self._queue), self._limits.batch_max))]
        began = time.perf_counter()
        try:
            outcomes = self._transact(batch)
        except BaseException as error:
            self._fail(batch, error)
            if not isinstance(error, sqlite3.Error):
                raise
            return
        self.on_commit(len(batch), time.perf_counter() - began)
        for pending, outcome in zip(batch, outcomes, strict=True):
            _answer(pending, outcome)
        if self._queue:
            asyncio.get_running_loop().call_soon(self._commit_batch)

    def _transact(self, batch: list[_Pending]) -> list[_Outcome]:
        try:
            self._connection.execute("begin immediate")
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY:
                raise
            return [_Outcome(None, StoreFull("another program is writing to the file"))] * len(batch)
        try:
            outcomes = [_Outcome(pending.work(self._connection), None) for pending in batch]
        except Exception as error:
            if _code(error) in _DISK_FAULTS:
                raise
            self._connection.execute("rollback")
            self._connection.execute("begin immediate")
            outcomes = [self._attempt(pending.work) for pending in batch]
        self._connection.execute("commit")
        return outcomes

    def _attempt(self, work: Step[Any]) -> _Outcome:
        """One write, undone by itself if it raises. Most batches get by without: a savepoint costs two statements."""
        run = self._connection.execute
        run("savepoint attempt")
        try:
            outcome = _Outcome(work(self._connection), None)
        except Exception as error:
            if _code(error) in _DISK_FAULTS:
                raise
            run("rollback to attempt")
            outcome = _Outcome(None, error)
        run("release attempt")
        return outcome

    def _fail(self, batch: list[_Pending], error: BaseException) -> None:
        """Answer all that waits and stop. Never retry: a second fsync may report pages that the first one lost."""
        self._failure = f"writing to the database failed ({error}); reopen it"
        with contextlib.suppress(sqlite3.Error):
            self._connection.rollback()
        batch.extend(self._queue)
        self._queue.clear()
        for pending in batch:
            _answer(pending, _Outcome(None, StoreFailed(self._failure)))


class _Fitting:
    """Within it, what SQLite says of a statement that does not fit the tables is raised as Unfit."""

    def __enter__(self) -> None:
        """Nothing."""

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, sqlite3.OperationalError) and _code(error) == sqlite3.SQLITE_ERROR:
            raise Unfit(str(error)) from error


_fitting = _Fitting()


class _Transaction(Transaction):
    """The file's connection within a transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """As Transaction has it."""
        with _fitting:
            return self._connection.execute(sql, parameters).fetchall()

    async def change(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """As Transaction has it."""
        with _fitting:
            return self._connection.execute(sql, parameters).rowcount

    async def change_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """As Transaction has it."""
        with _fitting:
            self._connection.executemany(sql, rows)

    @contextlib.asynccontextmanager
    async def attempt(self) -> AsyncIterator[None]:
        """As Transaction has it."""
        run = self._connection.execute
        run("savepoint part")
        try:
            yield
        except Exception:
            run("rollback to part")
            raise
        finally:
            run("release part")


def _run_now(work: Awaitable[Result]) -> Result:
    """Run a coroutine to its end, which it must reach without a pause: the whole event loop waits."""
    coroutine = cast("Coroutine[Any, Any, Result]", work)
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: Result = end.value
        return result
    coroutine.close()
    raise RuntimeError("work in a transaction waited for something besides its transaction")


def _answer(pending: _Pending, outcome: _Outcome) -> None:
    if not pending.outcome.done():  # its caller may have been cancelled
        pending.outcome.set_result(outcome)


def _code(error: BaseException) -> int:
    """SQLite's primary result code; 0 if the error is none of SQLite's."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _checksum(statement: str) -> bytes:
    return sha256(statement.encode()).digest()
