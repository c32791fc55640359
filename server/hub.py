"""The hub: all workers of this process, one for each game that somebody watches, and all its sockets."""

import asyncio
from collections.abc import Callable

from events.feed import Moved
from server.commands import Games
from server.problems import Problem
from server.sockets import Sockets
from server.worker import Worker


class Hub:
    """All workers and sockets of this process."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self.sockets = Sockets(games.settings)
        #: Told the game whenever who follows it may have changed.
        self.on_attendance: Callable[[str], None] = _nobody_asks
        self._workers: dict[tuple[str, bool], Worker] = {}
        self._group: asyncio.TaskGroup | None = None

    async def run(self) -> None:
        """Follow the games that are watched, until cancelled."""
        unlisten = self._games.feed.listen(self._moved)
        try:
            async with asyncio.TaskGroup() as group:
                self._group = group
                while True:
                    await asyncio.sleep(self._games.settings.heartbeat_s)
                    for worker in self._workers.values():
                        worker.wake()
        finally:
            self._group = None
            unlisten()

    async def stop(self) -> None:
        """Say `closing` to all sockets and close them; let none in any more."""
        await self.sockets.stop()

    @property
    def games(self) -> int:
        """How many games are followed."""
        return len({game for game, _ in self._workers})

    @property
    def subscriptions(self) -> int:
        """How many subscriptions all sockets have."""
        return sum(worker.users for worker in self._workers.values())

    def watch(self, game: str, delay_s: int = 0) -> Worker:
        """The worker of a game, which goes on until every `watch` has had its `unwatch`.

        With a delay it is the one of its spectators: the delay is the game's own.

        Raises:
            Problem: `unavailable` when the hub does not run.
        """
        key = (game, delay_s > 0)
        worker = self._workers.get(key)
        if worker is None:
            if self._group is None:
                raise Problem("unavailable", "The server is starting or stopping. Try again in a moment.")
            worker = self._workers[key] = Worker(game, self._games, self._ended, self._attended, delay_s)
            worker.task = self._group.create_task(worker.run())
        worker.users += 1
        return worker

    def unwatch(self, worker: Worker) -> None:
        """One less has use for the worker."""
        worker.users -= 1
        if worker.users == 0 and worker.task is not None:
            self._ended(worker)
            task, worker.task = worker.task, None  # else each would be kept by the other until the collector comes
            task.cancel()

    def workers(self, game: str) -> list[Worker]:
        """The workers of a game that are followed and could be opened, the one without a delay first."""
        found = [self._workers.get((game, delayed)) for delayed in (False, True)]
        return [worker for worker in found if worker is not None and worker.followers]

    def _attended(self, game: str) -> None:
        self.on_attendance(game)

    def _ended(self, worker: Worker) -> None:
        key = (worker.game, worker.delay_s > 0)
        if self._workers.get(key) is worker:
            del self._workers[key]

    def _moved(self, moved: Moved) -> None:
        for delayed in (False, True):
            worker = self._workers.get((moved.game, delayed))
            if worker is not None:
                worker.hear(moved)


def _nobody_asks(game: str) -> None:
    """What `on_attendance` is until somebody wants to know."""
    del game
