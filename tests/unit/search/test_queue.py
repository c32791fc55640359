"""What bots keep of games that fail while too many wait: nothing."""

import asyncio
from contextlib import asynccontextmanager
from types import SimpleNamespace

from structlog.testing import capture_logs

from events.feed import LocalFeed, Moved
from server.bots import Bots
from server.problems import Problem
from server.settings import Settings


class Broken:
    """Games none of which can be opened; each fails when it is let."""

    def __init__(self, settings):
        self.settings = settings
        self.feed = LocalFeed(print)
        self.store = SimpleNamespace(shared=False, head=nothing)
        self.tried = asyncio.Queue()
        self.let = asyncio.Queue()

    @asynccontextmanager
    async def game(self, game):
        self.tried.put_nowait(game)
        await self.let.get()
        raise Problem("unavailable", "It cannot be opened.")
        yield

    def move(self, game):
        self.feed.announce(Moved(game, 1, 1))


async def nothing():
    return 0


async def no_bots():
    return []


async def test_a_game_that_fails_while_too_many_wait_is_given_up_and_forgotten():
    games = Broken(Settings(bot_queue_max=1, bot_retries_max=1))
    bots = Bots(games, SimpleNamespace(bots=no_bots, position=nothing))
    with capture_logs() as logs:
        running = asyncio.create_task(bots.run())
        await asyncio.sleep(0)  # now it listens
        games.move("first")
        assert await games.tried.get() == "first"
        games.move("second")  # takes the only place in the queue
        games.let.put_nowait(None)
        assert await games.tried.get() == "second"
        assert bots._failures == {}
        games.let.put_nowait(None)
        assert await games.tried.get() == "second"  # there is a place for it, so it is tried once more
        assert bots._failures == {"second": 1}
        games.move("third")
        games.let.put_nowait(None)
        assert await games.tried.get() == "third"
        assert bots._failures == {}
        running.cancel()
        await asyncio.wait([running])
    assert [(one["event"], one["game"]) for one in logs] == [("bot_gave_up", "first"), ("bot_gave_up", "second")]
