"""`updates: patch`: a client that keeps the patches has the view of every version, with no rules of its own."""

import asyncio

import jsonpatch
import pytest

from tests.integration.stream.kit import running

pytestmark = pytest.mark.slow

READERS = {"spectator": -1, 0: 0, 2: 2}


async def played(world):
    """A game with undo, redo, play on another line, a rewind far back, and an end. Yields before each part."""
    players = await world.players(3)
    game = await world.create(players, undo="free")
    yield game, players
    await world.play(game, 12)
    await world.undo(game, players[0])
    yield game, players
    await world.undo(game, players[0], redo=True)
    await world.undo(game, players[1])
    await world.play(game, 6)
    version = await world.version(game)
    await world.undo(game, players[2], to=version - 5)
    yield game, players
    await world.play(game, 3)
    await world.undo(game, players[2], to=version - 1)
    await world.play(game, 2)
    await world.resign(game, players[1])
    await world.play(game, 2)
    await world.resign(game, players[0])
    yield game, players


def applied(messages, view, after):
    """The view at every version, from the patches alone."""
    views = {after: view}
    for message in messages:
        assert message["version"] == after + 1
        after = message["version"]
        view = jsonpatch.apply_patch(view, message["patch"])
        views[after] = view
    return views


async def check(oracle, reader, views):
    for version, view in views.items():
        assert view == await oracle.view(reader, version), f"version {version} as {reader}"


async def test_patches_kept_from_the_first_event_on_show_every_version_through_undo_redo_and_the_end():
    async with running() as world:
        clients = {}
        async for game, players in played(world):
            if not clients:
                for name in READERS:
                    client = clients[name] = await world.client(
                        players[name] if name != "spectator" else None
                    ).__aenter__()
                    await client.subscribe(game, after=0, updates="patch")
        oracle = await world.oracle(game)
        kinds = {event.header.kind for event in oracle.events}
        assert {"started", "acted", "rewound", "resigned", "ended"} <= kinds
        for name, reader in READERS.items():
            messages = await clients[name].until(oracle.head)
            views = applied(messages, None, 0)
            await check(oracle, reader, views)
            del views[0]
            assert views == await world.views(game, name, players[name] if name != "spectator" else None)


async def test_patches_read_from_the_log_are_those_sent_live():
    async with running() as world:
        async for game, players in played(world):
            async with world.client(players[2]) as client:
                await client.subscribe(game, after=0, updates="patch")
                head = await world.version(game)
                before = [message["patch"] for message in await client.until(head)]
        async with world.client(players[2]) as late:
            await late.subscribe(game, seat=2, after=0, updates="patch")
            after = [message["patch"] for message in await late.until(await world.version(game))]
        assert after == before
        assert any(after)


@pytest.mark.parametrize("name", READERS)
async def test_a_client_can_come_in_at_any_version_with_the_view_of_that_version(name):
    async with running() as world:
        *_, (game, players) = [part async for part in played(world)]
        oracle = await world.oracle(game)
        async with world.client(players[name] if name != "spectator" else None) as client:
            for after in range(oracle.head + 1):
                client.got.clear()
                await client.subscribe(game, seat=name, after=after, updates="patch")
                messages = await client.until(oracle.head) if after < oracle.head else []
                await check(oracle, READERS[name], applied(messages, await oracle.view(READERS[name], after), after))


async def test_after_a_snapshot_the_patches_go_on_from_its_view():
    async with running() as world:
        parts = played(world)
        game, players = await anext(parts)
        await anext(parts)
        async with world.client(players[0]) as client:
            await client.subscribe(game, updates="patch")
            snapshot = await client.next()
            async for _ in parts:
                pass
            oracle = await world.oracle(game)
            messages = await client.until(oracle.head)
        await check(oracle, 0, applied(messages, snapshot["view"], snapshot["version"]))


async def test_the_patch_of_the_end_opens_what_was_hidden():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players, ruleset="tiny")
        async with world.client(players[0]) as client:
            await client.subscribe(game, after=0, updates="patch")
            await world.play(game, 20)
            await world.resign(game, players[1])
            await world.resign(game, players[2])
            oracle = await world.oracle(game)
            views = applied(await client.until(oracle.head), None, 0)
        ended = oracle.live.meta.ended
        assert client.got[-1]["kind"] == "ended"
        assert views[ended - 1] == await oracle.view(0, ended - 1)
        assert views[ended - 1]["hands"][1] is None
        assert views[ended] == await oracle.view(-2, ended)
        assert views[ended]["hands"][1] is not None
        await check(oracle, 0, views)


async def test_whole_views_come_with_every_event_if_wanted():
    async with running() as world:
        clients = {}
        async for game, players in played(world):
            if not clients:
                for name in READERS:
                    client = clients[name] = await world.client(
                        players[name] if name != "spectator" else None
                    ).__aenter__()
                    await client.subscribe(game, after=0, updates="view")
        oracle = await world.oracle(game)
        for name, reader in READERS.items():
            messages = await clients[name].until(oracle.head)
            await check(oracle, reader, {message["version"]: message["view"] for message in messages})


async def test_a_rewind_behind_a_running_catch_up_changes_nothing_of_the_past():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players, undo="free")
        await world.play(game, 30)
        async with world.client() as client:
            subscribing = asyncio.create_task(client.subscribe(game, after=0, updates="patch"))
            await world.undo(game, players[0], to=(await world.version(game)) - 9)
            await world.play(game, 2)
            await subscribing
            oracle = await world.oracle(game)
            messages = await client.until(oracle.head)
        await check(oracle, -1, applied(messages, None, 0))
