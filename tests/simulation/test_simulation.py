"""Runs of the simulation: the ordinary seeds, those that have failed once, and proof that the checkers can fail."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.options import drawn
from tests.simulation.planted import FAULTS
from tests.simulation.run import Totals, run_seed, run_seeds

ROOT = Path(__file__).parents[2]

#: What a good many of the ordinary seeds must come to, or they prove little.
IMPORTANT = (
    "a bot acted",
    "a clock went back",
    "a clock went forth",
    "a conflict was decided again",
    "a connection was left half open",
    "a game was ended",
    "a game was given up",
    "a game was rewound",
    "a key was used again for something else",
    "a key was used again for the same",
    "a lease changed hands",
    "a lease was everybody's, since the bus was away",
    "a node could not start",
    "a node died",
    "a node died at the commit",
    "a node died with a write on its way",
    "a node was stopped in good order",
    "a pause was used up",
    "a player came back for a bot",
    "a player was told that the seat is another's now",
    "a proposal was taken back",
    "a request arrived twice",
    "a resent command got the first answer again",
    "a resent command had met a crash between commit and answer",
    "a seat ran out of time",
    "a seat was claimed to be out of time",
    "a seat was offered",
    "a seat went on vacation",
    "a slow reader was cut off",
    "a slow reader was given the newest view",
    "a socket resumed on another node or another life",
    "a socket was told that its node stops",
    "a spectator was told of what others had known before",
    "a subscription was put off",
    "a substitute sat down",
    "a vacation was over",
    "all agreed to go on",
    "all agreed to pause",
    "an answer was lost",
    "an unknown outcome: it was never tried",
    "an unknown outcome: it was tried late, after the caller was told",
    "an unknown outcome: it was written",
    "consent to a rewind was given or refused",
    "nobody answered a proposal in time",
    "nobody answered a request to rewind in time",
    "somebody was against a proposal",
    "the bus lost a message",
    "the bus was away for minutes",
    "the feed found in the log what the bus had lost",
)

#: So many seeds are ordinary. Their runs are shorter than those of more seeds, which nobody waits for.
ORDINARY, ORDINARY_ACTIONS = 200, 60

#: A planted fault is found within so many short runs.
SOON = 25


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_ordinary_seeds_find_nothing_and_reach_everything(request):
    seeds = request.config.getoption("--seeds")
    totals, failures = Totals(), []
    actions = ORDINARY_ACTIONS if seeds <= ORDINARY else None
    for result in run_seeds(range(seeds), jobs=min(2, os.cpu_count() or 1), actions=actions):
        totals.add(result)
        failures += [result.failure] if result.failure else []
    sys.stdout.write(totals.told())
    assert not failures, "\n\n".join(failures)
    if seeds >= ORDINARY:
        assert [name for name in IMPORTANT if not totals.reached[name]] == []


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_seeds_that_have_failed_once_do_not_fail_again():
    lines = (Path(__file__).parent / "once_failed.txt").read_text().splitlines()
    seeds = [int(line.split()[0]) for line in lines if not line.startswith("#")]
    assert [result.failure for result in run_seeds(seeds, actions=ORDINARY_ACTIONS) if result.failure] == []


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_planted_fault_is_found_soon(fault):
    with fault():
        assert any(run_seed(seed, actions=60).failure for seed in range(SOON))


#: Runs that were not the same under another PYTHONHASHSEED, when presence was looked at in the order of a set.
ONCE_DIFFERENT = (111,)

TELL = """
from tests.simulation.run import run_seed
for seed in {seeds}:
    told = run_seed(seed, actions=60)
    print(seed, told.trace, told.callbacks)
"""


@pytest.mark.slow
def test_a_seed_is_the_same_run_in_every_process():
    told = set()
    for hash_seed in ("1", "3"):
        line = TELL.format(seeds=(7, *ONCE_DIFFERENT))
        environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", line], env=environment, cwd=ROOT, check=True, capture_output=True, text=True
        )
        told.add(done.stdout)
    assert len(told) == 1
    assert len(told.pop().splitlines()) == 1 + len(ONCE_DIFFERENT)


def test_another_seed_is_another_run():
    assert run_seed(7, actions=20).trace != run_seed(8, actions=20).trace


def test_a_seed_with_the_actions_that_it_draws_given_is_the_same_as_without():
    assert [drawn(seed, drawn(seed).actions) for seed in range(20)] == [drawn(seed) for seed in range(20)]
