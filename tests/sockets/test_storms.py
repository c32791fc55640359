"""Storms: hundreds come, go and come back at once; what they leave behind is nothing."""

import asyncio
import time
from contextlib import AsyncExitStack

import pytest

from tests.cluster.cluster import Node
from tests.integration.hardening.input_kit import HANDSHAKE
from tests.sockets.conftest import environment
from tests.sockets.kit import crowd, got_all, remote, versions

CROWD = 500
LOOPS = 2000
#: What the heap may grow by meanwhile; a socket costs ten times its share of it while it is open.
RSS_MORE = 8 * 2**20


@pytest.fixture
async def frail(tmp_path):
    """A server of the test's own, on a file, that may be killed."""
    more = {"TURNLOG_HEARTBEAT_S": "20", "TURNLOG_HELLO_S": "10", "TURNLOG_HEAD_S": "10"}
    node = Node(1, tmp_path, environment(TURNLOG_DATABASE=str(tmp_path / "log.db"), **more))
    node.start()
    node.wait()
    yield node
    node.stop()


async def test_five_hundred_clients_that_come_back_at_once_after_kill_9_all_resume_without_a_gap(frail):
    async with remote(frail) as (site,):
        table = await site.deal()
        async with crowd(site.socket, CROWD) as clients:
            await asyncio.gather(*(client.subscribe(table.game, after=0) for client in clients))
            head = await table.act(3)
            await asyncio.gather(*(got_all(client, table.game, head) for client in clients))
            frail.kill()
            assert set(await asyncio.gather(*(client.closed() for client in clients))) == {1006}
        frail.start()
        frail.wait()
        assert await table.version() == head
        began = time.monotonic()
        async with AsyncExitStack() as parts:

            async def come_back():
                client = await parts.enter_async_context(site.socket())
                await client.subscribe(table.game, after=head)
                return client

            clients = await asyncio.gather(*(come_back() for _ in range(CROWD)))
            print(f"{CROWD} came back within {time.monotonic() - began:.1f} s")  # noqa: T201 - shown with -s
            last = await table.act(2)
            for got in await asyncio.gather(*(got_all(client, table.game, last) for client in clients)):
                assert got == list(range(head + 1, last + 1))


async def test_two_thousand_sockets_that_come_and_go_leave_no_memory_task_or_file(site):
    await leave_nothing(site)


async def test_two_thousand_sockets_that_come_and_go_on_a_node_of_a_cluster_leave_no_memory_task_or_file(nodes):
    await leave_nothing(nodes[0])


async def leave_nothing(site):
    """Two thousand sockets follow a game and are gone; half as many before, for what is kept for the first ones."""
    table = await site.deal()

    async def come_and_go(times):
        for _ in range(times):
            async with site.socket(hello=False) as client:
                await client.subscribe(table.game)

    await asyncio.gather(*(come_and_go(LOOPS // 40) for _ in range(20)))
    before = await site.until(lambda now: now["turnlog_stream_sockets"] == 0)
    await asyncio.gather(*(come_and_go(LOOPS // 20) for _ in range(20)))
    # What else goes on in the server has tasks too, now and then: what is left behind stays, and would never be less.
    after = await site.until(
        lambda now: now["turnlog_stream_sockets"] == 0 and now["turnlog_tasks"] <= before["turnlog_tasks"]
    )
    assert after["process_open_fds"] <= before["process_open_fds"] + 20
    assert after["process_resident_memory_bytes"] - before["process_resident_memory_bytes"] < RSS_MORE


async def test_three_hundred_handshakes_broken_off_leave_nothing(site):
    before = await site.figures()
    whole = HANDSHAKE % b""
    for round_ in range(6):
        raws = [site.raw() for _ in range(50)]
        async with AsyncExitStack() as parts:
            for raw in raws:
                await parts.enter_async_context(raw)
                await raw.send(whole[: 20 + 30 * round_])
    await site.settled(before)


async def test_sockets_with_a_token_that_is_none_are_turned_away_while_others_come_in(site):
    table = await site.deal()

    async def come(good):
        async with site.socket(hello=False) as client:
            await client.send("hello", token=table.token if good else "tl_nobody")
            return (await client.first("welcome", "closing")).get("code")

    codes = await asyncio.gather(*(come(number % 2 == 0) for number in range(200)))
    assert codes == [None, 4401] * 100


async def test_a_client_that_resumes_again_and_again_while_others_play_has_every_version_once(site):
    table = await site.deal()
    going = asyncio.create_task(table.say(80))
    had = 0
    while had < 40 or not going.done():
        async with table.follower(after=had) as client:
            try:
                async with asyncio.timeout(0.1):
                    await got_all(client, table.game, had + 7)
            except TimeoutError:
                pass
            got = versions(client, table.game)
            assert got == list(range(had + 1, had + 1 + len(got)))
            had += len(got)
    async with table.follower(after=had) as client:
        head = await table.say()
        assert await got_all(client, table.game, head) == list(range(had + 1, head + 1))
