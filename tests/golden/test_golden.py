"""Golden games verify, and fold to the states that they were folded to when they were made, in any process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.golden.make import FOLDER, PLANS, STATES, folded

ROOT = Path(__file__).parents[2]
RECORDED = json.loads(STATES.read_text())


def test_every_golden_game_is_recorded():
    files = {str(file.relative_to(FOLDER)) for file in FOLDER.glob("*/*.ndjson")}
    assert files == set(RECORDED)
    assert files >= {f"{name}.ndjson" for name in PLANS}


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_a_golden_game_verifies_and_folds_to_its_state(name):
    assert folded((FOLDER / name).read_bytes()) == RECORDED[name]


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_golden_games_fold_alike_under_any_hash_seed(hash_seed):
    program = "import json; from tests.golden.make import all_folded; print(json.dumps(all_folded()))"
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, timeout=100, check=True
    )
    assert json.loads(told.stdout) == RECORDED
