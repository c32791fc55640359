"""Who looks at games now and then with a spectator's eyes, by HTTP: a stranger, and players beside their seats."""

import asyncio

from tests.simulation.chance import stream
from tests.simulation.front import Request
from tests.simulation.node import Unreachable

#: So often, as a mean.
LOOKS_EVERY_S = 2.0


class Watcher:
    """A stranger with a token and no seat, for whom players look as well, also those who have lost their seat."""

    def __init__(self, world, player, token):
        self.id = player
        self.token = token
        self._world = world
        self._chance = stream(world.options.seed, "watcher")

    async def run(self):
        """Look until the run ends."""
        chance = self._chance
        while True:
            await asyncio.sleep(chance.expovariate(1 / LOOKS_EVERY_S))
            who = chance.choice((self, self, chance.choice(self._world.players)))
            eyes = {} if who is self and chance.random() < 0.5 else {"seat": "spectator"}
            request = Request(do="look", token=who.token, game=chance.choice(self._world.judge.games), body=eyes)
            try:
                await self._world.network.call(who, request, [], -1)
            except Unreachable:
                continue
