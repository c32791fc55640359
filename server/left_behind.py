"""Games that wait for a bot though no move tells of it: the server was stopped, or their node has died.

They are found by the lobby. A move of this node that comes later is heard of by the bots themselves.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Final

from events.store import StoreFailed, StoreFull
from projections.clock import microseconds
from projections.generations import shape_of
from projections.lobby import Lobby, Search
from server.commands import Games
from server.leases import Leases

#: Of several nodes the one that has this sweeps. The shape of the lobby follows in the name: one of another shape may
#: not be folded yet, and a node that goes by it must keep nobody from sweeping.
LEASE: Final = "bots"

#: A game that stands still is looked at in so many sweeps: by then each of several nodes has tried.
SWEPT: Final = 12

#: Between two looks at how far the lobby of a server that has just started is.
FOLDED_LOOK_S: Final = 0.1


class LeftBehind:
    """Finds games that were left behind, and gives each to `note`, which has the bots look at it."""

    def __init__(self, games: Games, lobby: Lobby, leases: Leases, note: Callable[[str], object]) -> None:
        self._games = games
        self._lobby = lobby
        self._leases = leases
        self._note = note
        #: What the last sweep saw: the version of a game, and how many sweeps have seen it so.
        self._swept: dict[str, tuple[int, int]] = {}

    async def run(self) -> None:
        """Find the games that were waiting, and then, where nodes share the log, those of nodes that are no more."""
        if not self._games.store.shared:
            await self._folded()
            await self._resume()
            return
        resumed = False
        while True:
            with suppress(StoreFailed, StoreFull):  # the next time it may be there again
                if not resumed:
                    await self._resume()
                    resumed = True
                elif await self._leases.hold(f"{LEASE}: {shape_of(self._lobby)}"):
                    await self.sweep()
            await asyncio.sleep(self._games.settings.bot_sweep_s)

    async def sweep(self) -> None:
        """Note the games that have stood still since the last sweep: perhaps their node has died.

        Versions tell that, and no clock of any node. What has stood still for long waits for a person.
        """
        swept: dict[str, tuple[int, int]] = {}
        async for game, version in self._running():
            known, times = self._swept.get(game, (0, 0))
            times = times + 1 if known == version else 0
            swept[game] = (version, times)
            if 0 < times <= SWEPT:
                self._note(game)
        self._swept = swept

    async def _folded(self) -> None:
        """Wait until the lobby knows what is in the log now: it may be behind, or its tables were just made."""
        head = await self._games.store.head()
        while await self._lobby.position() < head:  # noqa: ASYNC110 - the fold tells nobody of itself
            await asyncio.sleep(FOLDED_LOOK_S)

    async def _resume(self) -> None:
        """Note all running games with bots."""
        async for game, _ in self._running():
            self._note(game)

    async def _running(self) -> AsyncIterator[tuple[str, int]]:
        """The running games that the server's own players sit in, each with its version."""
        for bot in await self._lobby.bots():
            cursor: str | None = None
            while True:
                search = Search(bot, microseconds(self._games.now()), player=bot, status="running")
                found, cursor = await self._lobby.search(
                    search, limit=self._games.settings.page_items_max, cursor=cursor
                )
                for game in found:
                    yield game["game"], game["version"]
                if cursor is None:
                    break
