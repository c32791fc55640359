"""How many games a player may have open at a time: made, or with a seat in them, and not over."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

from events.database import Database
from events.store import EventStore
from projections.lobby import Lobby
from projections.runner import Runner
from server.problems import Problem
from server.settings import Settings


class Places(Protocol):
    """Gives a player places in games."""

    def turn(self, player: str) -> AbstractAsyncContextManager[None]:
        """Within it no other game is made or joined by the player. Taken before the lock of any game."""

    async def check(self, player: str, game: str | None = None) -> None:
        """There is a place, in a new game or in this one; asked within the player's turn.

        Raises:
            Problem: `rate_limited`; `unavailable` if that cannot be told soon.
        """


class Unbounded(Places):
    """As many as one likes."""

    @asynccontextmanager
    async def turn(self, player: str) -> AsyncIterator[None]:
        """As Places has it: nobody waits."""
        del player
        yield

    async def check(self, player: str, game: str | None = None) -> None:
        """As Places has it: there is one."""


class BoundedPlaces(Places):
    """At most `most`, exactly, though the lobby that counts the games is behind the log.

    What the lobby has not taken may be as many games as there are events; only where that might be too many is it
    brought up to date first, if it is not far behind.
    """

    def __init__(self, store: EventStore, database: Database, runner: Runner, settings: Settings) -> None:
        self._store = store
        self._database = database
        self._lobby = Lobby(database)
        self._runner = runner
        self._most = settings.open_games_per_player_max
        self._behind_max = settings.places_behind_events_max

    @asynccontextmanager
    async def turn(self, player: str) -> AsyncIterator[None]:
        """As Places has it."""
        async with self._database.exclusive(f"places {player}"):
            yield

    async def check(self, player: str, game: str | None = None) -> None:
        """As Places has it."""
        behind = await self._store.head() - await self._lobby.position()
        if await self._lobby.open_games(player, game) + behind < self._most:
            return
        if behind > self._behind_max:  # of another shape than before, or damaged: the runner is at it
            sentence = "The lists of games are being made anew: how many you have is not known yet. Try again later."
            raise Problem("unavailable", sentence, headers={"Retry-After": "10"})
        await self._runner.catch_up_with(self._lobby.name)
        if await self._lobby.open_games(player, game) >= self._most:
            sentence = f"You have {self._most} open games, and no more are allowed: end one, or leave one."
            raise Problem("rate_limited", sentence, limit="open_games_per_player_max", most=self._most)
