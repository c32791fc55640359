"""kill -9 of nodes, of PostgreSQL and of Redis at random moments, under load: what was told is kept, exactly once."""

import asyncio
from collections import Counter

import pytest

from events import migrations
from server.services import Services
from server.settings import Settings
from tests.cluster.cluster import free_port, is_ready
from tests.cluster.heads import check_signed, shared_key
from tests.cluster.proxy import Proxy
from tests.integration.hardening.crash_child import Servers
from tests.integration.hardening.test_crash_kill import check_log, check_logged, told_of, under_load
from tests.services import PostgresServer, RedisServer

pytestmark = [pytest.mark.slow, pytest.mark.timeout(7200)]

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

    def revive(self):
        """Start nodes again that found no PostgreSQL at their start, and so ended: whatever runs nodes does that."""
        for node in self.nodes:
            if not node.runs():
                assert node.stop() == 1
                node.start()

    async def kill(self, chance):
        """Kill one, and start it again: a node at once, a server beneath the nodes after a moment."""
        self.revive()
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
        for (
            node
        ) in self.nodes:  # one that found no PostgreSQL at its start has ended: whatever runs nodes starts it again
            if not node.runs():
                assert node.stop() == 1
                node.start()


async def test_nothing_told_is_lost_or_done_twice_whatever_is_killed(tmp_path, request, beneath, anyio_backend):
    crashes = request.config.getoption("--crashes")
    postgres, redis = beneath
    await migrations.migrate(postgres.dsn, Services.open(Settings(database=postgres.dsn)).database.rooms)
    settings = {"database": postgres.dsn, "redis": redis.url, "trusted_proxies": 1, "snapshot_events": 16}
    settings |= {"heads_key": str(shared_key(tmp_path)), "head_interval_s": 0.1}
    settings |= {"subscriptions_max": 10_000}  # a long run plays hundreds of games, which are followed to its end
    nodes = [Servers(tmp_path, f"node-{number}", **settings) for number in range(1, NODES + 1)]
    proxy = Proxy(tmp_path, free_port(), [node.port for node in nodes])
    victims = Victims(nodes, postgres, redis)
    proxy.start()
    for node in nodes:
        node.start()
    ledger, streamers = await under_load(proxy.port, TABLES, crashes, victims.kill)
    victims.revive()
    while not all(is_ready(node.port) for node in nodes):  # noqa: ASYNC110 - as a proxy asks; the test's timeout ends it
        await asyncio.sleep(0.05)
    assert [node.stop() for node in nodes] == [0] * NODES
    proxy.stop()
    for node in nodes:
        check_logged(node.log, EXPECTED)
    assert victims.killed.total() == crashes
    assert min(streamer.resumed for streamer in streamers) > 1
    services = Services.open(Settings(database=postgres.dsn))
    await services.prepare()
    await services.runner.catch_up()  # the last node may have had no time for it
    await check_signed(services)
    await check_log(services.database, services.store, ledger)
    print(f"{dict(victims.killed)} killed, {told_of(ledger, streamers)}")  # noqa: T201 - shown with -s
