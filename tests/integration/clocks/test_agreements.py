"""Pauses, vacations and giving a game up together: consent, budgets, what the clocks do (CLK-11, -12, -15)."""

import pytest

from tests.integration.clocks.kit import DRAW, GREEN, PLAY, Table, refused

PAUSES = {"bank_s": 60, "pause_s": 100, "answer_s": 30}


async def paused(table):
    """Everybody agrees to pause."""
    proposal = await table.propose("ann", "pause")
    for player in ("bob", "cat"):
        await table.vote(player, proposal)


async def test_a_game_pauses_when_all_agree_and_goes_on_when_all_agree():
    table = await Table.sit(PAUSES)
    table.wait(10)
    proposal = await table.propose("ann", "pause")
    assert (proposal.asked, proposal.accepted, proposal.needed) == ([1, 2], [0], 3)
    table.wait(5)
    await table.vote("bob", proposal)
    assert (await table.clocks())["running"]
    await table.vote("cat", proposal)
    assert await table.left(0) == 45
    table.wait(50)
    assert await table.left(0) == 45
    await refused("game_paused", table.act("ann", PLAY))
    await refused("game_paused", table.undo("ann"))
    again = await table.propose("cat", "resume")
    await table.vote("ann", again)
    await table.vote("bob", again)
    table.wait(5)
    clocks = await table.clocks()
    assert (await table.left(0), clocks["pause_left_ms"], clocks["paused"]) == (40, 50_000, None)
    await table.act("ann", PLAY)
    voted = ["proposed", "proposal_answered", "proposal_answered"]
    assert await table.kinds() == [*voted, "paused", *voted, "resumed", "acted"]
    await table.verified()


async def test_a_request_to_rewind_that_was_open_is_answered_in_a_pause_and_carried_out_and_the_pause_goes_on():
    table = await Table.sit(PAUSES)
    pause = await table.propose("ann", "pause")
    table.wait(10)
    await table.act("ann", DRAW)
    request = await table.undo("ann")
    for player in ("bob", "cat"):
        await table.vote(player, pause)
    for player in ("bob", "cat"):
        await table.consent(player, request)
    table.wait(50)
    assert (await table.left(0), (await table.clocks())["running"]) == (50, False)
    await refused("game_paused", table.undo("ann"))
    await refused("game_paused", table.act("ann", DRAW))
    assert (await table.kinds())[-4:] == ["paused", "undo_answered", "undo_answered", "rewound"]
    assert (await table.restart().clocks()) == await table.clocks()
    table.wait(51)
    await table.act("ann", DRAW)
    assert await table.left(0) == 49
    await table.verified()


async def test_one_refusal_is_the_end_of_a_proposal():
    table = await Table.sit(PAUSES)
    proposal = await table.propose("ann", "pause")
    await refused("proposal_open", table.propose("bob", "abandon"))
    await table.vote("bob", proposal, accept=False)
    assert (await table.meta()).proposal is None
    await refused("not_found", table.vote("cat", proposal))
    assert (await table.clocks())["running"]
    await table.verified()


async def test_only_who_is_asked_answers_and_only_who_proposed_withdraws():
    table = await Table.sit(PAUSES)
    proposal = await table.propose("ann", "pause")
    await refused("not_allowed", table.vote("ann", proposal))
    await refused("not_allowed", table.withdraw("bob", proposal))
    await table.vote("bob", proposal)
    await refused("not_allowed", table.vote("bob", proposal))
    await table.withdraw("ann", proposal)
    assert (await table.meta()).proposal is None
    await table.verified()


async def test_a_proposal_that_is_not_carried_in_time_lapses_and_the_game_went_on():
    table = await Table.sit(PAUSES)
    await table.propose("ann", "pause")
    await table.act("ann", PLAY)
    table.wait(30)
    await table.act("bob", GREEN)
    assert await table.kinds() == ["proposed", "acted", "proposal_expired", "acted"]
    await table.verified()


async def test_when_the_budget_is_used_up_the_game_goes_on_by_itself_from_that_time():
    table = await Table.sit(PAUSES)
    await paused(table)
    table.wait(103)
    await table.settle()
    assert (await table.last("resumed"))["used_up"]
    assert await table.left(0) == 57
    assert (await refused("proposal_refused", table.propose("ann", "pause"))).members["reason"] == "no_budget"
    await table.verified()


