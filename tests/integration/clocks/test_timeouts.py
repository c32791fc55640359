"""Time-outs are events, exactly once, by the times of events (docs/clocks.md, CLK-8 and CLK-13)."""

import asyncio
import json
from random import Random

import pytest

from tests.integration.clocks.kit import GREEN, PLAY, HeldClock, Table, refused

BANK = {"bank_s": 60}


async def test_out_of_time_the_default_answer_is_given_once_and_the_log_says_when_and_why():
    table = await Table.sit(BANK)
    began = (await table.clocks())["now"]
    table.wait(60.5)
    await table.settle()
    await table.settle()
    assert await table.kinds() == ["expired"]
    assert began == "2026-01-01T00:00:00.000000Z"
    assert await table.last("expired") == {
        "kind": "expired",
        "seat": 0,
        "deadline": "2026-01-01T00:01:00.000000Z",
        "observed": "2026-01-01T00:01:00.500000Z",
        "rule": "CLK-3",
        "policy": "default",
        "step": "main_action",
    }
    event = (await table.shell.events(table.game))[-1]
    assert (event.header.actor, event.header.seat, event.header.key) == ("server", 0, None)
    assert json.loads(bytes(event.effects[0]))["effect"] == "answered"
    assert json.loads(bytes(event.effects[0]))["why"] == "expired"
    await table.verified()


async def test_before_the_deadline_nothing_happens_and_at_it_everything():
    table = await Table.sit(BANK)
    table.wait(59.999999)
    await table.settle()
    assert await table.kinds() == []
    table.wait(0.000001)
    await table.settle()
    assert await table.kinds() == ["expired"]


async def test_an_answer_that_is_too_late_finds_the_time_out_before_it():
    table = await Table.sit(BANK)
    version = (await table.meta()).version
    table.wait(60)
    problem = await refused("version_conflict", table.act("ann", PLAY, if_version=version))
    assert [event["kind"] for event in problem.members["missed"]] == ["expired"]
    assert await table.kinds() == ["expired"]
    await refused("not_your_decision", table.act("ann", PLAY))
    await table.verified()


async def test_an_answer_before_the_deadline_is_in_time_whenever_it_is_looked_at():
    table = await Table.sit(BANK)
    table.wait(59.999999)
    await table.act("ann", PLAY)
    table.wait(30)
    await table.settle()
    assert await table.kinds() == ["acted"]
    assert await table.left(0) == 0
    assert await table.left(1) == 30
    await table.verified()


async def test_another_players_command_settles_it_too():
    table = await Table.sit({"bank_s": 60, "seats": {"1": {"bank_s": 600}}})
    table.wait(61)
    await table.act("bob", GREEN)
    assert await table.kinds() == ["expired", "acted"]
    await table.verified()


@pytest.mark.slow
async def test_of_an_answer_and_a_time_out_at_the_same_moment_the_log_has_exactly_one():
    rng, won = Random(8), []
    for _ in range(200):
        table = await Table.sit(BANK)
        table.wait(60)
        clock = table.games.clock
        late = clock.moment
        moments = iter([late.replace(minute=0, second=59, microsecond=999_999) if rng.random() < 0.5 else late] * 99)
        clock.now = lambda moments=moments: next(moments)
        other = table.restart()
        other.games.clock = clock_at(late)
        racers = [table.act("ann", PLAY), other.settle()]
        rng.shuffle(racers)
        await asyncio.gather(*racers, return_exceptions=True)
        kinds = await other.kinds()
        assert kinds in (["acted"], ["expired"])
        won += kinds
        await other.restart().verified()
    assert min(won.count("acted"), won.count("expired")) > 10


def clock_at(moment):
    """A clock that stands at this moment."""

    class Standing:
        def now(self):
            return moment

    return Standing()


async def test_after_a_restart_what_is_overdue_is_settled_once():
    table = await Table.sit({"move_s": 3600})
    table.wait(24 * 3600)
    table = table.restart()
    await table.settle()
    assert await table.kinds() == ["expired"]
    assert await table.last("expired") | {"deadline": "2026-01-01T01:00:00.000000Z", "rule": "CLK-7"} == (
        await table.last("expired")
    )
    table = table.restart()
    await table.settle()
    assert await table.kinds() == ["expired"]
    assert await table.left(1) == 3600
    await table.verified()


