"""kill -9 of nodes, of PostgreSQL and of Redis at random moments, under load: what was told is kept, exactly once."""

import asyncio
import random
from collections import Counter

import pytest

from events import migrations
from server.services import Services
from server.settings import Settings
from tests.cluster.cluster import free_port
from tests.cluster.proxy import Proxy
from tests.integration.hardening.crash_child import Servers
from tests.integration.hardening.crash_kit import Ledger, Streamer
from tests.integration.hardening.test_crash_kill import caught_up, check_log, check_logged, check_repeats, table
from tests.services import PostgresServer, RedisServer

pytestmark = [pytest.mark.slow, pytest.mark.timeout(7200)]

SEED = 20261201
NODES = 2
TABLES = 3
#: Of so many kills one is of PostgreSQL, and one of Redis.
RARELY = 12
#: What nodes log as an error while the servers beneath them are away.
EXPECTED = {"feed_failed"}


@pytest.fixture(scope="module")
def beneath():
    """A PostgreSQL that is as durable as in earnest, and a Redis."""
    with PostgresServer(durable=True) as postgres, RedisServer() as redis:
        yield postgres, redis


class Victims:
    """All that can be killed, and how often each was."""

    def __init__(self, nodes, postgres, redis):
        self.nodes, self.postgres, self.redis = nodes, postgres, redis
        self.killed = Counter()

    async def kill(self, chance):
        """Kill one, and start it again: a node at once, a server beneath the nodes after a moment."""
        drawn = chance.randrange(RARELY)
        if drawn > 1:
            node = chance.choice(self.nodes)
            node.kill()
            node.start()
            self.killed["node"] += 1
            return
        server = (self.postgres, self.redis)[drawn]
        self.killed[type(server).__name__] += 1
        server.kill()
        await asyncio.sleep(chance.random())
        server.start()


async def test_nothing_told_is_lost_or_done_twice_whatever_is_killed(tmp_path, request, beneath, anyio_backend):
    crashes = request.config.getoption("--crashes")
    chance, (postgres, redis) = random.Random(SEED), beneath
    await migrations.migrate(postgres.dsn, Services.open(Settings(database=postgres.dsn)).database.rooms)
    ledger = Ledger()
    nodes = [
        Servers(
            tmp_path, f"node-{number}", database=postgres.dsn, redis=redis.url, trusted_proxies=1, snapshot_events=16
        )
        for number in range(1, NODES + 1)
    ]
    proxy = Proxy(tmp_path, free_port(), [node.port for node in nodes])
    victims = Victims(nodes, postgres, redis)
    proxy.start()
    for node in nodes:
        node.start()
    watcher = Streamer(proxy.port, ledger)
    streamers = [watcher]
    async with asyncio.TaskGroup() as group:
        watcher.task = group.create_task(watcher.run())
        tables = [group.create_task(table(proxy.port, ledger, streamers, group, n)) for n in range(TABLES)]
        await ledger.acks(2 * TABLES)
        for _ in range(crashes):
            before = len(ledger.acked)
            await ledger.acks(chance.choice((0, 0, 1, 1, 2, 3, 5, 8, 13)))
            await asyncio.sleep(chance.random() * 0.05)
            await victims.kill(chance)
            await check_repeats(ledger, before)
        await ledger.acks(10)
        await caught_up(ledger, streamers)
        for client in [*tables, *(streamer.task for streamer in streamers)]:
            client.cancel()
    assert [node.stop() for node in nodes] == [0] * NODES
    proxy.stop()
    for node in nodes:
        check_logged(node.log, EXPECTED)
    assert victims.killed.total() == crashes
    assert min(streamer.resumed for streamer in streamers) > 1
    services = Services.open(Settings(database=postgres.dsn))
    await services.prepare()
    await services.runner.catch_up()  # the last node may have had no time for it
    await check_log(services.database, services.store, ledger)
    resent = sum(client.resent for client in (*streamers, *ledger.webs))
    told = f"{len(ledger.acked)} answers, {len(ledger.told)} versions told, {len(ledger.games)} games"
    print(f"{dict(victims.killed)} killed, {told}, {resent} requests sent again")  # noqa: T201 - shown with -s
