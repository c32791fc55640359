"""`python -m tests.simulation --seeds 0:200 [--jobs 2]`: run seeds, tell what failed and what was reached."""

import argparse
import sys
import time

from tests.simulation.options import drawn
from tests.simulation.run import Totals, run_seeds


def main(words):
    """Run; the exit status is 1 if a seed failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", default="0:200", help="from:to (without `to`), or one seed")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--actions", type=int, help="requests of clients a seed, in place of what the seed draws")
    parser.add_argument("--options", action="store_true", help="tell the options of each seed")
    given = parser.parse_args(words)
    first, colon, last = given.seeds.partition(":")
    seeds = range(int(first), int(last) if colon else int(first) + 1)
    totals, began = Totals(), time.monotonic()
    for result in run_seeds(seeds, given.jobs, given.actions):
        totals.add(result)
        if given.options:
            print(drawn(result.seed, given.actions).told())
        if given.options or len(seeds) == 1:
            print(f"seed {result.seed}: {result.acted} requests, {result.events} events, trace {result.trace[:16]}")
        if result.failure:
            print(result.failure, flush=True)
    print(f"{totals.told()}\n{time.monotonic() - began:.0f} s")
    return 1 if totals.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
