"""What goes wrong of itself while clients play: machines die, clocks jump, the bus and the database are away."""

import asyncio

#: How long the bus is away; the longest time is minutes, and ends long after clients have done what they wanted.
BUS_AWAY_S = (0.5, 5, 150)
STORE_AWAY_S = (0.5, 5, 15)
MINUTE_S = 60


class Trouble:
    """Faults that come by the clock, as a run's options have it."""

    def __init__(self, world):
        self._world = world
        self._options = world.options
        self._chance = world.chance
        self._coming = []
        self._bus = None

    def start(self):
        """From now on things go wrong."""
        world, options = self._world, self._options
        for node in world.nodes:
            node.clock.wrong_s = self._chance.uniform(-options.clock_skew_s, options.clock_skew_s)
        every = (
            (options.crash_every_s, self._crash),
            (options.clock_jump_every_s, self._clock_jump),
            (options.bus_away_every_s, self._bus_away),
            (options.store_away_every_s, self._store_away),
        )
        self._coming = [world.task(self._every(mean_s, fault)) for mean_s, fault in every]

    def stop(self):
        """Nothing goes wrong any more; but a bus that is away for minutes stays away."""
        for task in self._coming:
            task.cancel()
        self._world.database_away = False
        if self._bus is None:
            self._world.bus.away = False

    async def over(self):
        """Wait until the bus is back."""
        if self._bus is not None:
            await self._bus

    async def _every(self, mean_s, fault):
        while mean_s:
            await asyncio.sleep(self._chance.expovariate(1 / mean_s))
            await fault()

    async def _crash(self):
        node = self._chance.choice(self._world.nodes)
        if self._chance.random() < self._options.stop_gracefully / 3:
            await node.stop()
        else:
            node.kill(after_callbacks=self._chance.choice((1, 5, 20, 100, 400)))

    async def _clock_jump(self):
        jump = self._chance.uniform(-self._options.clock_jump_s, self._options.clock_jump_s)
        node = self._chance.choice(self._world.nodes)
        node.clock.wrong_s += jump
        self._world.note("clock", node.number, f"{jump:.3f}")
        self._world.sometimes("a clock went back" if jump < 0 else "a clock went forth")

    async def _bus_away(self):
        pause_s = self._chance.choice(BUS_AWAY_S)
        self._world.bus.go_away()
        self._world.note("bus away")
        back = self._world.task(self._bus_back(pause_s))
        if pause_s > MINUTE_S:
            self._bus = back
        await asyncio.shield(back)

    async def _bus_back(self, pause_s):
        await asyncio.sleep(pause_s)
        self._bus = None
        self._world.bus.away = False
        self._world.note("bus back")
        if pause_s > MINUTE_S:
            self._world.sometimes("the bus was away for minutes")

    async def _store_away(self):
        self._world.database_away = True
        self._world.note("database away")
        await asyncio.sleep(self._chance.choice(STORE_AWAY_S))
        self._world.database_away = False
        self._world.note("database back")