async def test_a_pause_ends_by_itself_and_then_time_runs_out_all_in_one_look():
    table = await Table.sit(PAUSES)
    await paused(table)
    table.wait(500)
    table = table.restart()
    await table.settle()
    assert (await table.kinds())[-2:] == ["resumed", "expired"]
    assert (await table.last("expired"))["deadline"] == "2026-01-01T00:02:40.000000Z"
    await table.verified()


@pytest.mark.parametrize(
    ("clock", "what", "reason"),
    [
        (None, "pause", "no_clock"),
        ({"bank_s": 60}, "pause", "no_budget"),
        (PAUSES, "resume", "not_paused"),
    ],
)
async def test_what_cannot_be_proposed_is_refused_with_a_reason(clock, what, reason):
    table = await Table.sit(clock)
    problem = await refused("proposal_refused", table.propose("ann", what))
    assert problem.members["reason"] == reason
    assert await table.kinds() == []


async def test_a_vacation_stops_the_own_clock_alone_as_long_as_it_lasts():
    table = await Table.sit({"bank_s": 60, "vacation_s": 100})
    table.wait(10)
    await table.vacation("ann")
    await refused("proposal_refused", table.vacation("ann"))
    table.wait(40)
    assert await table.left(0) == 50
    await table.act("ann", PLAY)
    table.wait(10)
    assert await table.left(1) == 50
    await table.vacation("ann", back=True)
    seat = (await table.clocks())["seats"][0]
    assert (seat["vacation"], seat["vacation_left_ms"]) == (None, 50_000)
    await refused("proposal_refused", table.vacation("ann", back=True))
    await table.verified()


async def test_what_a_vacation_took_is_gone_though_somebody_else_sits_down_on_the_seat():
    table = await Table.sit({"bank_s": 60, "vacation_s": 100})
    for taken, (player, substitute) in enumerate([("ann", "dan"), ("dan", "eve")], 1):
        await table.vacation(player)
        table.wait(30)
        await table.offer(player, 0)
        await table.take_over(substitute, 0)
        seat = (await table.clocks())["seats"][0]
        assert (seat["vacation"], seat["vacation_left_ms"], seat["left_ms"]) == (None, 100_000 - taken * 30_000, 60_000)
    await table.vacation("eve")
    table.wait(40)
    await table.settle()
    await refused("proposal_refused", table.vacation("eve"))
    await table.verified()


async def test_a_vacation_is_over_when_its_budget_is():
    table = await Table.sit({"bank_s": 60, "vacation_s": 100})
    await table.vacation("ann")
    table.wait(159)
    await table.settle()
    assert await table.kinds() == ["paused", "resumed"]
    assert await table.left(0) == 1
    table.wait(1)
    await table.settle()
    assert (await table.last("expired"))["deadline"] == "2026-01-01T00:02:40.000000Z"
    await table.verified()


async def test_a_game_is_given_up_when_all_who_play_agree():
    table = await Table.sit(PAUSES)
    await table.act("cat", {"action": "resign"})
    proposal = await table.propose("ann", "abandon")
    assert proposal.asked == [1]
    await table.vote("bob", proposal)
    meta = await table.meta()
    assert (meta.status, meta.outcome.winners, meta.outcome.reason) == ("ended", (), "abandoned")
    assert meta.outcome.places == (1, 1, 1)
    assert meta.seed
    await refused("game_over", table.act("ann", DRAW))
    await table.verified()


async def test_by_most_a_game_is_given_up_against_one():
    table = await Table.sit(PAUSES, policies={"abandon": "most"})
    proposal = await table.propose("ann", "abandon")
    await table.vote("bob", proposal, accept=False)
    assert (await table.meta()).status == "running"
    await table.vote("cat", proposal)
    assert (await table.meta()).outcome.reason == "abandoned"
    await table.verified()


async def test_by_off_it_is_played_to_its_end():
    table = await Table.sit(PAUSES, policies={"abandon": "off"})
    assert (await refused("proposal_refused", table.propose("ann", "abandon"))).members["reason"] == "off"


async def test_who_plays_with_bots_alone_needs_nobody_and_no_clock():
    table = await Table.sit(None, players=["ann", "bot:random", "bot:random"])
    assert await table.propose("ann", "abandon") is None
    assert await table.kinds() == ["proposed", "ended"]
    await table.verified()


async def test_who_has_resigned_proposes_nothing():
    table = await Table.sit(PAUSES)
    await table.act("cat", {"action": "resign"})
    assert (await refused("proposal_refused", table.propose("cat", "abandon"))).members["reason"] == "resigned"
