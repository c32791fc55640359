"""Whose seat was taken over: nothing is done for it any more, but what was done before is told again."""

import pytest

from server.agreements import OwnSeat, Propose, Vote, propose, vacation, vote, withdraw_proposal
from server.playing import Act, act, say
from server.rewinding import Answer, RewindWish, answer, rewind, withdraw
from server.substitutes import Claim, Offer, claim, offer, take_over
from tests.integration.clocks.kit import DRAW, GREEN, PLAY, Table, refused

CLOCK = {"bank_s": 60, "pause_s": 100, "vacation_s": 100}


@pytest.mark.parametrize("command", ["act", "say", "propose", "undo", "vacation"])
async def test_who_loses_a_seat_while_time_is_settled_acts_for_it_no_more(command):
    table = await Table.sit(CLOCK, {"policy": "bot"})
    table.wait(60)
    work = {
        "act": lambda: table.act("ann", PLAY),
        "say": lambda: say(table.games, table.shell.ask("ann"), table.game, None, "well"),
        "propose": lambda: table.propose("ann", "abandon"),
        "undo": lambda: table.undo("ann"),
        "vacation": lambda: table.vacation("ann"),
    }
    await refused("not_allowed", work[command]())
    assert await table.kinds() == ["expired", "replaced"]
    await table.verified()


class Repeated:
    """Commands of bob, who sits on seat 1, each under one key; `prepare` first does what they need."""

    def __init__(self, table):
        self.table = table
        self.id = None

    async def prepare(self, command):
        table = self.table
        if command in ("answer", "withdraw"):
            if command == "withdraw":
                await table.act("ann", PLAY)
                await table.act("bob", DRAW)
            else:
                await table.act("ann", DRAW)
            self.id = (await table.undo("bob" if command == "withdraw" else "ann"))["id"]
        elif command in ("vote", "withdraw_proposal"):
            self.id = (await table.propose("ann" if command == "vote" else "bob", "pause")).id
        elif command == "claim":
            table.wait(60)
            await table.settle()
        elif command == "act":
            await table.act("ann", PLAY)
        elif command == "undo":
            await table.act("ann", PLAY)
            await table.act("bob", DRAW)

    def again(self, command):
        """The command, as it is sent the first time and every time."""
        games, game, ask = self.table.games, self.table.game, self.table.shell.ask("bob", key="once")
        match command:
            case "act":
                return act(games, ask, game, Act(GREEN, 1))
            case "say":
                return say(games, ask, game, 1, "well")
            case "undo":
                return rewind(games, ask, game, RewindWish(1), redo=False)
            case "answer":
                return answer(games, ask, game, self.id, Answer(accept=True))
            case "withdraw":
                return withdraw(games, ask, game, self.id)
            case "propose":
                return propose(games, ask, game, Propose("pause", 1))
            case "vote":
                return vote(games, ask, game, self.id, Vote(accept=True))
            case "withdraw_proposal":
                return withdraw_proposal(games, ask, game, self.id)
            case "vacation":
                return vacation(games, ask, game, OwnSeat(1), back=False)
            case "claim":
                return claim(games, ask, game, Claim(0, 1))
            case "offer":
                return offer(games, ask, game, 1, Offer())
        raise LookupError(command)


COMMANDS = ["act", "say", "undo", "answer", "withdraw", "propose", "vote", "withdraw_proposal", "vacation", "claim"]


@pytest.mark.parametrize("command", [*COMMANDS, "offer"])
async def test_a_repeat_gets_its_first_answer_also_when_the_seat_has_been_taken_over_meanwhile(command):
    table = await Table.sit(CLOCK, {"policy": "remind"})
    repeated = Repeated(table)
    await repeated.prepare(command)
    first = await repeated.again(command)
    if command != "offer":
        await table.offer("bob", 1)
    await table.take_over("dan", 1)
    before = await table.kinds()
    assert await repeated.again(command) == first
    assert await table.kinds() == before
    await refused("not_allowed", table.vacation("bob"))


async def test_a_repeated_taking_over_gets_its_first_answer_also_when_the_seat_is_somebody_elses_by_then():
    table = await Table.sit(CLOCK)
    await table.offer("bob", 1)
    await table.take_over("eve", 1)
    await table.offer("eve", 1)
    ask = table.shell.ask("bob", key="back")
    await refused("not_allowed", take_over(table.games, ask, table.game, 1))
    ask = table.shell.ask("dan", key="once")
    first = await take_over(table.games, ask, table.game, 1)
    await table.offer("dan", 1)
    await table.take_over("fay", 1)
    before = await table.kinds()
    assert await take_over(table.games, ask, table.game, 1) == first
    assert await table.kinds() == before
