"""Games with clocks on the server's core: a table of three, whose clock the test moves."""

import json
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from msgspec import convert

from projections.clock import microseconds
from projections.clock_view import clocks_of
from projections.game import Meta
from projections.history import image, open_game
from projections.time_control import Clock, OnTimeout, Policies
from projections.verify import verify
from server.agreements import OwnSeat, Propose, Vote, propose, vacation, vote, withdraw_proposal
from server.overtaken import Overtaken
from server.problems import Problem
from server.rewinding import Answer, RewindWish, answer, rewind
from server.substitutes import Claim, Offer, claim, offer, take_over
from tests.integration.commands.shell import Shell

PLAYERS = ["ann", "bob", "cat"]
#: Seat 0 to act. A card that is played tells nobody anything and passes the turn on; a draw tells its seat something.
POSITION = {
    "seats": [
        {"hand": ["red", "red", "grey"], "platform": ["blue"]},
        {"hand": ["green", "blue"], "platform": ["red", "grey"]},
        {"hand": ["yellow", "green"], "platform": ["red"]},
    ],
    "deck": ["orange"] * 12,
    "bag": ["red/grey"] * 2,
}
PLAY = {"action": "play_card", "colour": "grey", "drop": None, "accuse": None}
GREEN = {"action": "play_card", "colour": "green", "drop": None, "accuse": None}
DRAW = {"action": "draw_card_and_tile"}


class HeldClock:
    """Stands still until the test moves it."""

    def __init__(self):
        self.moment = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self):
        return self.moment


class Table:
    """A game with a clock, seen from one node. `shell` may be replaced: a restart, or another node."""

    def __init__(self, shell, game):
        self.shell = shell
        self.game = game

    @classmethod
    async def sit(cls, clock, on_timeout=None, players=PLAYERS, policies=None, **more):
        """A table where seat 0 (ann) is to act, with this clock."""
        shell = Shell()
        shell.games.clock = HeldClock()
        game = await shell.position(
            players,
            POSITION,
            clock=convert(clock, Clock) if clock else None,
            on_timeout=OnTimeout(**on_timeout) if on_timeout else None,
            policies=Policies(**policies) if policies else None,
            **more,
        )
        return cls(shell, game)

    @property
    def games(self):
        return self.shell.games

    def wait(self, seconds):
        """Time passes."""
        self.games.clock.moment += timedelta(seconds=seconds)

    def restart(self):
        """The same log under a new process, at the same time."""
        fresh = Shell(self.shell.store)
        fresh.games.clock = self.games.clock
        return Table(fresh, self.game)

    async def settle(self):
        """What the timekeeper does when the game is due."""
        with suppress(Overtaken):  # a seat has changed hands by it: who else was let in has to be judged anew
            async with self.games.game(self.game) as live:
                await self.games.making(live)

    async def act(self, player, action, **more):
        return await self.shell.act(self.game, player, action, **more)

    async def undo(self, player, **wish):
        given = await rewind(self.games, self.shell.ask(player), self.game, RewindWish(**wish), redo=False)
        return json.loads(given)["request"]

    async def consent(self, player, request, *, accept=True):
        return await answer(self.games, self.shell.ask(player), self.game, request["id"], Answer(accept))

    async def propose(self, player, what):
        """Propose; the open proposal, if it is not carried at once."""
        await propose(self.games, self.shell.ask(player), self.game, Propose(what))
        return (await self.meta()).proposal

    async def vote(self, player, proposal, *, accept=True):
        await vote(self.games, self.shell.ask(player), self.game, proposal.id, Vote(accept))

    async def withdraw(self, player, proposal):
        await withdraw_proposal(self.games, self.shell.ask(player), self.game, proposal.id)

    async def vacation(self, player, *, back=False):
        await vacation(self.games, self.shell.ask(player), self.game, OwnSeat(), back=back)

    async def claim(self, player, seat, by=None):
        return json.loads(await claim(self.games, self.shell.ask(player), self.game, Claim(seat, by)))

    async def offer(self, player, seat, to=None):
        await offer(self.games, self.shell.ask(player), self.game, seat, Offer(to))

    async def take_over(self, player, seat):
        await take_over(self.games, self.shell.ask(player), self.game, seat)

    async def meta(self) -> Meta:
        async with self.games.game(self.game) as live:
            return live.meta

    async def clocks(self):
        """The clocks as everybody gets them now."""
        return clocks_of(await self.meta(), microseconds(self.games.now()))

    async def left(self, seat):
        """What a seat has left, in seconds."""
        return (await self.clocks())["seats"][seat]["left_ms"] / 1000

    async def kinds(self):
        """The kinds of all events from the start on."""
        kinds = await self.shell.kinds(self.game)
        return kinds[kinds.index("started") + 1 :]

    async def last(self, kind):
        """Details of the newest event of a kind."""
        events = [event for event in await self.shell.events(self.game) if event.header.kind == kind]
        return json.loads(bytes(events[-1].details))

    async def verified(self):
        """The log verifies, and opened from it the game is the one in memory, to the byte."""
        events = await self.shell.events(self.game)
        again = await open_game(self.shell.store, self.games.rulesets(), self.game)
        verify(again.rules, events, await self.games.seed(self.game))
        async with self.games.game(self.game) as live:
            assert image(again) == image(live)


async def timed_out_and_answered_after_all():
    """A table where ann (seat 0) was claimed to be out of time after a minute, took that back and has answered then.

    The others have played at once; it is her turn again, at the same time, with the ten seconds that she has earned.
    """
    table = await Table.sit({"bank_s": 60, "increment_s": 10}, {"policy": "remind"})
    table.wait(60)
    await table.claim("bob", 0)
    assert await table.undo("ann", to=(await table.meta()).started) is None
    await table.act("ann", PLAY)
    await table.act("bob", GREEN)
    await table.act("cat", GREEN)
    return table


async def refused(code, work):
    """The problem of this code that something comes to."""
    with pytest.raises(Problem) as problem:
        await work
    assert problem.value.code == code, problem.value.detail
    return problem.value
