"""A log in which time is told otherwise than it was does not verify."""

import pytest
from msgspec.structs import replace

from projections import kinds, time_kinds
from projections.agreements import abandoned
from projections.clock import microseconds
from projections.settlement import expired
from projections.unsound import UnsoundError
from server.making import Draft, Making
from server.settling import time_out
from tests.integration.clocks.kit import PLAY, Table, timed_out_and_answered_after_all

BANK = {"bank_s": 60, "pause_s": 100, "vacation_s": 10}
START = "2026-01-01T00:"


async def forged(table, write, at):
    """What verification says of a log to which this was added at this time, whatever the server would say."""
    async with table.games.game(table.game) as live:
        making = Making(live.rules, table.game, await table.games.seed(table.game), at, live)
        write(making)
        await table.games.commit(making, table.shell.ask("ann"))
    with pytest.raises(UnsoundError) as unsound:
        await table.verified()
    return str(unsound.value)


def timed_out(making, **told):
    live = making.live
    details = expired(live, live.meta.clocks, 0, microseconds(making.at))
    time_out(making, replace(details, **told))


@pytest.fixture
async def table():
    return await Table.sit(BANK)


async def test_a_time_out_before_the_deadline(table):
    told = await forged(table, timed_out, f"{START}00:59.999999Z")
    assert "not out of time" in told


async def test_a_time_out_with_another_deadline_rule_policy_or_time(table):
    for change in (
        {"deadline": f"{START}00:59.000000Z"},
        {"rule": "CLK-7"},
        {"policy": "resign"},
        {"observed": f"{START}00:59.000000Z"},
        {"claimed_by": 1},
    ):
        fresh = await Table.sit(BANK)
        assert "due by this time" in await forged(fresh, lambda m, c=change: timed_out(m, **c), f"{START}01:00.000000Z")


async def test_an_answer_after_the_deadline(table):
    told = await forged(table, lambda making: making.add(said(making)), f"{START}01:00.000000Z")
    assert "`expired` is due by this time" in told


def said(_):
    return Draft(details=time_kinds.Reminded(0, "", ""), actor="server", seat=0)


async def test_a_reminder_before_its_time(table):
    told = await forged(table, lambda making: making.add(said(making)), f"{START}00:10.000000Z")
    assert "its time has not come" in told


@pytest.mark.parametrize(
    ("details", "seat"),
    [
        (time_kinds.Paused(until=f"{START}02:40.000000Z"), None),
        (time_kinds.Resumed(), None),
        (time_kinds.Paused(until=f"{START}09:00.000000Z", seat=0), 0),
        (time_kinds.Resumed(seat=0), 0),
        (time_kinds.Proposed("p", "pause", (0,), (1,), 2, f"{START}09:00.000000Z"), 0),
        (time_kinds.Proposed("p", "resume", (0,), (1, 2), 3, f"{START}09:00.000000Z"), 0),
        (time_kinds.ProposalAnswered("p", True), 1),
        (time_kinds.ProposalWithdrawn("p"), 0),
        (time_kinds.Replaced(seat=1, player="dan", former="bob", why="offered"), 1),
        (time_kinds.Replaced(seat=1, player="dan", former="bob", why="returned"), 1),
    ],
    ids=lambda value: type(value).__name__,
)
async def test_what_nobody_agreed_to(table, details, seat):
    draft = Draft(details=details, actor="server", seat=seat)
    assert await forged(table, lambda making: making.add(draft), f"{START}00:10.000000Z")


@pytest.mark.parametrize("by", [0, 2])
async def test_a_claim_of_ones_own_seat(by):
    table = await Table.sit(BANK, {"policy": "remind"}, players=["ann", "bob", "ann"])
    table.wait(60)
    await table.settle()
    told = await forged(table, lambda making: timed_out(making, claimed_by=by), f"{START}01:00.000000Z")
    assert "out of time himself" in told


async def test_a_claim_by_a_seat_that_is_none_of_the_game():
    table = await Table.sit(BANK, {"policy": "remind"})
    table.wait(60)
    await table.settle()
    assert await forged(table, lambda making: timed_out(making, claimed_by=7), f"{START}01:00.000000Z")


async def test_a_vacation_with_time_that_was_used_up_before_the_seat_changed_hands(table):
    await table.vacation("bob")
    table.wait(8)
    await table.offer("bob", 1)
    await table.take_over("dan", 1)
    whole = Draft(details=time_kinds.Paused(until=f"{START}00:18.000000Z", seat=1), actor="dan", seat=1)
    told = await forged(table, lambda making: making.add(whole), f"{START}00:08.000000Z")
    assert f"its budget lasts until {START}00:10.000000Z" in told


async def test_a_claim_of_who_has_time_that_was_earned_by_answering_what_had_been_timed_out():
    table = await timed_out_and_answered_after_all()
    told = await forged(table, lambda making: timed_out(making, claimed_by=1), f"{START}01:05.000000Z")
    assert "not out of time" in told


async def test_a_rewind_in_a_pause_that_nobody_was_asked_for(table):
    await table.act("ann", PLAY)
    pause = await table.propose("ann", "pause")
    for player in ("bob", "cat"):
        await table.vote(player, pause)
    async with table.games.game(table.game) as live:
        rewound = Draft(details=kinds.Rewound(live.meta.started), actor="ann", seat=0)
    assert "while the game is paused" in await forged(table, lambda m: m.add(rewound), f"{START}00:10.000000Z")


async def test_an_end_that_nobody_agreed_to(table):
    def end(making):
        details = kinds.Ended(outcome=abandoned(3), seed=making.seed.hex(), sandbox=True)
        making.add(Draft(details=details, actor="server"))

    assert "when it has an outcome" in await forged(table, end, f"{START}00:10.000000Z")


async def test_a_log_with_everything_in_it_verifies():
    table = await Table.sit(BANK | {"answer_s": 5}, {"policy": "bot", "grace_s": 3})
    await table.vacation("bob")
    proposal = await table.propose("ann", "pause")
    for player in ("bob", "cat"):
        await table.vote(player, proposal)
    table.wait(200)
    await table.settle()
    await table.verified()
    assert (await table.kinds())[-5:] == ["resumed", "resumed", "reminded", "expired", "replaced"]
