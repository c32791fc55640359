"""Two nodes as one server: what happens on one is heard, told and counted on the other."""

import asyncio
import signal

import httpx
import pytest

from events.database import CannotOpen
from server.services import Services
from server.settings import Settings
from tests.integration.redis.cluster import two_nodes
from tests.integration.stream.kit import running
from tests.integration.stream.test_presence import told, until_told

pytestmark = pytest.mark.slow


def bearing(world, player):
    return {"Authorization": f"Bearer {world.tokens[player]}"}


async def connected(*worlds):
    async with asyncio.timeout(10):
        while not all(world.services.feed.connected for world in worlds):  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0.01)


async def test_every_version_comes_in_order_once_whichever_node_took_the_action(postgres_database, redis):
    async with two_nodes(postgres_database, redis) as (here, there):
        players = await here.players(3)
        game = await here.create(players)
        async with here.client() as one, there.client() as other:
            for client in (one, other):
                await client.subscribe(game, after=0)
            for _ in range(12):
                await here.play(game, 3)
                await there.play(game, 3)
            head = await here.version(game)
            for client in (one, other):
                events = await client.until(head)
                assert [event["version"] for event in events] == list(range(1, head + 1))


async def test_the_same_while_redis_is_killed_and_comes_back(postgres_database, server):
    async with two_nodes(postgres_database, server.url) as (here, there):
        await connected(here, there)
        players = await here.players(3)
        game = await here.create(players)
        async with here.client() as one, there.client() as other:
            for client in (one, other):
                await client.subscribe(game, after=0)
            for n in range(9):
                await (here, there)[n % 2].play(game, 3)
                if n == 2:
                    server.kill()
                if n == 5:
                    server.start()
            head = await here.version(game)
            for client in (one, other):
                events = await client.until(head)
                assert [event["version"] for event in events] == list(range(1, head + 1))
        await connected(here, there)
        assert there.services.metrics.value("turnlog_feed_caught_up_total") > 0


async def test_a_token_revoked_on_one_node_closes_its_sockets_on_the_other_at_once(postgres_database, redis):
    # At an unhurried pace: a bus that is taken for dead, as on a busy machine, brings no news.
    async with two_nodes(postgres_database, redis, heartbeat_s=600, feed_poll_s=2.0) as (here, there):
        await connected(here, there)
        player = await here.player("ann")
        async with there.client(player) as client, httpx.AsyncClient() as http:
            assert (await client.ask("ping"))["type"] == "pong"
            assert (await http.get(f"{there.http}/tokens", headers=bearing(here, player))).status_code == 200
            (token,) = await here.services.records.tokens(player, "", 10)
            gone = await http.delete(f"{here.http}/tokens/{token.id}", headers=bearing(here, player))
            assert gone.status_code == 204
            assert await client.closed() == 4401
            refused = await http.get(f"{there.http}/tokens", headers=bearing(here, player))
            assert refused.status_code == 401  # though that node had its holder in memory


async def test_without_messages_a_revoked_token_is_believed_for_a_short_while_alone(postgres_database, server):
    async with two_nodes(postgres_database, server.url, heartbeat_s=0.3, callers_cached_s=0.2) as (here, there):
        player = await here.player("ann")
        async with there.client(player) as client:
            assert (await client.ask("ping"))["type"] == "pong"
            server.kill()
            await here.revoke(player)
            assert await client.closed() == 4401


async def test_a_ticket_of_one_node_opens_a_socket_on_the_other_once(postgres_database, redis):
    async with two_nodes(postgres_database, redis) as (here, there), httpx.AsyncClient() as http:
        player = await here.player("ann")
        made = await http.post(f"{here.http}/tickets", headers=bearing(here, player))
        ticket = made.json()["ticket"]
        worlds = [there, here] * 10

        async def try_it(world):
            async with world.client(hello=False) as client:
                answer = await client.ask("hello", ticket=ticket)
                return answer["type"]

        answers = await asyncio.gather(*map(try_it, worlds))
        assert sorted(answers) == ["refused"] * 19 + ["welcome"]


async def test_a_rate_holds_over_both_nodes_and_for_each_alone_while_redis_is_away(postgres_database, server):
    async with (
        two_nodes(postgres_database, server.url, rate_reads_player_per_min=10) as (here, there),
        httpx.AsyncClient() as http,
    ):
        await connected(here, there)
        player = await here.player("ann")

        async def read(world):
            return (await http.get(f"{world.http}/tokens", headers=bearing(here, player))).status_code

        assert [await read((here, there)[n % 2]) for n in range(14)] == [200] * 10 + [429] * 4
        server.kill()
        assert [await read(here) for _ in range(12)] == [200] * 10 + [429] * 2
        assert [await read(there) for _ in range(12)] == [200] * 10 + [429] * 2


async def test_who_is_there_is_known_over_both_nodes(postgres_database, redis):
    async with two_nodes(postgres_database, redis, presence_s=60) as (here, there):
        await connected(here, there)
        players = await here.players(3)
        game = await here.create(players)
        async with here.client(players[0]) as one, there.client(players[1]) as two:
            await one.subscribe(game, presence=True)
            await two.subscribe(game, presence=True)
            for client in (one, two):
                await until_told(client, [0, 1], 0)
            async with there.client() as nobody:
                await nobody.subscribe(game)
                for client in (one, two):
                    await until_told(client, [0, 1], 1)
            for client in (one, two):
                await until_told(client, [0, 1], 0)


