"""The covering array itself: whatever two values an option each can have, some game is played with both."""

from itertools import combinations, product
from math import prod
from random import Random
from typing import Any

import msgspec
import pytest

from games.kernel import PositionError, Ruleset, Setting
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


def test_the_cross_comes_to_every_setting_that_goes_together() -> None:
    rules = RULESETS["tpoc"]
    domains = domains_of(rules, Random(0))
    size = prod(map(len, domains.values()))
    met = {msgspec.json.encode(setting_of_cross(rules, seed)) for seed in range(size)}
    for row in product(*domains.values()):
        given = dict(zip(domains, row, strict=True))
        pack, seats = given.pop("pack"), given.pop("seats")
        setting = Setting(pack, seats, msgspec.convert(given, rules.options))
        try:
            rules.check_setting(setting)
        except PositionError:
            continue
        assert msgspec.json.encode(setting) in met
    assert setting_of_cross(rules, size) == setting_of_cross(rules, 0)
