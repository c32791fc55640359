"""Running seeds: one, and many in several processes."""

import gc
import time
import traceback
import warnings
from collections import Counter
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context

from msgspec import Struct

from tests.simulation.ears import listening
from tests.simulation.options import drawn
from tests.simulation.rulesets import catalogue
from tests.simulation.world import Failure, World

#: A child takes so many seeds at once, and ends after so many times: what its runs left (12 MB each) goes with it,
#: which takes less time than to collect it.
CHUNK, CHUNKS = 4, 5


class Result(Struct, frozen=True):
    """What became of a seed. `failure`: the report, or empty. `acted`: requests of clients that were settled."""

    seed: int
    failure: str
    trace: str
    acted: int
    accepted: int
    events: int
    virtual_s: float
    callbacks: int
    cpu_s: float
    reached: dict[str, int]


def run_seed(seed, actions=None, change=None):
    """Run one seed; `change`: makes other options of those drawn."""
    options = drawn(seed, actions)
    catalogue()
    with _undisturbed():
        began = time.process_time()
        world = World(change(options) if change is not None else options)
        failure = ""
        try:
            with listening(world):
                world.run()
        except Failure as found:
            failure = report(world, found)
        return Result(
            seed=seed,
            failure=failure,
            trace=world.trace,
            acted=world.acted_count,
            accepted=world.accepted_count,
            events=len(world.truth.all_rows()),
            virtual_s=world.loop.time(),
            callbacks=world.loop.callbacks,
            cpu_s=time.process_time() - began,
            reached=world.reached.times,
        )


def run_seeds(seeds, jobs=1, actions=None):
    """The results of many seeds, as they come."""
    one = partial(run_seed, actions=actions)
    if jobs == 1:
        yield from map(one, seeds)
        return
    catalogue()
    gc.collect()
    gc.freeze()  # what the children share is not looked through by them
    with get_context("fork").Pool(jobs, initializer=gc.disable, maxtasksperchild=CHUNKS) as pool:
        yield from pool.imap_unordered(one, seeds, chunksize=CHUNK)


class Totals:
    """What many results come to."""

    def __init__(self):
        self.seeds = self.acted = self.accepted = self.events = 0
        self.cpu_s = self.virtual_s = 0.0
        self.failed = []
        self.reached = Counter()

    def add(self, result):
        """One more."""
        self.seeds += 1
        self.acted += result.acted
        self.accepted += result.accepted
        self.events += result.events
        self.cpu_s += result.cpu_s
        self.virtual_s += result.virtual_s
        self.reached.update(result.reached.keys())
        if result.failure:
            self.failed.append(result.seed)

    def told(self):
        """All of it, for people."""
        reached = "\n".join(f"  {times:6} {name}" for name, times in sorted(self.reached.items()))
        return (
            f"{self.seeds} seeds, {len(self.failed)} failed {self.failed or ''}\n"
            f"{self.acted} requests settled, {self.accepted} of them carried out, {self.events} events, "
            f"{self.virtual_s:.0f} virtual s, {self.acted / max(self.cpu_s, 1e-9):.0f} requests a second of CPU\n"
            f"reached in so many seeds:\n{reached}"
        )


@contextmanager
def _undisturbed():
    """Nothing is collected at a time that depends on the runs before; what a dead process left is no news."""
    collecting = gc.isenabled()
    if collecting and not gc.get_freeze_count():
        gc.collect()
        gc.freeze()  # what is there before the first run stays: to look through it after each run would take long
    gc.disable()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "coroutine .* was never awaited", RuntimeWarning)
        try:
            yield
        finally:
            if collecting:
                gc.enable()
                gc.collect()


def report(world, found):
    """All that helps to find out."""
    cause = found.__cause__
    where = "".join(traceback.format_exception(cause)[-12:]) if cause is not None else ""
    lines = "\n  ".join(world.last)
    seed = world.options.seed
    return (
        f"seed {seed}: {found}\nat {world.loop.time():.6f} s, callback {world.loop.callbacks}\n"
        f"options: {world.options.told()}\nlast of the trace:\n  {lines}\n{where}"
        f"again: python -m tests.simulation --seeds {seed} --actions {world.options.actions}"
    )