async def test_a_node_that_stops_takes_its_players_along_at_once(postgres_database, redis):
    async with two_nodes(postgres_database, redis, presence_s=3600) as (here, there):
        await connected(here, there)
        players = await here.players(3)
        game = await here.create(players)
        async with here.client(players[0]) as one, there.client(players[1]) as two:
            await one.subscribe(game, presence=True)
            await two.subscribe(game)
            await until_told(one, [0, 1], 0)
            await there.services.drain()
            await until_told(one, [0], 0)


async def test_of_a_node_that_dies_nobody_counts_after_a_while(postgres_database, redis):
    async with two_nodes(postgres_database, redis, presence_s=1) as (here, there):
        await connected(here, there)
        players = await here.players(3)
        game = await here.create(players)
        async with here.client(players[0]) as one, there.client(players[1]) as two, there.client(players[2]) as three:
            await one.subscribe(game, presence=True)
            await two.subscribe(game)
            await three.subscribe(game)
            await until_told(one, [0, 1, 2], 0)
            # As if it had died: it says nothing any more, and its sockets are gone with it.
            there.services._background.cancel()
            await until_told(one, [0], 0)


async def test_while_redis_is_away_a_node_knows_its_own_and_afterwards_all(postgres_database, server):
    async with two_nodes(postgres_database, server.url, presence_s=1) as (here, there):
        await connected(here, there)
        players = await here.players(3)
        game = await here.create(players)
        async with here.client(players[0]) as one, there.client(players[1]) as two:
            await one.subscribe(game, presence=True)
            await two.subscribe(game, presence=True)
            await until_told(one, [0, 1], 0)
            server.kill()
            await until_told(one, [0], 0)
            await until_told(two, [1], 0)
            async with here.client() as nobody:
                await nobody.subscribe(game)
                await until_told(one, [0], 1)
                server.start()
                for client in (one, two):
                    await until_told(client, [0, 1], 1)
        assert told(one)


async def test_everything_in_redis_goes_by_itself(postgres_database, server):
    """A Redis that is full gives up what is nearest to its end (volatile-ttl): what has none it could never give up."""
    async with two_nodes(postgres_database, server.url) as (here, there):
        await connected(here, there)
        player, link = await here.player("ann"), here.services.nodes.redis
        game = await here.create([player, *await here.players(2)])
        async with there.client(player) as client, httpx.AsyncClient() as http:
            await client.subscribe(game, after=0)
            assert (await http.post(f"{here.http}/tickets", headers=bearing(here, player))).status_code == 201
            kinds = set()
            async with asyncio.timeout(10):
                while not {b"rate", b"ticket", b"lease", b"presence"} <= kinds:
                    keys = await link.call("KEYS", "*")
                    kinds = {key.split(b":")[1] for key in keys}
            # -2: it has gone since.
            assert -1 not in [await link.call("PTTL", key) for key in keys]


async def test_a_redis_that_stands_still_delays_no_answer_for_long(postgres_database, server):
    nodes = two_nodes(postgres_database, server.url, redis_retry_s=1.0)
    async with nodes as (here, there), httpx.AsyncClient(timeout=10) as http:
        await connected(here, there)
        player = await here.player("ann")
        server.process.send_signal(signal.SIGSTOP)
        loop = asyncio.get_running_loop()
        began = loop.time()
        answers = [await http.get(f"{here.http}/tokens", headers=bearing(here, player)) for _ in range(20)]
        assert {one.status_code for one in answers} == {200}
        assert loop.time() - began < 5.0  # a time-out now and then, not for each of 40 calls of half a second
        server.process.send_signal(signal.SIGCONT)


async def test_without_redis_the_database_alone_joins_the_nodes(postgres_database):
    async with two_nodes(postgres_database, "") as (here, there), httpx.AsyncClient() as http:
        players = await here.players(3)
        game = await here.create(players)
        async with here.client() as one, there.client() as other:
            for client in (one, other):
                await client.subscribe(game, after=0)
            for n in range(6):
                await (here, there)[n % 2].play(game, 3)
            head = await here.version(game)
            for client in (one, other):
                events = await client.until(head)
                assert [event["version"] for event in events] == list(range(1, head + 1))
        for _ in range(3):
            made = await http.post(f"{here.http}/tickets", headers=bearing(here, players[0]))
            ticket = made.json()["ticket"]
            taken = await asyncio.gather(
                *((here, there)[n % 2].services.nodes.tickets.take(ticket) for n in range(50)),
            )
            assert len([token for token in taken if token is not None]) == 1


async def test_a_server_starts_and_serves_with_a_redis_that_is_not_there():
    async with running(redis="unix:///nowhere/redis.sock") as world, httpx.AsyncClient() as http:
        assert (await http.get(world.http.removesuffix("/v1") + "/health/ready")).status_code == 200
        player = await world.player("ann")
        made = await http.post(f"{world.http}/tickets", headers=bearing(world, player))
        async with world.client(hello=False) as client:
            assert (await client.ask("hello", ticket=made.json()["ticket"]))["player"] == player


def test_an_address_that_is_none_of_a_redis_is_told_at_the_start():
    with pytest.raises(CannotOpen, match="TURNLOG_REDIS"):
        Services.open(Settings(database=":memory:", redis="localhost:6379"))
