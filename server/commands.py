"""The core of the shell: live games, one command at a time for each, and the durable append behind everything.

Order, for every command: lock the game, judge, decide, seal, append, answer, announce. Nothing is announced or answered
before it is durable. Where other nodes share the log, a live game is brought up to date before it is judged (actions
are first tried on what is at hand), and a command that another node overtakes is decided again. A command runs as a
task of its own: a caller that goes away does not cut an append in two. If an append fails or its outcome is unknown,
the live game is dropped and opened anew from the log; the caller is told to repeat the request with the same
Idempotency-Key, which gives the first answer if it was written after all.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import structlog

from events.digest import salt_key
from events.feed import Moved
from events.store import Append, Command, Conflict, Duplicate, KeyReused, StoreFailed, StoreFull
from games.dice import ScriptMismatchError
from games.kernel import Ruleset
from projections.game import LiveGame
from projections.history import (
    Log,
    UnknownGameError,
    UnknownPackError,
    UnknownRulesError,
    catch_up,
    keep_snapshot,
    open_game,
)
from projections.lag import open_aged
from server.access import Caller, check_known, is_delayed, seats_of, unknown_game
from server.asks import Ask, Once
from server.catalogue import Catalogue
from server.damage import unreadable
from server.lag import Aged, Seen, bound_of
from server.making import Making
from server.overtaken import Overtaken, decided_again
from server.places import Places, Unbounded
from server.ports import Ports, new_id, timestamp
from server.problems import Problem
from server.scenario import unplayable
from server.settings import Settings
from server.settling import in_time, nothing, settle

log = structlog.get_logger("turnlog")

T = TypeVar("T")
P = ParamSpec("P")

#: So many appends of what is due are made before a command gives up.
SETTLEMENTS_MAX: Final = 20

#: Opens an imported replay by its id: its log, and its game folded to the end.
Imported = Callable[[str], Awaitable[tuple[Log, LiveGame]]]


class _Slot:
    """A game in memory: its lock, the game itself once it has been opened, as its spectators see it, and its seed.

    `heard`: the newest version that another node is known to have written.
    """

    __slots__ = ("aged", "heard", "live", "lock", "seed", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.live: LiveGame | None = None
        self.aged: Aged | None = None
        self.seed: bytes | None = None
        self.users = 0
        self.heard = 0


class Games:
    """All games of this process. Holds nothing that could not be lost."""

    def __init__(self, settings: Settings, ports: Ports, catalogue: Catalogue) -> None:
        self.settings = settings
        self.clock = ports.clock
        self.random = ports.random
        self.store = ports.store
        self.feed = ports.feed
        self.meter = ports.meter
        self.catalogue = catalogue
        self.imported: Imported = _none_imported
        self.fetch_packs: Callable[[], Awaitable[None]] = _no_packs
        self.places: Places = Unbounded()
        self._slots: OrderedDict[str, _Slot] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._stopping = False
        self.feed.listen(self._moved)

    def now(self) -> str:
        """The time as the log writes it."""
        return timestamp(self.clock.now())

    def new_id(self) -> str:
        """A fresh UUIDv7."""
        return new_id(self.clock, self.random)

    @property
    def cached(self) -> int:
        """How many games are in memory."""
        return len(self._slots)

    def rulesets(self) -> dict[str, Ruleset[Any]]:
        """The rules by id."""
        return {name: entry.rules for name, entry in self.catalogue.items()}

    async def run(self, command: Coroutine[Any, Any, T]) -> T:
        """Run a command to its end, whatever becomes of the caller.

        Raises:
            Problem: `unavailable` while the server stops.
        """
        if self._stopping:
            command.close()
            raise Problem("unavailable", "The server is stopping. Try again in a moment.", headers={"Retry-After": "2"})
        task = asyncio.create_task(command)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def stop(self) -> None:
        """Take no more commands and wait for those under way (at most `stop_grace_s`)."""
        self._stopping = True
        if self._tasks:
            await asyncio.wait(list(self._tasks), timeout=self.settings.stop_grace_s)

    @asynccontextmanager
    async def game(self, game: str) -> AsyncIterator[LiveGame]:
        """The live game, locked: readers and commands take turns, so nobody sees what is not durable.

        Where other nodes share the log it is brought up to date first.

        Raises:
            Problem: `not_found`, `unavailable`.
        """
        async with self._locked(game) as slot:
            if slot.live is None:
                slot.live = await self.open(game)
            elif self.store.shared:
                await catch_up(self.store, slot.live)
            yield slot.live

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
                    live, slot.live = slot.live, None  # it may be half changed: the log knows better
                    slot.aged = None
                    problem = await unreadable(self.store, game, error) or unplayable(live, error)
                    if problem is not None:
                        raise problem from error
                    raise
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
        if slot.aged is None:
            slot.aged = Aged(await self.open(game, bound))
        return await slot.aged.follow(self.store, live.meta.version, bound)

    def _bound(self, live: LiveGame) -> str:
        return bound_of(self.clock, live.meta.created.spectator_delay_s)

    def _moved(self, moved: Moved) -> None:
        """Note what another node has written to a game that is in memory here."""
        slot = None if moved.here else self._slots.get(moved.game)
        if slot is not None:
            slot.heard = max(slot.heard, moved.version)

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

    async def making(self, live: LiveGame) -> Making:
        """Begin the events of a command on a live game, once all that is due by then has happened (and is durable).

        Raises:
            Problem: as `commit`; `unavailable` if more is due than one command can wait for.
        """
        for _ in range(SETTLEMENTS_MAX):
            making = await self.begun(live)
            if not self.settled(making):
                return making
            await self.commit(making, in_time(making))
            if self._slots[making.game].live is not live:
                raise Overtaken(making.version)  # another node wrote it, at another moment
            if any(event.header.kind == "replaced" for event in making.events):
                raise Overtaken(making.version)  # who asks may not sit where he sat when he was let in
        raise Problem("unavailable", "Time has run out so often here that it takes a while to settle. Try again soon.")

    async def begun(self, live: LiveGame) -> Making:
        """Begin events on a live game, at this time; what is due by it has to come first."""
        return Making(live.rules, live.meta.game, await self.seed(live.meta.game), self.now(), live)

    def settled(self, making: Making) -> bool:
        """Add what is due at the time of a making, if anything is; whether it was.

        Raises:
            Problem: `scenario_mismatch`.
        """
        try:
            found = settle(making)
        except ScriptMismatchError as error:
            self.forget(making.game)
            raise Problem("scenario_mismatch", "The scenario's scripted chance does not fit the time-out.") from error
        for event in making.events if found else ():
            self.meter.count("turnlog_settled_total", event.header.kind)
        return found

    async def known(self, once: Once | None) -> bytes | None:
        """The answer that was given to this key before, if any.

        Raises:
            Problem: `key_reused` if it was for another request.
        """
        if once is None:
            return None
        command = await self.store.command(once.scope, once.key)
        if command is None:
            return None
        if command.request != once.request:
            raise _key_reused()
        return command.response

    async def first_answer(self, ask: Ask, live: LiveGame) -> bytes | None:
        """The answer that was given to a request before, also to who has lost since what it was given for.

        Raises:
            Problem: `key_reused`; `not_found` if the caller may not know of the game, whatever his key was used for.
        """
        try:
            known = await self.known(ask.once)
        except Problem:
            check_known(ask.caller, live.meta, invited=ask.invited)
            raise
        if known is None:
            check_known(ask.caller, live.meta, invited=ask.invited)
        return known

    async def commit(self, making: Making, ask: Ask, *, secret: bytes | None = None) -> bytes:
        """Append the events made, keep the answer under its key, announce, and give the answer.

        Raises:
            Problem: `version_conflict` (another node was faster), `key_reused`, `unavailable`.
        """
        response, once = await self._answered(making, ask), ask.once
        command = None if once is None else Command(once.scope, once.key, once.request, response, making.at)
        events, words = tuple(making.events), tuple(making.words)
        append = Append(making.game, making.expected, events, command, secret, words, making.follows)
        began = time.perf_counter()
        try:
            appended = await self.store.append(append)
        except Duplicate as known:
            self.forget(making.game)
            return known.command.response
        except (Conflict, KeyReused, StoreFull, StoreFailed) as error:
            self.forget(making.game)
            raise _append_problem(error) from error
        self.meter.observe("turnlog_append_duration_seconds", time.perf_counter() - began)
        if making.expected == 0:
            self._keep_new(making)
        self.feed.announce(Moved(making.game, making.version, appended.position, append.events))
        await self._snapshot(making)
        return response

    async def _answered(self, making: Making, ask: Ask) -> bytes:
        """The answer to a command; to who holds no seat, of the game as its spectators see it at this moment."""
        live, events = making.live, making.events
        if ask.respond is not nothing and is_delayed(ask.caller, live.meta):
            live = await open_aged(self.store, self.rulesets(), making.game, self._bound(live), making.events)
            events = [event for event in events if event.header.version <= live.meta.version]
        return ask.respond(live, events)

    async def _snapshot(self, making: Making) -> None:
        every = self.settings.snapshot_events
        if making.expected // every != making.version // every and making.live.moment.state is not None:
            try:
                await keep_snapshot(self.store, making.live)
            except (StoreFull, StoreFailed) as error:  # a cache: the command itself is durable
                log.warning("snapshot_not_kept", game=making.game, reason=str(error))

    def _keep_new(self, making: Making) -> None:
        """Put a game just created into memory."""
        slot = self._slots.setdefault(making.game, _Slot())
        slot.live = making.live
        self._evict()


def on_game(
    work: Callable[Concatenate[Games, Ask, LiveGame, P], Awaitable[bytes]],
) -> Callable[..., Coroutine[Any, Any, bytes]]:
    """A command on the game of an id: the game is locked, a repeat gets its first answer, and it is decided again."""

    @wraps(work)
    @decided_again
    async def run(games: Games, ask: Ask, game: str, /, *args: P.args, **kwargs: P.kwargs) -> bytes:
        async with games.game(game) as live:
            known = await games.first_answer(ask, live)
            return await work(games, ask, live, *args, **kwargs) if known is None else known

    return run


async def _no_packs() -> None:
    """There are no packs but those of the installation."""


async def _none_imported(_: str) -> tuple[Log, LiveGame]:
    raise Problem("not_found", "There is no such replay.")


def _append_problem(error: Exception) -> Problem:
    if isinstance(error, Conflict):
        return Overtaken(error.version)
    if isinstance(error, KeyReused):
        return _key_reused()
    if isinstance(error, StoreFull):
        sentence = "The server is overloaded; nothing was written. Try again in a moment."
        return Problem("unavailable", sentence, headers={"Retry-After": "1"})
    sentence = "Whether this was written is unknown. Repeat the same request with the same Idempotency-Key."
    return Problem("unavailable", sentence, headers={"Retry-After": "2"})


def _key_reused() -> Problem:
    return Problem("key_reused", "This Idempotency-Key was used for another request. Use a new one.")
