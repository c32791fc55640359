"""PostgreSQL away and back: refused clearly, nothing that was acknowledged lost, and every socket still there."""

import asyncio

import pytest

from tests.sockets.kit import crowd, got_all, problem, start


@pytest.fixture
async def postgres(nodes, backing):
    """To be killed and started; in the end both nodes are ready."""
    yield backing.postgres
    if backing.postgres.process is None:
        await start(backing.postgres)
    await ready(nodes)


async def ready(nodes):
    async with asyncio.timeout(40):
        for node in nodes:
            while not (await node.send("GET", "/health/ready")).is_success:  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.1)


async def answered(client, wish):
    """The answer to an act that is sent until somebody knows one."""
    while True:
        told = await client.ask("act", **wish)
        if told["type"] == "accepted" or problem(told) != "unavailable":
            return told
        await asyncio.sleep(0.05)


async def test_an_act_while_postgresql_is_away_is_unavailable_and_goes_through_when_it_is_back(nodes, postgres):
    a, b = nodes
    table = await a.deal()
    async with table.follower() as here, table.on(b).follower() as there:
        seat, action = await table.owed()
        head = await table.version()  # which both have, else they may still be reading the log
        await asyncio.gather(got_all(here, table.game, head), got_all(there, table.game, head))
        wish = {"id": "again", "game": table.game, "seat": seat, "action": action, "if_version": "*"}
        postgres.kill()
        told = await asyncio.gather(here.ask("act", **wish), there.ask("act", **wish))
        assert {problem(one) for one in told} == {"unavailable"}
        await start(postgres)
        await ready(nodes)
        told = await here.ask("act", **wish)
        assert (told["type"], told["version"]) == ("accepted", head + 1)
        assert await there.ask("act", **wish) == told
        for client in (here, there):
            assert await got_all(client, table.game, head + 1) == list(range(1, head + 2))


async def test_figures_tell_that_the_log_is_away_and_nothing_old_of_it(nodes, postgres):
    of_the_log = "turnlog_signed_head_events"
    for node in nodes:
        assert of_the_log in await node.figures()
    postgres.kill()
    for node in nodes:
        told = await node.until(lambda now: now['turnlog_ready{check="log"}'] == 0)
        assert of_the_log not in told
    await start(postgres)
    for node in nodes:
        await node.until(lambda now: now['turnlog_ready{check="log"}'] == 1 and of_the_log in now)


async def test_sockets_outlive_a_postgresql_that_is_away_for_several_heartbeats(nodes, postgres):
    a, b = nodes
    table = await a.deal()
    async with table.follower() as here, table.on(b).follower() as there:
        head = await table.version()  # else they may still be reading the log, which ends them when it is away
        await asyncio.gather(got_all(here, table.game, head), got_all(there, table.game, head))
        postgres.kill()
        async with asyncio.timeout(30):
            for _ in range(9):  # longer than a token is believed, and a heartbeat
                await asyncio.sleep(1)
                for client in (here, there):
                    assert (await client.ask("ping"))["type"] == "pong"
        await start(postgres)
        await ready(nodes)
        head = await table.act()
        await asyncio.gather(got_all(here, table.game, head), got_all(there, table.game, head))


async def test_who_comes_while_postgresql_is_away_is_not_told_that_the_token_is_none(nodes, postgres):
    a, b = nodes
    table = await a.deal()
    by_header = {"additional_headers": {"Authorization": f"Bearer {table.token}"}}
    postgres.kill()
    for node in nodes:
        async with node.socket(hello=False) as client:
            assert problem(await client.ask("hello", token="tl_" + "a" * 43)) == "unavailable"
    async with asyncio.timeout(20):
        while True:
            await asyncio.sleep(0.5)
            async with b.socket(hello=False, **by_header) as client:
                await client.send("ping")
                told = await client.first("pong", "refused", "closing")
                if told["type"] != "pong":  # else it is still believed
                    break
    assert told["type"] == "refused", told
    assert problem(told) == "unavailable"
    await start(postgres)
    await ready(nodes)
    async with a.socket(table.token) as client:
        assert client.welcome["type"] == "welcome"


async def test_kill_9_of_postgresql_under_load_of_both_nodes_loses_and_doubles_nothing(nodes, postgres):
    tables = [await nodes[0].deal() for _ in range(6)]
    accepted = {table.game: [] for table in tables}
    stop = asyncio.Event()

    async def play(number, table):
        at = table.on(nodes[number % 2])
        async with at.site.socket(at.token) as client:
            turn = 0
            while not stop.is_set():
                try:
                    seat, action = await at.owed()
                except AssertionError:  # away
                    await asyncio.sleep(0.05)
                    continue
                wish = {"id": f"{number}-{turn}", "game": at.game, "seat": seat, "action": action, "if_version": "*"}
                told = await answered(client, wish)
                if told["type"] == "accepted":
                    accepted[at.game].append((told["version"], told["digest"]))
                turn += 1

    def enter():
        return nodes[1].socket()

    async with crowd(enter, 6) as watchers:
        for table, watcher in zip(tables, watchers, strict=True):
            await watcher.subscribe(table.game, after=0)
        playing = [asyncio.create_task(play(number, table)) for number, table in enumerate(tables)]
        for _ in range(2):
            await asyncio.sleep(0.5)
            postgres.kill()
            await asyncio.sleep(0.5)
            await start(postgres)
        await ready(nodes)
        await asyncio.sleep(0.5)
        stop.set()
        await asyncio.gather(*playing)
        for table, watcher in zip(tables, watchers, strict=True):
            events = await nodes[0].events(table.game, table.token)
            assert [event["version"] for event in events] == list(range(1, len(events) + 1))
            stored = [(event["version"], event["digest"]) for event in events if event["kind"] == "acted"]
            assert accepted[table.game] == stored
            await got_all(watcher, table.game, len(events))
    assert all(accepted.values())
