"""The guess of TPOC: a chance, and better for more."""

import pytest

from games.kernel import Setting
from games.tpoc import RULES as TPOC
from games.tpoc.evaluate import evaluate, expected_votes
from tests.properties.playouts import play


def at(position):
    return TPOC.position.load(position, Setting(next(iter(TPOC.shelf)), 3, TPOC.options()), "new")


@pytest.mark.parametrize("seed", range(6))
def test_the_chances_of_all_seats_are_one(seed):
    game = play(TPOC, seed)
    for version in range(0, len(game.acts), 5):
        state = game.state(version)
        chances = [evaluate(state, seat) for seat in range(state.seat_count)]
        assert all(0 <= chance <= 1 for chance in chances)
        if len(state.resigned) < state.seat_count:
            assert sum(chances) == pytest.approx(1)
        assert all(chances[seat] == 0 for seat in state.resigned)


SEATS = {"0": {"platform": ["red", "blue"]}, "1": {"platform": ["red", "blue"]}, "2": {"platform": ["green", "grey"]}}


@pytest.mark.parametrize(
    "better",
    [
        {"platform": ["red", "red", "blue"]},
        {"leaders": ["red"]},
        {"hand": ["red"]},
        {"secret": "blue", "secret_played": True},
    ],
    ids=lambda better: next(iter(better)),
)
def test_more_is_better(better):
    base = at({"phase": "play", "board": {"red/blue": 2}, "seats": SEATS})
    state = at({"phase": "play", "board": {"red/blue": 2}, "seats": {**SEATS, "0": SEATS["0"] | better}})
    assert evaluate(base, 0) == evaluate(base, 1)
    assert evaluate(state, 0) > evaluate(base, 0) > evaluate(state, 1)


def test_without_both_colours_a_seat_expects_nothing_of_a_villager():
    seats = {"0": {"platform": ["red", "red", "red"]}, "1": {"platform": ["red", "blue"]}}
    state = at({"phase": "election", "ballot": ["red/blue"], "seats": seats})
    assert expected_votes(state) == [0, 1, 0]


def test_villagers_won_and_leaders_held_are_votes():
    seats = {"0": {"won": {"red/blue": 2}}, "1": {"leaders": ["red"]}}
    assert expected_votes(at({"phase": "election", "seats": seats})) == [2, 1, 0]
