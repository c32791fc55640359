"""Who claims that another player is out of time: what becomes of it if it is he who is, and of a sandbox's script."""

import json
from types import SimpleNamespace

import pytest
from msgspec import convert

from projections.kinds import Scenario
from projections.time_control import Clock, OnTimeout
from server.access import PLAY, Caller
from server.asks import Ask
from server.reading import ask_acting
from server.substitutes import Claim, claim
from tests.integration.clocks.kit import HeldClock, Table, refused
from tests.integration.commands.shell import CATALOGUE, Shell


async def all_owe(players, clock, **given):
    """A table where all seats owe something at once; after a minute who has no more time is out of it."""
    shell = Shell()
    shell.games.clock = HeldClock()
    table = Table(shell, await shell.create(players, clock=convert(clock, Clock), **given))
    table.wait(60)
    return table


async def over_http(table, player, seat=None):
    """The request as routes make it, answered for the seat."""
    caller = Caller(player=player, scopes=frozenset({PLAY}))

    async def asking():
        return caller

    async def ask(respond):
        return Ask(caller, respond)

    services = SimpleNamespace(catalogue=CATALOGUE, settings=table.games.settings)
    call = SimpleNamespace(services=services, caller=asking, ask=ask, texts=lambda entry: entry.texts["en"])
    return await ask_acting(call, seat)


@pytest.mark.parametrize("by", [None, 0])
async def test_a_claim_by_who_is_out_of_time_himself_is_refused_and_no_seats_eyes_are_lent_to_him(by):
    table = await all_owe(["ann", "bob", "cat"], {"bank_s": 60}, on_timeout=OnTimeout(policy="bot"))
    ask = await over_http(table, "ann", by)
    await refused("not_allowed", claim(table.games, ask, table.game, Claim(1, by)))
    assert await table.kinds() == ["expired", "replaced"] * 3
    assert {seat.player for seat in (await table.meta()).seats} == {"bot:random"}
    await table.verified()


async def test_who_keeps_the_seat_that_he_claims_by_is_answered_though_he_loses_another_one():
    clock = {"bank_s": 60, "seats": {"2": {"bank_s": 600}}}
    table = await all_owe(["ann", "bob", "ann"], clock, on_timeout=OnTimeout(policy="bot"))
    ask = await over_http(table, "ann", 2)
    told = json.loads(await claim(table.games, ask, table.game, Claim(1, 2)))
    meta = await table.meta()
    assert told["version"] == meta.version
    assert {decision["seat"] for decision in told["decisions"] if "actions" in decision} <= {2}
    assert [seat.player for seat in meta.seats] == ["bot:random", "bot:random", "ann"]
    await refused("not_allowed", table.claim("ann", 1, by=0))
    await table.verified()


async def test_who_holds_no_seat_after_a_command_is_told_what_a_spectator_sees():
    table = await Table.sit({"bank_s": 60})
    async with table.games.game(table.game) as live:
        events = await table.shell.events(table.game)
        views = {
            (player, seat): json.loads((await over_http(table, player, seat)).respond(live, events))["view"]
            for player, seat in (("zoe", None), ("zoe", 0), ("ann", 1), ("ann", None))
        }
    assert views["zoe", None] == views["zoe", 0] == views["ann", 1] != views["ann", None]


@pytest.mark.parametrize("policy", ["remind", "bot"])
@pytest.mark.parametrize("by", [0, 2])
async def test_nobody_claims_a_seat_of_his_own(policy, by):
    table = await Table.sit({"bank_s": 60}, {"policy": policy}, players=["ann", "bob", "ann"])
    table.wait(61)
    await refused("not_allowed", table.claim("ann", 0, by=by))
    assert await table.kinds() == []
    await table.claim("bob", 0)
    assert "expired" in await table.kinds()
    await table.verified()


async def test_a_claim_for_which_scripted_chance_does_not_fit_is_told_so():
    scenario = Scenario(dice=({"canary": 1},))
    given = {"scenario": scenario, "ruleset": "block_mania", "on_timeout": OnTimeout(policy="remind")}
    table = await all_owe(["ann", "bob"], {"move_s": 60}, **given)

    async def play_by_claims():
        for _ in range(20):
            late = next(n for n, seat in enumerate((await table.clocks())["seats"]) if seat["owes"])
            await table.claim(["bob", "ann"][late], late)
            table.wait(60)

    await refused("scenario_mismatch", play_by_claims())
    assert (await table.meta()).version == len(await table.shell.events(table.game))
    await table.verified()
