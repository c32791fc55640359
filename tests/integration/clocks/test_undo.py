"""Undo and clocks: what a rewind gives back is the state, and no time (docs/clocks.md, CLK-9 and CLK-10)."""

from tests.integration.clocks.kit import DRAW, GREEN, PLAY, Table, refused, timed_out_and_answered_after_all

FISCHER = {"bank_s": 60, "increment_s": 5}


async def test_time_used_stays_used_and_a_turn_is_paid_once():
    table = await Table.sit(FISCHER)
    table.wait(10)
    await table.act("ann", PLAY)
    assert await table.left(0) == 55
    table.wait(3)
    assert await table.undo("ann") is None
    table.wait(2)
    await table.act("ann", PLAY)
    assert (await table.left(0), await table.left(1)) == (53, 57)
    await table.act("bob", GREEN)
    await table.act("cat", GREEN)
    await table.act("ann", DRAW)
    assert (await table.left(0), await table.left(1)) == (58, 62)
    await table.verified()


async def test_a_turn_that_was_timed_out_and_taken_back_is_paid_once_it_is_answered():
    table = await timed_out_and_answered_after_all()
    assert await table.left(0) == 10
    request = await table.undo("ann", to=(await table.meta()).started)
    for player in ("bob", "cat"):
        await table.consent(player, request)
    await table.act("ann", PLAY)
    assert await table.left(0) == 10
    await table.verified()


async def test_a_game_opened_anew_knows_of_time_used_on_lines_that_were_left():
    table = await Table.sit({"bank_s": 600, "increment_s": 5})
    for _ in range(5):
        table.wait(7)
        await table.act("ann", PLAY)
        table.wait(1)
        await table.undo("ann")
    told = await table.clocks()
    assert told["seats"][0]["used_ms"] == 35_000
    assert (await table.restart().clocks()) == told
    await table.verified()


async def test_while_a_request_is_open_no_clock_runs():
    table = await Table.sit(FISCHER)
    await table.act("ann", DRAW)
    table.wait(10)
    request = await table.undo("ann")
    clocks = await table.clocks()
    assert not clocks["running"]
    assert [seat["deadline"] for seat in clocks["seats"]] == [None] * 3
    table.wait(3600)
    assert await table.left(1) == 50
    await table.consent("bob", request, accept=False)
    table.wait(5)
    assert await table.left(1) == 45
    await table.verified()


async def test_a_request_that_nobody_answers_is_refused_by_time():
    table = await Table.sit(FISCHER | {"answer_s": 30})
    await table.act("ann", DRAW)
    request = await table.undo("ann")
    assert request["deadline"] == "2026-01-01T00:00:30.000000Z"
    table.wait(30)
    problem = await refused("not_found", table.consent("bob", request))
    assert problem.detail
    assert await table.kinds() == ["acted", "undo_requested", "undo_expired"]
    assert (await table.last("undo_expired"))["id"] == request["id"]
    await table.act("bob", GREEN)
    await table.verified()


async def test_requests_have_a_deadline_without_clocks_too():
    table = await Table.sit(None)
    await table.act("ann", DRAW)
    request = await table.undo("ann")
    assert request["deadline"] == "2026-01-02T00:00:00.000000Z"
    table.wait(24 * 3600)
    await table.settle()
    assert await table.kinds() == ["acted", "undo_requested", "undo_expired"]
    assert await table.clocks() is None
    await table.verified()


async def test_a_time_out_can_be_taken_back_but_its_time_is_gone():
    table = await Table.sit({"bank_s": 60}, {"grace_s": 5})
    table.wait(60)
    await table.settle()
    table.wait(5)
    await table.settle()
    await table.act("bob", GREEN)
    request = await table.undo("bob", to=(await table.meta()).started)
    for player in ("ann", "cat"):
        if request is not None and (await table.meta()).request is not None:
            await table.consent(player, request)
    assert (await table.clocks())["seats"][0]["bank_ms"] == 0
    await table.verified()