async def test_an_answer_behind_a_time_out_that_another_node_wrote_first_follows_on_what_the_log_has():
    table = await Table.sit(BANK)
    other = table.restart()
    other.games.clock = HeldClock()
    for node in (table, other):
        await node.meta()  # both have it in memory
    table.wait(62)
    other.wait(61)
    append = table.shell.store.append

    async def overtaken(wanted):
        table.shell.store.append = append
        await other.settle()  # the same time-out, noticed a second earlier: another digest
        return await append(wanted)

    table.shell.store.append = overtaken
    await table.act("bob", GREEN)
    assert await other.restart().kinds() == ["expired", "acted"]
    await other.restart().verified()


async def test_two_nodes_that_notice_it_write_it_once():
    table = await Table.sit(BANK)
    other = table.restart()
    for node in (table, other):
        await node.meta()  # both have it in memory
    table.wait(61)
    told = await asyncio.gather(table.settle(), other.settle(), return_exceptions=True)
    assert await other.restart().kinds() == ["expired"]
    assert all(one is None or one.code == "version_conflict" for one in told)


async def test_who_comes_back_with_an_empty_bank_has_the_grace_and_earns_increments_again():
    table = await Table.sit({"bank_s": 10, "increment_s": 5}, {"grace_s": 20})
    table.wait(10)
    await table.settle()
    assert await table.last("reminded") | {"seat": 0, "until": "2026-01-01T00:00:30.000000Z"} == (
        await table.last("reminded")
    )
    table.wait(20)
    await table.settle()
    assert await table.kinds() == ["reminded", "expired"]
    for player in ("bob", "cat"):
        await table.act(player, GREEN)
    assert await table.left(0) == 0
    table.wait(15)
    await table.settle()
    await table.act("ann", PLAY)
    assert await table.kinds() == ["reminded", "expired", "acted", "acted", "acted"]
    assert (await table.clocks())["seats"][0]["bank_ms"] == 5000
    await table.verified()


async def test_in_its_grace_a_seat_answers_as_ever_after_everybody_was_reminded():
    table = await Table.sit(BANK, {"grace_s": 30})
    table.wait(70)
    await table.act("ann", PLAY)
    assert await table.kinds() == ["reminded", "acted"]
    await table.verified()


async def test_by_resign_the_seat_gives_up_and_the_last_one_wins():
    table = await Table.sit(BANK, {"policy": "resign"})
    table.wait(60)
    await table.settle()
    assert (await table.meta()).status == "running"
    table.wait(60)
    await table.settle()
    assert await table.kinds() == ["expired", "expired", "ended"]
    assert (await table.meta()).outcome.winners == (2,)
    await table.verified()


async def test_of_a_time_out_that_ends_the_game_and_a_proposal_that_has_lapsed_since_the_log_is_sound():
    table = await Table.sit(BANK | {"answer_s": 30, "pause_s": 100}, {"policy": "resign"})
    await table.act("cat", {"action": "resign"})
    table.wait(50)
    await table.propose("ann", "pause")  # until 80 s, and ann has time until 60 s
    table.wait(100)
    await table.settle()
    assert await table.kinds() == ["resigned", "proposed", "expired", "ended"]
    await table.verified()


async def test_seats_without_time_are_played_by_default_to_the_end():
    table = await Table.sit({"bank_s": 1}, {"grace_s": 1})
    for _ in range(400):
        table.wait(2)
        await table.settle()
        if (await table.meta()).status == "ended":
            break
    kinds = await table.kinds()
    assert kinds[-1] == "ended"
    assert kinds.count("reminded") == 3
    await table.verified()


async def test_resigned_seats_and_bots_have_no_clock_to_run_out():
    table = await Table.sit(BANK, players=["ann", "bot:random", "cat"])
    await table.act("cat", {"action": "resign"})
    await table.act("ann", PLAY)
    assert (await table.clocks())["seats"][1] is None
    table.wait(3600)
    await table.settle()
    assert "expired" not in await table.kinds()
    await table.verified()
