"""Bots where nodes share a log: a node's bots answer what it has written; a sweep finds games whose node has died."""

import asyncio
from datetime import timedelta

import pytest

from events.database import Limits
from events.feed import Moved
from events.memory import MemoryStore
from events.sqlite_file import MEMORY, SqliteFile
from projections.lobby import Lobby
from projections.runner import Runner
from server.bots import Bots
from server.leases import Leases
from server.settings import Settings
from tests.integration.commands.shell import Shell

pytestmark = pytest.mark.anyio


class Holder(Leases):
    """Has all leases, or none."""

    def __init__(self, *, holds):
        self.holds = holds

    async def hold(self, name):
        return self.holds


class Node(Shell):
    """A shell with bots, on a store and read models that another one may share."""

    def __init__(self, store, database, *, holds):
        super().__init__(store)
        self.games.settings = Settings(bot_sweep_s=0.05)
        self.lobby = Lobby(database)
        self.runner = Runner(store, database, self.feed, [self.lobby], batch=100)
        self.bots = Bots(self.games, self.lobby, leases=Holder(holds=holds))


@pytest.fixture
def shared():
    store = MemoryStore()
    store.shared = True
    return store, SqliteFile(MEMORY, Limits())


async def left_behind(dead, other):
    """A game of bots alone whose node ended before it could answer, as the other node knows of it a little later."""
    game = await dead.create(("bot:random", "bot:random", "bot:random"))
    await other.runner.catch_up()
    other.games.clock.moment = dead.games.clock.moment + timedelta(seconds=2 * other.games.settings.bot_sweep_s)
    return game


async def test_what_another_node_has_written_its_own_bots_answer(shared):
    node = Node(*shared, holds=False)
    node.bots._moved(Moved("game", 3, 3, here=False))
    assert node.bots.waiting == 0
    node.bots._moved(Moved("game", 3, 3))
    assert node.bots.waiting == 1


async def test_a_game_whose_node_died_before_its_bots_answered_goes_on_at_the_next_sweep(shared):
    dead, alive = Node(*shared, holds=False), Node(*shared, holds=True)
    running = asyncio.ensure_future(alive.bots.run())
    await asyncio.sleep(0)
    game = await left_behind(dead, alive)
    async with asyncio.timeout(60):
        while "ended" not in await dead.kinds(game):  # noqa: ASYNC110 - the log tells nobody of itself
            await asyncio.sleep(0.02)
    running.cancel()
    await asyncio.wait([running])


async def test_a_node_without_the_lease_does_not_sweep(shared):
    dead, idle = Node(*shared, holds=False), Node(*shared, holds=False)
    running = asyncio.ensure_future(idle.bots.run())
    await asyncio.sleep(0)
    game = await left_behind(dead, idle)
    before = await dead.kinds(game)
    await asyncio.sleep(6 * idle.games.settings.bot_sweep_s)
    assert await dead.kinds(game) == before
    running.cancel()
    await asyncio.wait([running])


async def test_a_game_that_has_moved_just_now_is_left_to_its_node(shared):
    dead, alive = Node(*shared, holds=False), Node(*shared, holds=True)
    running = asyncio.ensure_future(alive.bots.run())
    await asyncio.sleep(0)
    game = await left_behind(dead, alive)
    alive.games.clock.moment = dead.games.clock.moment
    before = await dead.kinds(game)
    await asyncio.sleep(6 * alive.games.settings.bot_sweep_s)
    assert await dead.kinds(game) == before
    running.cancel()
    await asyncio.wait([running])
