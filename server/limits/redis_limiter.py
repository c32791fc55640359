"""The buckets of all nodes in one Redis: GCRA as in gcra.py, decided in one script, so that nodes cannot overtake."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from events.redis_link import RedisAway, RedisLink, Script
from server.limits.gcra import EPOCH, Bucket, Limiter, Standing
from server.meter import Meter
from server.ports import Clock

#: Each key holds the time at which its bucket is full again, in whole microseconds (exact: below 2^53), and is
#: forgotten 10 s after that, so that a clock set back a little finds what was owed.
_TAKE: Final = Script(
    """
    local now = tonumber(ARGV[1])
    if not now then
      local time = redis.call('TIME')
      now = time[1] * 1000000 + time[2]
    end
    local function keep(key, owed)
      redis.call('SET', key, string.format('%.0f', now + owed), 'PX', math.ceil(owed / 1000) + 10000)
    end
    local owed, waits, refused = {}, {}, false
    for n, key in ipairs(KEYS) do
      local interval, burst = tonumber(ARGV[2 * n]), tonumber(ARGV[2 * n + 1])
      owed[n] = math.max(0, (tonumber(redis.call('GET', key)) or now) - now)
      if owed[n] > burst then
        owed[n] = burst
        keep(key, burst)
      end
      waits[n] = math.max(0, owed[n] + interval - burst)
      refused = refused or waits[n] > 0
    end
    for n, key in ipairs(KEYS) do
      if not refused then
        owed[n] = owed[n] + tonumber(ARGV[2 * n])
        keep(key, owed[n])
      end
      owed[#KEYS + n] = waits[n]
    end
    return owed
    """
)


class RedisLimiter(Limiter):
    """A Limiter over all nodes. The time is that of Redis, one for all nodes, unless a clock is given.

    While Redis is away each node counts by itself, in `alone`: a client then gets its rate from each node.
    """

    def __init__(self, link: RedisLink, alone: Limiter, meter: Meter, clock: Clock | None = None) -> None:
        self._link = link
        self._alone = alone
        self._meter = meter
        self._clock = clock

    async def take(self, buckets: Sequence[Bucket]) -> list[Standing]:
        """As Limiter has it, in at most the time that a call to Redis may take."""
        now: str | int = "" if self._clock is None else (self._clock.now() - EPOCH) // timedelta(microseconds=1)
        arguments = [now, *(us for bucket in buckets for us in (bucket.rate.interval_us, bucket.rate.burst_us))]
        keys = [self._link.name("rate", bucket.policy, bucket.key) for bucket in buckets]
        try:
            answer: list[int] = await self._link.run(_TAKE, keys, arguments)
        except RedisAway:
            self._meter.count("turnlog_redis_done_without_total", "limits")
            return await self._alone.take(buckets)
        owed, waits = answer[: len(buckets)], answer[len(buckets) :]
        return [
            Standing(bucket.policy, bucket.rate, (bucket.rate.burst_us - us) // bucket.rate.interval_us, us, wait)
            for bucket, us, wait in zip(buckets, owed, waits, strict=True)
        ]
