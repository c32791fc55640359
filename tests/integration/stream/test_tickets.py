"""Tickets: `hello` without a token, once."""

import asyncio

import httpx
import pytest

from tests.integration.stream.kit import running

pytestmark = pytest.mark.slow


async def ticket_of(world, player, **headers):
    bearing = {"Authorization": f"Bearer {world.tokens[player]}"} | headers
    async with httpx.AsyncClient(base_url=world.http.removesuffix("/v1")) as client:
        return await client.post("/v1/tickets", headers=bearing)


async def test_a_ticket_says_who_one_is_and_what_one_may():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players)
        given = await ticket_of(world, players[1])
        assert given.status_code == 201
        assert given.json()["expires_at"].endswith("Z")
        async with world.client(hello=False) as client:
            assert (await client.ask("hello", ticket=given.json()["ticket"]))["player"] == players[1]
            assert (await client.subscribe(game))["reader"] == 1


async def test_of_many_sockets_that_say_it_at_once_one_is_let_in():
    async with running() as world:
        ticket = (await ticket_of(world, await world.player("ann"))).json()["ticket"]

        async def try_it():
            async with world.client(hello=False) as client:
                answer = await client.ask("hello", ticket=ticket)
                return answer["type"] if answer["type"] == "welcome" else await client.closed()

        answers = await asyncio.gather(*(try_it() for _ in range(20)))
        assert sorted(answers, key=str) == [4401] * 19 + ["welcome"]


async def test_a_ticket_of_a_token_revoked_meanwhile_is_none():
    async with running() as world:
        player = await world.player("ann")
        ticket = (await ticket_of(world, player)).json()["ticket"]
        await world.revoke(player)
        async with world.client(hello=False) as client:
            await client.send("hello", ticket=ticket)
            assert await client.closed() == 4401
            assert client.got[0]["problem"]["code"] == "unauthenticated"


async def test_a_socket_let_in_by_a_ticket_ends_with_its_token():
    async with running() as world:
        player = await world.player("ann")
        ticket = (await ticket_of(world, player)).json()["ticket"]
        async with world.client(hello=False) as client:
            await client.ask("hello", ticket=ticket)
            await world.revoke(player)
            assert (await client.ask("subscribe", game="any"))["problem"]["code"] == "unauthenticated"
            assert await client.closed() == 4401


async def test_one_way_to_say_who_one_is_is_enough():
    async with running() as world:
        player = await world.player("ann")
        ticket = (await ticket_of(world, player)).json()["ticket"]
        async with world.client(hello=False) as client:
            both = await client.ask("hello", ticket=ticket, token=world.tokens[player])
            assert both["problem"]["code"] == "invalid"
            assert (await client.ask("hello", ticket=ticket))["player"] == player  # it was not used up
        headers = {"Authorization": f"Bearer {world.tokens[player]}"}
        async with world.client(hello=False, additional_headers=headers) as client:
            assert (await client.ask("hello", ticket=ticket))["problem"]["code"] == "invalid"


async def test_a_request_repeated_with_its_key_makes_no_second_ticket():
    async with running() as world:
        player = await world.player("ann")
        first = await ticket_of(world, player, **{"Idempotency-Key": "k"})
        again = await ticket_of(world, player, **{"Idempotency-Key": "k"})
        assert (first.status_code, again.status_code, again.json()["code"]) == (201, 409, "already_done")


async def test_nobody_gets_no_ticket():
    async with (
        running() as world,
        httpx.AsyncClient(base_url=world.http.removesuffix("/v1")) as client,
    ):
        assert (await client.post("/v1/tickets")).status_code == 401
