"""A stranger who looks at games now and then, as HTTP gives them to spectators."""

import asyncio

from tests.simulation.chance import stream
from tests.simulation.front import Request
from tests.simulation.node import Unreachable

#: So often, as a mean.
LOOKS_EVERY_S = 2.0


class Watcher:
    """Has a token, and no seat."""

    def __init__(self, world, player, token):
        self.id = player
        self._world = world
        self._token = token
        self._chance = stream(world.options.seed, "watcher")

    async def run(self):
        """Look until the run ends."""
        while True:
            await asyncio.sleep(self._chance.expovariate(1 / LOOKS_EVERY_S))
            game = self._chance.choice(self._world.judge.games)
            eyes = {"seat": "spectator"} if self._chance.random() < 0.5 else {}
            try:
                await self._world.call(self, Request(do="look", token=self._token, game=game, body=eyes), [], -1)
            except Unreachable:
                continue
