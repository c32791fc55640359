"""PostgreSQL as a Database: a pool of connections, serializable writes that are tried again, locks over all nodes."""

# ruff: noqa: D102 - the protocol says what each method does

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager, suppress
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import asyncpg

from events import migrations
from events.database import CannotOpen, Database, Result, Row, Unfit, Work, tell_nobody
from events.postgres_link import BUSY, LOST, UNFIT, PostgresLimits, connect, is_lost, settings_of, why_not
from events.postgres_transaction import AGAIN, PostgresTransaction, count, prepared
from events.store import StoreFailed, StoreFull

Answer = TypeVar("Answer")

_PAUSE_S = 0.05


class PostgresPool(Database):
    """A Database over all nodes. dsn: as libpq takes it, of a login that is a member of turnlog_node."""

    shared = True

    def __init__(self, dsn: str, limits: PostgresLimits | None = None) -> None:
        self.dsn = dsn
        self.limits = limits or PostgresLimits()
        self.rooms: dict[str, Sequence[str]] = {}
        #: That of the log when it was opened: it must be the same for as long as this process writes to it.
        self.epoch = 0
        self.on_commit: Callable[[int, float], None] = tell_nobody
        #: Appends of the log's writer beside the pool that are not answered yet.
        self.appending = 0
        self._writers = asyncio.Semaphore(self.limits.writers_max)
        #: As many as the pool has connections, so that who waits for one is told from who waits for PostgreSQL.
        self._free = asyncio.Semaphore(self.limits.connections_max)
        most = self.limits.waiting_max
        self._writing, self._asking = _Line(most, "writes are waiting"), _Line(most, "questions are waiting")
        self._locking = _Line(most, "locks are waited for")
        self._is_away = False
        self._locks = asyncio.Semaphore(self.limits.locks_max)
        self._held: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._pool: Any = None

    def migrate(self, name: str, statements: Sequence[str]) -> None:
        self.rooms[name] = statements

    async def open(self) -> None:
        if self._pool is not None:
            return
        pool = asyncpg.create_pool(
            self.dsn,
            min_size=0,
            max_size=self.limits.connections_max,
            max_inactive_connection_lifetime=self.limits.idle_s,
            timeout=self.limits.connect_s,
            command_timeout=self.limits.answer_s,
            server_settings=settings_of(self.limits),
            reset=_leave_as_it_is,
        )
        try:
            await pool
            async with pool.acquire() as connection:
                applied = await migrations.applied_to(connection)
                migrations.check_applied(migrations.steps_of(self.rooms), applied)
                self.epoch = await connection.fetchval("select epoch from head")
        except CannotOpen:
            pool.terminate()
            raise
        except (*LOST, asyncpg.PostgresError, ValueError) as error:
            pool.terminate()
            raise why_not(error) from error
        self._pool = pool

    async def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        statement = prepared(sql, parameters)
        rows = await self._patiently(lambda connection: connection.fetch(statement, *parameters))
        return [tuple(row) for row in rows]

    async def change(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Run one statement in a transaction of its own, which must bear being run twice; the rows it changed."""
        statement = prepared(sql, parameters)
        return count(await self._patiently(lambda connection: connection.execute(statement, *parameters)))

    async def write(self, work: Work[Result]) -> Result:
        until = time.monotonic() + self.limits.patience_s
        with self._writing.joined():
            async with _a_turn(self._writers, until, "transactions"):
                return await self._try_until_it_stands(work, until)

    def exclusive(self, name: str, *, always: bool = False) -> AbstractAsyncContextManager[None]:
        return self._exclusive(name, None if always else self._locks)

    @property
    def waiting(self) -> int:
        return self._writing.length + self.appending

    def healthy(self) -> bool:
        return self._pool is not None and not self._is_away

    def answered(self) -> None:
        """PostgreSQL can be reached: the pool, or the log's writer beside it, has had an answer."""
        self._is_away = False

    async def close(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            with suppress(TimeoutError, *LOST):
                await asyncio.wait_for(pool.close(), self.limits.connect_s)
            pool.terminate()

    async def _patiently(self, ask: Callable[[Any], Awaitable[Answer]]) -> Answer:
        """The answer to something that may be asked twice, also if the server is away for a moment."""
        with self._asking.joined():
            return await self._ask_until_answered(ask)

    async def _ask_until_answered(self, ask: Callable[[Any], Awaitable[Answer]]) -> Answer:
        until = time.monotonic() + self.limits.patience_s
        while True:
            try:
                async with self._acquired(until) as connection:
                    answer = await ask(connection)
            except (*LOST, *AGAIN, *BUSY) as error:
                self._check_worth_a_try(error, until)
            except UNFIT as error:
                raise Unfit(str(error)) from error
            else:
                self.answered()
                return answer
            await asyncio.sleep(_PAUSE_S)

    async def _try_until_it_stands(self, work: Work[Result], until: float) -> Result:
        for attempt in range(self.limits.write_tries_max):
            try:
                return await self._transact(work, until)
            except (*LOST, *AGAIN, *BUSY) as error:
                self._check_worth_a_try(error, until)
            await asyncio.sleep(random.uniform(0, _PAUSE_S * min(attempt + 1, 10)))  # noqa: S311 - not for secrets
        raise StoreFull("others got in the way of this write each time it was tried")

    def _check_worth_a_try(self, error: BaseException, until: float) -> None:
        """Raise what is no passing fault, StoreFull if PostgreSQL is busy, StoreFailed if it was away for too long."""
        if is_lost(error):
            if time.monotonic() > until:
                self._is_away = True
                raise _away(error) from error
        elif isinstance(error, BUSY):
            raise StoreFull(f"PostgreSQL cannot do this now: {error}") from error
        elif not isinstance(error, AGAIN):
            raise error
        elif time.monotonic() > until:
            raise StoreFull("others got in the way of this for longer than it may wait") from error

    async def _transact(self, work: Work[Result], until: float) -> Result:
        """One attempt. What is raised before the commit undid it all; in the commit, StoreFailed: nobody knows."""
        began = time.perf_counter()
        async with self._acquired(until) as connection:
            transaction = connection.transaction(isolation="serializable")
            await transaction.start()
            ours = PostgresTransaction(connection)
            try:
                result = await work(ours)
                ours.check()
            except BaseException:
                with suppress(*LOST, asyncpg.PostgresError):
                    await transaction.rollback()
                if ours.doomed is not None:
                    raise ours.doomed from None
                raise
            try:
                await transaction.commit()
            except LOST as error:
                raise StoreFailed(f"nobody knows whether this was written: {error}") from error
        self.answered()
        self.on_commit(1, time.perf_counter() - began)
        return result

    @asynccontextmanager
    async def _acquired(self, until: float) -> AsyncIterator[Any]:
        async with _a_turn(self._free, until, "connections"):
            if self._pool is None:
                raise StoreFailed("the database is closed")
            pool = self._pool
            connection = await pool.acquire(timeout=self.limits.connect_s)
            try:
                yield connection
            finally:
                # It may wait for what was cancelled, in vain. What is raised within tells more than that, above all
                # whether this may be asked again; asyncpg has ended the connection then.
                with suppress(*LOST):
                    await pool.release(connection)

    @asynccontextmanager
    async def _exclusive(self, name: str, places: asyncio.Semaphore | None) -> AsyncIterator[None]:
        """A lock of PostgreSQL's on a connection that is there for it alone: it ends with the connection.

        Who is within is not told when that breaks: what must not be done twice is checked where it is written. Who
        holds it may stand still: nobody waits for him longer than patience lasts.
        """
        async with AsyncExitStack() as held:
            with self._locking.joined():
                try:
                    async with asyncio.timeout(self.limits.patience_s):
                        await held.enter_async_context(self._held.setdefault(name, asyncio.Lock()))
                        if places is not None:
                            await held.enter_async_context(places)
                        connection = await self._locked(name)
                except TimeoutError:
                    raise _held_by_another(name) from None
            held.callback(connection.terminate)
            yield

    async def _locked(self, name: str) -> Any:
        """The connection that has the lock. PostgreSQL ends the wait, too: a process of it could outlive who waits."""
        patience = {"statement_timeout": "0", "lock_timeout": str(round(1000 * self.limits.patience_s))}
        connection = None
        try:
            connection = await connect(self.dsn, self.limits, patience, hurry=False)
            await connection.execute("select pg_advisory_lock(hashtextextended($1, 0))", name)
        except BaseException as error:
            if connection is not None:
                connection.terminate()
            if isinstance(error, asyncpg.LockNotAvailableError):
                raise _held_by_another(name) from error
            if isinstance(error, LOST):
                raise _away(error) from error
            raise
        return connection


class _Line:
    """Those who wait for the same, at most so many; what is told, behind their number, to one too many."""

    def __init__(self, most: int, told: str) -> None:
        self.length = 0
        self._most = most
        self._told = told

    @contextmanager
    def joined(self) -> Iterator[None]:
        """Within it one waits. Raises StoreFull."""
        if self.length >= self._most:
            raise StoreFull(f"{self.length} {self._told}")
        self.length += 1
        try:
            yield
        finally:
            self.length -= 1


@asynccontextmanager
async def _a_turn(places: asyncio.Semaphore, until: float, of_what: str) -> AsyncIterator[None]:
    """One of so many places, if there is one before `until`. Raises StoreFull if not: nothing was asked yet."""
    try:
        async with asyncio.timeout(max(0.0, until - time.monotonic())):
            await places.acquire()
    except TimeoutError:
        raise StoreFull(f"all {of_what} to PostgreSQL were in use for longer than this may wait") from None
    try:
        yield
    finally:
        places.release()


def _held_by_another(name: str) -> StoreFull:
    return StoreFull(f"another process has been at this for long: {name}")


def _away(error: BaseException) -> StoreFailed:
    return StoreFailed(f"PostgreSQL does not answer: {str(error) or type(error).__name__}")


async def _leave_as_it_is(connection: Any) -> None:
    """Nothing of a connection is changed while it is out of the pool: to reset it would be a question each time."""
