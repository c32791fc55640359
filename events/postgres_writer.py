"""The one connection of a node on which it appends: group commit, and what becomes of appends when it breaks.

All appends that wait are sent in one call of log.append, and answered when PostgreSQL has committed it; meanwhile the
next ones gather. When the connection breaks nobody knows whether the call was carried out: it is made again on a new
connection, and finds what it wrote the first time. What is still not known when patience ends is answered by
StoreFailed, for those appends alone; until PostgreSQL is back, others are refused at once.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import asyncpg

from events.dialect import check_text
from events.postgres_link import LOST, connect, is_lost
from events.postgres_pool import PostgresPool
from events.store import Append, Appended, Command, Conflict, Duplicate, KeyReused, StoreFailed, StoreFull

APPEND = """select outcome, "position", version, response, at
  from log.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)"""

#: The tables are looked up by key whatever the planner thinks it knows of their sizes: it plans once and for all.
_PLANS = {"enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off"}

#: How many of those that wait are looked at for a batch, as a multiple of what it holds.
_LOOK_AHEAD = 4
_PAUSE_S = 0.05
_PAUSE_AWAY_S = 0.5

#: PostgreSQL gave up before it wrote anything.
_TIMED_OUT = (asyncpg.QueryCanceledError, asyncpg.LockNotAvailableError)


_NO_COMMAND = Command("", "", b"", b"", "")


class _Pending(NamedTuple):
    append: Append
    answer: asyncio.Future[Appended]

    def resolve(self, outcome: Appended | BaseException) -> None:
        if self.answer.done():  # its caller may have been cancelled
            return
        if isinstance(outcome, BaseException):
            self.answer.set_exception(outcome)
        else:
            self.answer.set_result(outcome)


class Writer:
    """Appends of one node, in batches, on a connection of its own beside the pool's."""

    def __init__(self, pool: PostgresPool) -> None:
        self._pool = pool
        self._limits = pool.limits
        self._queue: deque[_Pending] = deque()
        self._connection: Any = None
        self._failure: str | None = None
        self._away: str | None = None
        self._closed = False
        self._task: asyncio.Task[None] | None = None

    def healthy(self) -> bool:
        """Whether appends are taken."""
        return self._failure is None and self._away is None

    async def append(self, append: Append) -> Appended:
        """Append in the next batch. Raises what EventStore.append raises."""
        if self._failure is not None or self._closed:
            raise StoreFailed(self._failure or "the store is closed")
        if self._away is not None:
            raise StoreFull(self._away)
        if len(self._queue) >= self._limits.waiting_max:
            raise StoreFull(f"{len(self._queue)} appends are waiting")
        check_text(_texts(append))
        pending = _Pending(append, asyncio.get_running_loop().create_future())
        self._queue.append(pending)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
        self._pool.appending += 1
        try:
            return await pending.answer
        finally:
            self._pool.appending -= 1

    async def close(self) -> None:
        """Finish what waits and disconnect. Closing twice does nothing."""
        self._closed = True
        if self._task is not None:
            await asyncio.wait([self._task])
        self._failure = self._failure or "the store is closed"
        self._disconnect()

    async def _work(self) -> None:
        """Batch after batch while any append waits; then, if PostgreSQL went away, look for it until it is back."""
        while self._queue:
            batch = self._take()
            try:
                await self._settle(batch, sent=False)
            except BaseException as error:
                _answer(batch, StoreFailed(f"nobody knows whether this was written: {error!r}"))
                if not isinstance(error, Exception):
                    raise
        while self._away is not None and not self._closed:
            await asyncio.sleep(_PAUSE_AWAY_S)
            with suppress(*LOST, asyncpg.PostgresError):
                await self._connected()
                self._away = None

    def _take(self) -> list[_Pending]:
        """The next batch: at most one append of a game and of a key; the others stay, in their order."""
        batch: list[_Pending] = []
        stay: list[_Pending] = []
        taken: set[object] = set()
        for _ in range(min(len(self._queue), _LOOK_AHEAD * self._limits.batch_max)):
            pending = self._queue.popleft()
            names = _names(pending.append)
            fits = len(batch) < self._limits.batch_max and taken.isdisjoint(names)
            (batch if fits else stay).append(pending)
            taken |= names
        self._queue.extendleft(reversed(stay))
        return batch

    async def _settle(self, batch: list[_Pending], *, sent: bool) -> None:
        """Send a batch until it is answered. sent: it was sent before, and may be carried out even now."""
        until = time.monotonic() + self._limits.patience_s
        while self.healthy():
            try:
                connection = await self._connected()
            except (*LOST, asyncpg.PostgresError) as error:
                await self._lost(error, until)
                continue
            once_more, sent = sent, True
            try:
                await self._send(connection, batch, once_more=once_more)
            except (*LOST, asyncpg.PostgresError) as error:
                if is_lost(error) or connection.is_closed():
                    await self._lost(error, until)
                    continue
                await self._refused(error, batch, sent=once_more)
            return
        _answer(batch, self._why_not(sent=sent))

    async def _send(self, connection: Any, batch: list[_Pending], *, once_more: bool) -> None:
        began = time.perf_counter()
        appends = [pending.append for pending in batch]
        rows = await connection.fetch(APPEND, self._pool.epoch, once_more, *_columns(appends))
        self._pool.on_commit(len(batch), time.perf_counter() - began)
        for pending, row in zip(batch, rows, strict=True):
            pending.resolve(_outcome(pending.append, row))

    async def _refused(self, error: BaseException, batch: list[_Pending], *, sent: bool) -> None:
        """PostgreSQL answered that it wrote nothing: because of one append of the batch, or for now, or for ever."""
        if isinstance(error, _TIMED_OUT):
            reason = "the log is busy for longer than this append may wait"
            _answer(batch, StoreFailed(f"{reason}, nobody knows whether it was written") if sent else StoreFull(reason))
        elif isinstance(error, asyncpg.ObjectNotInPrerequisiteStateError):
            self._failure = f"{error}: another copy of the database took over; restart this process to use that one"
            _answer([*batch, *self._queue], StoreFailed(self._failure))
            self._queue.clear()
        elif len(batch) > 1:
            for pending in batch:
                await self._settle([pending], sent=sent)
        else:
            known = error if isinstance(error, ValueError) else StoreFailed(f"PostgreSQL refused this append: {error}")
            _answer(batch, known)

    async def _connected(self) -> Any:
        if self._connection is None or self._connection.is_closed():
            self._connection = await connect(self._pool.dsn, self._limits, _PLANS)
            self._pool.answered()
        return self._connection

    async def _lost(self, error: BaseException, until: float) -> None:
        """Let go of the connection, and wait a little; when patience is at its end, refuse whatever comes."""
        self._disconnect()
        if time.monotonic() < until:
            await asyncio.sleep(_PAUSE_S)
            return
        self._away = f"PostgreSQL does not answer: {str(error) or type(error).__name__}"
        _answer(self._queue, StoreFull(self._away))
        self._queue.clear()

    def _why_not(self, *, sent: bool) -> Exception:
        """Why an append will have no answer, to its caller."""
        if sent:
            return StoreFailed(f"nobody knows whether this was written: {self._failure or self._away}")
        return StoreFailed(self._failure) if self._failure else StoreFull(self._away)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None


