"""Where the store should commit: in the event loop or in a thread of its own.

Run from the project's root, in about 50 s:

    python -m tests.benchmarks.store_writer [--seconds 0.5] [--rounds 2]

Games append one event after another, each with a command, in a closed loop; beside them the loop is idle, half busy or
saturated by slices of 1 ms. `disk` is added to each commit as a sleep, which lets go of the GIL as a real fsync does.
`lag` is how much later than asked for a sleeping task wakes up: what the writer costs everybody else. Rounds
interleave; medians are printed.
"""

import argparse
import asyncio
import contextlib
import itertools
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from queue import SimpleQueue

from events.sqlite import SqliteStore
from events.sqlite_file import SqliteFile, _answer, _Pending
from tests.integration.store_kit import a_command, an_append, sealed

SLICE_S = 0.001
RESPONSE = b"x" * 500
WRITERS = {"loop": None, "thread, 0.2 ms": 0.0002, "thread, 5 ms": 0.005}  # the interpreter's switch interval
LOADS = ("idle", "half busy", "saturated")
GAMES = (1, 64)
DISKS_S = (0.0, 0.002)


class LoopDatabase(SqliteFile):
    """The database as it is, on a disk that is slower by `disk_s`."""

    disk_s = 0.0

    def _transact(self, batch):
        if not self.disk_s:
            return super()._transact(batch)
        disk = _Pending(lambda _: time.sleep(self.disk_s), None)
        return super()._transact([*batch, disk])[:-1]


class ThreadDatabase(LoopDatabase):
    """The same in a thread, which takes all that waits, commits it, and wakes the loop once for it."""

    def __init__(self, path):
        self._jobs = SimpleQueue()
        opened = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(path, opened))
        self._thread.start()
        opened.wait()

    def _run(self, path, opened):
        super().__init__(path)
        opened.set()
        while (job := self._jobs.get()) is not None:
            batch = [job]
            while len(batch) < self._limits.batch_max and not self._jobs.empty():
                batch.append(self._jobs.get())
            outcomes = self._transact(batch)
            job.outcome.get_loop().call_soon_threadsafe(self._answer_all, batch, outcomes)
        self._files.close()

    def _answer_all(self, batch, outcomes):
        for pending, outcome in zip(batch, outcomes, strict=True):
            _answer(pending, outcome)

    async def write(self, work):
        pending = _Pending(work, asyncio.get_running_loop().create_future())
        self._jobs.put(pending)
        result, error = await pending.outcome
        if error is not None:
            raise error
        return result

    def migrate(self, name, statements):
        """The file has its tables already."""

    async def close(self):
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)


async def play(store, game, until, taken):
    """Append to one game until the time is over; the seconds that each append took go to `taken`."""
    event = None
    while (start := time.perf_counter()) < until:
        (event,) = sealed(game, 1, event)
        command = a_command(f"{game}:{event.header.version}", response=RESPONSE)
        await store.append(an_append((event,), command=command))
        taken.append(time.perf_counter() - start)


async def burn(pause_s):
    """Keep the loop busy in slices, with pauses of `pause_s` between them."""
    while True:
        end = time.perf_counter() + SLICE_S
        while time.perf_counter() < end:
            pass
        await asyncio.sleep(pause_s)


async def wake(lags):
    while True:
        start = time.perf_counter()
        await asyncio.sleep(SLICE_S)
        lags.append(time.perf_counter() - start - SLICE_S)


async def measure(store, games, load, seconds):
    """Appends a second; p50 and p99 of an append, p99 of the lag, in ms."""
    taken, lags = [], []
    beside = [asyncio.ensure_future(wake(lags))]
    if load != "idle":
        beside.append(asyncio.ensure_future(burn(SLICE_S if load == "half busy" else 0)))
    start = time.perf_counter()
    await asyncio.gather(*(play(store, f"game-{n}", start + seconds, taken) for n in range(games)))
    elapsed = time.perf_counter() - start
    for task in beside:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
    return len(taken) / elapsed, *(1000 * quantile(*of) for of in ((taken, 0.5), (taken, 0.99), (lags, 0.99)))


def quantile(values, part):
    return sorted(values)[int(part * len(values))] if values else float("nan")


async def run(writer, games, load, disk_s, seconds):
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        path = Path(folder) / "log.db"
        await SqliteStore(SqliteFile(path)).close()
        sys.setswitchinterval(WRITERS[writer] or 0.005)
        database = (LoopDatabase if WRITERS[writer] is None else ThreadDatabase)(path)
        database.disk_s = disk_s
        store = SqliteStore(database)
        try:
            return await measure(store, games, load, seconds)
        finally:
            await store.close()
            sys.setswitchinterval(0.005)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    cells = list(itertools.product(DISKS_S, GAMES, LOADS, WRITERS))
    results = {cell: [] for cell in cells}
    for _ in range(given.rounds):
        for disk_s, games, load, writer in cells:
            results[disk_s, games, load, writer].append(asyncio.run(run(writer, games, load, disk_s, given.seconds)))
    print("| disk | games | loop | writer | appends/s | p50 ms | p99 ms | lag p99 ms |\n|" + "---|" * 8)
    for (disk_s, games, load, writer), rounds in results.items():
        rate, p50, p99, lag = (statistics.median(column) for column in zip(*rounds, strict=True))
        print(
            f"| +{1000 * disk_s:g} ms | {games} | {load} | {writer} | {rate:,.0f} | {p50:.2f} | {p99:.2f} | {lag:.2f} |"
        )


if __name__ == "__main__":
    main()
