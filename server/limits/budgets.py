"""The budgets: what is limited, for whom, and the problem of who has used one up."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from server.limits.gcra import Bucket, Limiter, Rate, Standing
from server.meter import Meter
from server.problems import Problem
from server.settings import Settings

READS: Final = "reads"
WRITES: Final = "writes"
TALK: Final = "talk"
SIGN_UPS: Final = "sign_ups"
SOCKET_MESSAGES: Final = "socket_messages"
SOCKET_CONNECTS: Final = "socket_connects"

PLAYER, TOKEN, ADDRESS = "player", "token", "address"

#: Every budget, and for whom there is one.
BUDGETS: Final = {
    READS: (PLAYER, TOKEN, ADDRESS),
    WRITES: (PLAYER, TOKEN, ADDRESS),
    TALK: (PLAYER, TOKEN, ADDRESS),
    SIGN_UPS: (ADDRESS,),
    SOCKET_MESSAGES: (PLAYER, TOKEN, ADDRESS),
    SOCKET_CONNECTS: (PLAYER, TOKEN, ADDRESS),
}

#: Rates are so many in this time.
WINDOW_S: Final = 60

_SENTENCES: Final = {
    PLAYER: "You have done this too often",
    TOKEN: "This token was used for this too often",
    ADDRESS: "This was done too often from your address",
}


class Spent(Struct, frozen=True):
    """How it stands after one was taken from a budget; `problem` if it was not, because one was empty."""

    standings: tuple[Standing, ...]
    problem: Problem | None = None


class Limits:
    """All budgets of a server, by its settings."""

    def __init__(self, settings: Settings, limiter: Limiter, meter: Meter) -> None:
        self._limiter = limiter
        self._meter = meter
        self._rates = {
            (budget, by): Rate(count, WINDOW_S)
            for budget, whose in BUDGETS.items()
            for by in whose
            if (count := getattr(settings, setting_of(budget, by))) > 0
        }

    async def spend(
        self, budget: str, *, player: str | None = None, token: str | None = None, address: str | None = None
    ) -> Spent:
        """Take one from the budget of each that is named, or from none if one of them has used it up."""
        named = ((PLAYER, player), (TOKEN, token), (ADDRESS, address))
        asked = [
            (by, Bucket(f"{budget}-{by}", rate, key))
            for by, key in named
            if key is not None and (rate := self._rates.get((budget, by))) is not None
        ]
        if not asked:
            return Spent(())
        standings = await self._limiter.take([bucket for _, bucket in asked])
        longest = max(range(len(asked)), key=lambda n: standings[n].wait_us)
        wait_us = standings[longest].wait_us
        if not wait_us:
            return Spent(tuple(standings))
        by = asked[longest][0]
        self._meter.count("turnlog_rate_limited_total", budget, by)
        return Spent(tuple(standings), _refusal(budget, by, wait_us))


def setting_of(budget: str, by: str) -> str:
    """The name of the setting of a budget."""
    return f"rate_{budget}_{by}_per_min"


def _refusal(budget: str, by: str, wait_us: int) -> Problem:
    wait_s = seconds(wait_us)
    sentence = f"{_SENTENCES[by]}. Try again in {wait_s} s."
    return Problem("rate_limited", sentence, headers={"Retry-After": str(wait_s)}, budget=budget, by=by)


def seconds(us: int) -> int:
    """Whole seconds, rounded up."""
    return -(-us // 1_000_000)


def rate_limit_fields(standings: Iterable[Standing]) -> list[tuple[bytes, bytes]]:
    """The headers RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10), lists of RFC 9651.

    q: quota; w: window in seconds; r: what remains; t: after so many seconds all of it is there again.
    """
    told = list(standings)
    if not told:
        return []
    policies = ", ".join(f'"{one.policy}";q={one.rate.count};w={one.rate.window_s}' for one in told)
    left = ", ".join(f'"{one.policy}";r={one.left};t={seconds(one.full_us)}' for one in told)
    return [(b"ratelimit-policy", policies.encode()), (b"ratelimit", left.encode())]
