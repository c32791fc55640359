"""TPOC-R29: the ruling says in advance what the list of legal actions would be: empty."""

from itertools import product

from games.kernel import legal
from games.tpoc.ruleset import RULES
from games.tpoc.steps import MainAction
from games.tpoc.stuck import is_stuck

PLATFORMS = [{"red": 7}, {"red": 6}, {"red": 6, "blue": 1}]
HANDS = [{"red": 6}, {"red": 5, "blue": 1}, {"red": 5}]
BOARDS = [[], ["blue/grey"]]
POTS = [
    [],
    ["blue/grey"],
    ["red/grey"],
    ["blue/grey", "blue/grey", "blue/green"],
    ["blue/grey", "blue/grey", "red/grey"],
]
BAGS = [[], ["chef"]]


def test_a_seat_is_stuck_exactly_when_nothing_is_legal(position):
    found = set()
    for platform, hand, secret, board, pot, bag in product(PLATFORMS, HANDS, ("blue", None), BOARDS, POTS, BAGS):
        seat = {"platform": platform, "hand": hand, "secret": secret}
        state = position([seat, {}, {}], board=board, pot=pot, bag=bag, bag_exact=True)
        state.agenda = [MainAction(seats=(0,))]
        assert is_stuck(state, 0) == (legal(RULES, state, 0) == []), (seat, board, pot, bag)
        found.add(is_stuck(state, 0))
    assert found == {True, False}
