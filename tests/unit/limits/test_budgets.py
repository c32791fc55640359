"""The budgets of the settings, the headers, and the problem of who has used one up."""

import re

import pytest
from msgspec.structs import replace

from server.limits.budgets import ADDRESS, BUDGETS, PLAYER, TOKEN, Limits, Spent, rate_limit_fields, setting_of
from server.limits.gcra import LocalLimiter, Rate, Standing
from server.settings import Settings
from tests.unit.limits.kit import Counted, SetClock

ALL = [(budget, by) for budget, whose in BUDGETS.items() for by in whose]
NONE = {setting_of(budget, by): 0 for budget, by in ALL}
#: A string with two integer parameters, as RFC 9651 writes it; a list of such.
ITEM = r'"[a-z_]+-[a-z]+";[qr]=\d+;[wt]=\d+'
LIST = re.compile(rf"{ITEM}(, {ITEM})*")


def limits_of(clock=None, meter=None, **settings):
    made = replace(Settings(), **(NONE | settings))
    return Limits(made, LocalLimiter(clock or SetClock(), made.rate_keys_max), meter or Counted())


def test_every_budget_has_its_setting_and_every_rate_its_budget():
    rates = {name for name in Settings.__struct_fields__ if name.startswith("rate_") and name.endswith("_per_min")}
    assert rates == set(NONE)


@pytest.mark.parametrize(("budget", "by"), ALL)
async def test_each_budget_is_its_own(budget, by):
    meter = Counted()
    limits = limits_of(meter=meter, **{setting_of(budget, by): 1})
    assert (await limits.spend(budget, **{by: "a"})).problem is None
    problem = (await limits.spend(budget, **{by: "a"})).problem
    assert (problem.code, problem.members["budget"], problem.members["by"]) == ("rate_limited", budget, by)
    assert meter.counted == [("turnlog_rate_limited_total", budget, by)]
    assert (await limits.spend(budget, **{by: "b"})).problem is None
    for other in BUDGETS:
        if other != budget:
            assert await limits.spend(other, player="a", token="a", address="a") == Spent(())


async def test_a_rate_of_zero_is_no_limit():
    limits = limits_of()
    for _ in range(1000):
        assert await limits.spend("reads", player="a", token="a", address="a") == Spent(())


async def test_what_a_token_has_used_up_costs_its_player_nothing():
    limits = limits_of(rate_writes_player_per_min=3, rate_writes_token_per_min=1)
    assert (await limits.spend("writes", player="p", token="one")).problem is None
    for _ in range(5):
        assert (await limits.spend("writes", player="p", token="one")).problem.members["by"] == TOKEN
    assert (await limits.spend("writes", player="p", token="two")).problem is None
    assert (await limits.spend("writes", player="p", token="three")).problem is None
    assert (await limits.spend("writes", player="p", token="four")).problem.members["by"] == PLAYER


async def test_retry_after_is_when_it_works_again():
    clock = SetClock()
    limits = limits_of(clock, rate_talk_address_per_min=2)
    for _ in range(2):
        await limits.spend("talk", address="a")
    problem = (await limits.spend("talk", address="a")).problem
    assert problem.headers["Retry-After"] == "30"
    assert "30 s" in problem.detail
    clock.us = 30_000_000
    assert (await limits.spend("talk", address="a")).problem is None
    assert ADDRESS in (await limits.spend("talk", address="a")).problem.members["by"]


async def test_headers_say_what_is_left_of_each_budget():
    limits = limits_of(rate_reads_player_per_min=60, rate_reads_address_per_min=600)
    await limits.spend("reads", player="p", token="t", address="a")
    spent = await limits.spend("reads", player="p", token="t", address="a")
    fields = dict(rate_limit_fields(spent.standings))
    assert fields[b"ratelimit-policy"] == b'"reads-player";q=60;w=60, "reads-address";q=600;w=60'
    assert fields[b"ratelimit"] == b'"reads-player";r=58;t=2, "reads-address";r=598;t=1'
    assert all(LIST.fullmatch(value.decode()) for value in fields.values())


def test_without_budgets_there_are_no_headers():
    assert rate_limit_fields([]) == []
    assert len(rate_limit_fields([Standing("reads-player", Rate(1, 60), 0, 1, 1)])) == 2
