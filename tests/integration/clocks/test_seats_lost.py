"""Whose seat was taken over: nothing is done for it any more, but what was done before is told again."""

from functools import partial

import pytest

from server.agreements import OwnSeat, Propose, Vote, propose, vacation, vote, withdraw_proposal
from server.playing import Act, act
from server.rewinding import Answer, RewindWish, answer, rewind, withdraw
from server.substitutes import Claim, Offer, claim, offer, take_over
from server.talk import say
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


async def ann_has_played(table):
    await table.act("ann", PLAY)


async def bob_has_drawn(table):
    await table.act("ann", PLAY)
    await table.act("bob", DRAW)


async def bob_asks_to_rewind(table):
    await bob_has_drawn(table)
    return (await table.undo("bob"))["id"]


async def ann_asks_to_rewind(table):
    await table.act("ann", DRAW)
    return (await table.undo("ann"))["id"]


async def ann_is_out_of_time(table):
    table.wait(60)
    await table.settle()


def proposed_by(player):
    async def propose_a_pause(table):
        return (await table.propose(player, "pause")).id

    return propose_a_pause


async def nothing(table):
    del table


#: What comes before a command of bob (on seat 1) and gives the id that it names; the command; what it is given.
COMMANDS = {
    "act": (ann_has_played, act, (Act(GREEN, 1),)),
    "say": (nothing, say, (1, "well")),
    "undo": (bob_has_drawn, partial(rewind, redo=False), (RewindWish(1),)),
    "answer": (ann_asks_to_rewind, answer, (Answer(accept=True),)),
    "withdraw": (bob_asks_to_rewind, withdraw, ()),
    "propose": (nothing, propose, (Propose("pause", 1),)),
    "vote": (proposed_by("ann"), vote, (Vote(accept=True),)),
    "withdraw_proposal": (proposed_by("bob"), withdraw_proposal, ()),
    "vacation": (nothing, partial(vacation, back=False), (OwnSeat(1),)),
    "claim": (ann_is_out_of_time, claim, (Claim(0, 1),)),
    "offer": (nothing, offer, (1, Offer())),
}


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_repeat_gets_its_first_answer_also_when_the_seat_has_been_taken_over_meanwhile(command):
    table = await Table.sit(CLOCK, {"policy": "remind"})
    before, work, given = COMMANDS[command]
    named = await before(table)
    given = given if named is None else (named, *given)

    async def sent():
        return await work(table.games, table.shell.ask("bob", key="once"), table.game, *given)

    first = await sent()
    await table.offer("bob", 1)
    await table.take_over("dan", 1)
    kinds = await table.kinds()
    assert await sent() == first
    assert await table.kinds() == kinds
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
