"""The live games of this process: in memory as long as there is room, each with its lock, opened from the log.

Where other nodes share the log, a live game is brought up to date before it is looked at. One that may be half changed,
or is beyond what is in the log, is dropped: the next use opens it anew.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from events.digest import salt_key
from events.feed import Moved
from games.kernel import Ruleset
from projections.game import LiveGame
from projections.history import UnknownGameError, UnknownPackError, UnknownRulesError, catch_up, open_game
from projections.lag import open_aged
from server.access import Caller, check_known, is_delayed, seats_of, unknown_game
from server.catalogue import Catalogue
from server.damage import unreadable
from server.lag import Aged, Seen, bound_of
from server.ports import Ports, timestamp
from server.problems import Problem
from server.scenario import unplayable
from server.settings import Settings


class _Slot:
    """A game in memory: its lock, the game itself once it has been opened, as its spectators see it, and its seed.

    `logged`: the version up to which the log is known to have the live game. `heard`: the newest version that another
    node is known to have written.
    """

    __slots__ = ("aged", "heard", "live", "lock", "logged", "seed", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.live: LiveGame | None = None
        self.aged: Aged | None = None
        self.seed: bytes | None = None
        self.users = 0
        self.logged = 0
        self.heard = 0

    def hold(self, live: LiveGame) -> LiveGame:
        """Have this as the live game: so it is in the log."""
        self.live, self.logged = live, live.meta.version
        return live

    def drop(self) -> LiveGame | None:
        """Have no game any more; the one that was live."""
        live, self.live = self.live, None
        self.aged = None
        return live

    @property
    def beyond(self) -> bool:
        """Whether the live game has events that are not known to be in the log."""
        return self.live is not None and self.live.meta.version != self.logged


class LiveGames:
    """All games of this process. Holds nothing that could not be lost."""

    def __init__(self, settings: Settings, ports: Ports, catalogue: Catalogue) -> None:
        self.settings = settings
        self.clock = ports.clock
        self.store = ports.store
        self.feed = ports.feed
        self.catalogue = catalogue
        self.fetch_packs: Callable[[], Awaitable[None]] = _no_packs
        self._slots: OrderedDict[str, _Slot] = OrderedDict()
        self.feed.listen(self._moved)

    def now(self) -> str:
        """The time as the log writes it."""
        return timestamp(self.clock.now())

    @property
    def cached(self) -> int:
        """How many games are in memory."""
        return len(self._slots)

    def rulesets(self) -> dict[str, Ruleset[Any]]:
        """The rules by id."""
        return {name: entry.rules for name, entry in self.catalogue.items()}

    @asynccontextmanager
    async def game(self, game: str) -> AsyncIterator[LiveGame]:
        """The live game, locked: readers and commands take turns, so nobody sees what is not durable.

        Where other nodes share the log it is brought up to date first.

        Raises:
            Problem: `not_found`, `unavailable`.
        """
        async with self._locked(game) as slot:
            live = slot.live
            if live is None:
                live = await self.open(game)
            elif self.store.shared:
                await catch_up(self.store, live)
            yield slot.hold(live)

    @asynccontextmanager
    async def at_hand(self, game: str) -> AsyncIterator[LiveGame | None]:
        """The live game, locked, as it is in memory; None if it is not there or known to be old.

        Another node may have written to it: good enough to decide on, as the append finds that out, and no ground for
        a refusal.
        """
        async with self._locked(game) as slot:
            live = slot.live
            yield live if live is not None and live.meta.version >= slot.heard else None

    @asynccontextmanager
    async def _locked(self, game: str) -> AsyncIterator[_Slot]:
        slot = self._slots.get(game)
        if slot is None:
            slot = self._slots[game] = _Slot()
        self._slots.move_to_end(game)
        slot.users += 1
        try:
            async with slot.lock:
                try:
                    yield slot
                except Problem:
                    raise
                except BaseException as error:
                    live = slot.drop()  # it may be half changed: the log knows better
                    problem = await unreadable(self.store, game, error) or unplayable(live, error)
                    if problem is not None:
                        raise problem from error
                    raise
                finally:
                    if slot.beyond:
                        slot.drop()  # a command was given up between its events and the append
        finally:
            slot.users -= 1
            if slot.users == 0 and slot.live is None:
                self._slots.pop(game, None)
            self._evict()

    @asynccontextmanager
    async def seen(
        self, game: str, caller: Caller, wanted: str | int | None = None, *, invited: bool = False
    ) -> AsyncIterator[Seen]:
        """The game as the caller may see it now (as the reader `wanted`), locked: the live one, or the aged one.

        Raises:
            Problem: `not_found`, `unavailable`.
        """
        async with self.game(game) as live:
            check_known(caller, live.meta, invited=invited)
            own = tuple(seats_of(caller, live.meta))
            if is_delayed(caller, live.meta, wanted):
                yield Seen(await self.aged(live), own, self._bound(live), live.meta.created.spectator_delay_s)
            else:
                yield Seen(live, own, self.now())

    async def aged(self, live: LiveGame) -> LiveGame:
        """A game that the caller has locked, as its spectators see it now.

        Raises:
            Problem: `unavailable`.
        """
        game, bound = live.meta.game, self._bound(live)
        slot = self._slots[game]
        if slot.aged is None or slot.aged.bound > bound:
            slot.aged = Aged(await self.open(game, bound), bound)
        return await slot.aged.follow(self.store, live.meta.version, bound)

    def _bound(self, live: LiveGame) -> str:
        return bound_of(self.clock, live.meta.created.spectator_delay_s)

    def _moved(self, moved: Moved) -> None:
        """Note what another node has written to a game that is in memory here."""
        slot = None if moved.here else self._slots.get(moved.game)
        if slot is not None:
            slot.heard = max(slot.heard, moved.version)

    def is_live(self, live: LiveGame) -> bool:
        """Whether this is still the live game of its id; the caller has it locked."""
        return self._slots[live.meta.game].live is live

    def keep(self, live: LiveGame) -> None:
        """Keep a game in memory whose newest events have just been appended."""
        self._slots.setdefault(live.meta.game, _Slot()).hold(live)
        self._evict()

    def forget(self, game: str) -> None:
        """Drop a live game: the next use opens it from the log."""
        slot = self._slots.get(game)
        if slot is not None:
            slot.live = None

    async def open(self, game: str, bound: str | None = None) -> LiveGame:
        """The game as the log has it, apart from the live one; with `bound` aged, up to what is of age at this time.

        Raises:
            Problem: `not_found`, `unavailable`.
        """
        try:
            return await self._opened(game, bound)
        except UnknownGameError:
            raise unknown_game() from None
        except UnknownRulesError as error:
            raise Problem("unavailable", f"This server does not have the ruleset {error} of this game.") from error
        except UnknownPackError as error:
            raise Problem("unavailable", f"This server does not have the content pack {error} of this game.") from error

    async def _opened(self, game: str, bound: str | None) -> LiveGame:
        try:
            return await self._read(game, bound)
        except UnknownPackError:
            await self.fetch_packs()  # another node was given it
            return await self._read(game, bound)

    async def _read(self, game: str, bound: str | None) -> LiveGame:
        if bound is None:
            return await open_game(self.store, self.rulesets(), game)
        return await open_aged(self.store, self.rulesets(), game, bound)

    def _evict(self) -> None:
        surplus = len(self._slots) - self.settings.games_cached_max
        if surplus > 0:
            idle = [name for name, slot in self._slots.items() if slot.users == 0][:surplus]
            for name in idle:
                del self._slots[name]

    async def seed(self, game: str) -> bytes:
        """The server seed of a game."""
        slot = self._slots.get(game)
        if slot is not None and slot.seed is not None:
            return slot.seed
        seed = await self.store.secret(game)
        if seed is None:
            raise Problem("unavailable", "The seed of this game cannot be read.")
        if slot is not None:
            slot.seed = seed
        return seed

    async def salt_key(self, game: str) -> bytes:
        """The key of all salts of a game."""
        return salt_key(await self.seed(game))


async def _no_packs() -> None:
    """There are no packs but those of the installation."""
