"""The worker of a game that somebody watches: it turns new events of the log into messages.

Workers read the log and nothing else, so nothing is told before it is durable, and what the feed loses is found at the
next heartbeat. A message is made once for each audience; every socket of it gets the same bytes. A game with a delay
for its spectators has a second worker for them, which takes each event when it is of age.
"""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Protocol

import structlog
from structlog.typing import FilteringBoundLogger

from events.event import Event
from events.feed import Moved
from events.store import StoreFailed, StoreFull
from projections.game import ENDED, LiveGame
from projections.history import moment_before
from projections.lag import of_age
from server.access import Caller
from server.commands import Games
from server.course import Course, Telling, Tuning
from server.damage import unanswered, unreadable
from server.frames import Frame
from server.lag import bound_of, not_of_age
from server.outbox import Outbox
from server.problems import Problem
from server.stream_messages import PATCH
from server.waiters import Waiters

log: FilteringBoundLogger = structlog.get_logger("turnlog")

#: So many versions of a game may be on their way to sockets and still be timed.
ANNOUNCED_MAX = 1000

#: A worker looks again after so long for what it could not read.
LOG_AWAY_S = 0.5

#: What is of age is taken within so long, unless the clock was set back.
AGED_S = 1.0

#: The kinds of events after which somebody may no longer be who he was in the game.
SEATINGS = ("joined", "left", "replaced")


class Watching(Protocol):
    """The socket of a follower: who is there, and what waits to be sent."""

    caller: Caller

    @property
    def outbox(self) -> Outbox:
        """What waits to be sent."""


class Follower(Protocol):
    """What a worker tells its news to. `present`: what it was told last of who is there, if it wants to know."""

    tuning: Tuning
    live: bool
    wants_presence: bool
    present: object

    @property
    def socket(self) -> Watching:
        """Whose it is."""

    def deliver(self, version: int, frame: Frame) -> None:
        """A new version, with its message; only while `live`."""

    def recheck(self) -> None:
        """Seats have changed hands."""

    def end(self, problem: Problem) -> None:
        """No more will come."""


