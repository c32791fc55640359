"""Presence on one node: who follows a game, told to who wants to know."""

import asyncio

import pytest

from tests.integration.stream.kit import running

pytestmark = pytest.mark.slow


def told(client):
    return [(one["seats"], one["spectators"]) for one in client.got if one["type"] == "presence"]


async def until_told(client, seats, spectators):
    while not told(client) or told(client)[-1] != (seats, spectators):
        await client.next()


async def test_who_comes_and_goes_is_told():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players)
        async with world.client(players[0]) as first:
            await first.subscribe(game, presence=True)
            await until_told(first, [0], 0)
            async with world.client(players[2]) as second, world.client() as nobody:
                await second.subscribe(game)
                await nobody.subscribe(game)
                await until_told(first, [0, 2], 1)
                await nobody.ask("unsubscribe", game=game)
                await until_told(first, [0, 2], 0)
            await until_told(first, [0], 0)
        async with world.client(players[0]) as again:  # after reconnecting it is told again
            await again.subscribe(game, presence=True)
            await until_told(again, [0], 0)


async def test_who_has_not_asked_is_told_nothing():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players)
        async with world.client(players[0]) as asking, world.client(players[1]) as other:
            await other.subscribe(game)
            await asking.subscribe(game, presence=True)
            await until_told(asking, [0, 1], 0)
            assert (await other.ask("ping"))["type"] == "pong"
            assert told(other) == []


async def test_a_socket_counts_once_and_all_seats_of_its_player_are_there():
    async with running() as world:
        player, other = await world.players(2)
        game = await world.create([player, player, other])
        async with world.client(player) as client:
            await client.subscribe(game, seat=0, presence=True)
            await client.subscribe(game, seat="spectator")
            await until_told(client, [0, 1], 0)
        async with world.client() as client:
            await client.subscribe(game, presence=True, updates="view")
            await client.subscribe(game, presence=True, updates="effects")
            await until_told(client, [], 1)


async def test_who_takes_a_seat_while_following_is_no_spectator_any_more():
    async with running() as world:
        creator, joiner = await world.players(2)
        game = await world.open_game(creator)
        async with world.client(joiner) as client:
            await client.subscribe(game, presence=True)
            await until_told(client, [], 1)
            await world.join(game, 1, joiner)
            await until_told(client, [1], 0)
            await world.leave(game, 1, joiner)
            await until_told(client, [], 1)


async def test_many_who_come_together_are_told_together():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players)
        async with world.client(players[0]) as client:
            await client.subscribe(game, presence=True)
            await until_told(client, [0], 0)
            crowd = [world.client() for _ in range(30)]
            clients = [await one.__aenter__() for one in crowd]
            await asyncio.gather(*(one.subscribe(game) for one in clients))
            await until_told(client, [0], 30)
            assert len(told(client)) <= 6
            for one in crowd:
                one.drop()
            await until_told(client, [0], 0)
