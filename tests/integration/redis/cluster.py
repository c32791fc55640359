"""Two nodes of one server in one process, over one PostgreSQL, each with all parts of its own."""

import asyncio
import socket
from contextlib import asynccontextmanager

from server.app import create_app
from server.running import make_server
from server.services import Services
from server.settings import Settings
from tests.integration.redis.kit import new_prefix
from tests.integration.stream.kit import CATALOGUE, World

#: As in earnest, but for waits.
QUICK = {"feed_poll_s": 0.1, "feed_away_poll_s": 0.02, "redis_timeout_s": 0.5, "redis_retry_s": 0.05}


@asynccontextmanager
async def two_nodes(database, redis, **settings):
    """Both nodes as Worlds, served until the end of the block; a player of one is a player of the other."""
    wanted = Settings(database=database, redis=redis, redis_prefix=new_prefix(), **(QUICK | settings))
    first, second = (Services.open(wanted, catalogue=CATALOGUE) for _ in range(2))
    async with _served(first) as here, _served(second) as there:
        there.tokens = here.tokens
        yield here, there


@asynccontextmanager
async def _served(services):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        server = make_server(create_app(services), services)
        serving = asyncio.create_task(server._serve(sockets=[listener]))
        while not server.started and not serving.done():  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0.01)
        world = World(services, listener.getsockname()[1])
        world.server, world.serving = server, serving
        try:
            yield world
        finally:
            server.should_exit = True
            await serving
