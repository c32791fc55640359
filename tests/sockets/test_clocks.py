"""Clocks: a time-out is one event on every socket, whichever node notices it, and whichever is left."""

import asyncio

from tests.sockets.kit import crowd, got_all, start

#: TPOC asks all three seats at its start: their time runs out together.
MOVE_S = 2


async def timed(site, **more):
    return await site.deal(clock={"move_s": MOVE_S}, on_timeout="resign", **more)


async def timed_out(client):
    """Read until the time of a seat is out; its event."""
    async with asyncio.timeout(30):
        while (told := await client.first("event"))["kind"] != "expired":
            pass
    return told


async def once_each(sites, table):
    """Every time-out is in the log once for each seat that it was due for, however long one waits."""
    for site in sites:
        await asyncio.sleep(1.5)
        events = await site.events(table.game, table.token)
        expired = [event["details"]["seat"] for event in events if event["kind"] == "expired"]
        assert len(expired) == len(set(expired)) > 0
    return events[-1]["version"]


async def test_a_time_out_arrives_once_on_every_socket_of_both_nodes(nodes):
    table = await timed(nodes[0])
    async with crowd(nodes[0].socket, 10) as here, crowd(nodes[1].socket, 10) as there:
        clients = [*here, *there]
        await asyncio.gather(*(client.subscribe(table.game, after=0) for client in clients))
        told = await asyncio.gather(*map(timed_out, clients))
        assert len({(one["version"], one["digest"]) for one in told}) == 1
        head = await once_each(nodes, table)
        for got in await asyncio.gather(*(got_all(client, table.game, head) for client in clients)):
            assert got == list(range(1, head + 1))


async def test_a_time_out_comes_on_the_node_that_is_left_when_the_other_one_dies(nodes, cluster):
    a, b = nodes
    table = await timed(a)
    try:
        async with table.on(b).follower() as client:
            cluster.nodes[0].kill()
            await timed_out(client)
            head = await once_each([b], table)
            assert await got_all(client, table.game, head) == list(range(1, head + 1))
    finally:
        cluster.nodes[0].start()
        cluster.nodes[0].wait()


async def test_a_time_out_while_redis_is_away_comes_once(nodes, backing):
    table = await timed(nodes[0])
    backing.redis.kill()
    try:
        async with table.follower() as here, table.on(nodes[1]).follower() as there:
            told = await asyncio.gather(timed_out(here), timed_out(there))
            assert told[0]["digest"] == told[1]["digest"]
            await once_each(nodes, table)
    finally:
        await start(backing.redis)


async def test_an_act_after_the_deadline_is_refused_though_nobody_has_noticed_the_time_out_yet(site):
    table = await timed(site)
    seat, action = await table.owed()
    async with table.follower() as client, site.socket(table.token) as player:
        await asyncio.sleep(MOVE_S)
        told = await player.ask("act", game=table.game, seat=seat, action=action, if_version="*")
        assert told["problem"]["status"] in (409, 412)
        await timed_out(client)
        head = await once_each([site], table)
        assert await got_all(client, table.game, head) == list(range(1, head + 1))
        assert "acted" not in {told.get("kind") for told in client.got}
