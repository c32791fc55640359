"""What the log costs over plain inserts: durable appends a second on PostgreSQL at 64 games, and pgbench beside it.

Run from the project's root, in about a minute:

    python -m tests.benchmarks.postgres_writer [--seconds 5] [--rounds 3] [--games 64]

A private PostgreSQL with fsync is started from the wheel. Ours: one node, each game appends one event with its command
after another, through the whole store. Theirs: pgbench with as many clients, each of which inserts one row of the same
bytes after another, a transaction each, into a table with the same indexes as `events`. The ratio is the result.
"""

import argparse
import asyncio
import os
import subprocess
import time

from events.migrations import migrate
from events.postgres import PostgresStore
from events.postgres_pool import PostgresPool
from tests.benchmarks.measure import HEAD, Contest, compete
from tests.benchmarks.store_writer import play, quantile
from tests.integration.store_kit import sealed
from tests.services import Databases, PostgresServer, execute

AIM = 0.25
AIM_RATE = 5000

PLAIN = """
create table plain(
  position bigserial unique, game text not null, version bigint not null, kind text not null, data bytea not null,
  digest bytea not null, primary key (game, version));
create sequence versions;
"""
INSERT = r"""
insert into plain(game, version, kind, data, digest)
values ('game-' || :client_id, nextval('versions'), 'acted', '\x{data}', '\x{digest}');
"""


class Ours:
    """The store on a database of its own, of this process's event loop."""

    def __init__(self, databases, games, seconds):
        self.databases, self.games, self.seconds = databases, games, seconds
        self.taken = []

    def __call__(self):
        with self.databases.one() as dsn:
            return asyncio.run(self._measure(dsn))

    async def _measure(self, dsn):
        await migrate(dsn, {})
        pool = PostgresPool(dsn)
        await pool.open()
        store = PostgresStore(pool)
        start = time.perf_counter()
        taken = []
        await asyncio.gather(*(play(store, f"game-{n}", start + self.seconds, taken) for n in range(self.games)))
        elapsed = time.perf_counter() - start
        assert await store.head() == len(taken)
        await store.close()
        self.taken += taken
        return len(taken) / elapsed


class Pgbench:
    """Plain inserts by as many clients."""

    def __init__(self, server, databases, clients, seconds):
        self.server, self.databases, self.clients, self.seconds = server, databases, clients, seconds

    def __call__(self):
        (event,) = sealed("game", 1)
        script = self.server.folder / "insert.sql"
        script.write_text(INSERT.format(data=event.data.hex(), digest=event.digest.hex()))
        with self.databases.one() as dsn:
            asyncio.run(execute(dsn, PLAIN))
            command = [self.server.programs / "pgbench", "-n", "-M", "prepared", "-f", script, "-c", self.clients]
            command += ["-j", os.cpu_count(), "-T", self.seconds, dsn]
            done = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
        (line,) = [line for line in done.stdout.splitlines() if line.startswith("tps = ")]
        return float(line.split()[2])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=64)
    given = parser.parse_args()
    with PostgresServer(durable=True) as server:
        databases = Databases(server.dsn)
        ours = Ours(databases, given.games, given.seconds)
        plain = Pgbench(server, databases, given.games, given.seconds)
        name = f"durable appends, {given.games} games, one node"
        peer = f"pgbench, plain inserts, {given.games} clients"
        print(HEAD)
        compete([Contest(name, "append", ours, peer, plain, aim=AIM, aim_rate=AIM_RATE)], given.rounds)
    p50, p99 = (1000 * quantile(ours.taken, part) for part in (0.5, 0.99))
    print(f"\nan append took {p50:.1f} ms (p50), {p99:.1f} ms (p99)")


if __name__ == "__main__":
    main()