def _answer(batch: Iterable[_Pending], error: Exception) -> None:
    for pending in batch:
        pending.resolve(error)


def _names(append: Append) -> set[object]:
    """What a batch may have once: the game and the idempotency key."""
    command = append.command
    return {append.game} if command is None else {append.game, (command.scope, command.key)}


def _texts(append: Append) -> list[str]:
    command = append.command
    texts = [append.game, *(event.header.kind for event in append.events)]
    return texts if command is None else [*texts, command.scope, command.key, command.at]


def _columns(appends: Sequence[Append]) -> tuple[list[Any], ...]:
    """The arguments of log.append behind the first two, an array each."""
    events = [event for append in appends for event in append.events]
    words = [(n, *words) for n, append in enumerate(appends, 1) for words in append.erasable]
    commands = [append.command or _NO_COMMAND for append in appends]
    return (
        [append.game for append in appends],
        [append.expected for append in appends],
        [len(append.events) for append in appends],
        [append.secret for append in appends],
        [command.scope for command in commands],
        [command.key or None for command in commands],
        [command.request for command in commands],
        [command.response for command in commands],
        [command.at for command in commands],
        [event.header.kind for event in events],
        [event.data for event in events],
        [event.digest for event in events],
        [n for n, _, _ in words],
        [version for _, version, _ in words],
        [spoken for _, _, spoken in words],
        [append.follows for append in appends],
    )


def _outcome(append: Append, row: Any) -> Appended | Exception:
    command = append.command or _NO_COMMAND
    match row["outcome"]:
        case "appended" | "written":
            return Appended(row["position"], row["version"], append.events[-1].digest)
        case "duplicate":
            return Duplicate(Command(command.scope, command.key, command.request, row["response"], row["at"]))
        case "conflict":
            return Conflict(row["version"])
    return KeyReused(command.key)
