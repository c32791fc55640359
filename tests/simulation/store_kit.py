"""The simulated store without a simulation, to hold it against what every store promises."""

from tests.simulation.calm import CalmWorld
from tests.simulation.link import Link
from tests.simulation.loop import Process
from tests.simulation.store import SimStore, Truth


class SimKit:
    """A kit as those in tests/integration/store_kit.py."""

    def __init__(self, folder):
        self._truth = Truth()
        self.store = SimStore(self._truth, Link(CalmWorld(), Process("test"), "test"))

    async def damage_event(self, position, data):
        """Change the bytes of an event."""
        _, game, version, _, digest = self._truth._rows[position - 1]
        row = (position, game, version, data, digest)
        self._truth._rows[position - 1] = self._truth._games[game][version - 1] = row

    async def damage_snapshot(self, game, state):
        """Change the bytes of a snapshot."""
        kept = self._truth._snapshots[game]
        self._truth._snapshots[game] = type(kept)(game, kept.version, "f", state, kept.digest)
