"""Bench `nodes`: the whole server over PostgreSQL and Redis, on one node and on two, and what bounds it.

Nodes are processes on this machine (tests/cluster), clients talk to them directly over WebSockets. Beside one node:
pgbench with as many clients, that insert rows of the same bytes (postgres_writer); one node over SQLite; and two nodes.
Below the table stand the seconds of CPU that each process used for a second of the clock, and with `PROFILE` set in
the environment where the node's went, sampled.
"""

import asyncio
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import uvloop

from tests.benchmarks.measure import Contest, compete
from tests.benchmarks.postgres_writer import Pgbench
from tests.benchmarks.serving import ENVIRON, Runner, Site, site, turnlog
from tests.cluster.cluster import Cluster
from tests.services import Databases, PostgresServer, RedisServer

GAMES = 64
PGBENCH_S = 3
#: Ours against plain inserts, and two nodes against one.
AIM, AIM_RATE = 0.25, 5000
AIM_TWO = 1.2


@dataclass
class Beneath:
    """What nodes stand on, and what each part used: seconds of CPU a second, and actions for one of those."""

    postgres: PostgresServer
    redis: RedisServer
    used: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def processes(self, cluster: Cluster) -> dict[str, list[psutil.Process]]:
        """The processes of each part, children included."""
        parts = {f"node {number}": [node.process.pid] for number, node in enumerate(cluster.nodes, 1) if node.process}
        parts |= {
            "PostgreSQL": [self.postgres.process.pid],
            "Redis": [self.redis.process.pid],
            "clients": [os.getpid()],
        }
        return {name: [psutil.Process(pid) for pid in pids] for name, pids in parts.items()}


def _seconds(processes: Sequence[psutil.Process]) -> float:
    family = [*processes, *(child for one in processes for child in one.children(recursive=True))]
    if processes[0].pid == os.getpid():
        family = list(processes)
    times = [one.cpu_times() for one in family if one.is_running()]
    return sum(time_.user + time_.system for time_ in times)


@contextmanager
def _cluster(beneath: Beneath, count: int) -> Iterator[Cluster]:
    with (
        tempfile.TemporaryDirectory() as folder,
        Databases(beneath.postgres.dsn).one() as dsn,
        Cluster(Path(folder), count, dsn, beneath.redis.url, settings=ENVIRON) as cluster,
    ):
        yield cluster


async def _play(sites: Sequence[Site], watch: Callable[[], None] = lambda: None) -> float:
    """Durable actions a second on all sites together, which share the games evenly."""
    runners = [Runner(site, stream=True) for site in sites]
    for runner in runners:
        await runner.prepare(GAMES // len(sites))
    watch()
    rates = await asyncio.gather(*(runner.play() for runner in runners))
    watch()
    return sum(rate for rate, _ in rates)


def _run(work: Any) -> float:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return float(runner.run(work))


def _nodes(beneath: Beneath, count: int) -> float:
    """One measurement on a new database."""
    with _cluster(beneath, count) as cluster:
        parts = beneath.processes(cluster)
        marks: list[tuple[float, dict[str, float]]] = []

        def watch() -> None:
            marks.append((time.perf_counter(), {name: _seconds(those) for name, those in parts.items()}))

        rate = _run(_play([Site(node.port, node.process.pid) for node in cluster.nodes if node.process], watch))
    (began, before), (ended, after) = marks
    for name, seconds in after.items():
        told = f"{count} node{'s' * (count > 1)}: {name}"
        share = max((seconds - before[name]) / (ended - began), 0.001)
        beneath.used.setdefault(told, []).append((share, rate / share))
    return rate


def _on_sqlite() -> float:
    with turnlog() as node:
        return _run(_play([node]))


def bench_nodes(rounds: int) -> None:
    """One node against plain inserts and against SQLite, two nodes against one."""
    with PostgresServer(durable=True) as postgres, RedisServer() as redis:
        beneath = Beneath(postgres, redis)
        ones: list[float] = []

        def one() -> float:
            ones.append(_nodes(beneath, 1))
            return ones[-1]

        def same() -> float:
            return ones[-1]

        plain = Pgbench(postgres, Databases(postgres.dsn), GAMES, PGBENCH_S)
        name = f"durable actions, {GAMES} games"
        compete(
            [
                Contest(f"{name}, one node", "actions", one, "pgbench, plain inserts", plain, AIM, AIM_RATE),
                Contest(f"{name}, one node", "actions", same, "one node on SQLite", _on_sqlite),
                Contest(f"{name}, two nodes", "actions", lambda: _nodes(beneath, 2), "one node", same, AIM_TWO),
            ],
            rounds,
        )
        print("\ncores used, and actions (of all nodes) for a second of that CPU:\n")
        for told, used in beneath.used.items():
            shares, rates = zip(*used, strict=True)
            print(f"- {told}: {statistics.median(shares):.2f}, {statistics.median(rates):,.0f}")
        print(f"- this machine has {os.cpu_count()} CPUs; its load is now {os.getloadavg()[0]:.1f}")
        if os.environ.get("PROFILE"):
            print(_profile(beneath))


def _profile(beneath: Beneath) -> str:
    """Where the processor time of one node goes: the functions that were at work most often, as a list."""
    with tempfile.TemporaryDirectory() as folder, Databases(beneath.postgres.dsn).one() as dsn:
        told = Path(folder) / "samples"
        settings = {"TURNLOG_DATABASE": dsn, "TURNLOG_REDIS": beneath.redis.url}
        migrate = [sys.executable, "-m", "server.cli", "db", "migrate"]
        subprocess.run(migrate, env=os.environ | settings, check=True, stdout=subprocess.DEVNULL)
        with site("-m", "tests.benchmarks.sampled", str(told), "serve", "--port", "PORT", settings=settings) as node:
            _run(_play([node], lambda: os.kill(node.pid, signal.SIGUSR1)))
        return told.read_text()
