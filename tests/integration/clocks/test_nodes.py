"""Clocks over nodes on one PostgreSQL: whichever of them notices a time-out, it is in the log once."""

import asyncio

import pytest

from projections.time_control import Clock, OnTimeout
from server.services import Services
from server.settings import Settings
from tests.integration.clocks.test_timekeeper import MovingClock
from tests.integration.commands.shell import SeededRandom
from tests.integration.stream.kit import CATALOGUE, World

pytestmark = pytest.mark.slow


class Twins:
    """Two nodes with the same time, whose background does nothing by itself."""

    def __init__(self, dsn):
        self.clock = MovingClock()
        settings = Settings(database=dsn)
        self.nodes = [Services.open(settings, self.clock, SeededRandom(seed), CATALOGUE) for seed in (b"a", b"b")]

    async def __aenter__(self):
        for node in self.nodes:
            await node.prepare()
        return self

    async def __aexit__(self, *_):
        for node in self.nodes:
            await node.stop()

    async def sweep(self):
        """Both at once."""
        await asyncio.gather(*(node.runner.catch_up() for node in self.nodes))
        await asyncio.gather(*(node.timekeeper.sweep() for node in self.nodes))
        await asyncio.gather(*(node.runner.catch_up() for node in self.nodes))


async def test_both_sweep_at_once_and_each_time_out_is_there_once(postgres_database):
    async with Twins(postgres_database) as twins:
        world = World(twins.nodes[0], 0)
        clock, policy = Clock(move_s=60), OnTimeout(policy="default", grace_s=5)
        games = [await world.create(await world.players(3), clock=clock, on_timeout=policy) for _ in range(5)]
        for _ in range(6):
            await twins.sweep()
            twins.clock.wait(13)
        for game in games:
            kinds = [event.header.kind for event in await world.log(game)]
            assert (kinds.count("reminded"), kinds.count("expired")) == (3, 3)


async def test_what_one_node_knows_of_clocks_the_other_knows_too(postgres_database):
    async with Twins(postgres_database) as twins:
        here, there = (World(node, 0) for node in twins.nodes)
        game = await here.create(await here.players(3), clock=Clock(bank_s=600, increment_s=5), undo="free")
        async with there.games.game(game):
            pass  # in memory on both
        for world in (here, there, there, here):
            twins.clock.wait(7)
            await world.play(game, 1)
        player = (await there.choices(game))[0]
        twins.clock.wait(3)
        await there.undo(game, player)
        found = []
        for world in (here, there):
            async with world.games.game(game) as live:
                found.append(live.meta.clocks)
        assert found[0] == found[1]
        assert sum(seat.used_us for seat in found[0].seats) > 30_000_000
