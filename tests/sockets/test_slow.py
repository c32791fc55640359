"""Slow: who does not read is brought forward or closed, nobody else waits, and nothing is lost for good."""

import asyncio
import socket
from contextlib import asynccontextmanager, suppress

import pytest
from websockets.exceptions import ConnectionClosed

from tests.sockets.kit import crowd, got_all, versions

pytestmark = pytest.mark.timeout(180)


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


async def fill(table, figure="turnlog_stream_queue_bytes", least=32_768):
    """Say so much that it waits for somebody slow."""
    for _ in range(400):
        await table.say(words="x" * 400)
        if await table.site.figure(figure) >= least:
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
        for _ in range(80):
            await table.say(words="x" * 400)
            most = max(most, await table.site.figure("turnlog_stream_queue_bytes"))
        await table.site.until(lambda now: now["turnlog_stream_sockets"] == 0)
    assert 0 < most <= 131_072
    assert await table.site.figure("turnlog_stream_queue_bytes") == 0


async def test_a_trickling_reader_is_brought_forward_and_stays(table):
    async with lazy(table) as slow:
        playing = asyncio.create_task(table.say(200, words="x" * 400))
        while not any(told["type"] == "skipped" for told in slow.got):
            await slow.next()
            await asyncio.sleep(0.02)
        await playing
        head = await table.say()
        while slow.got[-1].get("version") != head:
            await slow.next()
        known = 0
        for told in slow.got:
            if told["type"] == "event":
                assert known in (0, told["version"] - 1)
            elif told["type"] == "skipped":
                assert told["from"] == known + 1
            known = told.get("version", known) if told["type"] in ("event", "snapshot") else known
            known = told["to"] if told["type"] == "skipped" else known
        assert known == head


async def test_one_slow_reader_among_two_hundred_keeps_nobody_waiting(table):
    async with lazy(table), crowd(lambda: table.site.socket(), 200) as others:
        await asyncio.gather(*(other.subscribe(table.game, after=0) for other in others))
        await fill(table)
        head = await table.version()
        await asyncio.gather(*(got_all(other, table.game, head) for other in others))
        assert all(versions(other, table.game) == list(range(1, head + 1)) for other in others)


async def test_a_client_that_asks_and_asks_and_does_not_read_is_not_served(table):
    served = 'turnlog_stream_messages_received_total{type="subscribe"}'
    before = await table.site.figure(served)
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


