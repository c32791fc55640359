"""Players who are missing: a bot or a substitute takes over, or others claim; who sees what then (CLK-13, -14)."""

import pytest

from games.kernel import SPECTATOR
from projections.views import event_of
from server.access import PLAY as SCOPE
from server.access import Caller, reader_of
from server.problems import Problem
from tests.integration.clocks.kit import PLAY, Table, refused

BANK = {"bank_s": 60}


async def test_a_bot_takes_over_and_the_player_may_come_back():
    table = await Table.sit(BANK, {"policy": "bot"})
    table.wait(60)
    await table.settle()
    assert await table.kinds() == ["expired", "replaced"]
    meta = await table.meta()
    assert (meta.seats[0].player, meta.seats[0].former) == ("bot:random", ["ann"])
    assert (await table.clocks())["seats"][0] is None
    await refused("not_allowed", table.act("ann", PLAY))
    await table.take_over("ann", 0)
    assert (await table.last("replaced"))["why"] == "returned"
    assert (await table.clocks())["seats"][0]["bank_ms"] == 0
    await table.verified()


async def test_by_substitute_the_game_waits_until_the_seat_is_taken():
    table = await Table.sit(BANK, {"policy": "substitute", "grace_s": 10})
    table.wait(65)
    await table.settle()
    await refused("not_allowed", table.offer("cat", 0))
    table.wait(3600)
    await table.settle()
    assert await table.kinds() == ["reminded", "expired"]
    assert (await table.clocks())["seats"][0]["vacant"]
    await refused("not_allowed", table.take_over("dan", 0))
    await refused("not_overdue", table.offer("ann", 1))
    await table.offer("ann", 0)
    for player in ("bob", "cat"):
        await refused("not_allowed", table.take_over(player, 0))
    await table.take_over("dan", 0)
    seat = (await table.clocks())["seats"][0]
    assert (seat["left_ms"], seat["vacant"], seat["owes"]) == (60_000, False, True)
    await table.act("dan", PLAY)
    assert await table.kinds() == ["reminded", "expired", "seat_offered", "replaced", "acted"]
    await table.verified()


async def test_a_seat_offered_to_one_player_is_nobody_elses():
    table = await Table.sit(BANK)
    await table.offer("bob", 1, to="eve")
    await refused("not_allowed", table.take_over("dan", 1))
    await table.take_over("eve", 1)
    await refused("not_allowed", table.take_over("eve", 1))
    assert (await table.meta()).seats[1].player == "eve"
    await table.verified()


async def test_a_seat_of_a_private_game_is_for_who_was_meant_or_has_an_invitation():
    table = await Table.sit(BANK, {"policy": "bot"}, visibility="private")
    await table.offer("bob", 1)
    await refused("not_found", table.take_over("dan", 1))
    await table.offer("bob", 1, to="dan")
    await refused("not_found", table.take_over("eve", 1))
    await table.take_over("dan", 1)
    table.wait(60)
    await table.settle()
    await table.take_over("ann", 0)
    await table.verified()


async def test_who_answers_after_all_is_there_and_the_offer_is_gone():
    table = await Table.sit(BANK, {"policy": "substitute"}, players=["bob", "ann", "cat"])
    table.wait(60)
    await table.settle()
    await table.offer("bob", 0)
    await table.act("bob", PLAY)
    assert (await table.meta()).seats[0].offered is None
    await refused("not_allowed", table.take_over("dan", 0))
    await table.verified()


async def test_a_substitute_sees_what_the_seat_sees_and_the_player_who_left_no_more():
    table = await Table.sit(BANK)
    await table.offer("bob", 1)
    await table.take_over("dan", 1)
    meta = await table.meta()
    assert reader_of(caller("dan"), meta, None) == 1
    assert reader_of(caller("bob"), meta, None) == SPECTATOR
    with pytest.raises(Problem):
        reader_of(caller("bob"), meta, 1)


def caller(player):
    return Caller(player=player, scopes=frozenset({SCOPE}))


async def test_by_remind_nothing_is_done_until_somebody_claims():
    table = await Table.sit(BANK, {"policy": "remind", "grace_s": 20})
    problem = await refused("not_overdue", table.claim("bob", 0))
    assert problem.members["deadline"] == "2026-01-01T00:01:00.000000Z"
    table.wait(79)
    await table.settle()
    await refused("not_overdue", table.claim("bob", 0))
    table.wait(3600)
    await table.settle()
    assert await table.kinds() == ["reminded"]
    await table.claim("bob", 0)
    assert await table.kinds() == ["reminded", "expired"]
    told = await table.last("expired")
    assert (told["policy"], told["claimed_by"], told["deadline"]) == ("default", 1, "2026-01-01T00:01:00.000000Z")
    await table.verified()


async def test_by_remind_the_player_may_still_answer():
    table = await Table.sit(BANK, {"policy": "remind"})
    table.wait(3600)
    await table.act("ann", PLAY)
    assert await table.kinds() == ["reminded", "acted"]
    await table.verified()


async def test_a_claim_of_what_is_due_anyway_is_what_is_due():
    table = await Table.sit(BANK, {"policy": "resign"})
    table.wait(60)
    told = await table.claim("bob", 0)
    assert told["version"] == (await table.meta()).version
    assert await table.kinds() == ["expired"]
    assert "claimed_by" not in await table.last("expired")
    await refused("not_overdue", table.claim("bob", 0))
    await table.verified()


async def test_who_owes_nothing_is_not_out_of_time():
    table = await Table.sit(BANK)
    problem = await refused("not_overdue", table.claim("ann", 1))
    assert problem.members["deadline"] is None


async def test_clocks_reminders_and_time_outs_are_public():
    table = await Table.sit(BANK, {"policy": "bot", "grace_s": 5})
    await table.propose("ann", "abandon")
    table.wait(62)
    await table.settle()
    table.wait(5)
    await table.settle()
    async with table.games.game(table.game) as live:
        for event in (await table.shell.events(table.game))[live.meta.started :]:
            told = [event_of(live.rules, event, reader)["details"] for reader in (SPECTATOR, 0, 1, 2)]
            assert all(one == told[0] for one in told)
            assert event.header.kind in ("proposed", "reminded", "expired", "replaced")
