"""Random games of TPOC, recorded: as scripts that a client can play on a server, and as logs.

A sandbox game's dice follow from its seed, so whole games are decided before any server is asked for them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from random import Random

from msgspec.json import decode

from events.feed import LocalFeed
from events.store import EventStore
from games.dice import Dice, game_key
from games.kernel import Action, Setting, decide, decisions, encode, legal, start
from server.access import PLAY, Caller
from server.asks import Ask
from server.catalogue import Catalogue
from server.commands import Games
from server.creating import NewGame, create
from server.playing import Act, act
from server.ports import Ports, SystemClock, SystemRandom
from server.rewinding import RewindWish, rewind
from server.settings import Settings

SEATS = 3
#: With fewer cards in the deck than this a game goes back to its start, long before its end.
LATE_CARDS = 5
CATALOGUE = Catalogue.load()
RULES = CATALOGUE["tpoc"].rules
PACK = next(iter(RULES.shelf))


@dataclass(frozen=True)
class Recorded:
    """A game from its first decision to its last: each answer as (seat, JSON bytes of the action)."""

    seed: str
    answers: tuple[tuple[int, bytes], ...]


def setting() -> Setting:
    """What every recorded game is made from."""
    return Setting(PACK, SEATS, RULES.options())


def server_seed(seed: str) -> bytes:
    """The seed that a server makes of a sandbox game's."""
    return sha256(b"turnlog seed " + seed.encode()).digest()


def playout(seed: str, note: Callable[[int, Action], None] | None = None) -> int:
    """Play one random game, listing all legal actions of every seat that owes; the number of positions."""
    chance, made = Random(seed), setting()
    dice, state = Dice(game_key(server_seed(seed), [b""] * SEATS)), RULES.initial(made)
    start(RULES, state, made, dice)
    positions = 0
    while state.outcome is None:
        choices = [(d.seat, legal(RULES, state, d.seat)) for d in decisions(state) if d.owes]
        seat, actions = choices[0]
        action = chance.choice(actions)
        if note is not None:
            note(seat, action)
        decide(RULES, state, seat, action, dice)
        positions += 1
    return positions


@cache
def recorded(number: int) -> Recorded:
    """Game `number`."""
    answers: list[tuple[int, bytes]] = []
    seed = f"bench {number}"
    playout(seed, lambda seat, action: answers.append((seat, encode(action))))
    return Recorded(seed, tuple(answers))


class Table:
    """Games played through the real core on a store, by one player who holds all seats and may always rewind."""

    def __init__(self, store: EventStore, snapshot_events: int = 1_000_000_000) -> None:
        settings = Settings(snapshot_events=snapshot_events)
        ports = Ports(SystemClock(), SystemRandom(), store, LocalFeed(print))
        self.games = Games(settings, ports, CATALOGUE)
        self._ask = Ask(Caller("player", frozenset({PLAY})), lambda live, _: encode(live.meta.game), if_version="*")
        self._chance = Random(7)

    async def create(self) -> str:
        """A new game, at its first decision; its id."""
        plan = NewGame(ruleset="tpoc", seats=["me"] * SEATS, undo="free")
        return str(decode(await create(self.games, self._ask, plan)))

    async def act(self, game: str) -> None:
        """Answer a decision by chance."""
        async with self.games.game(game) as live:
            seat = next(d.seat for d in decisions(live.state) if d.owes)
            action = self._chance.choice(legal(live.rules, live.state, seat))
        await act(self.games, self._ask, game, Act(decode(encode(action)), seat))

    async def rewind(self, game: str) -> None:
        """Back to the first decision."""
        async with self.games.game(game) as live:
            started = live.meta.started
        await rewind(self.games, self._ask, game, RewindWish(seat=0, to=started), redo=False)

    async def grow(self, game: str, version: int) -> None:
        """Play on, from the start again and again, up to a version."""
        while True:
            async with self.games.game(game) as live:
                reached, late = live.meta.version >= version, len(live.state.deck) < LATE_CARDS
            if reached:
                return
            await (self.rewind(game) if late else self.act(game))