class Worker:
    """Follows one game, `delay_s` behind it. Between two awaits `live`, `course` and `telling` are of one version."""

    def __init__(
        self,
        game: str,
        games: Games,
        on_end: Callable[["Worker"], None],
        on_attendance: Callable[[str], None],
        delay_s: int = 0,
    ) -> None:
        self.game = game
        self.games = games
        self.delay_s = delay_s
        self.on_attendance = on_attendance
        self.followers: dict[Follower, None] = {}  # in the order in which they came
        self.users = 0
        self.task: asyncio.Task[None] | None = None
        self.problem: Problem | None = None
        self._on_end = on_end
        self._wake = asyncio.Event()
        self._heard: list[Event] = []
        #: The time of the first event that is not of age.
        self._waits: str | None = None
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._snapshots: dict[Tuning, bytes] = {}
        self._waiters = Waiters()
        #: Why the log could not be read when it was last tried.
        self._log_away: Exception | None = None
        #: Versions announced and not yet passed on, with the time at which they were durable.
        self._announced: deque[tuple[int, float]] = deque(maxlen=ANNOUNCED_MAX)
        self.live: LiveGame
        self.course: Course
        self.telling: Telling

    @property
    def version(self) -> int:
        """The version up to which the game was followed."""
        return self.live.meta.version

    async def opened(self) -> None:
        """Wait until the game is there.

        Raises:
            Problem: `not_found`, `unavailable`, `internal`.
        """
        await asyncio.shield(self._opened)

    async def caught_up(self, version: int) -> None:
        """Wait until the game is there up to a version that is durable (and of age), whichever node wrote it.

        Raises:
            Problem: `not_found`, `unavailable`, `internal`.
        """
        await self.opened()
        if version > self.version:
            self.wake()
            try:
                await self._waiters.wait(version, AGED_S if self.delay_s else None)
            except TimeoutError:
                away = None if self._log_away is None else unanswered(self._log_away)
                raise away or not_of_age(self.version) from None
        if self.problem is not None:
            raise self.problem

    def follow(self, follower: Follower) -> None:
        """Tell a follower what comes."""
        self.followers[follower] = None
        self.on_attendance(self.game)

    def unfollow(self, follower: Follower) -> None:
        """Tell it no more; does nothing the second time."""
        self.followers.pop(follower, None)
        self.on_attendance(self.game)

    def wake(self) -> None:
        """The game may have moved."""
        self._wake.set()

    def hear(self, moved: Moved) -> None:
        """The game has moved. What is told beyond a batch is left to the log, and so is all that is not of age."""
        if self.delay_s:
            if self._waits is None:
                self._wake.set()
        elif not self._opened.done() or moved.version > self.version:
            self._announced.append((moved.version, time.perf_counter()))
            if len(self._heard) < self.games.settings.stream_batch_events:
                self._heard.extend(moved.events)
            self._wake.set()

    def snapshot(self, tuning: Tuning) -> Frame:
        """The message with the newest view."""
        if tuning not in self._snapshots:
            self._snapshots[tuning] = self.telling.newest("snapshot", self.course, tuning)
        return self.telling.timed(self._snapshots[tuning])

    async def run(self) -> None:
        """Follow the game until cancelled; a failure ends its subscriptions and nothing else."""
        try:
            await self._open()
            self._opened.set_result(None)
            while True:
                await self._woken()
                try:
                    await self._advance()
                    self._log_away = None
                except (StoreFull, StoreFailed) as error:  # the log is away, and the game where it was
                    self._log_away = error.with_traceback(None)  # else it would keep this worker, which keeps it
                    await asyncio.sleep(LOG_AWAY_S)
                    self._wake.set()
        except Problem as problem:
            self._fail(problem)
        except Exception as error:
            damaged = unanswered(error) or await unreadable(self.games.store, self.game, error)
            if damaged is None:
                log.exception("stream_worker_failed", game=self.game)
                damaged = Problem("internal", "This game cannot be followed now. The fault is the server's.")
            self._fail(damaged)
        finally:
            if not self._opened.done():
                self._fail(Problem("unavailable", "The server is stopping. Try again in a moment."))
            self._on_end(self)

    async def _woken(self) -> None:
        """Wait until there may be something to take."""
        wait_s = None
        if self._waits is not None:
            due = datetime.fromisoformat(self._waits) + timedelta(seconds=self.delay_s)
            wait_s = max((due - self.games.clock.now()).total_seconds(), 0.0)
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                await self._wake.wait()
        self._wake.clear()

    def _bound(self) -> str | None:
        """The time up to which events are of age; None: they all are."""
        return bound_of(self.games.clock, self.delay_s) if self.delay_s else None

    async def _open(self) -> None:
        games = self.games
        self.live = live = await games.open(self.game, self._bound())
        if self.delay_s:
            self._wake.set()  # what comes of age next is not known yet
        self.course = Course(live.rules, live.moment.state, ended=live.meta.status == ENDED)
        texts = games.catalogue.of_game(live).texts
        self.telling = Telling(live, texts, games.settings.actions_in_answer_max, games.now, self.delay_s)

    async def _advance(self) -> None:
        batch = self.games.settings.stream_batch_events
        while True:
            version = self.version
            events = self._next_heard() or await self.games.store.read(self.game, after=version, until=version + batch)
            aged = self._of_age(events)
            for event in aged:
                await self._take(event)
            if len(aged) < batch:
                return

    def _of_age(self, events: Sequence[Event]) -> Sequence[Event]:
        """Those of the next events that are to be taken now."""
        bound = self._bound()
        if bound is None:
            return events
        aged = of_age(events, bound, started=self.live.meta.started > 0)
        self._waits = events[len(aged)].header.at if len(aged) < len(events) else None
        return aged

    def _next_heard(self) -> list[Event]:
        """The events told that follow on what is known, without a gap."""
        heard, self._heard = self._heard, []
        following = [event for event in heard if event.header.version > self.version]
        first = self.version + 1
        whole = all(event.header.version == version for version, event in enumerate(following, first))
        return following if whole else []

    async def _take(self, event: Event) -> None:
        live = self.live
        moment = await moment_before(self.games.store, live, event)
        tunings = {follower.tuning for follower in self.followers if follower.live}
        self.course.hold({tuning.reader for tuning in tunings if tuning.updates == PATCH})
        live.apply(event)
        if moment is not None:
            live.put_back(moment)
        self.course.turn(live.moment.state, ended=live.meta.status == ENDED)
        self.telling.turn()
        self._snapshots.clear()
        if event.header.kind in SEATINGS:
            for follower in tuple(self.followers):
                follower.recheck()
            self.on_attendance(self.game)
        self._deliver(event, tunings)
        self._waiters.reach(event.header.version)

    def _deliver(self, event: Event, tunings: set[Tuning]) -> None:
        frames = {tuning: self.telling.event(self.course, event, tuning) for tuning in tunings}
        told = 0
        for follower in tuple(self.followers):
            if follower.live:
                follower.deliver(event.header.version, frames[follower.tuning])
                told += 1
        self._measure(event.header.version, told)

    def _measure(self, version: int, told: int) -> None:
        meter, now = self.games.meter, time.perf_counter()
        if told:
            meter.count("turnlog_stream_messages_sent_total", "event", by=told)
        while self._announced and self._announced[0][0] <= version:
            meter.observe("turnlog_stream_fanout_duration_seconds", now - self._announced.popleft()[1])

    def _fail(self, problem: Problem) -> None:
        self.problem = problem
        if not self._opened.done():
            self._opened.set_exception(problem)
            self._opened.exception()  # nobody may be waiting any more
        self._waiters.reach(math.inf)
        for follower in tuple(self.followers):
            follower.end(problem)
