"""Simulated games: whole games of random players through the real core, with everything derived from one seed.

Seeds, ids, times and the players' choices of game n depend on the seed and n alone, so the same seed gives the same
digests on every run, in whatever order and by however many processes the games are played.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import Struct

from events.event import Event
from events.feed import LocalFeed
from events.memory import MemoryStore
from games.kernel import Action, decisions, legal
from projections.game import ENDED, LiveGame
from server.access import PLAY, Caller
from server.asks import Ask
from server.catalogue import Catalogue
from server.commands import Games
from server.creating import NewGame, create
from server.playing import Act, act
from server.ports import Clock, Ports, Random
from server.random_bot import RANDOM_BYTES, choose
from server.replays import export
from server.settings import Settings

#: When simulated games take place; each question for the time is a second later.
EPOCH: Final = datetime(2026, 1, 1, tzinfo=UTC)
#: Games that a process plays between two reports of progress.
CHUNK_GAMES: Final = 5
#: One answer in so many comes from a seat that may answer without owing (a vote that is changed), if there is one.
FREE_ANSWER_ONE_IN: Final = 8

BOT: Final = "bot:random"


class StuckError(RuntimeError):
    """A game that did not end within its ruleset's bound: a bug of the ruleset."""


class SeededRandom:
    """The Random port as a stream of SHA-256 over a seed."""

    def __init__(self, seed: str) -> None:
        self._key = sha256(seed.encode()).digest()
        self._count = 0

    def bytes(self, count: int) -> bytes:
        """The next `count` bytes."""
        told = b""
        while len(told) < count:
            told += sha256(self._key + self._count.to_bytes(8, "big")).digest()
            self._count += 1
        return told[:count]

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1."""
        return int.from_bytes(self.bytes(RANDOM_BYTES), "big") % limit


class SteppingClock:
    """The Clock port as a clock that goes on by a second each time it is asked."""

    def __init__(self, start: datetime = EPOCH) -> None:
        self._now = start

    def now(self) -> datetime:
        """The next second."""
        self._now += timedelta(seconds=1)
        return self._now


class Plan(Struct, frozen=True):
    """What to simulate. seats: None plays every number of seats in turn. keep: give the replays too."""

    ruleset: str
    games: int
    seed: str
    seats: int | None = None
    options: dict[str, Any] = {}
    keep: bool = False


class Played(Struct, frozen=True, omit_defaults=True):
    """A simulated game. `game` counts from 1; `decisions`: answers given by the players."""

    game: int
    id: str
    seats: int
    events: int
    decisions: int
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    reason: str
    digest: str
    replay: bytes = b""


def simulate(
    load: Callable[[], Catalogue], plan: Plan, jobs: int, progress: Callable[[int], None] = lambda _: None
) -> list[Played]:
    """Play all games of a plan; in their order, whichever was finished first. `progress` gets how many more are done.

    load: makes the catalogue in each process; a module's function where `jobs` > 1.

    Raises:
        StuckError: a game went beyond the bound of its ruleset.
        Problem: no game can be made so (seats, options).
        UnknownRulesetError: there is no such ruleset.
    """
    played: dict[int, Played] = {}
    for part in _parts(load, plan, jobs):
        played.update({one.game: one for one in part})
        progress(len(part))
    return [played[number] for number in sorted(played)]


def _parts(load: Callable[[], Catalogue], plan: Plan, jobs: int) -> Iterator[list[Played]]:
    chunks = [range(n, min(n + CHUNK_GAMES, plan.games + 1)) for n in range(1, plan.games + 1, CHUNK_GAMES)]
    if jobs == 1:
        catalogue = load()
        for chunk in chunks:
            yield play_games(catalogue, plan, chunk)
        return
    with ProcessPoolExecutor(jobs) as pool:
        futures = [pool.submit(_play_chunk, load, plan, chunk) for chunk in chunks]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


_catalogue: Catalogue | None = None


def _play_chunk(load: Callable[[], Catalogue], plan: Plan, numbers: range) -> list[Played]:
    """In a process of its own, which loads the catalogue once."""
    global _catalogue  # noqa: PLW0603 - what a process keeps between its chunks
    if _catalogue is None:
        _catalogue = load()
    return play_games(_catalogue, plan, numbers)


def play_games(catalogue: Catalogue, plan: Plan, numbers: Sequence[int]) -> list[Played]:
    """Play these games of a plan, one after another."""

    async def play() -> list[Played]:
        return [await _play(catalogue, plan, number) for number in numbers]

    return asyncio.run(play())


async def _play(catalogue: Catalogue, plan: Plan, number: int) -> Played:
    rules = catalogue[plan.ruleset].rules
    seats = plan.seats if plan.seats is not None else rules.seats[(number - 1) % len(rules.seats)]
    stream = f"turnlog simulate {plan.ruleset} {plan.seed} {number}"
    games = new_games(catalogue, SteppingClock(EPOCH + timedelta(hours=number)), SeededRandom(stream))
    players = SeededRandom(f"{stream} players")
    ask = Ask(Caller("simulation", frozenset({PLAY})), game_id)
    new = NewGame(ruleset=plan.ruleset, seats=[BOT] * seats, options=plan.options)
    game = (await games.run(create(games, ask, new))).decode()
    given = 0
    bots = Ask(Caller(BOT, frozenset({PLAY})), game_id, if_version="*")
    while (turn := await random_turn(games, game, players)) is not None:
        if given == rules.bound:
            told = f"game {number} of seed {plan.seed} did not end within {rules.bound} decisions, the ruleset's bound"
            raise StuckError(told)
        await games.run(act(games, bots, game, turn))
        given += 1
    async with games.game(game) as live:
        events = await games.store.read(game)
        return _played(plan, number, live, events, given)


def new_games(catalogue: Catalogue, clock: Clock, random: Random) -> Games:
    """The real core on a store in memory."""
    return Games(Settings(), Ports(clock, random, MemoryStore(), LocalFeed(_failed)), catalogue)


def game_id(live: LiveGame, events: list[Event]) -> bytes:
    """An answer that says only which game it was."""
    del events
    return live.meta.game.encode()


async def random_turn(games: Games, game: str, players: SeededRandom, bot: str = BOT) -> Act | None:
    """What a random player would do next on one of the seats of `bot`; None if none of them may answer anything."""
    async with games.game(game) as live:
        if live.meta.status == ENDED:
            return None
        asked = [d for d in decisions(live.state) if live.meta.seats[d.seat].player == bot]
        free = [d for d in asked if not d.owes]
        owing = [d for d in asked if d.owes]
        if not owing:
            return None
        if free and players.below(FREE_ANSWER_ONE_IN) == 0:
            seat = free[players.below(len(free))].seat
            answers = legal(live.rules, live.state, seat)
            if answers:
                return _turn(seat, answers, players)
        seat = owing[players.below(len(owing))].seat
        return _turn(seat, legal(live.rules, live.state, seat), players)


def _turn(seat: int, answers: Sequence[Action], players: SeededRandom) -> Act:
    action = choose(answers, players.bytes(RANDOM_BYTES))
    return Act(msgspec.to_builtins(action), seat)


def _failed(error: Exception) -> None:
    raise error


def _played(plan: Plan, number: int, live: LiveGame, events: Sequence[Event], given: int) -> Played:
    meta, outcome = live.meta, live.meta.outcome
    if outcome is None:
        told = f"game {number} of seed {plan.seed} stopped at version {meta.version}: nobody owes a decision"
        raise StuckError(told)
    return Played(
        game=number,
        id=meta.game,
        seats=meta.created.seats,
        events=meta.version,
        decisions=given,
        winners=outcome.winners,
        scores=outcome.scores,
        places=outcome.places,
        reason=outcome.reason,
        digest=meta.digest.hex(),
        replay=b"".join(export(events)) if plan.keep else b"",
    )


def totals(played: Sequence[Played]) -> dict[str, Any]:
    """Sums over games: whole numbers only, so that they are the same everywhere."""
    reasons = Counter(one.reason for one in played)
    wins = Counter(seat for one in played for seat in one.winners)
    return {
        "games": len(played),
        "events": sum(one.events for one in played),
        "decisions": sum(one.decisions for one in played),
        "longest": max((one.decisions for one in played), default=0),
        "shared": sum(len(one.winners) > 1 for one in played),
        "reasons": dict(sorted(reasons.items())),
        "wins": {str(seat): wins[seat] for seat in sorted(wins)},
        "digest": sha256("".join(one.digest for one in played).encode()).hexdigest(),
    }
