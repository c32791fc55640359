"""Sockets themselves: who they belong to, what they may send, and how they close (docs/stream.md)."""

import json
import socket

import pytest
from websockets.exceptions import InvalidStatus

from events.feed import Moved
from tests.integration.stream.kit import running

pytestmark = pytest.mark.slow


async def test_hello_says_who_one_is():
    async with running() as world:
        player = await world.player("ann")
        async with world.client(player) as known, world.client() as unknown:
            assert known.welcome["player"] == player
            assert unknown.welcome["player"] is None
            assert known.welcome["frame_bytes_max"] == world.services.settings.frame_bytes_max


async def test_the_authorization_header_of_the_handshake_does_as_well():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players)
        headers = {"Authorization": f"Bearer {world.tokens[players[1]]}"}
        async with world.client(hello=False, additional_headers=headers) as client:
            assert (await client.subscribe(game))["reader"] == 1
        async with world.client(additional_headers=headers) as client:
            assert client.welcome["player"] == players[1]


async def test_without_hello_one_is_a_spectator():
    async with running() as world:
        game = await world.create(await world.players(3))
        async with world.client(hello=False) as client:
            assert (await client.subscribe(game))["reader"] == "spectator"
            assert (await client.ask("hello"))["problem"]["code"] == "invalid"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"additional_headers": {"Authorization": "Bearer nobody"}},
        {"additional_headers": {"Authorization": "Basic eDp5"}},
    ],
)
async def test_a_token_that_is_none_closes_for_good(options):
    async with running() as world, world.client(hello=False, **options) as client:
        if not options:
            await client.send("hello", token="nobody", id="h")
        assert await client.closed() == 4401
        refused, closing = client.got
        assert refused["problem"]["code"] == "unauthenticated"
        assert (closing["type"], closing["code"], closing.get("retry_after")) == ("closing", 4401, None)


async def test_a_revoked_token_closes_at_the_next_heartbeat():
    async with running(heartbeat_s=0.05) as world:
        players = await world.players(3)
        game = await world.create(players)
        async with world.client(players[0]) as client, world.client(players[1]) as other:
            await client.subscribe(game)
            await world.revoke(players[0])
            assert await client.closed() == 4401
            assert (await other.ask("ping"))["type"] == "pong"


async def test_a_revoked_token_plays_no_more_even_before_that():
    async with running() as world:
        game = await world.create(await world.players(3))
        player, seat, actions = await world.choices(game)
        head = await world.version(game)
        async with world.client(player) as client:
            await world.revoke(player)
            await client.send("act", id="late", game=game, seat=seat, action=actions[0], if_version="*")
            assert await client.closed() == 4401
        assert await world.version(game) == head


async def test_a_page_of_another_origin_is_refused_at_the_handshake():
    async with running(cors_origins=("https://board.example",)) as world:
        async with world.client(origin="https://board.example") as client:
            assert (await client.ask("ping"))["type"] == "pong"
        async with world.client(origin=world.url.replace("ws:", "http:").removesuffix("/v1/stream")) as client:
            assert (await client.ask("ping"))["type"] == "pong"
        with pytest.raises(InvalidStatus) as refused:
            await world.client(origin="https://evil.example").__aenter__()
        assert refused.value.response.status_code == 403


async def test_a_socket_that_says_nothing_is_closed():
    async with running(hello_s=0.05) as world, world.client(hello=False) as client:
        assert await client.closed() == 4408


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "[]",
        "{}",
        '{"type":"dance"}',
        '{"type":"ping","loud":true}',
        '{"type":"subscribe"}',
        '{"type":"subscribe","game":"g","after":-1}',
        '{"type":"subscribe","game":"g","after":"1"}',
        '{"type":"subscribe","game":"g","updates":"all"}',
        '{"type":"act","id":"with space","game":"g","action":{}}',
        '{"type":"ping","id":' + "[" * 4000 + "]" * 4000 + "}",
        b"\x00\x01",
    ],
)
async def test_what_is_no_message_is_refused_and_the_socket_goes_on(text):
    async with running() as world, world.client() as client:
        await client.socket.send(text)
        assert (await client.next())["problem"]["code"] == "invalid"
        assert (await client.ask("ping"))["type"] == "pong"


async def test_the_id_of_a_broken_message_comes_back():
    async with running() as world, world.client() as client:
        await client.socket.send(json.dumps({"type": "act", "id": "x-1", "game": 5}))
        assert (await client.next())["id"] == "x-1"


