"""Whole games of the tiny ruleset for tests of replays: played by the real core, with undo, talk and resigning."""

import asyncio
from collections.abc import Callable, Sequence

import msgspec

from events.digest import ZERO, salt_key
from events.event import Event, NewEvent, seal
from projections import kinds
from server.access import PLAY, Caller
from server.asks import Ask
from server.catalogue import Catalogue, Entry
from server.commands import Games
from server.creating import ME, NewGame, create
from server.forking import Fork, fork
from server.playing import act, resign
from server.rewinding import RewindWish, rewind
from server.simulate import BOT, SeededRandom, SteppingClock, game_id, new_games, random_turn
from server.talk import say
from tests.tiny import RULES

CATALOGUE = Catalogue([Entry(RULES, {"en": {}}, ())])
RULESETS = {"tiny": RULES}
ANN = Ask(Caller("ann", frozenset({PLAY})), game_id, if_version="*")


async def ended_and_running(games: Games) -> tuple[str, str]:
    """A game of TPOC that its bots have ended, and one that waits for ann."""
    ended = (await create(games, ANN, NewGame(ruleset="tpoc", seats=[BOT] * 3))).decode()
    players, bots = SeededRandom("players"), msgspec.structs.replace(ANN, caller=caller(BOT))
    while (turn := await random_turn(games, ended, players)) is not None:
        await act(games, bots, ended, turn)
    return ended, (await create(games, ANN, NewGame(ruleset="tpoc", seats=[ME, BOT, BOT]))).decode()


class Table:
    """A core with games in it; `seed` makes everything that happens there."""

    def __init__(self, seed: str) -> None:
        self.games: Games = new_games(CATALOGUE, SteppingClock(), SeededRandom(seed))
        self.players = SeededRandom(f"{seed} players")

    async def make(self, seats: Sequence[str] = (ME, BOT, BOT), **fields) -> str:
        return (await create(self.games, ANN, NewGame(ruleset="tiny", seats=list(seats), **fields))).decode()

    async def go_on(self, game: str, turns: int) -> bool:
        """Random answers of everybody; whether the game still runs."""
        for _ in range(turns):
            for who in ("ann", BOT):
                turn = await random_turn(self.games, game, self.players, who)
                if turn is not None:
                    await act(self.games, msgspec.structs.replace(ANN, caller=caller(who)), game, turn)
        return (await random_turn(self.games, game, self.players, "ann")) is not None or not await self.over(game)

    async def over(self, game: str) -> bool:
        async with self.games.game(game) as live:
            return live.meta.status == "ended"

    async def undo(self, game: str, to: int | None = None) -> None:
        await rewind(self.games, ANN, game, RewindWish(seat=0, to=to), redo=False)

    async def redo(self, game: str) -> None:
        await rewind(self.games, ANN, game, RewindWish(seat=0), redo=True)

    async def finish(self, game: str) -> list[Event]:
        while not await self.over(game):
            await self.go_on(game, 20)
        return await self.events(game)

    async def events(self, game: str) -> list[Event]:
        return await self.games.store.read(game)


def caller(who: str) -> Caller:
    return Caller(who, frozenset({PLAY}))


async def eventful_game(seed: str = "eventful") -> list[Event]:
    """A game with undo and redo in it, a line abandoned and restored, table talk before and after the end."""
    table = Table(seed)
    game = await table.make(entropy="c0ffee")
    await table.go_on(game, 6)
    await table.undo(game)
    await table.redo(game)
    await say(table.games, ANN, game, 0, "Good luck!")
    await table.go_on(game, 4)
    left = len(await table.events(game))
    await table.undo(game)
    await table.go_on(game, 3)
    await table.undo(game, left)
    events = await table.finish(game)
    await say(table.games, ANN, game, 0, "Good game.")
    assert [event.header.kind for event in events].count("rewound") == 4
    return await table.events(game)


async def resigned_game() -> list[Event]:
    table = Table("resigned")
    game = await table.make()
    await table.go_on(game, 5)
    await resign(table.games, ANN, game, 0)
    return await table.finish(game)


async def scenario_game() -> list[Event]:
    """A game from a position in the middle of another, with scripted dice."""
    table = Table("scenario")
    source = await table.make()
    await table.go_on(source, 8)
    async with table.games.game(source) as live:
        position = RULES.position.dump(live.state)
    game = await table.make(scenario=kinds.Scenario(state=position, dice=(1, 1, 1)))
    return await table.finish(game)


async def forked_game() -> list[Event]:
    table = Table("forked")
    game = await table.make()
    source = await table.finish(game)
    started = next(event.header.version for event in source if event.header.kind == "started")
    copy = (await fork(table.games, ANN, game, Fork(at=started + 5))).decode()
    return await table.finish(copy)


def resealed(events: Sequence[Event], seed: bytes, change: Callable[[int, NewEvent], NewEvent]) -> list[Event]:
    """The same log with some events changed, and a chain made anew by somebody who has the seed."""
    made, previous = [], ZERO
    for event in events:
        new = NewEvent(event.header, event.details, event.action, tuple(map(bytes, event.effects)))
        new = change(event.header.version, msgspec.structs.replace(new, details=_bytes(event.details)))
        new = msgspec.structs.replace(new, action=_bytes(new.action))
        made.append(seal(new, previous, salt_key(seed)))
        previous = made[-1].digest
    return made


def _bytes(item: msgspec.Raw | None) -> bytes | None:
    return None if item is None else bytes(item)


def seed_of(events: Sequence[Event]) -> bytes:
    ended = next(event for event in events if event.header.kind == "ended")
    return bytes.fromhex(msgspec.json.decode(ended.details)["seed"])


def played(game) -> list[Event]:
    return asyncio.run(game)
