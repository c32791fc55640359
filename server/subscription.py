"""One reader following one game over one socket: from the version it has, without gap or repeat, then live.

`cursor` is the last version put into the outbox. A follower that is not `live` pulls from the log, no faster than its
socket takes it; at the moment it has all, it goes live. A live one whose socket is behind is taken off, and gets the
newest view (`skipped`) once the socket has drained.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

import structlog
from structlog.typing import FilteringBoundLogger

from events.event import Event
from projections.game import Moment, fold_event
from projections.history import moment_at
from projections.views import reader_name
from server.access import Caller, check_not_delayed, reader_of
from server.course import Course, Tuning
from server.damage import unanswered
from server.frames import Frame
from server.outbox import Outbox
from server.problems import Problem
from server.stream_messages import EFFECTS, PATCH, Unsubscribed, document, frame
from server.worker import Worker

log: FilteringBoundLogger = structlog.get_logger("turnlog")


class Channel(Protocol):
    """The side of the client, as a subscription needs it: who it is now, what waits to be sent to it."""

    caller: Caller

    @property
    def outbox(self) -> Outbox:
        """What waits to be sent."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task that ends with the socket."""


class Subscription:
    """A follower of a worker. `on_end` is told when it is no more by the server's will."""

    def __init__(
        self,
        worker: Worker,
        tuning: Tuning,
        channel: Channel,
        on_end: Callable[["Subscription"], None],
        *,
        presence: bool = False,
    ) -> None:
        self.worker = worker
        self.tuning = tuning
        self.live = False
        self.cursor = 0
        self.wants_presence = presence
        self.present: object = None
        self.socket = channel
        self._outbox = channel.outbox
        self._on_end = on_end
        self._task: asyncio.Task[None] | None = None

    @property
    def key(self) -> tuple[str, int]:
        """What it follows, and as whom: once a socket."""
        return (self.worker.game, self.tuning.reader)

    def begin(self, after: int | None) -> None:
        """Start behind a version that the game has; None: with a snapshot."""
        if self.worker.problem is not None:
            self.end(self.worker.problem)
            return
        self.worker.follow(self)
        if after is None:
            self.worker.games.meter.count("turnlog_stream_messages_sent_total", "snapshot")
            self._outbox.put(self.worker.snapshot(self.tuning))
            self._go_live()
        else:
            self.cursor = after
            self._start(self._pull())

    def deliver(self, version: int, frame: Frame) -> None:
        """Pass on a new version, unless something is missing before it or the socket is behind."""
        if self.cursor + 1 != version:
            self._start(self._pull())
        elif self._outbox.full:
            self._start(self._skip())
        else:
            self._outbox.put(frame)
            self.cursor = version

    def recheck(self) -> None:
        """End if the caller may no longer read as this reader."""
        try:
            caller, meta = self.socket.caller, self.worker.live.meta
            reader_of(caller, meta, reader_name(self.tuning.reader))
            if not self.worker.delay_s:
                check_not_delayed(caller, meta)
        except Problem as problem:
            self.end(problem)

    def end(self, problem: Problem) -> None:
        """End it from the server's side, and say so."""
        name = reader_name(self.tuning.reader)
        self._outbox.put(frame(Unsubscribed(game=self.worker.game, reader=name, problem=document(problem))))
        self.stop()
        self._on_end(self)

    def stop(self) -> None:
        """Follow no more."""
        self.live = False
        self.worker.unfollow(self)
        if self._task is not None and self._task is not asyncio.current_task():
            self._task.cancel()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self.live = False
        self._task = self.socket.spawn(self._guarded(work))

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as error:
            problem = unanswered(error)
            if problem is None:
                log.exception("stream_subscription_failed", game=self.worker.game)
                problem = Problem("internal", "This game cannot be followed now. The fault is the server's.")
            self.end(problem)

    def _go_live(self) -> None:
        self.cursor = self.worker.version
        self.live = True

    async def _skip(self) -> None:
        await self._outbox.drained()
        worker = self.worker
        missed = {"from": self.cursor + 1, "to": worker.version}
        meter = worker.games.meter
        meter.count("turnlog_stream_skips_total")
        meter.count("turnlog_stream_skipped_events_total", by=worker.version - self.cursor)
        meter.count("turnlog_stream_messages_sent_total", "skipped")
        self._outbox.put(worker.telling.timed(worker.telling.newest("skipped", worker.course, self.tuning, **missed)))
        self._go_live()

    async def _pull(self) -> None:
        worker = self.worker
        past = await _Past.at(worker, self.cursor, self.tuning)
        batch = worker.games.settings.stream_batch_events
        while self.cursor < worker.version:
            until = min(self.cursor + batch, worker.version)
            for event in await worker.games.store.read(worker.game, after=self.cursor, until=until):
                await self._outbox.room()
                await past.take(event)
                worker.games.meter.count("turnlog_stream_messages_sent_total", "event")
                self._outbox.put(worker.telling.event(past.course, event, self.tuning))
                self.cursor = event.header.version
        self._go_live()


class _Past:
    """The course of a game up to a version that is behind its newest; only as much as the updates need."""

    def __init__(self, worker: Worker, tuning: Tuning, moment: Moment, version: int) -> None:
        self._worker = worker
        self._tuning = tuning
        self._moment = moment
        self.course = Course(worker.live.rules, moment.state, ended=self._ended(version))

    @classmethod
    async def at(cls, worker: Worker, version: int, tuning: Tuning) -> "_Past":
        """The course at a version."""
        if tuning.updates == EFFECTS:
            return cls(worker, tuning, Moment(), version)
        return cls(worker, tuning, await moment_at(worker.games.store, worker.live, version), version)

    async def take(self, event: Event) -> None:
        """Go one version on."""
        if self._tuning.updates == EFFECTS:
            return
        live, version = self._worker.live, event.header.version
        self.course.hold((self._tuning.reader,) if self._tuning.updates == PATCH else ())
        if event.header.kind == "rewound":
            self._moment = await moment_at(self._worker.games.store, live, version)
        elif event.effects:
            fold_event(live.rules, live.meta, self._moment, event)
        self.course.turn(self._moment.state, ended=self._ended(version))

    def _ended(self, version: int) -> bool:
        return 0 < self._worker.live.meta.ended <= version
