"""TPOC-4.1.8, TPOC-4.1.9, TPOC-R13: whom an accusation may hit."""

import pytest

from games.tpoc.targets import targets


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ((0, 0, 2, 1), (2, 3)),
        ((0, 1, 2, 1), (1, 3)),
        ((0, 0, 1, 0), (2,)),
        ((3, 0, 0, 0), ()),
        ((5, 0, 0, 2), (3,)),
    ],
)
def test_the_first_seat_with_the_colour_in_each_direction(position, shown, expected):
    state = position([{"platform": {"grey": count}} for count in shown])
    assert targets(state, 0, "grey") == expected


def test_a_secret_card_is_no_target(position):
    state = position([{}, {"secret": "grey"}, {"platform": ["grey"]}])
    assert targets(state, 0, "grey") == (2,)
