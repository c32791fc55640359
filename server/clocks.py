"""The timekeeper: looks at games whose time has come, and has what is due written, though nobody asks for it.

Any node may do it, or all at once: what is due goes in at the version that it was decided on, under a key that belongs
to that version. After a restart everything overdue is due at once.
"""

import asyncio
from typing import Final

import structlog
from structlog.typing import FilteringBoundLogger

from events.store import StoreFailed, StoreFull
from projections.clock import SECOND, microseconds
from projections.deadlines import Deadline, Deadlines
from projections.generations import shape_of
from projections.settlement import next_due
from server.commands import Games
from server.leases import EverybodyHolds, Leases
from server.problems import Problem

log: FilteringBoundLogger = structlog.get_logger("turnlog")

#: Of several nodes the one that has this sweeps. The shape of the deadlines follows in the name: those of another one
#: may not be folded yet, and a node that goes by them must keep nobody from sweeping.
LEASE: Final = "clocks"

#: Between two sweeps that found all there was.
LEAST_WAIT_S: Final = 0.05


class Timekeeper:
    """Sweeps the games that are due."""

    def __init__(self, games: Games, deadlines: Deadlines, leases: Leases | None = None) -> None:
        self._games = games
        self._deadlines = deadlines
        self._leases = leases or EverybodyHolds()

    async def run(self) -> None:
        """Sweep until cancelled: when the next game is due, and at least every `clock_sweep_s`."""
        while True:
            try:
                held = await self._leases.hold(f"{LEASE}: {shape_of(self._deadlines)}")
                full = held and await self.sweep()
                wait_s = 0.0 if full else await self._wait_s(held=held)
            except (StoreFull, StoreFailed) as error:  # nothing is lost: it stays due
                log.warning("clock_sweep_failed", reason=str(error))
                wait_s = self._games.settings.clock_sweep_s
            await asyncio.sleep(wait_s)

    async def sweep(self) -> bool:
        """Look at the games that are due; whether there may be more."""
        settings = self._games.settings
        due = await self._deadlines.due(self._now_us(), settings.clock_sweep_games_max)
        await self._deadlines.look_again([(seen, await self._guarded(seen)) for seen in due])
        return len(due) == settings.clock_sweep_games_max

    def _now_us(self) -> int:
        return microseconds(self._games.now())

    async def _wait_s(self, *, held: bool) -> float:
        most_s = self._games.settings.clock_sweep_s
        next_us = await self._deadlines.next_us() if held else None
        return most_s if next_us is None else min(max(LEAST_WAIT_S, (next_us - self._now_us()) / SECOND), most_s)

    async def _guarded(self, seen: Deadline) -> int | None:
        """Look at a game; when to look again. What goes wrong with it is no other game's affair."""
        try:
            return await self._games.run(self._look(seen.game))
        except Problem as problem:
            if problem.code == "version_conflict":  # somebody else was faster
                return seen.due_us
            log.warning("clock_not_settled", game=seen.game, code=problem.code)
        except Exception:
            log.exception("clock_failed", game=seen.game)
        return self._now_us() + int(self._games.settings.clock_retry_s * SECOND)

    async def _look(self, game: str) -> int | None:
        async with self._games.game(game) as live:
            if live.moment.state is not None and live.meta.status == "running":
                await self._games.making(live)
            return next_due(live)
