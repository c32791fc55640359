"""The simulated ports without a simulation, to hold them against what every port promises."""

import asyncio
from contextvars import Context

from tests.simulation.chance import stream
from tests.simulation.options import drawn


class CalmWorld:
    """A world without faults, on the loop that runs."""

    def __init__(self):
        self.options = self.faults = drawn(0).calm()
        self.chance = stream(0, "world")
        self.database_away = False
        self.context = Context()
        self.bus = None

    @property
    def loop(self):
        """The test's own."""
        return asyncio.get_running_loop()

    def later(self, seconds, call, *args):
        """Call it after so long."""
        self.loop.call_later(seconds, call, *args)

    def sometimes(self, name):
        """Nobody counts."""