async def test_repeated_garbage_closes():
    async with running(socket_garbage_max=3) as world, world.client() as client:
        for _ in range(3):
            await client.socket.send("?")
        assert await client.closed() == 4400
        assert [m["type"] for m in client.got[1:]] == ["refused"] * 3 + ["closing"]


async def test_a_message_that_is_too_large_closes():
    async with running() as world:
        most = world.services.settings.frame_bytes_max
        async with world.client() as client:
            text = json.dumps({"type": "ping", "id": "i"})
            await client.socket.send(text + " " * (most - len(text)))
            assert (await client.next())["type"] == "pong"
            await client.socket.send(text + " " * (most - len(text) + 1))
            assert await client.closed() == 4413
        async with world.client() as client:
            await client.socket.send(" " * (16 * most))
            assert await client.closed() == 1009


async def test_a_socket_has_only_so_many_subscriptions():
    async with running(subscriptions_max=2) as world:
        players = await world.players(3)
        games = [await world.create(players) for _ in range(3)]
        async with world.client() as client:
            answers = [await client.subscribe(game) for game in games]
            assert [answer["type"] for answer in answers] == ["subscribed", "subscribed", "refused"]
            assert answers[2]["problem"]["code"] == "rate_limited"
            await client.ask("unsubscribe", game=games[0])
            assert (await client.subscribe(games[2]))["type"] == "subscribed"


async def test_the_server_has_only_so_many_sockets_and_a_player_too():
    async with running(sockets_max=3, sockets_per_player_max=1) as world:
        player = await world.player("ann")
        async with world.client(player), world.client():
            async with world.client(player, hello=False) as second:
                await second.send("hello", token=world.tokens[player])
                assert await second.closed() == 4429
            async with world.client(), world.client(hello=False) as fourth:
                assert await fourth.closed() == 4013
                assert fourth.got[-1]["retry_after"] >= 1


async def test_after_unsubscribe_nothing_more_comes():
    async with running() as world:
        game = await world.create(await world.players(3))
        async with world.client() as client:
            await client.subscribe(game)
            assert (await client.ask("unsubscribe", game=game))["type"] == "unsubscribed"
            await world.play(game, 2)
            assert (await client.ask("ping"))["type"] == "pong"
            assert not [m for m in client.got if m["type"] == "event"]
            assert (await client.ask("unsubscribe", game=game))["problem"]["code"] == "not_found"


async def test_workers_end_with_their_last_subscription_and_sockets_are_forgotten():
    async with running() as world:
        game = await world.create(await world.players(3))
        hub = world.services.hub
        async with world.client() as one, world.client() as two:
            await one.subscribe(game)
            await two.subscribe(game)
            assert [watched for watched, _ in hub._workers] == [game]
            await one.ask("unsubscribe", game=game)
            assert [watched for watched, _ in hub._workers] == [game]
            await two.socket.close()
            await world.until(lambda: not hub._workers and len(hub.sockets) == 1)


async def test_a_game_that_cannot_be_followed_ends_its_subscriptions_alone(monkeypatch):
    async with running() as world:
        players = await world.players(3)
        broken, sound = await world.create(players), await world.create(players)
        async with world.client() as client:
            await client.subscribe(broken)
            await client.subscribe(sound)
            store, read = world.services.store, world.services.store.read

            async def reading(game, after=0, until=None):
                if game == broken:
                    raise OSError("the disk is gone")
                return await read(game, after, until)

            monkeypatch.setattr(store, "read", reading)
            world.services.feed.announce(Moved(broken, 1_000, 0))  # without the events, which are then read
            told = await client.first("unsubscribed")
            assert (told["game"], told["problem"]["code"]) == (broken, "internal")
            monkeypatch.undo()
            await world.play(sound, 1)
            assert (await client.first("event"))["game"] == sound
            assert (await client.subscribe(broken))["type"] == "subscribed"


async def test_frames_go_straight_to_the_transport_of_a_real_server():
    async with running() as world, world.client() as client:
        assert (await client.ask("ping"))["type"] == "pong"
        (session,) = world.services.hub.sockets._sockets
        protocol = session._wire._protocol
        assert protocol is not None
        kernel = protocol.transport.get_extra_info("socket")
        assert (
            kernel.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
            <= 2 * world.services.settings.socket_send_buffer_bytes
        )
