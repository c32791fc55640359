"""A client that reads slowly is brought forward or closed; memory stays bounded and others notice nothing."""

import asyncio
import socket

import jsonpatch
import pytest

from tests.integration.stream.kit import running

pytestmark = pytest.mark.slow

#: Small buffers everywhere, so that a few hundred events fill them.
TIGHT = {"socket_send_buffer_bytes": 4096, "socket_queue_bytes_soft": 16_384, "socket_queue_bytes_max": 65_536}


def lazy(world, player=None):
    """A client whose kernel takes little, and which reads from it only when the test does."""
    end = socket.socket()
    end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    end.connect(("127.0.0.1", int(world.url.split(":")[2].split("/")[0])))
    return world.client(player, sock=end, max_queue=1, ping_interval=None)


def session_of(world, index):
    return list(world.services.hub.sockets._sockets)[index]


async def fill(world, players, client, **subscribe):
    """Play games until one was taken off for being behind (or the socket is gone for it); that game, which goes on."""
    session = session_of(world, 0)
    while True:
        game = await world.create(players)
        reader = (await client.subscribe(game, **subscribe))["reader"]
        key = (game, -1 if reader == "spectator" else reader)
        while await world.play(game, 1):
            subscription = session._conversation.subscriptions._made.get(key)
            if subscription is None or not subscription.live:
                return game
            await asyncio.sleep(0)


async def test_a_slow_reader_gets_the_newest_view_once_it_has_drained_while_another_misses_nothing():
    async with running(**TIGHT, socket_stall_s=60.0) as world:
        players = await world.players(3)
        async with lazy(world) as slow, world.client() as quick:
            game = await fill(world, players, slow, updates="view")
            await quick.subscribe(game, after=0)
            await world.play(game, 10)
            outbox = session_of(world, 0).outbox
            settings = world.services.settings
            assert outbox._bytes <= settings.socket_queue_bytes_max
            head = await world.version(game)
            assert [m["version"] for m in await quick.until(head)] == list(range(1, head + 1))

            skipped = await slow.first("skipped")
            before = [m["version"] for m in slow.got if m["type"] in ("snapshot", "event") and m["game"] == game]
            assert before == list(range(before[0], skipped["from"]))
            assert (skipped["game"], skipped["to"], skipped["version"]) == (game, head, head)
            assert skipped["view"] == await (await world.oracle(game)).view(-1, head)
            played = await world.play(game, 1)
            if played:
                assert (await slow.first("event"))["version"] == head + 1


async def test_patches_go_on_from_the_view_that_was_skipped_to():
    async with running(**TIGHT, socket_stall_s=60.0) as world:
        players = await world.players(3)
        async with lazy(world, players[0]) as slow:
            game = await fill(world, players, slow, updates="patch")
            await world.play(game, 6)
            oracle = await world.oracle(game)
            unread = list(slow.got)
            view, version, skips = None, 0, 0
            while version < oracle.head or not skips:
                message = unread.pop(0) if unread else await slow.next()
                if message.get("game") != game or message["type"] not in ("snapshot", "event", "skipped"):
                    continue
                skips += message["type"] == "skipped"
                view = jsonpatch.apply_patch(view, message["patch"]) if "patch" in message else message["view"]
                version = message["version"]
                assert view == await oracle.view(0, version)


async def test_a_client_that_takes_nothing_is_cut_off():
    async with running(**TIGHT, socket_stall_s=0.1, socket_close_s=0.1) as world:
        players = await world.players(3)
        async with lazy(world) as stuck, world.client() as quick:
            game = await fill(world, players, stuck, updates="view")
            await quick.subscribe(game)
            await world.until(lambda: len(world.services.hub.sockets._sockets) == 1)
            await world.play(game, 1)
            assert (await quick.ask("ping"))["type"] == "pong"
            assert await stuck.closed() == 1006


async def test_one_that_wakes_up_in_time_is_told_where_to_resume():
    async with running(**TIGHT, socket_stall_s=0.1, socket_close_s=60.0) as world:
        players = await world.players(3)
        async with lazy(world) as late:
            game = await fill(world, players, late, updates="view")
            session = session_of(world, 0)
            await world.until(session._over.done)
            assert await late.closed() == 4008
            last = max(m["version"] for m in late.got if m["type"] in ("snapshot", "event") and m["game"] == game)
            assert late.reason == f"You read too slowly. Resume {game} after {last}."
            assert "closing" not in {m["type"] for m in late.got}


async def test_a_client_that_asks_for_much_and_reads_nothing_is_not_served():
    async with running(**TIGHT, socket_stall_s=60.0) as world:
        players = await world.players(3)
        async with lazy(world) as greedy:
            await fill(world, players, greedy, updates="view")
            for number in range(200):
                await greedy.send("ping", id=str(number))
            session = session_of(world, 0)
            for _ in range(1000):
                await asyncio.sleep(0)
            assert session.outbox._bytes <= world.services.settings.socket_queue_bytes_max
            pongs = 0
            while pongs < 200:
                pongs += (await greedy.next())["type"] == "pong"
