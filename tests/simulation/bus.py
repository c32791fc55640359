"""The port Bus, simulated: it loses, repeats, delays and reorders messages, and is away for a while; and the leases."""

import asyncio
from contextlib import asynccontextmanager

from events.bus import BusAway
from server.leases import Leases
from tests.simulation.chance import stream


class SimBus:
    """What all nodes are connected by."""

    def __init__(self, world):
        self._world = world
        self._chance = stream(world.options.seed, "bus")
        self._subscribers = []
        self.away = False

    def go_away(self):
        """Cut everybody off."""
        self.away = True
        for _, _, queue in self._subscribers:
            while not queue.empty():
                queue.get_nowait()
            queue.put_nowait(None)

    def publish(self, channel, message):
        """To all who follow the channel, each with a fate of its own."""
        faults = self._world.faults
        for process, channels, queue in tuple(self._subscribers):
            if not process.alive or channel not in channels:
                continue
            if self._chance.random() < faults.bus_lost:
                self._world.sometimes("the bus lost a message")
                continue
            copies = 2 if self._chance.random() < faults.bus_repeated else 1
            for _ in range(copies):
                late = self._chance.expovariate(1 / faults.bus_late_s)
                self._world.later(late, self._arrive, process, queue, message)

    def _arrive(self, process, queue, message):
        if process.alive and not self.away:
            queue.put_nowait(message)

    @asynccontextmanager
    async def following(self, process, channels):
        """A subscription."""
        queue = asyncio.Queue()
        one = (process, channels, queue)
        self._subscribers.append(one)

        async def following():
            message = await queue.get()
            if message is None:
                raise BusAway("cut off")
            return message

        try:
            yield following
        finally:
            self._subscribers.remove(one)


class BusLink:
    """The bus as one process reaches it."""

    def __init__(self, bus, process):
        self._bus = bus
        self._process = process

    async def publish(self, channel, message):
        await asyncio.sleep(0)
        if self._bus.away:
            await asyncio.sleep(0.5)
            raise BusAway("no answer")
        self._bus.publish(channel, message)

    @asynccontextmanager
    async def subscribe(self, channels):
        await asyncio.sleep(0)
        if self._bus.away:
            raise BusAway("no answer")
        async with self._bus.following(self._process, channels) as following:
            yield following


class SimLeases(Leases):
    """Leases of one process, kept where the bus is: while it is away everybody holds everything."""

    def __init__(self, world, process, held, lease_s):
        self._world = world
        self._process = process
        self._held = held
        self._lease_s = lease_s

    async def hold(self, name):
        await asyncio.sleep(0)
        now = self._world.loop.time()
        if self._world.bus.away:
            self._world.sometimes("a lease was everybody's, since the bus was away")
            return True
        holder, until = self._held.get(name, (None, 0.0))
        if holder not in (None, self._process) and until > now:
            return False
        if holder not in (None, self._process):
            self._world.sometimes("a lease changed hands")
        self._held[name] = (self._process, now + self._lease_s)
        return True

    async def release(self, name):
        if self._held.get(name, (None, 0.0))[0] is self._process:
            del self._held[name]

    async def close(self):
        for name in tuple(self._held):
            await self.release(name)
