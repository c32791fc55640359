"""Links to a Redis that tests share, each under names of its own, and a Redis of a test's own that may be killed."""

import pytest

from events.redis_link import RedisLink, RedisOptions
from tests.integration.redis.kit import new_prefix
from tests.services import RedisServer


class Changes(list):
    """What a link said of Redis: None whenever it came back, the error whenever it went."""

    @property
    def ups(self):
        return [change is None for change in self]


@pytest.fixture
async def link(redis):
    """A link under a prefix that no other test uses."""
    made = RedisLink(RedisOptions(url=redis, prefix=new_prefix(), timeout_s=5.0), lambda _: None)
    yield made
    await made.close()


@pytest.fixture
def server():
    with RedisServer() as started:
        yield started


@pytest.fixture
async def frail(server):
    """A link to the private server that soon gives up and soon tries again; `changes`: what it said."""
    changes = Changes()
    made = RedisLink(RedisOptions(url=server.url, timeout_s=0.2, retry_s=0.05), changes.append)
    made.changes = changes
    yield made
    await made.close()
