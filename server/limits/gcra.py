"""The generic cell rate algorithm (ITU-T I.371, virtual scheduling): a leaky bucket kept as one time for each key.

That time is when the bucket will be full again. Times are whole microseconds, so that another limiter (in a store that
several servers share) can decide exactly the same.
"""

from collections import OrderedDict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Final, Protocol

from msgspec import Struct

from server.ports import Clock

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_US: Final = timedelta(microseconds=1)


class Rate(Struct, frozen=True, dict=True):
    """`count` at once, and when they are used up one more after each `window_s / count` (rounded up to 1 µs)."""

    count: int
    window_s: int

    @cached_property
    def interval_us(self) -> int:
        """One comes back after so long."""
        return -(-self.window_s * 1_000_000 // self.count)

    @cached_property
    def burst_us(self) -> int:
        """An empty bucket is full after so long."""
        return self.interval_us * self.count


class Bucket(Struct, frozen=True):
    """Whose bucket (`key`) of which policy is asked for one."""

    policy: str
    rate: Rate
    key: str


class Standing(Struct, frozen=True):
    """What is in a bucket: `left` of its rate's count; it is full after `full_us`, and gives one after `wait_us`."""

    policy: str
    rate: Rate
    left: int
    full_us: int
    wait_us: int


class Limiter(Protocol):
    """Where buckets are kept."""

    async def take(self, buckets: Sequence[Bucket]) -> list[Standing]:
        """Take one from each of these different buckets, or from none if one has none left.

        The standings after that, in the same order. Refused: `wait_us` of one of them is more than 0.
        """


class LocalLimiter(Limiter):
    """The buckets of one process. Full ones are forgotten, and of each policy at most `keys_max` are kept.

    What is beyond that is forgotten in the order of last use: memory counts for more than a debt.
    """

    def __init__(self, clock: Clock, keys_max: int) -> None:
        self._clock = clock
        self._keys_max = keys_max
        self._full_at: dict[str, OrderedDict[str, int]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._full_at.values()))

    async def take(self, buckets: Sequence[Bucket]) -> list[Standing]:
        """As Limiter has it."""
        now = (self._clock.now() - EPOCH) // _US
        owed = [self._owed(bucket, now) for bucket in buckets]
        rates = [bucket.rate for bucket in buckets]
        waits = [max(0, us + rate.interval_us - rate.burst_us) for us, rate in zip(owed, rates, strict=True)]
        if not any(waits):
            owed = [us + rate.interval_us for us, rate in zip(owed, rates, strict=True)]
            for bucket, us in zip(buckets, owed, strict=True):
                self._keep(bucket, now + us, now)
        return [
            Standing(bucket.policy, bucket.rate, (bucket.rate.burst_us - us) // bucket.rate.interval_us, us, wait)
            for bucket, us, wait in zip(buckets, owed, waits, strict=True)
        ]

    def _owed(self, bucket: Bucket, now: int) -> int:
        """How long until the bucket is full."""
        kept: OrderedDict[str, int] = self._full_at.get(bucket.policy, OrderedDict())
        full_at = kept.get(bucket.key, now)
        if full_at - now > bucket.rate.burst_us:  # the clock was set back: no bucket is emptier than empty
            full_at = kept[bucket.key] = now + bucket.rate.burst_us
        return max(0, full_at - now)

    def _keep(self, bucket: Bucket, full_at: int, now: int) -> None:
        kept = self._full_at.setdefault(bucket.policy, OrderedDict())
        kept[bucket.key] = full_at
        kept.move_to_end(bucket.key)
        while len(kept) > self._keys_max or next(iter(kept.values())) <= now:
            kept.popitem(last=False)
