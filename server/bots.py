"""The server's own players: they see what their seat sees, and act through the same command as everybody else.

Where several nodes share the log, a node's bots answer what this node has written; one of the nodes looks now and then
for games whose node has died before its bots could.

Games take turns, one action of a game at a time. A search goes on beside: meanwhile the other games are played, at
most as many searches run at a time as there are processes for it, and what was found for a version that is no longer
the newest is dropped.
"""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

import msgspec
import structlog
from msgspec import Struct, to_builtins
from msgspec.structs import replace
from structlog.typing import FilteringBoundLogger

from events.event import Event
from events.feed import Moved
from events.store import StoreFailed, StoreFull
from games.kernel import Action, Ruleset, decisions, legal
from projections.game import LiveGame
from projections.lobby import Lobby
from server.access import PLAY, Caller
from server.asks import Ask
from server.bot_names import PREFIX, iterations_of
from server.commands import Games
from server.leases import EverybodyHolds, Leases
from server.left_behind import LeftBehind
from server.playing import Act, act
from server.problems import Problem
from server.random_bot import RANDOM_BYTES, choose
from server.search.pool import PoolLimits, SearchPool
from server.search.worker import SearchFailed, Task, Wanted, task_of
from server.settings import Settings

log: FilteringBoundLogger = structlog.get_logger()


class _Turn(Struct, frozen=True):
    """An answer that a bot has chosen, and the version it was chosen on."""

    bot: str
    seat: int
    action: Action
    version: int


class _Thought(Struct, frozen=True):
    """An answer to search for: the task, what it must be one of, and what is done if nothing is found."""

    task: Task
    rules: Ruleset[Any]
    answers: tuple[Action, ...]
    otherwise: _Turn


