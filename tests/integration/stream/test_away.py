"""What a log that is away, or a fault of ours, does to sockets: no more than it must."""

import pytest

from events.feed import Moved
from events.store import StoreFailed
from server.worker import Worker
from tests.integration.stream.kit import running

pytestmark = pytest.mark.slow


async def away(*_, **__):
    raise StoreFailed("away")


async def test_a_log_that_is_away_for_a_moment_ends_no_subscription(monkeypatch):
    async with running() as world:
        game = await world.create(await world.players(3))
        async with world.client() as client:
            await client.subscribe(game)
            monkeypatch.setattr(world.services.store, "read", away)
            head = await world.version(game) + 1
            world.services.feed.announce(Moved(game, head, 0))  # without the events, which are then read
            assert (await client.ask("ping"))["type"] == "pong"
            monkeypatch.undo()
            await world.play(game, 1)
            told = await client.first("event", "unsubscribed")
            assert (told["type"], told["version"]) == ("event", head)


async def test_a_heartbeat_while_the_database_is_away_closes_no_socket(monkeypatch):
    async with running(heartbeat_s=0.05) as world:
        player = await world.player("ann")
        async with world.client(player) as client:
            asked = []

            async def holder(token):
                asked.append(token)
                raise StoreFailed("away")

            monkeypatch.setattr(world.services.records, "holder", holder)
            await world.until(lambda: len(asked) > 2)
            assert (await client.ask("ping"))["type"] == "pong"
            assert (await client.subscribe("any"))["problem"]["code"] == "unavailable"
            monkeypatch.undo()
            assert (await client.subscribe("any"))["problem"]["code"] == "not_found"


async def test_a_token_that_cannot_be_looked_up_is_told_as_unavailable(monkeypatch):
    async with running() as world:
        player = await world.player("ann")
        async with world.client(hello=False) as client:
            monkeypatch.setattr(world.services.records, "caller", away)
            told = await client.ask("hello", token=world.tokens[player])
            assert (told["type"], told["problem"]["code"]) == ("refused", "unavailable")


async def test_a_game_that_cannot_be_opened_for_a_moment_is_told_as_unavailable(monkeypatch):
    async with running() as world:
        game = await world.create(await world.players(3))
        async with world.client() as client:
            monkeypatch.setattr(Worker, "_open", away)
            assert (await client.subscribe(game))["problem"]["code"] == "unavailable"
            monkeypatch.undo()
            assert (await client.subscribe(game))["type"] == "subscribed"


async def test_a_subscription_that_cannot_read_what_it_missed_is_ended_as_unavailable(monkeypatch):
    async with running() as world:
        game = await world.create(await world.players(3))
        head = await world.version(game)
        async with world.client() as first, world.client() as second:
            await first.subscribe(game)  # the game is followed already
            monkeypatch.setattr(world.services.store, "read", away)
            await second.subscribe(game, after=0)
            told = await second.first("unsubscribed", "event")
            assert told["problem"]["code"] == "unavailable"
            monkeypatch.undo()
            await second.subscribe(game, after=0)
            assert [one["version"] for one in await second.until(head)] == list(range(1, head + 1))


async def test_a_fault_of_ours_closes_with_a_code_that_says_to_come_back(monkeypatch):
    async with running(heartbeat_s=0.05) as world:
        player = await world.player("ann")
        async with world.client(player) as client:

            async def holder(_):
                raise RuntimeError("a fault")

            monkeypatch.setattr(world.services.records, "holder", holder)
            assert await client.closed() == 1011
            assert client.got[-1]["retry_after"] >= 1
        await world.until(lambda: len(world.services.hub.sockets) == 0)
