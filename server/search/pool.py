"""The processes that search, so that the event loop is never held up; they are started by the first search."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, Final, Self

import structlog
from msgspec import Struct
from structlog.typing import FilteringBoundLogger

from server.search.worker import Load, SearchFailed, load_ruleset, prepare, search

log: FilteringBoundLogger = structlog.get_logger()

#: How often a search is begun: its processes may die of something else (another search, the system's memory).
TRIES: Final = 2


class PoolLimits(Struct, frozen=True):
    """How many searches run at a time, how many more may wait, and after how many seconds one is given up."""

    workers: int
    waiting_max: int
    timeout_s: float


class SearchPool:
    """Runs searches in processes of their own. A pool that breaks is replaced; a search that hangs breaks it.

    It is open as soon as it is made, and anew at the beginning of each `async with`, whose end closes it.
    work: what is done with a task there, if it is no search: a module's function that raises SearchFailed alone.
    """

    def __init__(
        self, limits: PoolLimits, load: Load = load_ruleset, work: Callable[[Load, Any], bytes] = search
    ) -> None:
        self.limits = limits
        self._load = load
        self._work = work
        self._slots = asyncio.Semaphore(limits.workers)
        self._waiting = 0
        self._closed = False
        self._executor: ProcessPoolExecutor | None = None

    async def __aenter__(self) -> Self:
        """Take searches, also after it was closed."""
        self._closed = False
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        await self.close()

    async def search(self, task: Any) -> bytes:
        """The JSON of the action found.

        Raises:
            SearchFailed: too many wait, it took too long, its process died, the rules failed, or the pool is closed.
        """
        if self._waiting >= self.limits.waiting_max:
            raise SearchFailed(f"{self._waiting} searches are waiting, and no more may")
        self._waiting += 1
        try:
            await self._slots.acquire()
        finally:
            self._waiting -= 1
        try:
            return await self._search(task)
        finally:
            self._slots.release()

    async def close(self) -> None:
        """End all searches and their processes. Twice does nothing."""
        self._closed = True
        executor, self._executor = self._executor, None
        if executor is not None:
            _kill(executor)
            await asyncio.to_thread(executor.shutdown)

    async def _search(self, task: Any) -> bytes:
        for _ in range(TRIES):
            if self._closed:
                break
            executor = self._executor = self._executor or self._new()
            try:
                # This starts a process if there are too few: some milliseconds, once.
                future = executor.submit(self._work, self._load, task)
                async with asyncio.timeout(self.limits.timeout_s):
                    return await asyncio.wrap_future(future)
            except TimeoutError:
                self._discard(executor)
                raise SearchFailed(f"no answer in {self.limits.timeout_s} s") from None
            except BrokenProcessPool:
                self._discard(executor)
        raise SearchFailed("the pool is closed" if self._closed else f"its process died {TRIES} times")

    def _new(self) -> ProcessPoolExecutor:
        # Spawned, not forked: the server has threads and open files that a copy of it must not have.
        return ProcessPoolExecutor(self.limits.workers, mp_context=get_context("spawn"), initializer=prepare)

    def _discard(self, executor: ProcessPoolExecutor) -> None:
        """A broken pool, or one to be broken; searches that ran in it beside fail with it and are begun anew."""
        if self._executor is executor:
            log.warning("search_pool_broken")
            self._executor = None
            _kill(executor)
            executor.shutdown(wait=False)


def _kill(executor: ProcessPoolExecutor) -> None:
    """End the processes in the middle of what they do, for which there is no public way before Python 3.14."""
    for process in list((executor._processes or {}).values()):  # noqa: SLF001 - see above
        process.kill()
