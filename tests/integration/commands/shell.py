"""A server's core without a network: games on a store in memory, a clock that the test moves, seeded randomness."""

import itertools
import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from msgspec.structs import replace

from events.feed import LocalFeed
from events.memory import MemoryStore
from games.kernel import encode
from projections.kinds import Scenario
from server.access import PLAY, Caller
from server.answers import Audience, acted_answer
from server.asks import Ask, Once
from server.catalogue import Catalogue
from server.commands import Games
from server.creating import NewGame, create
from server.playing import Act, act
from server.ports import Ports
from server.seating import Join, join
from server.settings import Settings

CATALOGUE = Catalogue.load()


class TestClock:
    """Every look at it is a millisecond later."""

    __test__ = False

    def __init__(self):
        self.moment = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self):
        self.moment += timedelta(milliseconds=1)
        return self.moment


class SeededRandom:
    """The same bytes in every run."""

    def __init__(self, seed=b"test"):
        self._blocks = (sha256(seed + n.to_bytes(8, "big")).digest() for n in itertools.count())

    def bytes(self, count):
        found = b""
        while len(found) < count:
            found += next(self._blocks)
        return found[:count]


def fail(error):
    raise AssertionError("a listener failed") from error


class Shell:
    """One process. `store` may be handed from one to the next: a restart."""

    def __init__(self, store=None):
        self.store = store or MemoryStore()
        self.feed = LocalFeed(fail)
        self.games = Games(Settings(), Ports(TestClock(), SeededRandom(), self.store, self.feed), CATALOGUE)

    def ask(self, player, if_version="*", key=None, request=b"request"):
        caller = Caller(player=player, scopes=frozenset({PLAY}))
        once = Once(player, key, request) if key is not None else None
        return Ask(caller, self.respond(player), once, if_version)

    def respond(self, player):
        def answer(live, events):
            own = tuple(live.meta.seats_of(player))
            reader = own[0] if own else -1
            return encode(acted_answer(live, events, Audience(reader, own)))

        return answer

    async def create(self, players, **given):
        """A game of these players, who are all seated; the first one makes it."""
        plans = ["open"] * len(players)
        given.setdefault("ruleset", "tpoc")
        new = NewGame(
            seats=[p if p.startswith("bot:") else plan for p, plan in zip(players, plans, strict=True)], **given
        )
        game = json.loads(await create(self.games, self.ask(players[0]), new))["game"]
        for seat, player in enumerate(players):
            if not player.startswith("bot:"):
                await join(self.games, replace(self.ask(player), invited=True), game, seat, Join())
        return game

    async def position(self, players, state, **given):
        """A game that starts from a position."""
        scenario = Scenario(state=state, dice=given.pop("dice", ()), orders=given.pop("orders", {}))
        return await self.create(players, scenario=scenario, **given)

    async def act(self, game, player, action, seat=None, if_version="*", **asked):
        """Act, and give the answer."""
        answer = await act(self.games, self.ask(player, if_version, **asked), game, Act(action, seat))
        return json.loads(answer)

    async def events(self, game):
        return await self.store.read(game)

    async def kinds(self, game):
        return [event.header.kind for event in await self.events(game)]

    async def state(self, game):
        """The state now, as its JSON bytes."""
        async with self.games.game(game) as live:
            return encode(live.state)
