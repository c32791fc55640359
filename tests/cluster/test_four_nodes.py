"""One game at whose table nobody is on the node of another, and what is left of it when three of four nodes die."""

import asyncio
import re
from contextlib import AsyncExitStack

import httpx
import pytest

from server.services import Services
from server.settings import Settings
from tests.cluster.cluster import Cluster
from tests.cluster.heads import check_signed
from tests.integration.hardening.crash_kit import Ledger, Streamer, Web
from tests.integration.hardening.test_crash_kill import check_log, check_logged

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

NODES = 4
SEATS = 3
#: Actions that are taken on four nodes, and after each death.
ACTIONS = 12
SEED = 20261202
SETTINGS = {"TURNLOG_REDIS_PREFIX": "four", "TURNLOG_HEAD_INTERVAL_S": "0.2"}


async def sockets_of(cluster):
    """How many sockets each node has that lives."""
    counts = []
    async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
        for node in cluster.nodes:
            if node.process is not None:
                told = (await client.get(f"{node.address}/metrics")).text
                counts.append(int(float(re.search(r"^turnlog_stream_sockets (\S+)$", told, re.MULTILINE)[1])))
    return counts


async def seated(cluster, ledger, parts):
    """Three players and the game at whose seats they are."""
    webs = [await parts.enter_async_context(Web(cluster.port, ledger)) for _ in range(SEATS)]
    for web in webs:
        await web.sign_up()
    wanted = {"ruleset": "tpoc", "seats": ["me", *["open"] * (SEATS - 1)]}
    game = (await webs[0].command("POST", "/v1/games", wanted)).json()["game"]
    for seat, web in enumerate(webs[1:], 1):
        await web.command("POST", f"/v1/games/{game}/seats/{seat}", {})
    ledger.games.append(game)
    return game, webs


async def until(holds):
    """Wait until something is so; the timeout of the test is the limit."""
    while not holds():  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(0.02)


async def connected(group, streamers):
    """Start clients one after the other: the proxy gives each the node that has the fewest."""
    for streamer in streamers:
        streamer.task = group.create_task(streamer.run())
        await until(lambda streamer=streamer: streamer.resumed)


async def followed(ledger, game, streamers):
    """All have heard of all that was answered."""
    head = max(one.version for one in ledger.acked)
    await until(lambda: all(streamer.versions[game] >= head for streamer in streamers))


async def test_seats_and_spectator_on_four_nodes_play_on_when_three_of_them_die(
    tmp_path, postgres_dsn, redis, anyio_backend
):
    ledger = Ledger()
    with Cluster(tmp_path, NODES, postgres_dsn, redis, settings=SETTINGS) as cluster:
        async with AsyncExitStack() as parts, asyncio.TaskGroup() as group:
            game, webs = await seated(cluster, ledger, parts)
            players = [
                Streamer(cluster.port, ledger, web.player, web.token, SEED + seat, seat=seat)
                for seat, web in enumerate(webs)
            ]
            everybody = [*players, Streamer(cluster.port, ledger)]
            await connected(group, everybody)
            assert await sockets_of(cluster) == [1] * NODES
            for streamer in everybody:
                await streamer.follow(game)
            await ledger.acks(ACTIONS)
            for node in cluster.nodes[1:]:
                node.kill()
                before = len(ledger.acked)
                await ledger.acks(ACTIONS)
            owners = {web.player for web in webs}
            await until(lambda: {one.player for one in ledger.acked[before:]} == owners)
            await followed(ledger, game, everybody)
            assert await sockets_of(cluster) == [NODES]
            for streamer in everybody:
                streamer.task.cancel()
        assert cluster.nodes[0].stop() == 0
    assert [streamer.resumed for streamer in everybody].count(1) == 1  # whose node lives
    check_logged(tmp_path / "node-1.log")
    services = Services.open(Settings(database=postgres_dsn))
    await services.prepare()
    await services.runner.catch_up()
    await check_signed(services)
    await check_log(services.database, services.store, ledger)
