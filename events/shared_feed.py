"""The feed of several nodes over one log: told by a bus at once, found in the log a little later.

The bus may lose, repeat and reorder messages, and may be away. Positions of the log are dense, so every node knows by
a watermark what it was not told; the log is asked for that when a gap shows, and for its head every now and then. So
a bus that is away changes nothing but how soon a node hears. Listeners may be told a move twice, or of a later one
first: they compare versions.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Protocol

from msgspec import Struct

from events import feed_messages as messages
from events.bus import CONTROL, MOVES, BackOff, Bus, BusAway, Next
from events.event import Event
from events.feed import Feed, Hearer, Listener, LocalFeed, Moved
from events.feed_messages import Moves, Said
from events.watermark import Watermark


class Log(Protocol):
    """The part of an EventStore that a feed needs."""

    async def head(self) -> int:
        """The last global position."""

    async def read_all(self, after: int, limit: int) -> list[Event]:
        """The next events behind a position."""


class Watcher(Protocol):
    """Who is told how a feed fares."""

    def count(self, name: str, *labels: str, by: float = 1) -> None:
        """Something has happened (`by` times)."""

    def observe(self, name: str, value: float, *labels: str) -> None:
        """Something has been measured."""

    def failed(self, error: Exception) -> None:
        """A listener raised this, a message could not be understood, or the log could not be read."""

    def bus_changed(self, error: Exception | None) -> None:
        """The bus is there (None), or not, and why."""


class Pace(Struct, frozen=True, kw_only=True):
    """How often and how much. Durations in seconds.

    poll_s: the log's head is asked for so often, and away_poll_s: so often while no bus tells of moves. grace_s: a
    message may be so late before the log is asked for what it tells. silence_s: a bus that brings not even a node's own
    beat for so long is taken to be dead. back_off_s and back_off_max_s: the pauses between attempts to reach it.
    waiting_max: so many moves and so many control messages wait to be sent, at most. batch_max: so many go together.
    """

    poll_s: float = 1.0
    away_poll_s: float = 0.25
    grace_s: float = 0.2
    silence_s: float = 5.0
    back_off_s: float = 0.1
    back_off_max_s: float = 5.0
    waiting_max: int = 10_000
    batch_max: int = 256
    rows_bytes_max: int = 4096
    ranges_max: int = 10_000
    read_events: int = 500


class SharedFeed(Feed):
    """A Feed over all nodes. `node`: an identity of this process. `bus`: none, if nodes can only ask the log."""

    def __init__(self, node: bytes, log: Log, bus: Bus | None, pace: Pace, watcher: Watcher) -> None:
        self._node = node
        self._log = log
        self._bus = bus
        self._pace = pace
        self._watcher = watcher
        self._local = LocalFeed(watcher.failed)
        self._mark: Watermark | None = None
        self._head = 0
        #: Whether messages of other nodes come in.
        self.connected = False
        self._look = asyncio.Event()
        self._moves: deque[Moved] = deque(maxlen=pace.waiting_max)
        self._said: deque[Said] = deque(maxlen=pace.waiting_max)
        self._to_send = asyncio.Event()
        self._to_say = asyncio.Event()

    @property
    def behind(self) -> int:
        """How many positions this node knows of and has not been told."""
        return max(0, self._head - self._mark.at) if self._mark is not None else 0

    def announce(self, moved: Moved) -> None:
        """Tell the listeners of this node at once, and those of others by the bus."""
        self._pass_on(moved)
        if self._bus is not None:
            self._count_lost(len(self._moves) == self._moves.maxlen)
            self._moves.append(moved)
            self._to_send.set()

    def listen(self, listener: Listener) -> Callable[[], None]:
        """As Feed has it."""
        return self._local.listen(listener)

    def tell(self, topic: str, body: bytes) -> None:
        """As Feed has it. It waits for a bus that is away, so that others hear it late rather than never."""
        self._local.tell(topic, body)
        if self._bus is not None:
            self._count_lost(len(self._said) == self._said.maxlen)
            self._said.append(Said(self._node, topic, body))
            self._to_say.set()

    def hear(self, topic: str, hearer: Hearer) -> Callable[[], None]:
        """As Feed has it."""
        return self._local.hear(topic, hearer)

    async def prepare(self) -> None:
        """Note where the log ends: what is behind that is nobody's news."""
        self._head = await self._log.head()
        self._mark = Watermark(self._head, self._pace.ranges_max)

    async def run(self) -> None:
        """Send, receive, and ask the log, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._follow())
            if self._bus is not None:
                group.create_task(self._receive(self._bus))
                group.create_task(self._send_moves(self._bus))
                group.create_task(self._send_said(self._bus))

    # told

    def _pass_on(self, moved: Moved) -> None:
        self._local.announce(moved)
        self._told(moved.position, messages.count_of(moved))

    def _told(self, position: int, count: int) -> None:
        if self._mark is not None:
            self._mark.told(position - count + 1, position)
            if self._mark.gap and self.connected:
                self._look.set()

    # the bus, out

    async def _send_moves(self, bus: Bus) -> None:
        """Send what was announced, much at a time; and if there is nothing, that this node is there."""
        pause = BackOff(self._pace.back_off_s, self._pace.back_off_max_s)
        loop = asyncio.get_running_loop()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pace.poll_s):
                    await self._to_send.wait()
            self._to_send.clear()
            batch = [self._moves.popleft() for _ in range(min(len(self._moves), self._pace.batch_max))]
            if self._moves:
                self._to_send.set()
            try:
                await bus.publish(MOVES, messages.moves(self._node, loop.time(), batch, self._pace.rows_bytes_max))
            except BusAway:
                self._watcher.count("turnlog_feed_lost_total", by=len(batch))  # others find them in the log
                await pause.wait()
            else:
                self._watcher.count("turnlog_feed_sent_total", by=len(batch))
                pause.reset()

    async def _send_said(self, bus: Bus) -> None:
        """Send control messages, each until it is sent: no log has them."""
        pause = BackOff(self._pace.back_off_s, self._pace.back_off_max_s)
        while True:
            await self._to_say.wait()
            self._to_say.clear()
            while self._said:
                said = self._said[0]
                try:
                    await bus.publish(CONTROL, messages.encode(said))
                except BusAway:
                    await pause.wait()
                    continue
                pause.reset()
                if self._said and self._said[0] is said:  # it was not pushed out meanwhile
                    self._said.popleft()

    def _count_lost(self, lost: bool) -> None:  # noqa: FBT001 - whether, and nothing else
        if lost:
            self._watcher.count("turnlog_feed_lost_total")

    # the bus, in

    async def _receive(self, bus: Bus) -> None:
        pause = BackOff(self._pace.back_off_s, self._pace.back_off_max_s)
        told: Exception | None = None
        while True:
            try:
                async with bus.subscribe((MOVES, CONTROL)) as following:
                    self._to_send.set()  # a beat, which shows that messages come through
                    await self._listen_to(following, pause)
            except (BusAway, TimeoutError) as error:
                if self.connected or told is None:
                    told = error
                    self._watcher.bus_changed(error if str(error) else BusAway("nothing came for too long"))
            finally:
                self.connected = False
                self._look.set()  # from now on the log is asked more often
            await pause.wait()

    async def _listen_to(self, following: Next, pause: BackOff) -> None:
        while True:
            async with asyncio.timeout(self._pace.silence_s):
                message = await following()
            if not self.connected:
                self.connected = True
                pause.reset()
                self._watcher.bus_changed(None)
                self._look.set()  # for what was sent while nobody listened
            try:
                self._take(message)
            except Exception as error:  # noqa: BLE001 - whatever anybody sends, the next message counts
                self._watcher.failed(error)

    def _take(self, message: bytes) -> None:
        told = messages.read(message)
        if told.node == self._node:
            if isinstance(told, Moves):
                self._watcher.observe("turnlog_feed_lag_seconds", asyncio.get_running_loop().time() - told.sent)
        elif isinstance(told, Said):
            self._local.tell(told.topic, told.body)
        else:
            self._watcher.count("turnlog_feed_received_total", by=len(told.moves))
            for move in told.moves:
                self._heard(move)

    def _heard(self, move: messages.Move) -> None:
        """A move of another node. How many events it has is taken from it, for their rows need not have come."""
        self._local.announce(move.moved())
        self._told(move.position, move.count)

    # the log

    async def _follow(self) -> None:
        """Ask the log for what was not told: when there is a gap, and in any case every now and then."""
        told = False
        while True:
            try:
                await self._look_up()
                told = False
            except Exception as error:  # noqa: BLE001 - a log that cannot be read now is asked again
                if not told:
                    self._watcher.failed(error)
                told = True
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pace.poll_s if self.connected else self._pace.away_poll_s):
                    await self._look.wait()
            self._look.clear()

    async def _look_up(self) -> None:
        if self._mark is None:
            await self.prepare()
            return
        told = self._mark.at
        head = await self._log.head()
        if told > head:  # a message told of what is not in the log: count from what the log itself said last
            told = min(self._head, head)
            self._mark = Watermark(told, self._pace.ranges_max)
        self._head = head
        if self._mark.at < head and self.connected:
            await asyncio.sleep(self._pace.grace_s)
        await self._catch_up(self._mark, head)

    async def _catch_up(self, mark: Watermark, head: int) -> None:
        while mark.at < head:
            limit = min(self._pace.read_events, head - mark.at)
            first = mark.at + 1
            events = await self._log.read_all(mark.at, limit)
            last = events[-1].position if len(events) == limit else head
            for moved in _by_game(events):
                self._local.announce(moved)
            mark.told(first, last)
            self._watcher.count("turnlog_feed_caught_up_total", by=len(events))


def _by_game(events: Iterable[Event]) -> list[Moved]:
    """One move for each game, with all its events."""
    games: dict[str, list[Event]] = {}
    for event in events:
        games.setdefault(event.header.game, []).append(event)
    return [
        Moved(game, its[-1].header.version, its[-1].position, tuple(its), here=False) for game, its in games.items()
    ]
