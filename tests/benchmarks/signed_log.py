"""What signing and proving cost in a large log: `python -m tests.benchmarks.signed_log [EVENTS]`."""

import asyncio
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from events.heads import Head
from events.merkle import check_consistency, check_inclusion
from events.notes import PrivateKey
from events.sqlite import ADD_EVENT, SqliteStore
from events.sqlite_file import SqliteFile
from events.tree import Tree

#: An event of a game takes about so many bytes.
EVENT_BYTES = 600
FILLED_AT_ONCE = 50_000
PROOFS = 300


def digest(position: int) -> bytes:
    return position.to_bytes(32, "big")


async def fill(database: SqliteFile, events: int) -> None:
    for first in range(1, events + 1, FILLED_AT_ONCE):
        last = min(first + FILLED_AT_ONCE, events + 1)
        rows = [("g", n, "acted", b"x" * EVENT_BYTES, digest(n)) for n in range(first, last)]
        await database.write_now(lambda connection, rows=rows: connection.executemany(ADD_EVENT, rows))


async def timed(name: str, asked, times: int = 1) -> None:
    """Ask so often and print how much of a processor an answer took."""
    taken = []
    for _ in range(times):
        began = time.process_time()
        await asked()
        taken.append(1000 * (time.process_time() - began))
    most = f", at most {max(taken):,.1f} ms" if times > 1 else ""
    print(f"{name}: {statistics.median(taken):,.1f} ms{most}")


async def measure(events: int, file: Path) -> None:
    database = SqliteFile(file)
    SqliteStore(database)
    tree, drawn, key = Tree(database), random.Random(7), PrivateKey("bench", bytes(32))
    await fill(database, events)
    await timed("hash all events once", lambda: tree.grow(events))
    root = await tree.root(events)
    old = events * 2 // 3
    old_root = await tree.root(old)

    async def sign() -> None:
        key.sign(Head("bench", events, await tree.root(events)).text)

    async def inclusion() -> None:
        position = drawn.randint(1, events)
        check_inclusion(digest(position), position - 1, events, await tree.inclusion(position, events), root)

    async def consistency() -> None:
        check_consistency(old, events, old_root, root, await tree.consistency(old, events))

    await timed("root and signature", sign, PROOFS)
    await timed("proof of an event, made and checked", inclusion, PROOFS)
    await timed("proof between two sizes, made and checked", consistency, PROOFS)
    await timed("hash the newest 100,000 events anew (start)", lambda: tree.recheck(events - 100_000, events))
    kept = await database.read("select count(*) from tree_nodes")
    print(f"hashes kept: {kept[0][0]:,}")
    await database.close()


def main() -> None:
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(events, Path(folder) / "log.db"))


if __name__ == "__main__":
    main()
