"""Whatever happens to a pack, it is refused as packs are, or can be played with."""

from random import Random

import pytest

from games.portland_occupied_zone.ruleset import RULES
from tests.unit.portland_occupied_zone.fuzz import accepted, mutant, play_two

REFUSED, PLAYED = 60, 8


@pytest.fixture(autouse=True)
def shelf(house: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The packs made here are gone afterwards."""
    for kept in ("_packs", "_sources", "_names"):
        monkeypatch.setattr(RULES.shelf, kept, dict(getattr(RULES.shelf, kept)))


@pytest.mark.slow
def test_a_pack_with_faults_is_good_or_refused_as_packs_are() -> None:
    good = [accepted(mutant(Random(seed))) is not None for seed in range(REFUSED)]
    assert 0 < sum(good) < REFUSED


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(PLAYED))
def test_what_is_accepted_can_be_played_with(seed: int) -> None:
    chance = Random(f"played {seed}")
    digest = next(filter(None, (accepted(mutant(chance)) for _ in range(100))))
    assert play_two(digest, seed) > 0
