"""The covering array itself: whatever two values an option each can have, some game is played with both."""

from itertools import combinations, count
from random import Random
from typing import Any

import msgspec
import pytest

from games.kernel import Ruleset
from tests.properties.options import domains_of, setting_by_pairs, setting_of_cross
from tests.properties.playouts import RULESETS

ROUND = 200  # more games than any ruleset's array has rows


def values(setting: Any) -> dict[str, Any]:
    return {"pack": setting.pack, "seats": setting.seats} | msgspec.structs.asdict(setting.options)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS.keys())
def test_any_two_values_that_go_together_meet_in_some_game(rules: Ruleset[Any]) -> None:
    games = [values(setting_by_pairs(rules, seed)) for seed in range(ROUND)]
    domains = domains_of(rules, Random(0))
    closed = {name: domain for name, domain in domains.items() if all(isinstance(one, (bool, str)) for one in domain)}
    for one, other in combinations(closed, 2):
        met = {(game[one], game[other]) for game in games}
        missing = [(a, b) for a in closed[one] for b in closed[other] if (a, b) not in met]
        assert missing == [], f"{one} and {other}"


def test_the_cross_has_every_setting_once() -> None:
    rules = RULESETS["tpoc"]
    size = 1
    for domain in domains_of(rules, Random(0)).values():
        size *= len(domain)
    settings = [setting_of_cross(rules, seed) for seed in range(size)]
    told = [msgspec.json.encode(setting) for setting in settings if setting is not None]
    assert {setting.seats for setting in settings if setting is not None} == set(rules.seats)
    assert setting_of_cross(rules, size) == setting_of_cross(rules, 0)
    assert len(set(told)) > size / 2
    assert next(seed for seed in count() if setting_of_cross(rules, seed) is not None) == 0
