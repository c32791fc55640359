"""Rates on sockets: the same budgets as HTTP's, told in messages and close codes."""

import json

import pytest
from websockets.exceptions import InvalidStatus

from tests.integration.operation.kit import bearing, served

pytestmark = pytest.mark.slow


async def test_messages_beyond_the_rate_are_refused_and_not_looked_at():
    async with served(rate_socket_messages_address_per_min=3) as (world, _), world.client() as client:
        assert (await client.ask("ping", id="one"))["type"] == "pong"
        assert (await client.ask("ping", id="two"))["type"] == "pong"
        refused = await client.ask("ping", id="three")
        assert (refused["type"], refused["problem"]["code"]) == ("refused", "rate_limited")
        assert (refused["problem"]["budget"], refused["problem"]["by"]) == ("socket_messages", "address")
        assert 1 <= refused["problem"]["retry_after"] <= 20
        await client.socket.send("no message at all")
        assert (await client.next())["problem"]["code"] == "rate_limited"


async def test_who_goes_on_beyond_the_rate_is_closed_and_told_when_to_come_back():
    settings = {"rate_socket_messages_address_per_min": 1, "socket_refusals_max": 5}
    async with served(**settings) as (world, _), world.client() as client:
        for _ in range(5):
            await client.send("ping")
        assert await client.closed() == 4029
        closing = client.got[-1]
        assert (closing["type"], closing["code"]) == ("closing", 4029)
        assert closing["retry_after"] >= client.got[-2]["problem"]["retry_after"]


async def test_a_player_has_one_budget_over_all_sockets():
    async with served(rate_socket_messages_player_per_min=3) as (world, _):
        (player,) = await world.players(1)
        async with world.client(player) as one, world.client(player) as two:
            answers = [(await client.ask("ping"))["type"] for client in (one, two, one, two)]
            assert answers == ["pong", "pong", "pong", "refused"]


async def test_an_act_is_a_write_wherever_it_comes_from():
    async with served(rate_writes_player_per_min=2) as (world, http):
        players = await world.players(3)
        game = await world.create(players)
        player, seat, actions = await world.choices(game)
        token = world.tokens[player]
        made = await http.post("/v1/tokens", json={}, headers=bearing(token))
        assert made.status_code == 201
        before = await world.version(game)
        async with world.client(player) as client:
            wrong = {"game": game, "seat": seat, "if_version": before, "action": {"action": "no such"}}
            assert (await client.ask("act", id="a", **wrong))["problem"]["code"] == "invalid"
            right = wrong | {"action": actions[0]}
            refused = await client.ask("act", id="b", **right)
            assert (refused["problem"]["code"], refused["problem"]["budget"]) == ("rate_limited", "writes")
            assert await world.version(game) == before
            assert (await client.ask("ping"))["type"] == "pong"


async def test_connections_beyond_the_rate_get_429_at_the_handshake():
    async with served(rate_socket_connects_address_per_min=2) as (world, _), world.client(), world.client():
        with pytest.raises(InvalidStatus) as refused:
            async with world.client():
                pass
        response = refused.value.response
        assert response.status_code == 429
        assert response.headers["content-type"] == "application/problem+json"
        assert 1 <= int(response.headers["retry-after"]) <= 30
        assert json.loads(response.body)["budget"] == "socket_connects"


@pytest.mark.parametrize("by", ["player", "token"])
async def test_connections_of_a_player_or_token_are_limited_at_hello(by):
    async with served(**{f"rate_socket_connects_{by}_per_min": 1}) as (world, _):
        (player,) = await world.players(1)
        async with world.client(player) as first:
            assert first.welcome["player"] == player
            async with world.client(player) as second:
                assert second.welcome["problem"]["by"] == by
                assert await second.closed() == 4029
            async with world.client(player, hello=False, additional_headers=bearing(world.tokens[player])) as third:
                assert await third.closed() == 4029
            assert (await first.ask("ping"))["type"] == "pong"


async def test_an_address_has_so_many_sockets():
    async with served(sockets_per_address_max=2) as (world, _), world.client(), world.client() as second:
        async with world.client(hello=False) as third:
            assert await third.closed() == 4429
        second.drop()
        await world.until(lambda: len(world.services.hub.sockets) == 1)
        async with world.client() as fourth:
            assert fourth.welcome["type"] == "welcome"


async def test_behind_a_proxy_sockets_count_for_their_client():
    async with served(sockets_per_address_max=1, trusted_proxies=1) as (world, _):
        headers = [{"X-Forwarded-For": f"198.51.100.1, 192.0.2.{n}"} for n in (1, 2)]
        async with world.client(additional_headers=headers[0]), world.client(additional_headers=headers[1]) as second:
            assert second.welcome["type"] == "welcome"
            async with world.client(hello=False, additional_headers=headers[0]) as third:
                assert await third.closed() == 4429
