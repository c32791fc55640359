"""Benches of many sockets: what an idle one costs, how fast two nodes tell a thousand, and whether memory grows.

python -m tests.benchmarks.crowds sockets [--sockets 5000]
python -m tests.benchmarks.crowds fanout_nodes [--sockets 1000] [--acts 50]
python -m tests.benchmarks.crowds soak [--minutes 10]

Servers are processes of their own, as in production but for rates; this process is their clients.
"""

import argparse
import asyncio
import contextlib
import os
import re
import resource
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvloop
from msgspec import json

from tests.benchmarks.measure import note
from tests.benchmarks.recorded import SEATS, recorded
from tests.benchmarks.serving import ENVIRON, QUIET, STARTED, Site, _act, _new_game, _sign_up
from tests.benchmarks.sockets import Caller
from tests.cluster.cluster import ROOT, Cluster, Node
from tests.services import Databases, PostgresServer, RedisServer

SETTINGS = ENVIRON | {
    "TURNLOG_SOCKETS_PER_ADDRESS_MAX": "10000",
    "TURNLOG_SOCKETS_PER_PLAYER_MAX": "10000",
    "TURNLOG_TRUSTED_PROXIES": "0",
    "TURNLOG_METRICS_OPEN": "true",
}
FILES = 16_384
KB = 1000

SOCKET_KB = 60
FANOUT_MS = 100
GROWTH = 0.02
#: Of a soak, the part before memory is measured: caches fill.
WARM_SHARE = 0.2
#: Games that a soak plays at once, and acts a second of each.
LINES, ACTS_PER_S = 16, 10


def rss(node: Node) -> int:
    """The bytes of memory that a node has."""
    assert node.process is not None
    told = Path(f"/proc/{node.process.pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", told)
    assert found is not None
    return int(found[1]) * 1024


def site_of(node: Node) -> Site:
    """A node as the clients of the other benches see it."""
    assert node.process is not None
    return Site(node.port, node.process.pid)


@contextlib.contextmanager
def lone(**settings: str) -> Iterator[Node]:
    """A server on a file."""
    with tempfile.TemporaryDirectory(prefix="turnlog-bench-") as folder:
        environment = os.environ | SETTINGS | {"TURNLOG_DATABASE": f"{folder}/log.db", "PYTHONPATH": str(ROOT)}
        node = Node(1, Path(folder), environment | settings)
        node.start()
        try:
            node.wait()
            yield node
        finally:
            node.stop()


@contextlib.contextmanager
def nodes(count: int, **settings: str) -> Iterator[Cluster]:
    """Some of them over PostgreSQL, with fsync, and Redis."""
    with (
        tempfile.TemporaryDirectory(prefix="turnlog-bench-") as folder,
        PostgresServer(durable=True) as postgres,
        RedisServer() as redis,
        Databases(postgres.dsn).one() as dsn,
        Cluster(Path(folder), count, dsn, redis.url, settings=SETTINGS | settings) as cluster,
    ):
        yield cluster


async def watch(site: Site, game: str, after: int) -> Caller:
    """A spectator's socket."""
    watcher = await site.socket()
    await watcher.say(type="subscribe", game=game, updates="effects", after=after, **QUIET)
    return watcher


async def many(site: Site, game: str, after: int, count: int) -> list[Caller]:
    """So many spectators, who come 50 at a time."""
    found: list[Caller] = []
    while len(found) < count:
        found += await asyncio.gather(*(watch(site, game, after) for _ in range(min(50, count - len(found)))))
    return found


async def idle(node: Node, count: int) -> float:
    """Bytes of the server's memory for each of so many idle, subscribed sockets."""
    site = site_of(node)
    token = await _sign_up(site)
    game = await _new_game(await site.call(token), recorded(0))
    for watcher in await many(site, game, STARTED, 200):
        watcher.wire.close()
    await asyncio.sleep(2)
    before = rss(node)
    watchers = await many(site, game, STARTED, count)
    await asyncio.sleep(2)
    each = (rss(node) - before) / count
    for watcher in watchers:
        watcher.wire.close()
    return each


def bench_sockets(given: argparse.Namespace) -> None:
    """Memory of idle sockets."""
    with lone() as node:
        each = uvloop.run(idle(node, given.sockets)) / KB
    print(
        f"{given.sockets} idle subscribed sockets: {each:.1f} KB each (aim < {SOCKET_KB} KB: {met(each < SOCKET_KB)})"
    )


