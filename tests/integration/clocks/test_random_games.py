"""Random games of every ruleset with clocks, time-outs, undo, votes and pauses: they verify, and open as they are."""

import random

import msgspec
import pytest

from games.kernel import decisions, legal
from projections.clock import microseconds
from projections.history import image, keep_snapshot, open_game
from projections.settlement import next_due
from projections.time_control import Clock, OnTimeout
from server.problems import Problem
from tests.integration.clocks.kit import HeldClock, Table
from tests.integration.commands.shell import CATALOGUE, Shell

pytestmark = pytest.mark.slow

STEPS = 120
CLOCKS = [
    Clock(bank_s=60, increment_s=5, pause_s=300, vacation_s=100, answer_s=20),
    Clock(bank_s=20, delay_s=5, bronstein_s=3, pause_s=50, answer_s=10),
    Clock(bank_s=5, periods=2, period_s=10, vacation_s=50, answer_s=10),
    Clock(move_s=30, pause_s=100, answer_s=40),
]
POLICIES = [
    OnTimeout(policy="default", grace_s=3),
    OnTimeout(policy="bot", grace_s=2),
    OnTimeout(policy="resign"),
    OnTimeout(policy="substitute"),
    OnTimeout(policy="remind", grace_s=1),
]


@pytest.mark.parametrize("number", range(len(CLOCKS) * len(POLICIES)))
@pytest.mark.parametrize("ruleset", ["tpoc", "world_war_zed", "portland_occupied_zone"])
async def test_a_random_game_with_a_clock_verifies_and_opens_as_it_is(ruleset, number):
    rng = random.Random(f"{ruleset} {number}")
    shell = Shell()
    shell.games.clock = HeldClock()
    seats = max(CATALOGUE[ruleset].rules.seats[0], min(3, CATALOGUE[ruleset].rules.seats[-1]))
    players = ["ann", "bob", "cat"][:seats]
    made = {"clock": CLOCKS[number % len(CLOCKS)], "on_timeout": POLICIES[number % len(POLICIES)], "undo": "fair"}
    table = Table(shell, await shell.create(players, ruleset=ruleset, **made))
    refused = set()
    for step in range(STEPS):
        table.wait(rng.choice([0, 0.5, 1, 2, 4, 9]))
        if (await table.meta()).status != "running":
            break
        try:
            await happen(table, rng)
        except Problem as problem:
            refused.add(problem.code)
        await punctual(table)
        if step == STEPS // 2:
            async with table.games.game(table.game) as live:
                await keep_snapshot(shell.store, live)
    await table.verified()
    assert not refused & {"internal", "unavailable", "scenario_mismatch"}
    async with table.games.game(table.game) as live:
        shell.store.load_snapshot = nothing
        assert image(await open_game(shell.store, table.games.rulesets(), table.game)) == image(live)


async def nothing(_):
    """There is no snapshot."""


async def punctual(table):
    """Nothing stands in the log behind something that was due before it."""
    async with table.games.game(table.game) as live:
        due = next_due(live)
        assert due is None or due > microseconds(live.meta.updated_at) or live.meta.clocks.on_timeout.grace_s == 0


async def happen(table, rng):
    """One thing that somebody does, or nobody."""
    async with table.games.game(table.game) as live:
        owed = [(d.seat, legal(live.rules, live.state, d.seat)) for d in decisions(live.state)]
        holders = [seat.player for seat in live.meta.seats]
        request, proposal = live.meta.request, live.meta.proposal
    what = rng.random()
    player = rng.choice([one for one in holders if not one.startswith("bot:")] or ["ann"])
    if request is not None and what < 0.7:
        await table.consent(holders[request.asked[0]], {"id": request.id}, accept=rng.random() < 0.5)
    elif proposal is not None and what < 0.6:
        await table.vote(holders[proposal.asked[0]], proposal, accept=rng.random() < 0.7)
    elif what < 0.06:
        await table.undo(player)
    elif what < 0.12:
        await table.propose(
            player, rng.choice(["pause", "resume", "pause", "abandon"] if rng.random() < 0.2 else ["pause", "resume"])
        )
    elif what < 0.16:
        await table.vacation(player, back=rng.random() < 0.5)
    elif what < 0.2:
        await table.claim(player, rng.randrange(len(holders)))
    elif what < 0.24:
        await table.take_over(rng.choice(["ann", "bob", "cat", "dan"]), rng.randrange(len(holders)))
    elif what < 0.28:
        await table.offer(rng.choice(holders), rng.randrange(len(holders)))
    elif what < 0.33 or not owed:
        await table.settle()
    else:
        seat, actions = rng.choice(owed)
        await table.act(holders[seat], msgspec.to_builtins(rng.choice(actions)), seat=seat)
