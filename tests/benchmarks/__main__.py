"""All benches, or those that are named: `python -m tests.benchmarks [--rounds 5] [name ...]`."""

import argparse
import os
import platform
import time
from collections.abc import Callable

from tests.benchmarks import decoding, nodes, playing, serving
from tests.benchmarks.measure import HEAD, note

BENCHES: dict[str, Callable[[int], None]] = {
    "fold": decoding.bench_fold,
    "library": decoding.bench_library,
    "open": decoding.bench_open,
    "playouts": playing.bench_playouts,
    "length": playing.bench_length,
    "websocket": serving.bench_websocket,
    "rest": serving.bench_rest,
    "fanout": serving.bench_fanout,
    "nodes": nodes.bench_nodes,
}


def main() -> None:
    """Run them and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(BENCHES))
    given = parser.parse_args()
    unknown = set(given.names) - set(BENCHES)
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(BENCHES)}")
    load = os.getloadavg()[0]
    print(
        f"Python {platform.python_version()}, {os.cpu_count()} CPUs, load {load:.1f}, {given.rounds} rounds\n\n{HEAD}"
    )
    for name in given.names or BENCHES:
        note(f"{name} …")
        start = time.perf_counter()
        BENCHES[name](given.rounds)
        note(f"{name}: {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
