"""How a run ends: every request is answered, everybody knows everything, and nothing that is due is undone."""

import asyncio

from games.kernel import decisions
from projections.clock import SECOND, microseconds
from projections.settlement import next_due
from server.ports import timestamp
from tests.simulation.judge import Violation

#: Behind the last fault.
SETTLED_S = 90.0
CONVERGED_S = 60.0

#: Time may stand still for so long after something was due.
OVERDUE_S = 5

#: So long after it came of age a version may be on its way to spectators.
AGED_S = 1


async def settle(world, playing):
    """Every request is answered in the end."""
    _, waiting = await asyncio.wait(playing, timeout=SETTLED_S)
    if waiting:
        told = [f"{player.id} waits for {player.waits_for}" for player in world.players if player.waits_for]
        raise Violation(f"{SETTLED_S} s after the last fault not every request was answered: {told}")
    for task in playing:
        task.result()


async def converge(world):
    """Everybody comes to know everything."""
    until = world.loop.time() + CONVERGED_S
    while behind := _behind(world):
        if world.loop.time() > until:
            raise Violation(f"{CONVERGED_S} s after the last fault: {'; '.join(behind)}")
        await asyncio.sleep(0.25)


def _behind(world):
    now_us = microseconds(timestamp(world.nodes[0].clock.now()))
    behind = [told for follower in world.followers for told in _unread(world, follower, now_us)]
    position, head = world.models.check(), len(world.truth.all_rows())
    if position != head:
        behind.append(f"a read model is at {position} of {head}")
    for game in world.judge.games:
        behind += _undone(world.judge.oracle(game), game, now_us)
    return behind


def _unread(world, follower, now_us):
    """What has not come to somebody who follows games."""
    for one in follower.followed:
        oracle = world.judge.oracle(one.game)
        delayed = one.seat == "spectator" and oracle.delay_us > 0
        least = oracle.aged(now_us - AGED_S * SECOND) if delayed else oracle.head
        if one.last is None or one.last < least:
            yield f"{follower.name} has version {one.last} of {least} of {one.game}"


def _undone(oracle, game, now_us):
    """What the server should have done in a game."""
    oracle.fold()
    due_us = next_due(oracle.live)
    if due_us is not None and due_us < now_us - OVERDUE_S * SECOND:
        yield f"what is due in {game} has not happened"
    bot = _owing_bot(oracle.live)
    if bot is not None:
        yield f"{bot} has not answered in {game}"


def _owing_bot(live):
    meta = live.meta
    if meta.status != "running" or meta.request is not None or meta.paused:
        return None
    owing = [meta.seats[one.seat].player for one in decisions(live.moment.state) if one.owes]
    return next((player for player in owing if player.startswith("bot:")), None)
