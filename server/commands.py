"""The core of the shell: commands on live games, one at a time for each, and the durable append behind everything.

Order, for every command: lock the game, judge, decide, seal, append, answer, announce. Nothing is announced or answered
before it is durable. Where other nodes share the log, a live game is brought up to date before it is judged (actions
are first tried on what is at hand), and a command that another node overtakes is decided again. A command runs as a
task of its own: a caller that goes away does not cut an append in two. If an append fails or its outcome is unknown,
the live game is dropped and opened anew from the log; the caller is told to repeat the request with the same
Idempotency-Key, which gives the first answer if it was written after all.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import structlog

from events.feed import Moved
from events.store import Append, Command, Conflict, Duplicate, KeyReused, StoreFailed, StoreFull
from games.dice import ScriptMismatchError
from projections.game import LiveGame
from projections.history import Log, keep_snapshot
from projections.lag import open_aged
from server.access import check_known, is_delayed
from server.asks import Ask, Once, key_reused
from server.catalogue import Catalogue
from server.live_games import LiveGames
from server.making import Making
from server.overtaken import Overtaken, decided_again
from server.places import Places, Unbounded
from server.ports import Ports, new_id
from server.problems import Problem
from server.settings import Settings
from server.settling import in_time, nothing, settle

log = structlog.get_logger("turnlog")

T = TypeVar("T")
P = ParamSpec("P")

#: So many appends of what is due are made before a command gives up.
SETTLEMENTS_MAX: Final = 20

#: Opens an imported replay by its id: its log, and its game folded to the end.
Imported = Callable[[str], Awaitable[tuple[Log, LiveGame]]]


class Games(LiveGames):
    """The games of this process, with what every command on them needs."""

    def __init__(self, settings: Settings, ports: Ports, catalogue: Catalogue) -> None:
        super().__init__(settings, ports, catalogue)
        self.random = ports.random
        self.meter = ports.meter
        self.imported: Imported = _none_imported
        self.places: Places = Unbounded()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._stopping = False

    def new_id(self) -> str:
        """A fresh UUIDv7."""
        return new_id(self.clock, self.random)

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

    async def making(self, live: LiveGame) -> Making:
        """Begin the events of a command on a live game, once all that is due by then has happened (and is durable).

        Raises:
            Problem: as `commit`; `unavailable` if more is due than one command can wait for.
        """
        for _ in range(SETTLEMENTS_MAX):
            making = await self.begun(live)
            if not self.settled(making):
                return making
            await self.commit_settled(making)
        raise Problem("unavailable", "Time has run out so often here that it takes a while to settle. Try again soon.")

    async def begun(self, live: LiveGame) -> Making:
        """Begin events on a live game, at this time; what is due by it has to come first."""
        return Making(live.rules, live.meta.game, await self.seed(live.meta.game), self.now(), live)

    def settled(self, making: Making) -> bool:
        """Add what is due at the time of a making, if anything is; whether it was.

        Raises:
            Problem: `scenario_mismatch`.
        """
        with self.timing_out(making):
            found = settle(making)
        for event in making.events if found else ():
            self.meter.count("turnlog_settled_total", event.header.kind)
        return found

    @contextmanager
    def timing_out(self, making: Making) -> Iterator[None]:
        """Add what may have a sandbox's scripted chance in it.

        Raises:
            Problem: `scenario_mismatch`.
        """
        try:
            yield
        except ScriptMismatchError as error:
            self.forget(making.game)  # the rules had begun
            raise Problem("scenario_mismatch", "The scenario's scripted chance does not fit the time-out.") from error

    async def commit_settled(self, making: Making) -> None:
        """Append what was due, before a command is judged; it is judged from the beginning if it may not be let in now.

        Raises:
            Problem: as `commit`; `version_conflict` if it has to be judged from the beginning.
        """
        await self.commit(making, in_time(making))
        if not self.is_live(making.live):
            raise Overtaken(making.version)  # another node wrote it, at another moment
        if any(event.header.kind == "replaced" for event in making.events):
            raise Overtaken(making.version)  # who asks may not sit where he sat when he was let in

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
            raise key_reused()
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
        self.keep(making.live)
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


async def _none_imported(_: str) -> tuple[Log, LiveGame]:
    raise Problem("not_found", "There is no such replay.")


def _append_problem(error: Exception) -> Problem:
    if isinstance(error, Conflict):
        return Overtaken(error.version)
    if isinstance(error, KeyReused):
        return key_reused()
    if isinstance(error, StoreFull):
        sentence = "The server is overloaded; nothing was written. Try again in a moment."
        return Problem("unavailable", sentence, headers={"Retry-After": "1"})
    sentence = "Whether this was written is unknown. Repeat the same request with the same Idempotency-Key."
    return Problem("unavailable", sentence, headers={"Retry-After": "2"})
