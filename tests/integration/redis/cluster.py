"""Two nodes of one server in one process, over one PostgreSQL, each with all parts of its own."""

from contextlib import asynccontextmanager

from server.services import Services
from server.settings import Settings
from tests.integration.redis.kit import new_prefix
from tests.integration.stream.kit import CATALOGUE, served

#: As in earnest, but for waits.
QUICK = {"feed_poll_s": 0.1, "feed_away_poll_s": 0.02, "redis_timeout_s": 0.5, "redis_retry_s": 0.05}


@asynccontextmanager
async def two_nodes(database, redis, **settings):
    """Both nodes as Worlds, served until the end of the block; a player of one is a player of the other."""
    wanted = Settings(database=database, redis=redis, redis_prefix=new_prefix(), **(QUICK | settings))
    first, second = (Services.open(wanted, catalogue=CATALOGUE) for _ in range(2))
    async with served(first) as here, served(second) as there:
        there.tokens = here.tokens
        yield here, there
