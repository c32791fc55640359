"""Leases: which node does what any of them may do. They save double work and nothing else.

What is done under a lease is right whoever does it, and however many do: it is decided by what it finds and changes in
the database. So a lease that is held twice for a moment, or by everybody while Redis is away, costs time alone.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from events.redis_link import RedisAway, RedisBusy, RedisLink, Script
from server.meter import Meter

#: Gives the lease to who asks if it is free or already theirs, for another while.
_HOLD: Final = Script(
    """
    local holder = redis.call('GET', KEYS[1])
    if holder and holder ~= ARGV[1] then
      return 0
    end
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
    return 1
    """
)

#: Gives the lease back if it is still theirs: by now it may be somebody else's.
_RELEASE: Final = Script("if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0")


class Leases(Protocol):
    """All leases, by name."""

    async def hold(self, name: str) -> bool:
        """Take the lease or keep it for a while; whether this node has it.

        To be asked before each round of work, and in one that takes long, now and then.
        """

    async def release(self, name: str) -> None:
        """Give it back, so that another node need not wait until it runs out; does nothing without it."""

    async def close(self) -> None:
        """Give all of them back."""


class EverybodyHolds(Leases):
    """Leases where there is nothing to keep them in: each node has all of them."""

    async def hold(self, name: str) -> bool:
        """Yes."""
        return True

    async def release(self, name: str) -> None:
        """Nothing."""

    async def close(self) -> None:
        """Nothing."""


class RedisLeases(Leases):
    """Leases in Redis. `owner`: an unguessable name of this process; a lease runs out `lease_s` after it was asked for.

    `able`: whether this node could do what leases are for, that is, whether it reaches the database: one that does not
    has no lease, since another one may.
    This node believes in a lease no longer than Redis does: its time is counted from before Redis was asked.
    """

    def __init__(self, link: RedisLink, owner: str, lease_s: float, meter: Meter, able: Callable[[], bool]) -> None:
        self._link = link
        self._able = able
        self._owner = owner
        self._lease_s = lease_s
        self._meter = meter
        self._until: dict[str, float] = {}

    async def hold(self, name: str) -> bool:
        """As Leases has it; while Redis is away, everybody holds everything.

        While it is there and only too much waits for it, this node has what it believes in: another may have the rest.
        """
        if not self._able():
            await self.release(name)
            return False
        loop = asyncio.get_running_loop()
        asked_at = loop.time()
        if self._until.get(name, asked_at) - asked_at > self._lease_s / 2:
            return True
        try:
            mine = await self._link.run(_HOLD, [self._key(name)], [self._owner, round(1000 * self._lease_s)])
        except RedisBusy:
            return self._until.get(name, 0.0) > loop.time()
        except RedisAway:
            self._until.pop(name, None)
            self._meter.count("turnlog_redis_done_without_total", "lease")
            return True
        if not mine:
            self._until.pop(name, None)
            return False
        self._until[name] = asked_at + self._lease_s
        return True

    async def release(self, name: str) -> None:
        """As Leases has it."""
        if self._until.pop(name, None) is not None:
            with suppress(RedisAway):  # then it runs out by itself
                await self._link.run(_RELEASE, [self._key(name)], [self._owner])

    async def close(self) -> None:
        """As Leases has it."""
        for name in tuple(self._until):
            await self.release(name)

    def _key(self, name: str) -> str:
        return self._link.name("lease", name)
