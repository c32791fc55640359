"""After `subscribe {after: n}` come n+1, n+2 … without gap or repeat, whatever happens in between."""

import asyncio
import random

import pytest

from tests.integration.stream.kit import running, without_texts

pytestmark = pytest.mark.slow


def versions(messages):
    return [message["version"] for message in messages]


async def test_a_subscription_resumes_from_every_version_and_goes_on_live():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players)
        await world.play(game, 25)
        head = await world.version(game)
        clients = []
        for after in range(head + 1):
            client = await world.client(players[after % 3]).__aenter__()
            told = await client.subscribe(game, after=after, updates=("effects", "view", "patch")[after % 3])
            assert (told["after"], told["version"]) == (after, head)
            clients.append((after, client))
        await world.play(game, 3)
        for after, client in clients:
            assert versions(await client.until(head + 3)) == list(range(after + 1, head + 4))
            await client.__aexit__()


async def test_without_after_the_newest_view_comes_first_and_then_what_is_new():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players)
        await world.play(game, 5)
        head = await world.version(game)
        async with world.client() as client:
            told = await client.subscribe(game)
            snapshot = await client.next()
            assert (told["reader"], told["updates"], told["after"]) == ("spectator", "effects", head)
            assert (snapshot["type"], snapshot["version"]) == ("snapshot", head)
            oracle = await world.oracle(game)
            assert snapshot["view"] == await oracle.view(-1, head)
            assert snapshot["digest"] == oracle.events[-1].digest.hex()
            await world.play(game, 2)
            assert versions(await client.until(head + 2)) == [head + 1, head + 2]


async def test_a_client_that_drops_and_comes_back_while_others_play_misses_nothing():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players)
        playing = asyncio.create_task(world.play(game))
        chance = random.Random(11)
        kept, drops = [], 0
        while not kept or kept[-1]["kind"] != "ended":
            async with world.client(players[1]) as client:
                await client.subscribe(game, after=len(kept))
                for _ in range(1 + chance.randrange(6)):
                    if not kept or kept[-1]["kind"] != "ended":
                        kept.append(await client.first("event"))
                drops += 1
        await playing
        oracle = await world.oracle(game)
        assert drops > 10
        assert versions(kept) == list(range(1, oracle.head + 1))
        for message in kept:
            told = without_texts(message)
            expected = oracle.event(1, message["version"])
            assert {name: told[name] for name in expected} == expected


async def test_the_newest_event_says_what_may_be_done_and_older_ones_do_not():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players)
        await world.play(game, 10)
        head = await world.version(game)
        player, seat, actions = await world.choices(game)
        async with world.client(player) as client:
            await client.subscribe(game, after=0)
            events = await client.until(head)
        assert ["decisions" in event for event in events] == [False] * (head - 1) + [True]
        own = next(decision for decision in events[-1]["decisions"] if decision["seat"] == seat)
        assert own["total"] == len(actions)
        assert [offered["action"] for offered in own["actions"]] == actions[: len(own["actions"])]
        assert all("text" in offered["label"] for offered in own["actions"])


async def test_a_version_that_the_game_does_not_have_is_refused():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players)
        head = await world.version(game)
        async with world.client() as client:
            told = await client.subscribe(game, after=head + 1)
            assert (told["type"], told["problem"]["code"], told["problem"]["version"]) == ("refused", "invalid", head)


async def test_a_second_subscription_as_the_same_reader_takes_the_place_of_the_first():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players)
        head = await world.version(game)
        async with world.client() as client:
            await client.subscribe(game)
            await client.subscribe(game, after=head, updates="patch")
            await world.play(game, 1)
            events = await client.until(head + 1)
            assert ["patch" in event for event in events] == [True]


async def test_one_socket_follows_many_games_and_many_readers_of_one():
    async with running() as world:
        alone, *others = await world.players(3)
        shared = await world.create([alone, *others])
        own = await world.create([alone, "bot:random", "bot:random"])
        async with world.client(alone) as client:
            await client.subscribe(shared, after=0)
            await client.subscribe(shared, after=0, seat="spectator")
            await client.subscribe(own, after=0)
            await world.play(shared, 3)
            head = await world.version(shared)

            def of(game, reader):
                return [
                    m["version"]
                    for m in client.got
                    if (m.get("game"), m.get("reader"), m["type"]) == (game, reader, "event")
                ]

            while not (of(shared, 0)[-1:] == of(shared, "spectator")[-1:] == [head] and len(of(own, 0)) >= 4):
                await client.next()
            assert of(shared, 0) == of(shared, "spectator") == list(range(1, head + 1))
            assert of(own, 0) == list(range(1, len(of(own, 0)) + 1))


async def test_who_comes_later_gets_a_later_snapshot():
    async with running() as world:
        game = await world.create(await world.players(3))
        async with world.client() as early, world.client() as late:
            await early.subscribe(game)
            first = await early.next()
            await world.play(game, 2)
            head = await world.version(game)
            await early.until(head)
            await late.subscribe(game)
            second = await late.next()
            assert (second["version"], second["view"]) == (head, await (await world.oracle(game)).view(-1, head))
            assert second["version"] == first["version"] + 2
