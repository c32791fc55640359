"""Chance, all of it drawn from one seed: a stream of its own for each part, so that one does not move the others."""

import random
from datetime import UTC, datetime, timedelta

#: When runs take place.
BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)


def stream(seed, *names):
    """A generator for one part of a run; strings seed it the same in every process."""
    return random.Random(f"{seed}/{'/'.join(map(str, names))}")


class SimRandom:
    """The port Random, for one process of a node."""

    def __init__(self, drawn):
        self._drawn = drawn

    def bytes(self, count):
        """So many bytes."""
        return self._drawn.randbytes(count)


class SimClock:
    """The port Clock of one machine: virtual time, and how wrong the machine is. `latest`: the latest it has shown."""

    def __init__(self, loop, wrong_s=0.0):
        self._loop = loop
        self.wrong_s = wrong_s
        self.latest = BEGINNING

    def now(self):
        """What it shows."""
        now = self.would_show()
        self.latest = max(self.latest, now)
        return now

    def would_show(self):
        """What it shows, to who is no part of the machine."""
        return BEGINNING + timedelta(seconds=self._loop.time() + self.wrong_s)


class Told:
    """What happens sometimes, and did happen: names with how often."""

    def __init__(self):
        self.times = {}

    def sometimes(self, name, times=1):
        """This was reached."""
        self.times[name] = self.times.get(name, 0) + times
