"""The link to Redis: what is asked is bounded, and done without beyond that."""

import asyncio

import pytest

from events.redis_link import RedisBusy, RedisLink, RedisOptions
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
    assert [type(answer) for answer in answers[3:]] == [RedisBusy, RedisBusy]
    assert narrow.changes == []  # Redis is there: whoever comes next is answered
    assert await narrow.call("ECHO", "next") == b"next"


async def test_calls_that_nobody_waits_for_any_more_take_no_place_and_are_not_sent(narrow, link):
    held, count = narrow.name("held"), narrow.name("count")
    under_way = asyncio.create_task(narrow.call("BLPOP", held, 5))
    await asyncio.sleep(0)
    await asyncio.sleep(0)  # it is sent with the turn after that in which it was asked for
    given_up = [asyncio.create_task(narrow.call("INCR", count)) for _ in range(3)]
    await asyncio.sleep(0)
    for call in given_up:
        call.cancel()
    await asyncio.wait(given_up)
    wanted = [asyncio.create_task(narrow.call("INCR", count)) for _ in range(3)]
    await asyncio.sleep(0)
    await link.call("RPUSH", held, "on")
    assert await asyncio.gather(*wanted, return_exceptions=True) == [1, 2, 3]
    await under_way


async def test_a_call_given_up_in_the_turn_in_which_it_would_be_sent_is_not(narrow):
    count = narrow.name("count")
    given_up = asyncio.create_task(narrow.call("INCR", count))
    await asyncio.sleep(0)  # it is asked for, and goes with the next turn
    given_up.cancel()
    await asyncio.wait([given_up])
    assert await narrow.call("GET", count) is None
