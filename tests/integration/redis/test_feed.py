"""The feed over Redis as it is: killed, held still, and away when the nodes start."""

import asyncio
import signal
from contextlib import asynccontextmanager

from msgspec import structs

from events.memory import MemoryStore
from events.redis_link import RedisBus, RedisLink, RedisOptions
from tests.unit.events.feed_kit import BUS_ALONE, QUICK, Node, Writer, until


@asynccontextmanager
async def nodes_over(url, count=2, pace=QUICK, prefix="feed"):
    """Nodes with links of their own, over one log."""
    log = MemoryStore()
    links = [
        RedisLink(RedisOptions(url=url, prefix=prefix, timeout_s=0.5, retry_s=0.02), lambda _: None)
        for _ in range(count)
    ]
    nodes = [Node(number, log, RedisBus(link), pace) for number, link in enumerate(links)]
    for node in nodes:
        await node.start()
    try:
        yield nodes, Writer(log)
    finally:
        for node, link in zip(nodes, links, strict=True):
            await node.stop()
            await link.close()


def connected(nodes):
    return until(lambda: all(node.feed.connected for node in nodes))


async def test_what_one_node_stores_the_other_hears_with_its_events(server):
    async with nodes_over(server.url, pace=BUS_ALONE) as ((here, there), writer):
        await connected([here, there])
        for _ in range(100):
            await writer.write("game-1", 2, here)
        await until(lambda: there.known == {"game-1": 200})
        events = [event.header.version for moved in there.moves for event in moved.events]
        assert events == list(range(1, 201))
        assert "turnlog_feed_caught_up_total" not in there.watching.counted
        assert here.watching.lags


async def test_servers_with_other_prefixes_on_one_redis_do_not_hear_each_other(server):
    async with (
        nodes_over(server.url, 1, BUS_ALONE, "one") as ((one,), writer),
        nodes_over(server.url, 1, BUS_ALONE, "two") as ((two,), other),
    ):
        await connected([one, two])
        await writer.write("game-1", 1, one)
        await other.write("game-2", 1, two)
        await asyncio.sleep(0.05)
        assert (one.known, two.known) == ({"game-1": 1}, {"game-2": 1})


async def test_redis_killed_and_back_loses_no_version(server):
    async with nodes_over(server.url, 3) as (nodes, writer):
        for round_ in range(3):
            await connected(nodes)
            for n in range(60):
                await writer.write(f"game-{n % 5}", 1, nodes[n % 3])
                if n == 30:
                    server.kill()
            await until(lambda: all(node.known == writer.versions for node in nodes))
            assert not nodes[0].feed.connected, round_
            server.start()
        await connected(nodes)


async def test_redis_that_stands_still_is_noticed_and_the_log_asked(server):
    pace = structs.replace(QUICK, silence_s=0.3)
    async with nodes_over(server.url, 2, pace) as ((here, there), writer):
        await connected([here, there])
        server.process.send_signal(signal.SIGSTOP)
        await writer.write("game-1", 1, here)
        await until(lambda: there.known == {"game-1": 1})
        await until(lambda: not there.feed.connected)
        server.process.send_signal(signal.SIGCONT)
        await connected([here, there])


async def test_within_two_seconds_at_the_pace_of_earnest_while_redis_is_away(server):
    async with nodes_over(server.url, 2, type(QUICK)()) as ((here, there), writer):
        await connected([here, there])
        server.kill()
        began = asyncio.get_running_loop().time()
        await writer.write("game-1", 3, here)
        await until(lambda: there.known == {"game-1": 3})
        assert asyncio.get_running_loop().time() - began < 2.0


async def test_what_is_told_reaches_the_other_node_and_again_when_redis_was_away(server):
    async with nodes_over(server.url) as ((here, there), _):
        heard = []
        there.feed.hear("revoked", heard.append)
        await connected([here, there])
        here.feed.tell("revoked", b"one")
        await until(lambda: heard == [b"one"])
        server.kill()
        await until(lambda: not there.feed.connected)
        server.start()
        await connected([here, there])
        here.feed.tell("revoked", b"two")
        await until(lambda: heard == [b"one", b"two"])
