"""Bots where nodes share a log: a node's bots answer what it has written; a sweep finds games whose node has died."""

import asyncio
from contextlib import asynccontextmanager
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
from server.left_behind import SWEPT
from server.settings import Settings
from server.talk import say
from tests.integration.commands.shell import Shell

pytestmark = pytest.mark.anyio


class Holder(Leases):
    """Has all leases, or none."""

    def __init__(self, *, holds):
        self.holds = holds

    async def hold(self, name):
        return self.holds


class OneHolds(Leases):
    """Gives each lease to the node that asks first. `held`: those that are given, by name."""

    def __init__(self, node, held):
        self.node, self.held = node, held

    async def hold(self, name):
        return self.held.setdefault(name, self.node) is self.node


class Node(Shell):
    """A shell with bots, on a store and read models that another one may share."""

    def __init__(self, store, database, *, holds=False, held=None):
        super().__init__(store)
        self.games.settings = Settings(bot_sweep_s=0.05)
        self.lobby = Lobby(database)
        self.runner = Runner(store, database, self.feed, [self.lobby], batch=100)
        leases = Holder(holds=holds) if held is None else OneHolds(self, held)
        self.bots = Bots(self.games, self.lobby, leases=leases)


@pytest.fixture
def shared():
    store = MemoryStore()
    store.shared = True
    return store, SqliteFile(MEMORY, Limits())


async def left_behind(dead, other):
    """A game of bots alone whose node ended before it could answer, as the other node knows of it a little later."""
    game = await dead.create(("bot:random", "bot:random", "bot:random"))
    await other.runner.catch_up()
    return game


@asynccontextmanager
async def bots_of(node):
    """While the bots of a node are at work, and look for games that were left behind."""
    running = asyncio.ensure_future(node.bots.run())
    await asyncio.sleep(0)
    try:
        yield
    finally:
        running.cancel()
        await asyncio.wait([running])


async def goes_on(dead, alive):
    """A game whose node has died is played to its end by the bots of the other one."""
    async with bots_of(alive), asyncio.timeout(60):
        game = await left_behind(dead, alive)
        while "ended" not in await dead.kinds(game):  # noqa: ASYNC110 - the log tells nobody of itself
            await asyncio.sleep(0.02)


async def test_what_another_node_has_written_its_own_bots_answer(shared):
    node = Node(*shared, holds=False)
    node.bots._moved(Moved("game", 3, 3, here=False))
    assert node.bots.waiting == 0
    node.bots._moved(Moved("game", 3, 3))
    assert node.bots.waiting == 1


async def test_a_game_whose_node_died_before_its_bots_answered_goes_on_at_the_next_sweep(shared):
    dead, alive = Node(*shared, holds=False), Node(*shared, holds=True)
    await goes_on(dead, alive)


async def test_a_node_without_the_lease_does_not_sweep(shared):
    dead, idle = Node(*shared, holds=False), Node(*shared, holds=False)
    async with bots_of(idle):
        game = await left_behind(dead, idle)
        before = await dead.kinds(game)
        await asyncio.sleep(6 * idle.games.settings.bot_sweep_s)
        assert await dead.kinds(game) == before


async def test_a_node_whose_lobby_is_of_another_shape_keeps_no_node_from_sweeping(shared):
    held = {}
    dead, old, new = (Node(*shared, held=held) for _ in range(3))
    new.lobby.shape += 1  # nobody has folded it yet
    async with bots_of(new):
        async with asyncio.timeout(60):
            while new not in held.values():  # noqa: ASYNC110 - nobody tells of it
                await asyncio.sleep(0.01)
        await goes_on(dead, old)
    assert set(held) == {f"bots: lobby {shape}" for shape in (Lobby.shape, Lobby.shape + 1)}


async def test_a_game_that_moves_between_two_sweeps_is_left_to_its_node_and_one_that_stands_still_is_not(shared):
    busy, alive = Node(*shared, holds=False), Node(*shared, holds=True)
    game = await busy.create(("ann", "bob", "bot:random"))
    for _ in range(3):
        await say(busy.games, busy.ask("ann"), game, None, "still here")
        await alive.runner.catch_up()
        await alive.bots._left_behind.sweep()
        assert alive.bots.waiting == 0
    await alive.bots._left_behind.sweep()
    assert list(alive.bots._waiting) == [game]


async def test_a_game_that_stands_still_for_long_waits_for_a_person_and_not_for_a_sweep(shared):
    busy, alive = Node(*shared, holds=False), Node(*shared, holds=True)
    await busy.create(("ann", "bob", "bot:random"))
    await alive.runner.catch_up()
    looked = []
    for _ in range(SWEPT + 3):
        await alive.bots._left_behind.sweep()
        looked.append(alive.bots.waiting)
        alive.bots._waiting.clear()
    assert looked == [0, *[1] * SWEPT, 0, 0]


async def test_clocks_that_are_apart_by_hours_keep_no_bot_from_answering(shared):
    dead, alive = Node(*shared, holds=False), Node(*shared, holds=True)
    for hours in (-3, 3):
        alive.games.clock.moment = dead.games.clock.moment + timedelta(hours=hours)
        await goes_on(dead, alive)
