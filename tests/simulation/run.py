"""Running seeds: one, many, in several processes."""

import gc
import time
import traceback
import warnings

from msgspec import Struct

from tests.simulation.ears import listening
from tests.simulation.options import drawn
from tests.simulation.world import Failure, World


class Result(Struct, frozen=True):
    """What became of a seed. `failure`: the report, or empty."""

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
    """Run one seed; `change`: options to change by hand."""
    with warnings.catch_warnings():
        # Of processes that died before they began with it.
        warnings.filterwarnings("ignore", "coroutine .* was never awaited", RuntimeWarning)
        return _run(drawn(seed, actions), change)


def _run(options, change):
    if change is not None:
        options = change(options)
    began = time.process_time()
    gc.disable()  # so that nothing is collected at a time that depends on the runs before
    world = World(options)
    failure = ""
    try:
        with listening(world):
            world.run()
    except Failure as found:
        failure = report(world, found)
    finally:
        gc.enable()
    return Result(
        seed=options.seed,
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


def report(world, found):
    """All that helps to find out."""
    cause = found.__cause__
    where = "".join(traceback.format_exception(cause)[-12:]) if cause is not None else ""
    lines = "\n  ".join(world.last)
    seed = world.options.seed
    return (
        f"seed {seed}: {found}\nat {world.loop.time():.6f} s, callback {world.loop.callbacks}\n"
        f"options: {world.options.told()}\nlast of the trace:\n  {lines}\n{where}"
        f"again: python -m tests.simulation --seeds {seed}"
    )
