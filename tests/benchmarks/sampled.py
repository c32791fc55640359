"""`python -m tests.benchmarks.sampled FILE ARGUMENTS…`: runs `turnlog ARGUMENTS…` and writes where its CPU time went.

SIGUSR1 starts it, a second one ends it. A timer of processor time interrupts the main thread; which function was at
work is counted. What C does counts for the Python function that called it. The file gets flat lists.
"""

import signal
import sys
from collections import Counter
from pathlib import Path
from types import FrameType

from server.cli import main as turnlog

EVERY_S = 0.002
SHOWN = 15

at_work: Counter[str] = Counter()
under: Counter[str] = Counter()


def note(_: int, frame: FrameType | None) -> None:
    """Count one sample: the function at work, and once each package that is on the stack."""
    if frame is None:
        return
    at_work[_name(frame)] += 1
    seen: set[str] = set()
    while frame is not None:
        seen.add(_name(frame))
        frame = frame.f_back
    under.update(seen)


def _name(frame: FrameType) -> str:
    path = frame.f_code.co_filename
    for root in ("site-packages/", f"{Path.cwd()}/", "python3.11/"):
        path = path.rpartition(root)[2]
    return f"{path}:{frame.f_code.co_qualname}"


def table() -> str:
    """The lists as text."""
    total = max(at_work.total(), 1)
    lines = [f"\nwhere a node's CPU goes, {total} samples; by itself:\n"]
    lines += [f"{100 * count / total:5.1f} %  {name}" for name, count in at_work.most_common(SHOWN)]
    lines += ["\nwith all that it calls:\n"]
    lines += [f"{100 * count / total:5.1f} %  {name}" for name, count in under.most_common(4 * SHOWN)]
    return "\n".join(lines)


def turn(*_: object) -> None:
    """Start the timer, or stop it."""
    every = 0 if signal.getitimer(signal.ITIMER_PROF)[0] else EVERY_S
    signal.setitimer(signal.ITIMER_PROF, every, every)


def main() -> None:
    """Run the server under the timer."""
    told, *arguments = sys.argv[1:]
    sys.argv = ["turnlog", *arguments]
    signal.signal(signal.SIGPROF, note)
    signal.signal(signal.SIGUSR1, turn)
    try:
        turnlog()
    finally:
        Path(told).write_text(table())


if __name__ == "__main__":
    main()
