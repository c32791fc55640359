"""Slow: who does not read is brought forward or closed, nobody else waits, and nothing is lost for good."""

import asyncio
import socket
from contextlib import asynccontextmanager, suppress

import pytest
from websockets.exceptions import ConnectionClosed

from tests.sockets.kit import crowd, got_all, versions


@pytest.fixture
async def table(site):
    return await site.deal()


@asynccontextmanager
async def lazy(table, **subscribe):
    """A follower whose kernel takes little, and which reads only when the test does."""
    end = socket.socket()
    end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    end.connect(("127.0.0.1", table.site.port))
    client = table.site.socket(table.token, sock=end, max_queue=1, ping_interval=None)
    async with client:
        await client.subscribe(table.game, **({"updates": "view", "seat": "spectator"} | subscribe))
        yield client


async def fill(table, least=32_768):
    """Say so much that it waits for somebody slow, or that he has been closed for it: he answers no ping either."""
    sockets = await table.site.figure("turnlog_stream_sockets")
    for _ in range(100):
        await table.chatter(10)
        now = await table.site.figures()
        if now["turnlog_stream_queue_bytes"] >= least or now["turnlog_stream_sockets"] < sockets:
            return
    raise AssertionError("nothing waits")


async def test_a_reader_that_stops_is_closed_and_resumes_from_the_version_that_it_has(table):
    async with lazy(table) as stuck, table.follower() as bystander:
        await fill(table)
        await table.site.until(lambda now: now["turnlog_stream_sockets"] == 1)
        head = await table.say()
        await got_all(bystander, table.game, head)
        assert await stuck.closed() in (1006, 4008)
    had = max(told["version"] for told in stuck.got if told["type"] in ("snapshot", "event"))
    async with table.follower(after=had) as again:
        assert await got_all(again, table.game, head) == list(range(had + 1, head + 1))


async def test_what_waits_for_a_reader_that_stops_is_bounded(table):
    most = 0
    async with lazy(table):
        while await table.site.figure("turnlog_stream_sockets") > 0:
            await table.chatter(10)
            most = max(most, await table.site.figure("turnlog_stream_queue_bytes"))
    assert 32_768 <= most <= 131_072
    assert await table.site.figure("turnlog_stream_queue_bytes") == 0


async def test_a_trickling_reader_is_brought_forward_and_stays(table):
    async with lazy(table) as slow:
        await fill(table)
        await table.chatter(10)
        while not any(told["type"] == "skipped" for told in slow.got):
            await slow.next()
            await asyncio.sleep(0.02)
        head = await table.say()
        while slow.got[-1].get("version") != head:
            await slow.next()
        known = None
        for told in slow.got:
            if told["type"] == "snapshot":
                known = told["version"]
            elif told["type"] == "event":
                assert told["version"] == known + 1
                known = told["version"]
            elif told["type"] == "skipped":
                assert told["from"] == known + 1
                known = told["to"]
        assert known == head


async def test_one_slow_reader_among_two_hundred_keeps_nobody_waiting(table):
    async with lazy(table) as slow, crowd(table.site.socket, 200) as others:
        await asyncio.gather(*(other.subscribe(table.game, after=0) for other in others))
        last = asyncio.get_running_loop().create_future()
        reading = asyncio.gather(*(read_on(other, table.game, last) for other in others))
        await fill(table, least=1)
        last.set_result(await table.version() + 1)
        head = await table.say()
        await reading
        assert all(versions(other, table.game) == list(range(1, head + 1)) for other in others)
        assert len(versions(slow, table.game)) < head


async def read_on(client, game, last):
    """Read as it comes, until the version that `last` will tell."""
    while not last.done() or client.got[-1].get("version") != last.result():
        await client.next()


async def test_a_client_that_asks_and_asks_and_does_not_read_is_not_served(table):
    served = 'turnlog_stream_messages_received_total{type="subscribe"}'
    before = (await table.site.figures()).get(served, 0)
    async with lazy(table, updates="effects") as greedy:
        asked = "".join(f'{{"type":"subscribe","game":"{table.game}","seat":{seat % 3}}}\n' for seat in range(3000))
        asking = asyncio.create_task(say_all(greedy, asked.splitlines()))
        found = await table.site.until(lambda now: now["turnlog_stream_queue_bytes"] > 0)
        assert found["turnlog_stream_queue_bytes"] <= 131_072
        await table.site.until(lambda now: now["turnlog_stream_sockets"] == 0)
        await asyncio.wait([asking])
    assert await table.site.figure(served) - before < 1000


async def say_all(client, messages):
    with suppress(ConnectionClosed):
        for message in messages:
            await client.socket.send(message)


async def test_slow_readers_of_one_game_are_not_felt_in_another(table):
    other = await table.site.deal()
    async with lazy(table), lazy(table), lazy(table), other.follower() as quick:
        await fill(table)
        head = await other.act(2)
        await got_all(quick, other.game, head)
