"""Feeds of several nodes over one log and a bus that a test can have lose, repeat, reorder and stop."""

import asyncio
import random
from contextlib import asynccontextmanager

from events.bus import BusAway
from events.feed import Moved
from events.memory import MemoryStore
from events.shared_feed import Pace, SharedFeed
from tests.integration.store_kit import an_append, sealed

#: As in earnest, in a fiftieth of the time.
QUICK = Pace(poll_s=0.02, away_poll_s=0.005, grace_s=0.004, silence_s=0.1, back_off_s=0.002, back_off_max_s=0.02)
#: A log that is asked so seldom that a test ends before: what comes came by the bus.
BUS_ALONE = Pace(poll_s=1000, away_poll_s=1000, grace_s=0.004, silence_s=5000, back_off_s=0.002)


class FaultyBus:
    """A Bus in one process. `faults`: what becomes of a message, as the list of those that arrive in its place."""

    def __init__(self, faults=lambda message: [message]):
        self.faults = faults
        self.away = False
        self.published = []
        self._subscribers = []

    async def publish(self, channel, message):
        await asyncio.sleep(0)
        if self.away:
            raise BusAway("the test wants it so")
        self.published.append((channel, message))
        for arriving in self.faults(message):
            for channels, queue in self._subscribers:
                if channel in channels:
                    queue.put_nowait(arriving)

    @asynccontextmanager
    async def subscribe(self, channels):
        if self.away:
            raise BusAway("the test wants it so")
        queue = asyncio.Queue()
        subscriber = (channels, queue)
        self._subscribers.append(subscriber)

        async def following():
            message = await queue.get()
            if message is None:
                raise BusAway("cut off")
            return message

        try:
            yield following
        finally:
            self._subscribers.remove(subscriber)

    def cut(self):
        """Drop all subscriptions, and what was on its way."""
        self.away = True
        for _, queue in self._subscribers:
            while not queue.empty():
                queue.get_nowait()
            queue.put_nowait(None)

    def come_back(self):
        self.away = False


class Faults:
    """Loses, repeats and reorders by a seed."""

    def __init__(self, seed, lost=0.2, repeated=0.2, late=0.3):
        self._random = random.Random(seed)
        self._lost, self._repeated, self._late = lost, repeated, late
        self._held = []

    def __call__(self, message):
        if self._random.random() < self._lost:
            return []
        arriving = [message] * (2 if self._random.random() < self._repeated else 1)
        if self._random.random() < self._late:
            self._held += arriving
            arriving = []
        if self._held and self._random.random() < 0.5:
            arriving += self._held
            self._held = []
        self._random.shuffle(arriving)
        return arriving


class Watching:
    """A Watcher that remembers."""

    def __init__(self):
        self.counted = {}
        self.lags = []
        self.errors = []
        self.changes = []

    def count(self, name, *labels, by=1):
        self.counted[name] = self.counted.get(name, 0) + by

    def observe(self, name, value, *labels):
        self.lags.append(value)

    def failed(self, error):
        self.errors.append(error)

    def bus_changed(self, error):
        self.changes.append(error)


class Node:
    """A node: its feed, and for each game the versions it heard of in the order in which they first came."""

    def __init__(self, number, log, bus, pace):
        self.watching = Watching()
        self.log = log
        self.feed = SharedFeed(b"node-%d" % number, log, bus, pace, self.watching)
        self.known = {}
        self.moves = []
        self._task = None
        self.feed.listen(self._moved)

    def _moved(self, moved):
        self.moves.append(moved)
        self.known[moved.game] = max(moved.version, self.known.get(moved.game, 0))

    async def start(self):
        await self.feed.prepare()
        self._task = asyncio.create_task(self.feed.run())

    async def stop(self):
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])


class Writer:
    """Appends to games of a log and announces at one of the nodes, as commands do."""

    def __init__(self, log):
        self._log = log
        self._last = {}

    async def write(self, game, count=1, node=None):
        events = sealed(game, count, self._last.get(game))
        self._last[game] = events[-1]
        appended = await self._log.append(an_append(events))
        if node is not None:
            node.feed.announce(Moved(game, appended.version, appended.position, events))

    @property
    def versions(self):
        return {game: event.header.version for game, event in self._last.items()}


@asynccontextmanager
async def cluster(count=2, bus=None, pace=QUICK, log=None):
    """Nodes over one log, running."""
    log = log or MemoryStore()
    nodes = [Node(number, log, bus, pace) for number in range(count)]
    for node in nodes:
        await node.start()
    try:
        yield nodes, Writer(log)
    finally:
        for node in nodes:
            await node.stop()


async def until(holds, within_s=10.0):
    """Wait until something holds."""
    async with asyncio.timeout(within_s):
        while not holds():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.001)
