"""Two nodes: whichever one is asked, it is one server; and either may die."""

import asyncio
from collections import Counter

from tests.integration.stream.kit import Client
from tests.sockets.kit import crowd, got_all, problem


async def test_who_follows_on_one_node_gets_what_is_played_on_the_other_once_and_in_order(nodes):
    a, b = nodes
    table = await a.deal()
    async with table.follower(updates="patch") as here, table.on(b).follower(updates="patch") as there:
        for node in (a, b, b, a):
            head = await table.on(node).act(2)
        await got_all(here, table.game, head)
        await got_all(there, table.game, head)
        told = [[m for m in client.got if m["type"] == "event"] for client in (here, there)]
        assert [(m["version"], m["digest"], m["patch"]) for m in told[0]] == [
            (m["version"], m["digest"], m["patch"]) for m in told[1]
        ]


async def test_a_client_of_a_node_that_dies_resumes_on_the_other_from_its_version(nodes, cluster):
    a, b = nodes
    table = await a.deal()
    try:
        async with table.follower() as client:
            head = await table.act(2)
            await got_all(client, table.game, head)
            cluster.nodes[0].kill()
            assert await client.closed() == 1006
        async with table.on(b).follower(after=head) as client:
            last = await table.on(b).act(2)
            assert await got_all(client, table.game, last) == list(range(head + 1, last + 1))
    finally:
        restart(cluster.nodes[0])


def restart(node):
    node.kill()
    node.start()
    node.wait()


async def test_clients_of_the_proxy_find_the_node_that_is_left_and_play_on(nodes, cluster):
    table = await nodes[0].deal()

    def by_proxy():
        return Client(f"ws://127.0.0.1:{cluster.port}/v1/stream", table.token)

    try:
        await found_by_the_proxy(nodes, by_proxy)
        async with crowd(by_proxy, 20) as clients:
            await asyncio.gather(*(client.subscribe(table.game, after=0, seat="spectator") for client in clients))
            head = await table.act(2)
            await asyncio.gather(*(got_all(client, table.game, head) for client in clients))
            per_node = [await node.figure("turnlog_stream_sockets") for node in nodes]
            assert min(per_node) > 0, "the proxy sends all to one node"
            cluster.nodes[0].kill()
            cut = [client for client in clients if await is_cut(client)]
            assert len(cut) == per_node[0]
        async with crowd(by_proxy, 20) as clients:
            await asyncio.gather(*(client.subscribe(table.game, after=head, seat="spectator") for client in clients))
            last = await table.on(nodes[1]).act(1)
            for got in await asyncio.gather(*(got_all(client, table.game, last) for client in clients)):
                assert got == list(range(head + 1, last + 1))
    finally:
        restart(cluster.nodes[0])


async def found_by_the_proxy(nodes, by_proxy):
    """Wait until it sends to all nodes: one that was started again it knows once it has asked for its health."""
    async with asyncio.timeout(20):
        for node in nodes:
            while await node.figure("turnlog_stream_sockets"):  # noqa: ASYNC110 - those of an earlier test, in its process
                await asyncio.sleep(0.05)
        while True:
            async with crowd(by_proxy, 4):
                if all([await node.figure("turnlog_stream_sockets") for node in nodes]):
                    return
            await asyncio.sleep(0.1)


async def is_cut(client):
    """Whether the connection is gone; one that stands answers."""
    await client.socket.wait_closed() if client.socket.state.name == "CLOSED" else None
    try:
        async with asyncio.timeout(10):
            await client.ask("ping")
    except Exception:  # noqa: BLE001 - however it is gone
        return True
    return False


async def test_one_id_sent_to_both_nodes_at_once_is_one_event_and_one_answer(nodes):
    a, b = nodes
    table = await a.deal()
    async with a.socket(table.token) as here, b.socket(table.token) as there:
        for race in range(10):
            seat, action = await table.owed()
            version = await table.version()
            wish = {"id": f"k{race}", "game": table.game, "seat": seat, "action": action, "if_version": "*"}
            told = await asyncio.gather(here.ask("act", **wish), there.ask("act", **wish))
            assert told[0] == told[1]
            assert told[0]["version"] == version + 1


async def test_of_twenty_sockets_on_two_nodes_one_wins_and_the_others_are_told_what_they_missed(nodes):
    table = await nodes[0].deal()
    sites = [nodes[number % 2] for number in range(20)]
    async with crowd(lambda: sites.pop().socket(table.token), 20) as clients:
        for race in range(4):
            seat, action = await table.owed()
            version = await table.version()
            wish = {"game": table.game, "seat": seat, "action": action, "if_version": version}
            told = await asyncio.gather(*(c.ask("act", id=f"{race}-{n}", **wish) for n, c in enumerate(clients)))
            assert Counter(one["type"] for one in told) == {"accepted": 1, "refused": 19}
            for lost in (one for one in told if one["type"] == "refused"):
                assert problem(lost) == "version_conflict"
                assert lost["problem"]["missed"][0]["version"] == version + 1


async def test_a_token_revoked_on_one_node_closes_its_sockets_on_the_other(nodes):
    a, b = nodes
    table = await a.deal()
    narrow = await a.narrowed(table.token)
    async with b.socket(narrow) as client, b.socket(table.token) as other:
        await client.subscribe(table.game, seat="spectator")
        await a.revoke(narrow)
        async with asyncio.timeout(2):
            assert await client.closed() == 4401
        assert (await other.ask("ping"))["type"] == "pong"


async def test_an_undo_on_one_node_is_the_state_on_the_other(nodes):
    a, b = nodes
    table = await a.deal(undo="free")
    async with table.on(b).follower(updates="view") as client:
        before = await table.version()
        await client.until(before)
        seat, action = await table.owed()
        await table.act()
        assert (await table.undo(seat)).is_success
        head = await table.version()
        told = {m["version"]: m["view"] for m in await client.until(head)}
        assert told[head] == told[before]
        wish = {"game": table.game, "seat": seat, "action": action, "if_version": head}
        async with b.socket(table.token) as player:
            assert (await player.ask("act", **wish))["type"] == "accepted"


async def test_a_node_that_is_stopped_tells_its_sockets_and_the_other_goes_on(nodes, cluster):
    a, b = nodes
    table = await a.deal()
    try:
        async with table.follower() as client, table.on(b).follower() as other:
            stopping = asyncio.to_thread(cluster.nodes[0].stop)
            code, exit_code = await asyncio.gather(client.closed(), stopping)
            assert (code, exit_code) == (1012, 0)
            assert client.got[-1]["retry_after"] >= 1
            await got_all(other, table.game, await table.on(b).act())
    finally:
        cluster.nodes[0].start()
        cluster.nodes[0].wait()


async def test_who_is_present_is_told_over_both_nodes(nodes):
    a, b = nodes
    table = await a.deal()

    async def told(client, seats, spectators):
        async with asyncio.timeout(10):
            while (present := await client.first("presence"))["spectators"] != spectators or present["seats"] != seats:
                pass

    async with a.socket() as here:
        await here.subscribe(table.game, presence=True)
        await told(here, [], 1)
        async with b.socket() as there:
            await there.subscribe(table.game)
            await told(here, [], 2)
        await told(here, [], 1)
        async with b.socket(table.token) as there:
            await there.subscribe(table.game, seat=1)
            await told(here, [0, 1, 2], 1)
        await told(here, [], 1)
