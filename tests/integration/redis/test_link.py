"""The link to Redis: what is asked is bounded, and done without beyond that."""

import asyncio

import pytest

from events.redis_link import RedisAway, RedisLink, RedisOptions
from tests.integration.redis.kit import new_prefix


@pytest.fixture
async def narrow(redis):
    """A link on which three calls may wait; `changes`: what it said."""
    changes = []
    made = RedisLink(RedisOptions(url=redis, prefix=new_prefix(), timeout_s=5.0, waiting_max=3), changes.append)
    made.changes = changes
    yield made
    await made.close()


async def test_of_more_calls_than_may_wait_the_first_are_answered_and_the_others_done_without(narrow):
    answers = await asyncio.gather(*(narrow.call("ECHO", str(n)) for n in range(5)), return_exceptions=True)
    assert answers[:3] == [b"0", b"1", b"2"]
    assert [type(answer) for answer in answers[3:]] == [RedisAway, RedisAway]
    assert narrow.changes == []  # Redis is there: whoever comes next is answered
    assert await narrow.call("ECHO", "next") == b"next"
