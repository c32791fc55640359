"""What games and clients cost in bytes, and actions in messages: `python -m tests.benchmarks.footprint`.

Whole random games of TPOC are played over WebSockets, on a node over SQLite and on one over PostgreSQL, and the tables
are weighed; memory is that of a node's process over SQLite; commands to Redis are counted by Redis itself.
"""

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import psutil
import uvloop
from redis import Redis

from events.postgres_link import connect_as_owner
from tests.benchmarks.measure import note
from tests.benchmarks.recorded import recorded
from tests.benchmarks.serving import ENVIRON, PLAY_S, QUIET, Runner, Site, _act, _new_game, _sign_up, site, turnlog
from tests.cluster.cluster import Cluster
from tests.services import Databases, PostgresServer, RedisServer

WHOLE_GAMES = 12
LIVE_GAMES = 400
SPECTATORS = 1000
WEIGH = """select n.nspname || '.' || c.relname, pg_total_relation_size(c.oid) from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname in ('log', 'shell', 'models', 'audit') order by 2 desc"""


def _run(work: Coroutine[Any, Any, Any]) -> Any:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


async def _whole_games(node: Site) -> int:
    """Play games to their ends; how many actions that were."""
    count, token = 0, await _sign_up(node)
    maker, socket = await node.call(token), await node.socket()
    await socket.say(type="hello", token=token)
    for number in range(WHOLE_GAMES):
        script = recorded(number)
        game = await _new_game(maker, script)
        for turn, (seat, action) in enumerate(script.answers):
            socket.wire.text(_act(f"{turn}.{game}", game, seat, action))
            if b'"accepted"' not in (told := await socket.next()):
                raise RuntimeError(told.decode())
        count += len(script.answers)
    return count


def _tell(what: str, tables: dict[str, int], events: int, actions: int) -> None:
    print(f"\n{what}: {WHOLE_GAMES} games, {actions} actions, {events} events; bytes, and bytes an event:\n")
    for name, size in tables.items():  # but for what is small
        if size > sum(tables.values()) / 50:
            print(f"- {name}: {size:,}, {size / events:,.0f}")
    print(f"- all: {sum(tables.values()):,}, {sum(tables.values()) / events:,.0f}", flush=True)


def on_sqlite() -> None:
    """The file, table by table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.db"
        with site("-m", "server.cli", "serve", "--database", str(path), "--port", "PORT") as node:
            actions = _run(_whole_games(node))
        connection = sqlite3.connect(path)
        (events,) = connection.execute("select count(*) from events").fetchone()
        try:
            weighed = connection.execute("select name, sum(pgsize) from dbstat group by name order by 2 desc")
            tables = {name: int(size) for name, size in weighed}
        except sqlite3.OperationalError:  # this SQLite was built without dbstat
            tables = {"the file": path.stat().st_size}
        (data,) = connection.execute("select sum(length(data)) from events").fetchone()
        connection.close()
    _tell("SQLite", tables, events, actions)
    print(f"- of which the hashed bytes of events: {data:,}, {data / events:,.0f}")


def on_postgres(postgres: PostgresServer, redis: RedisServer) -> None:
    """Tables with their indexes and what is kept outside the rows."""

    async def weigh(dsn: str) -> tuple[int, dict[str, int]]:
        connection = await connect_as_owner(dsn)
        events = await connection.fetchval("select count(*) from log.events")
        rows = await connection.fetch(WEIGH)
        await connection.close()
        return events, dict(map(tuple, rows))

    with (
        tempfile.TemporaryDirectory() as folder,
        Databases(postgres.dsn).one() as dsn,
        Cluster(Path(folder), 1, dsn, redis.url, settings=ENVIRON) as cluster,
    ):
        (node,) = cluster.nodes
        actions = _run(_whole_games(_site(node)))
        events, tables = _run(weigh(dsn))
    _tell("PostgreSQL", tables, events, actions)


def _site(node: Any) -> Site:
    return Site(node.port, node.process.pid)


def in_redis(postgres: PostgresServer, redis: RedisServer) -> None:
    """Commands an action, on two nodes: one game at a time and 64, with limits of rates and without."""
    counter = Redis.from_url(redis.url)

    async def play(sites: list[Site], at_once: int) -> tuple[int, dict[str, int]]:
        runners = [Runner(one, stream=True) for one in sites]
        for runner in runners:
            await runner.prepare(at_once)
        counter.config_resetstat()
        rates = await asyncio.gather(*(_counted(runner) for runner in runners))
        stats = counter.info("commandstats")
        return sum(rates), {name.removeprefix("cmdstat_"): told["calls"] for name, told in stats.items()}

    print("\nRedis, commands an action (beats of the nodes included):\n")
    for limits, settings in (("no limits of rates", ENVIRON), ("limits of rates as they are", {})):
        with (
            tempfile.TemporaryDirectory() as folder,
            Databases(postgres.dsn).one() as dsn,
            Cluster(Path(folder), 2, dsn, redis.url, settings=settings) as cluster,
        ):
            for at_once in (1, 16):
                actions, calls = _run(play([_site(node) for node in cluster.nodes], at_once))
                told = ", ".join(f"{name} {count / actions:.2f}" for name, count in calls.items() if count > 1)
                print(f"- {limits}, {2 * at_once} games at once, {actions} actions: {told}", flush=True)


async def _counted(runner: Runner) -> int:
    """Play for a while; how many actions that were."""
    end = time.perf_counter() + PLAY_S
    counts = await asyncio.gather(*(runner._line(line, end) for line in runner._jobs))
    return sum(counts)


def in_memory() -> None:
    """Resident bytes of a node that live games, sockets, followed games and spectators add."""
    with turnlog() as node:
        for what, each in _run(_memory(node, psutil.Process(node.pid))):
            print(f"- {what}: {each / 1024:,.0f} KiB", flush=True)


async def _memory(node: Site, process: psutil.Process) -> list[tuple[str, float]]:
    await Runner(node, stream=True).prepare(16)  # so that all code has run once
    marks = [process.memory_info().rss]
    told = [("a node with nothing to do", float(marks[0]))]

    def mark(what: str, count: int) -> None:
        marks.append(process.memory_info().rss)
        told.append((what, (marks[-1] - marks[-2]) / count))

    runner = Runner(node, stream=False)
    await runner.prepare(LIVE_GAMES)
    mark("a live game at its start, with its connection for HTTP", LIVE_GAMES)
    lines = [line[0] for line in runner._jobs]
    sockets = []
    for maker, _, _ in lines:
        socket = await node.socket()
        await socket.say(type="hello", token=maker.token)
        sockets.append(socket)
    mark("a socket", LIVE_GAMES)
    for socket, (_, game, _) in zip(sockets, lines, strict=True):
        await socket.say(type="subscribe", game=game, updates="effects", **QUIET)
    mark("a game that is followed, with its one subscription", LIVE_GAMES)
    watchers = []
    for _ in range(SPECTATORS):
        socket = await node.socket()
        await socket.say(type="subscribe", game=lines[0][1], updates="effects", **QUIET)
        watchers.append(socket)
    mark("one more spectator of a game, with its socket", SPECTATORS)
    return told


def main() -> None:
    """Measure all and print it."""
    note("memory …")
    print("memory of a node's process:\n")
    in_memory()
    note("SQLite …")
    on_sqlite()
    with PostgresServer(durable=True) as postgres, RedisServer() as redis:
        note("PostgreSQL …")
        on_postgres(postgres, redis)
        note("Redis …")
        in_redis(postgres, redis)


if __name__ == "__main__":
    main()
