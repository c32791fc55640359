"""A node whose shared database is away for a moment: what goes on in its background goes on afterwards."""

import asyncio

import pytest

from events.database import Limits
from events.memory import MemoryStore
from events.sqlite_file import MEMORY, SqliteFile
from events.store import StoreFailed, StoreFull
from server import services as parts
from server.services import Services
from server.settings import Settings
from tests.integration.nodes.test_bots import Node, left_behind

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("part", ["runner", "hub", "bots"])
@pytest.mark.parametrize("away", [StoreFull("queue"), ExceptionGroup("two", [StoreFailed("away"), StoreFull("queue")])])
async def test_a_database_that_is_busy_for_a_moment_does_not_end_a_nodes_background(part, away, monkeypatch):
    monkeypatch.setattr(parts, "DATABASE_AWAY_S", 0)
    services = Services.open(Settings(database=":memory:"))
    services.database.shared = True
    begun, run = [], getattr(services, part).run

    async def busy_at_first():
        begun.append(part)
        if len(begun) == 1:
            raise away
        await run()

    monkeypatch.setattr(getattr(services, part), "run", busy_at_first)
    await services.start()
    async with asyncio.timeout(10):
        while len(begun) < 2 and services.checks()["background"]:  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(0)
    assert services.checks()["background"]
    await services.stop()


async def test_bots_whose_games_cannot_be_looked_up_for_a_moment_play_them_afterwards(monkeypatch):
    store, database = MemoryStore(), SqliteFile(MEMORY, Limits())
    store.shared = True
    dead, alive = Node(store, database, holds=False), Node(store, database, holds=True)
    game = await left_behind(dead, alive)
    asked, bots = [], alive.lobby.bots

    async def away_at_first():
        asked.append("bots")
        if len(asked) in (1, 3):  # when the node starts, and at a sweep
            raise StoreFailed("away")
        return await bots()

    monkeypatch.setattr(alive.lobby, "bots", away_at_first)
    running = asyncio.ensure_future(alive.bots.run())
    async with asyncio.timeout(60):
        while len(asked) < 4 or "ended" not in await dead.kinds(game):
            assert not running.done(), running.exception()
            await asyncio.sleep(0.02)
    running.cancel()
    await asyncio.wait([running])
