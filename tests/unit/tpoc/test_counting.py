"""Section 4.9: how one villager votes."""

import pytest

from games.tpoc.counting import vote

VOID = {"both_colours": "void"}


@pytest.mark.parametrize(
    ("platforms", "options", "why", "winner"),
    [
        ([{"red": 4, "orange": 1}, {"red": 1, "orange": 2}, {"orange": 5}], {}, "most", 0),
        ([{"red": 5}, {"red": 1, "orange": 2}, {"red": 1, "orange": 1}], {}, "most", 1),
        ([{"red": 5}, {"red": 1, "orange": 2}, {"red": 1, "orange": 1}], VOID, "none_eligible", None),
        ([{"red": 4}, {"red": 2, "orange": 2}, {}], VOID, "most", 1),
        ([{"red": 3, "orange": 1}, {"red": 2, "orange": 2}, {"red": 6}], {}, "dominant", 0),
        ([{"red": 2, "orange": 2}, {"red": 2, "orange": 2}, {}], {}, "tied", None),
        ([{"red": 4}, {"orange": 4}, {}], {}, "none_eligible", None),
    ],
)
def test_the_steps_of_the_count(position, platforms, options, why, winner):
    state = position([{"platform": platform} for platform in platforms], options)
    result = vote(state, "red/orange", range(3))
    assert (result.why, result.winner, result.breaker) == (why, winner, None)


def test_a_holder_outside_the_tie_is_asked_but_not_if_it_has_resigned(position):
    seats = [{"platform": ["red", "red", "blue"]}, {"platform": ["red", "blue", "blue"]}, {"leaders": ["red"]}, {}]
    asked = vote(position(seats), "red/blue", range(4))
    assert (asked.why, asked.breaker, asked.tied, asked.totals) == ("leader", 2, (0, 1), (3, 3, 0, 0))
    seats[2]["resigned"] = True
    assert vote(position(seats), "red/blue", range(4)).winner == 0
