"""What a ruleset declares of its options holds: where they are exact, `check` lets every one of them pass."""

import pytest

from games.kernel import decisions
from tests.properties.playouts import RULESETS, is_legal, playouts

POSITIONS = 1500


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_exact_options_are_all_legal(ruleset):
    rules, tested = RULESETS[ruleset], 0
    for game in playouts(rules, POSITIONS, 0):
        for version in game.looked:
            state = game.state(version)
            for decision in decisions(state):
                for kind in (rules.action_types[tag] for tag in decision.step.menu):
                    for action in kind.options(state, decision.seat) if kind.exact else ():
                        assert is_legal(rules, state, decision.seat, action), (game.seed, version, action)
                        tested += 1
    assert tested or not any(kind.exact for kind in rules.action_types.values())
