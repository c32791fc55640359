"""One server on SQLite and one cluster of two nodes for all scenarios; each leaves them as it found them."""

import asyncio
import resource
from types import SimpleNamespace

import pytest

from tests.cluster.cluster import ROOT, Cluster, Node
from tests.services import Databases, PostgresServer, RedisServer
from tests.sockets.kit import SETTINGS, remote

FILES = 16_384


def pytest_collection_modifyitems(items):
    """Servers in processes of their own take their time."""
    for item in items:
        if "tests/sockets" in str(item.path):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session", autouse=True)
def many_files():
    """Servers that are started from here may open as many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, FILES)), hard))


def environment(**settings):
    """Of a server's process. No variable of the outer one that might be a setting."""
    return {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), **SETTINGS, **settings}


@pytest.fixture(scope="session")
def lone_node(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lone")
    node = Node(1, folder, environment(TURNLOG_DATABASE=str(folder / "log.db")))
    node.start()
    node.wait()
    node.figures = figures_of(node)
    yield node
    node.stop()


@pytest.fixture(scope="session")
def backing():
    """`postgres`, `redis`, `dsn`: they may be killed. Without fsync, as the machine is not killed with them."""
    with PostgresServer() as postgres, RedisServer() as redis, Databases(postgres.dsn).one() as dsn:
        yield SimpleNamespace(postgres=postgres, redis=redis, dsn=dsn)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory, backing):
    settings = SETTINGS | {
        "TURNLOG_RATE_TALK_PLAYER_PER_MIN": "20",
        "TURNLOG_DATABASE_PATIENCE_S": "2",
        "TURNLOG_LEASE_S": "3",
    }
    with Cluster(tmp_path_factory.mktemp("cluster"), 2, backing.dsn, backing.redis.url, settings=settings) as made:
        for node in made.nodes:
            node.figures = figures_of(node)
        yield made


def figures_of(node):
    """The figures of a node that is at rest."""

    async def ask():
        async with remote(node) as (site,):
            await site.deal()
            await asyncio.sleep(0.3)
            return await site.figures()

    return asyncio.run(ask())


@pytest.fixture
async def site(lone_node):
    """The server on SQLite."""
    async with remote(lone_node) as (made,):
        yield made
        await made.settled(lone_node.figures)


@pytest.fixture
async def nodes(cluster):
    """Both nodes of the cluster, running."""
    async with remote(*cluster.nodes) as made:
        yield made
        for node, one in zip(cluster.nodes, made, strict=True):
            await one.settled(node.figures)