async def across(cluster: Cluster, count: int, acts: int) -> list[float]:
    """Seconds from sending an act to node 1 until each of the sockets, half of them on node 2, has its event."""
    here, there = map(site_of, cluster.nodes)
    token = await _sign_up(here)
    script = recorded(0)
    game = await _new_game(await here.call(token), script)
    player = await here.socket()
    await player.say(type="hello", token=token)
    watchers = await many(here, game, STARTED, count // 2) + await many(there, game, STARTED, count - count // 2)
    came: list[float] = []
    all_came = asyncio.Event()

    def heard(_: bytes) -> None:
        came.append(time.perf_counter())
        if len(came) == len(watchers):
            all_came.set()

    for watcher in watchers:
        watcher.wire.heard = heard
    took: list[float] = []
    for number, (seat, action) in enumerate(script.answers[: acts + SEATS]):
        sent = time.perf_counter()
        player.wire.text(_act(f"{number}", game, seat, action))
        await player.next()
        async with asyncio.timeout(30):
            await all_came.wait()
        if number >= SEATS:  # the answers of the set-up have long lists of choices
            took += [at - sent for at in came]
        came.clear()
        all_came.clear()
        await asyncio.sleep(0.05)
    return took


def bench_fanout_nodes(given: argparse.Namespace) -> None:
    """Time to everybody over two nodes."""
    with nodes(2) as cluster:
        took = [1000 * one for one in uvloop.run(across(cluster, given.sockets, given.acts))]
    quantiles = statistics.quantiles(took, n=100)
    p50, p99 = quantiles[49], quantiles[98]
    aim = f"aim p99 < {FANOUT_MS} ms: {met(p99 < FANOUT_MS)}"
    print(f"act to event at {given.sockets} sockets on two nodes: p50 {p50:.0f} ms, p99 {p99:.0f} ms ({aim})")


async def soak(node: Node, minutes: float) -> list[tuple[float, int]]:
    """(seconds, memory) while games are played, watched and left again and again."""
    site, began = site_of(node), time.monotonic()
    end = began + 60 * minutes
    token = await _sign_up(site)
    playing = [asyncio.create_task(play_on(site, token, line, end)) for line in range(LINES)]
    samples = []
    while time.monotonic() < end:
        await asyncio.sleep(min(2.0, minutes))
        samples.append((time.monotonic() - began, rss(node)))
        if len(samples) % 15 == 0:
            note(f"  {samples[-1][0]:.0f} s: {samples[-1][1] / 1e6:.1f} MB")
    for count in await asyncio.gather(*playing):
        if not count:
            raise RuntimeError("a line has played nothing")
    return samples


async def play_on(site: Site, token: str, line: int, end: float) -> int:
    """Play one game after the other, each with its own sockets; how many answers."""
    count = 0
    while time.monotonic() < end:
        script = recorded((line + count) % (2 * LINES))
        maker = await site.call(token)
        game = await _new_game(maker, script)
        player = await site.socket()
        await player.say(type="hello", token=token)
        watchers = await many(site, game, STARTED, 5)
        for number, (seat, action) in enumerate(script.answers):
            if time.monotonic() > end:
                break
            player.wire.text(_act(f"{number}.{game}", game, seat, action))
            told: Any = json.decode(await player.next())
            if told["type"] != "accepted":
                raise RuntimeError(str(told))
            count += 1
            await asyncio.gather(*(watcher.next() for watcher in watchers))
            await asyncio.sleep(1 / ACTS_PER_S)
        for one in (maker, player, *watchers):
            one.wire.close()
    return count


def bench_soak(given: argparse.Namespace) -> None:
    """Growth of memory, from the end of the warm-up to the end. So few games are cached that the cache fills before."""
    with nodes(1, TURNLOG_GAMES_CACHED_MAX="100", TURNLOG_OPEN_GAMES_PER_PLAYER_MAX="1000000") as cluster:
        samples = uvloop.run(soak(cluster.nodes[0], given.minutes))
    whole = 60 * given.minutes
    warm, edge = WARM_SHARE * whole, whole / 20
    first = statistics.median([held for at, held in samples if warm <= at < warm + edge])
    last = statistics.median([held for at, held in samples if at >= whole - edge])
    growth = last / first - 1
    aim = f"aim < {GROWTH:.0%}: {met(growth < GROWTH)}"
    print(f"memory over the last {given.minutes * (1 - WARM_SHARE):g} of {given.minutes:g} minutes: ", end="")
    print(f"{first / 1e6:.1f} MB to {last / 1e6:.1f} MB, {growth:+.1%} ({aim})")


def met(holds: bool) -> str:
    """In words."""
    return "met" if holds else "missed"


def main() -> None:
    """Run the bench that is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    benches = parser.add_subparsers(required=True)
    for name, bench, sockets in (("sockets", bench_sockets, 5000), ("fanout_nodes", bench_fanout_nodes, 1000)):
        one = benches.add_parser(name)
        one.add_argument("--sockets", type=int, default=sockets)
        one.add_argument("--acts", type=int, default=50)
        one.set_defaults(bench=bench)
    one = benches.add_parser("soak")
    one.add_argument("--minutes", type=float, default=10)
    one.set_defaults(bench=bench_soak)
    given = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, FILES)), hard))
    given.bench(given)


if __name__ == "__main__":
    main()
