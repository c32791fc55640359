"""The server's own players: they see what their seat sees, and act through the same command as everybody else."""

import asyncio
from collections.abc import Callable, Sequence

import structlog
from msgspec import Struct, to_builtins
from structlog.typing import FilteringBoundLogger

from events.event import Event
from events.feed import Moved
from games.kernel import Action, decisions, legal
from projections.game import LiveGame
from projections.lobby import Lobby, Search
from server.access import PLAY, Caller
from server.commands import Ask, Games
from server.playing import Act, act
from server.problems import Problem
from server.random_bot import choose

log: FilteringBoundLogger = structlog.get_logger()

#: How a bot answers: from its legal actions and random bytes.
Player = Callable[[Sequence[Action], bytes], Action]
PLAYERS: dict[str, Player] = {"bot:random": choose}


class _Turn(Struct, frozen=True):
    """An answer that a bot has chosen, and the version it was chosen on."""

    bot: str
    seat: int
    action: Action
    version: int


class Bots:
    """Plays every seat of the server's own players. One action of a game at a time, games in turn."""

    def __init__(self, games: Games, lobby: Lobby) -> None:
        self._games = games
        self._lobby = lobby
        self._waiting: dict[str, None] = {}
        self._wake = asyncio.Event()
        self._failures: dict[str, int] = {}

    async def run(self) -> None:
        """Play until cancelled; begins with the games that were waiting when the server stopped."""
        stop = self._games.feed.listen(self._moved)
        try:
            await self._resume()
            while True:
                await self._wake.wait()
                while self._waiting:
                    game = next(iter(self._waiting))
                    del self._waiting[game]
                    await self._play(game)
                self._wake.clear()
        finally:
            stop()

    def _moved(self, moved: Moved) -> None:
        # More games than this waiting at once means that bots cannot keep up; a game left out comes again when it moves,
        # and at the next start.
        if len(self._waiting) < self._games.settings.bot_queue_max:
            self._waiting[moved.game] = None
            self._wake.set()

    async def _resume(self) -> None:
        cursor: str | None = None
        for bot in PLAYERS:
            while True:
                search = Search(viewer=bot, player=bot, status="running")
                found, cursor = await self._lobby.search(
                    search, limit=self._games.settings.page_items_max, cursor=cursor
                )
                for game in found:
                    self._moved(Moved(game["game"], game["version"], 0))
                if cursor is None:
                    break

    async def _play(self, game: str) -> None:
        """One action of one bot, if one owes; more come when the game has moved by it."""
        try:
            async with self._games.game(game) as live:
                turn = self._turn(live)
            if turn is not None:
                await self._games.run(self._act(game, turn))
            self._failures.pop(game, None)
        except Problem as problem:
            self._failed(game, problem.code)
        except Exception as error:
            log.exception("bot_failed", game=game)
            self._failed(game, type(error).__name__)

    def _failed(self, game: str, why: str) -> None:
        """Try again, but not for ever: the game comes back when somebody else moves it."""
        failures = self._failures[game] = self._failures.get(game, 0) + 1
        if failures <= self._games.settings.bot_retries_max:
            self._moved(Moved(game, 0, 0))
        else:
            del self._failures[game]
            log.warning("bot_gave_up", game=game, why=why)

    def _turn(self, live: LiveGame) -> _Turn | None:
        meta = live.meta
        if meta.status != "running" or meta.request is not None:
            return None
        for decision in decisions(live.state):
            bot = meta.seats[decision.seat].player
            if decision.owes and bot in PLAYERS:
                answers = legal(live.rules, live.state, decision.seat)
                action = PLAYERS[bot](answers, self._games.random.bytes(16))
                return _Turn(bot, decision.seat, action, meta.version)
        return None

    async def _act(self, game: str, turn: _Turn) -> bytes:
        caller = Caller(player=turn.bot, scopes=frozenset({PLAY}))
        ask = Ask(caller, _silent, if_version=turn.version)
        return await act(self._games, ask, game, Act(to_builtins(turn.action), turn.seat))


def _silent(live: LiveGame, events: list[Event]) -> bytes:
    """A bot needs no answer."""
    del live, events
    return b""
