"""Contests: what is ours and what it is held against, measured turn by turn in the same run, and their table.

A rate is always "so many a second": more is better. Machines differ and are shared, so the ratio is the result: it is
taken round by round, from two measurements next to each other, and its median is what counts.
"""

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

Measure = Callable[[], float]


@dataclass
class Contest:
    """One row of the table. `aim`: the least ratio, `aim_rate`: the least rate (None: no aim, or no peer)."""

    name: str
    unit: str
    ours: Measure
    peer_name: str = ""
    peer: Measure | None = None
    aim: float | None = None
    aim_rate: float | None = None
    rates: list[float] = field(default_factory=list)
    peers: list[float] = field(default_factory=list)

    def run(self) -> None:
        """One round."""
        self.rates.append(self.ours())
        if self.peer is not None:
            self.peers.append(self.peer())

    @property
    def ratios(self) -> list[float]:
        """Ours divided by the peer's, for each round."""
        return [ours / peer for ours, peer in zip(self.rates, self.peers, strict=False)]


HEAD = "| what | ours | against | theirs | ratio (least–most) | aim |\n|---|--:|---|--:|--:|---|"


def row(contest: Contest) -> str:
    """The contest's line in the table, from the medians."""
    ours = statistics.median(contest.rates)
    theirs = f"{statistics.median(contest.peers):,.0f}" if contest.peers else ""
    ratio = ""
    if contest.peers:
        low, *_, high = sorted([*contest.ratios, *contest.ratios])
        ratio = f"{statistics.median(contest.ratios):.2f} ({low:.2f}–{high:.2f})"
    verdicts = []
    if contest.aim is not None:
        verdicts.append(_verdict(f"≥ {contest.aim:g} ×", met=statistics.median(contest.ratios) >= contest.aim))
    if contest.aim_rate is not None:
        verdicts.append(_verdict(f"≥ {contest.aim_rate:,.0f}/s", met=ours >= contest.aim_rate))
    told = f"{contest.name} ({contest.unit}/s)"
    return f"| {told} | {ours:,.0f} | {contest.peer_name} | {theirs} | {ratio} | {', '.join(verdicts)} |"


def _verdict(aim: str, *, met: bool) -> str:
    return f"{aim}: {'met' if met else 'missed'}"


def compete(contests: list[Contest], rounds: int) -> None:
    """Run all of one bench, round by round, and print their lines."""
    for number in range(rounds):
        for contest in contests:
            note(f"  {contest.name}, round {number + 1} of {rounds}")
            contest.run()
    for contest in contests:
        print(row(contest), flush=True)


def note(line: str) -> None:
    """Progress, beside the table."""
    print(line, file=sys.stderr, flush=True)


def rate(work: Callable[[], int], clock: Callable[[], float] = time.perf_counter) -> float:
    """How many a second, of a piece of work that gives how many it did."""
    start = clock()
    count = work()
    return count / (clock() - start)


def computed(work: Callable[[], int]) -> float:
    """The same for work that waits for nothing, in seconds of this process: others on the machine do not count."""
    return rate(work, time.process_time)


@contextmanager
def timed(clock: Callable[[], float]) -> Iterator[Callable[[], float]]:
    """The seconds that the block took (or has taken so far)."""
    start = clock()
    end: list[float] = []
    yield lambda: (end[0] if end else clock()) - start
    end.append(clock())
