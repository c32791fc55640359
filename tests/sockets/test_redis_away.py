"""Redis away: killed or standing still, it costs latency and nothing else."""

import asyncio
import signal
import time

import pytest

from tests.sockets.kit import got_all, start, versions
from tests.sockets.test_tickets import use

#: From an act on one node to its event on the other, while Redis is away.
FLOOR_S = 2.0


@pytest.fixture
async def redis(backing):
    """To be killed and started."""
    yield backing.redis
    if backing.redis.process is None:
        await start(backing.redis)


async def connected(nodes):
    for node in nodes:
        await node.until(lambda now: now["turnlog_feed_connected"] == 1 and now["turnlog_redis_up"] == 1)


async def play_across(nodes, count=4):
    """Play on both nodes in turn; seconds to each event at followers on both, who get every version once."""
    a, b = nodes
    table = await a.deal()
    took = []
    async with table.follower() as here, table.on(b).follower() as there:
        for number in range(count):
            head = await table.on(nodes[number % 2]).act()
            began = time.monotonic()
            await got_all(here, table.game, head)
            await got_all(there, table.game, head)
            took.append(time.monotonic() - began)
        assert versions(here, table.game) == versions(there, table.game) == list(range(1, head + 1))
    return took


async def test_while_redis_is_killed_every_event_arrives_within_two_seconds(nodes, redis):
    await connected(nodes)
    redis.kill()
    assert max(await play_across(nodes, 6)) < FLOOR_S


async def test_when_redis_is_back_the_nodes_are_connected_again_and_nothing_came_twice(nodes, redis):
    a, b = nodes
    table = await a.deal()
    await connected(nodes)
    async with table.on(b).follower() as client:
        await table.act()
        redis.kill()
        await table.act(2)
        await start(redis)
        await connected(nodes)
        head = await table.act()
        assert await got_all(client, table.game, head) == list(range(1, head + 1))
        assert (await client.ask("ping"))["type"] == "pong"
        assert versions(client, table.game) == list(range(1, head + 1))


async def test_a_redis_that_stands_still_keeps_no_act_and_no_event_waiting_for_long(nodes, redis):
    await connected(nodes)
    redis.process.send_signal(signal.SIGSTOP)
    try:
        assert max(await play_across(nodes)) < FLOOR_S
    finally:
        redis.process.send_signal(signal.SIGCONT)
    await connected(nodes)


async def talk(nodes, count):
    """How many of so many messages of a new player, to both nodes in turn, were let through."""
    table = await nodes[0].deal()
    path = f"/v1/games/{table.game}/messages"
    answers = [
        await nodes[number % 2].send("POST", path, table.token, {"words": "Hm.", "seat": 0}) for number in range(count)
    ]
    assert {answer.status_code for answer in answers} == {201, 429}
    return sum(answer.status_code == 201 for answer in answers)


async def test_a_rate_holds_over_both_nodes_and_on_each_by_itself_while_redis_is_away(nodes, redis):
    """20 a minute, and one more for each three seconds that the test takes."""
    await connected(nodes)
    began = time.monotonic()
    together = await talk(nodes, 50)
    assert 20 <= together <= 21 + (time.monotonic() - began) / 3
    redis.kill()
    began = time.monotonic()
    apart = await talk(nodes, 50)
    assert 40 <= apart <= 42 + (time.monotonic() - began) / 1.5


async def test_tickets_are_good_once_also_while_redis_is_away(nodes, redis):
    a, b = nodes
    _, token = await a.player()
    await connected(nodes)
    redis.kill()
    ticket = await a.ticket(token)
    assert await asyncio.gather(use(b, ticket), use(b, ticket)) in ([None, 4401], [4401, None])
    assert await use(a, ticket) == 4401


async def test_a_token_revoked_while_redis_is_away_closes_on_the_other_node_all_the_same(nodes, redis):
    a, b = nodes
    table = await a.deal()
    narrow = await a.narrowed(table.token)
    await connected(nodes)
    async with b.socket(narrow) as client:
        redis.kill()
        await a.revoke(narrow)
        async with asyncio.timeout(15):  # what a node believes of a token, and a heartbeat
            assert await client.closed() == 4401
