"""Section 4.6: what a drawn leader does, row by row."""

import pytest

from games.tpoc.leaders import Ruling, rule

KEEPS = {"tied_owner_keeps_leader": True}


@pytest.mark.parametrize(
    ("shown", "holder", "options", "expected"),
    [
        ((0, 1, 4), None, {}, Ruling("endorsed", 2)),
        ((2, 2, 0), None, {}, Ruling("abstained")),
        ((0, 0, 0), None, {}, Ruling("abstained")),
        ((1, 4, 2), 1, {}, Ruling("stayed", 1)),
        ((2, 4, 0), 0, {}, Ruling("moved", 1, 0)),
        ((3, 3, 1), 0, {}, Ruling("left", loser=0)),
        ((0, 0, 0), 0, {}, Ruling("left", loser=0)),
        ((3, 3, 1), 0, KEEPS, Ruling("stayed", 0)),
        ((1, 3, 3), 0, KEEPS, Ruling("left", loser=0)),
    ],
)
def test_the_rows_of_the_leader_procedure(position, shown, holder, options, expected):
    seats = [{"platform": {"red": count}} for count in shown]
    if holder is not None:
        seats[holder]["leaders"] = ["red"]
    assert rule(position(seats, options), "red") == expected
