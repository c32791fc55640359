"""A clock that stands until it is set, and what takes come to."""

import asyncio
from datetime import UTC, datetime, timedelta

from server.limits.gcra import Bucket, LocalLimiter

START = datetime(2026, 1, 1, tzinfo=UTC)


class SetClock:
    """Tells `us` microseconds after START."""

    def __init__(self):
        self.us = 0

    def now(self):
        return START + timedelta(microseconds=self.us)


class Counted:
    """A meter that remembers what was counted."""

    def __init__(self):
        self.counted = []

    def count(self, name, *labels, by=1):
        self.counted.append((name, *labels))


class Limited:
    """A limiter and its clock."""

    def __init__(self, keys_max=1000):
        self.clock = SetClock()
        self.limiter = LocalLimiter(self.clock, keys_max)

    def take(self, *buckets):
        """The standings after one was asked of each bucket, and whether it was given."""
        standings = asyncio.run(self.limiter.take(buckets))
        return standings, not any(one.wait_us for one in standings)

    def grants(self, *buckets):
        return self.take(*buckets)[1]


def bucket(rate, key="k", policy="p"):
    return Bucket(policy, rate, key)