class Bots:
    """Plays every seat of the server's own players."""

    def __init__(
        self, games: Games, lobby: Lobby, pool: SearchPool | None = None, leases: Leases | None = None
    ) -> None:
        self._games = games
        self._left_behind = LeftBehind(games, lobby, leases or EverybodyHolds(), self._note)
        self._pool = pool or SearchPool(_limits(games.settings))
        self._waiting: dict[str, None] = {}
        self._wake = asyncio.Event()
        self._failures: dict[str, int] = {}
        #: Games that are searched for; those of them that have moved since; and games that wait for a process.
        self._searching: set[str] = set()
        self._moved_on: set[str] = set()
        self._lined_up: dict[str, None] = {}

    @property
    def waiting(self) -> int:
        """How many games may have something for a bot to answer."""
        return len(self._waiting) + len(self._lined_up)

    @property
    def searching(self) -> int:
        """How many games are searched."""
        return len(self._searching)

    async def run(self) -> None:
        """Play until cancelled; begins with the games that were waiting when the server stopped."""
        stop = self._games.feed.listen(self._moved)
        self._wake.set()  # what waited in a run before this one waits still
        try:
            async with self._pool, asyncio.TaskGroup() as searches:
                searches.create_task(self._left_behind.run())
                while True:
                    await self._wake.wait()
                    self._wake.clear()
                    while (game := self._next()) is not None:
                        await self._guarded(game, self._play(game, searches))
        finally:
            stop()
            self._searching.clear()  # all searches have ended with their group, some before they began
            self._moved_on.clear()

    def _moved(self, moved: Moved) -> None:
        if moved.here:
            self._note(moved.game)

    def _note(self, game: str) -> bool:
        """Have a game looked at, unless too many wait; whether it will be."""
        # More games than this waiting at once means that bots cannot keep up; a game left out comes again when it
        # moves, and at the next start.
        if game not in self._waiting and self.waiting >= self._games.settings.bot_queue_max:
            self._failures.pop(game, None)
            return False
        self._waiting[game] = None
        self._wake.set()
        return True

    def _next(self) -> str | None:
        """The game to look at: one that waits for a process while there is one, else one that has moved."""
        for games in (self._lined_up if self._may_search() else {}, self._waiting):
            if games:
                game = next(iter(games))
                del games[game]
                return game
        return None

    def _may_search(self) -> bool:
        return len(self._searching) < self._pool.limits.workers

    async def _guarded(self, game: str, work: Coroutine[Any, Any, None]) -> None:
        """Play a game; what goes wrong with it is no other game's affair."""
        try:
            await work
            self._failures.pop(game, None)
        except Problem as problem:
            if problem.code == "version_conflict":  # chosen on a state that is not the newest any more
                log.info("bot_answer_dropped", game=game)
                self._note(game)
            else:
                self._failed(game, problem.code)
        except (StoreFailed, StoreFull) as error:
            self._failed(game, str(error))
        except Exception as error:
            log.exception("bot_failed", game=game)
            self._failed(game, type(error).__name__)

    def _failed(self, game: str, why: str) -> None:
        """Try again, but not for ever: the game comes back when somebody else moves it."""
        failures = self._failures[game] = self._failures.get(game, 0) + 1
        if failures > self._games.settings.bot_retries_max or not self._note(game):
            self._failures.pop(game, None)
            log.warning("bot_gave_up", game=game, why=why)

    async def _play(self, game: str, searches: asyncio.TaskGroup) -> None:
        """One action of one bot, if one owes; more come when the game has moved by it."""
        if game in self._searching:
            self._moved_on.add(game)
            return
        async with self._games.game(game) as live:
            turn = self._turn(live)
        if isinstance(turn, _Turn):
            await self._games.run(self._act(game, turn))
        elif turn is not None:
            self._searching.add(game)
            searches.create_task(self._search(game, turn))

    async def _search(self, game: str, thought: _Thought) -> None:
        """Search and act, while other games go on."""
        await self._guarded(game, self._find_and_act(game, thought))
        self._searching.discard(game)
        self._wake.set()
        if game in self._moved_on:
            self._moved_on.discard(game)
            self._note(game)

    async def _find_and_act(self, game: str, thought: _Thought) -> None:
        turn, meter, began = thought.otherwise, self._games.meter, time.perf_counter()
        try:
            turn = replace(turn, action=_found(thought, await self._pool.search(thought.task)))
            meter.count("turnlog_searches_total", "found")
            meter.observe("turnlog_search_duration_seconds", time.perf_counter() - began)
        except SearchFailed as error:
            meter.count("turnlog_searches_total", "failed")
            log.warning("bot_search_failed", game=game, bot=turn.bot, why=str(error))
        await self._games.run(self._act(game, turn))

    def _turn(self, live: LiveGame) -> _Turn | _Thought | None:
        meta = live.meta
        if meta.status != "running" or meta.request is not None or meta.paused:
            return None
        for decision in decisions(live.state):
            bot = meta.seats[decision.seat].player
            if decision.owes and bot is not None and bot.startswith(PREFIX):
                return self._chosen(live, bot, decision.seat)
        return None

    def _chosen(self, live: LiveGame, bot: str, seat: int) -> _Turn | _Thought | None:
        """What a bot answers, or what to search for; None if that has to wait for a process."""
        iterations = iterations_of(bot.removeprefix(PREFIX), self._games.settings)
        answers = legal(live.rules, live.state, seat)
        if iterations is not None and len(answers) > 1 and not self._may_search():
            self._lined_up[live.meta.game] = None
            return None
        turn = _Turn(bot, seat, choose(answers, self._games.random.bytes(RANDOM_BYTES)), live.meta.version)
        if iterations is None or len(answers) == 1:
            return turn
        wanted = Wanted(live.meta.created.pack, seat, min(iterations, self._games.settings.search_iterations_max))
        task = task_of(live.rules, live.state, wanted, self._games.random)
        return _Thought(task, live.rules, tuple(answers), turn)

    async def _act(self, game: str, turn: _Turn) -> bytes:
        caller = Caller(player=turn.bot, scopes=frozenset({PLAY}))
        ask = Ask(caller, _silent, if_version=turn.version)
        return await act(self._games, ask, game, Act(to_builtins(turn.action), turn.seat))


def _limits(settings: Settings) -> PoolLimits:
    return PoolLimits(settings.search_workers, settings.search_waiting_max, settings.search_timeout_s)


def _found(thought: _Thought, answer: bytes) -> Action:
    """What a process has answered, if it is an answer."""
    try:
        action = thought.rules.action_decoder.decode(answer)
    except msgspec.DecodeError as error:
        raise SearchFailed(f"what was found is no action: {error}") from error
    if action not in thought.answers:
        raise SearchFailed("what was found is not legal")
    return action


def _silent(live: LiveGame, events: list[Event]) -> bytes:
    """A bot needs no answer."""
    del live, events
    return b""
