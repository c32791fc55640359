"""The matchers: what fits, what does not, and how a difference reads."""

import pytest

from server.cases.match import ABSENT, Difference, differences, matches, pair_off, unequal

FITS = [
    ({"a": 1}, {"a": 1, "b": 2}),
    ({"a": {"b": [1, {"c": 2}]}}, {"a": {"b": [1, {"c": 2, "d": 3}]}}),
    (["grey", "red", "grey"], {"grey": 2, "red": 1}),
    (["grey", "red", "grey"], {"red": 1, "grey": 2, "blue": 0}),
    ([], {}),
    ([], {"grey": 0}),
    ({}, {"grey": 2}),
    ({"grey": 2}, {"grey": 2, "red": 1}),
    ({"blue": 0}, {"grey": 2}),
    ({"grey": 2}, ["grey", "red", "grey"]),
    ({"1": {"hand": 3}}, [{"hand": 1}, {"hand": 3}]),
    ({"$len": 3}, {"grey": 2, "red": 1}),
    ({"$len": 2}, [{"a": 1}, {"a": 2}]),
    ({"$has": ["red"]}, {"grey": 2, "red": 1}),
    ({"$has": [{"a": 2}]}, [{"a": 1}, {"a": 2, "b": 3}]),
    ({"$has": {"grey": 2}}, ["grey", "red", "grey"]),
    ({"$any_order": [2, 1]}, [1, 2]),
    ({"$any_order": [{"a": 1}, {"a": 1, "b": 1}]}, [{"a": 1, "b": 1}, {"a": 1, "b": 2}]),
    ({"a": {"$absent": True}}, {"b": 1}),
    ({"a": {"$absent": False}}, {"a": None}),
    (None, None),
    (1, 1.0),
]

FITS_NOT = [
    ({"a": 1}, {"a": 2}),
    ({"a": 1}, {}),
    ({"a": None}, {}),
    ([1, 2], [2, 1]),
    ([1, 2], [1, 2, 3]),
    (["grey"], {"grey": 2}),
    (["grey", "red"], {"grey": 1}),
    ([], {"grey": 1}),
    ([], {"grey": {"x": 1}}),
    ({"blue": 1}, {"grey": 2}),
    ({"blue": 0}, {"blue": None}),
    ({"blue": 0}, {"seat": {"x": 1}}),
    ({"grey": 1}, ["grey", "grey"]),
    ({"2": {"hand": 3}}, [{"hand": 1}, {"hand": 3}]),
    ({"hand": 3}, [{"hand": 3}]),
    ({"$len": 2}, {"grey": 2, "red": 1}),
    ({"$len": 1}, "x"),
    ({"$has": ["red", "red"]}, {"grey": 2, "red": 1}),
    ({"$has": [1]}, 1),
    ({"$any_order": [1, 2]}, [1, 2, 2]),
    ({"$any_order": [1, 1]}, [1, 2]),
    ({"a": {"$absent": True}}, {"a": None}),
    ({"a": {"$absent": False}}, {}),
    (True, 1),
    (0, False),
    ("1", 1),
    (None, 0),
]


@pytest.mark.parametrize(("expected", "actual"), FITS)
def test_what_fits_has_no_difference(expected, actual):
    assert differences(expected, actual) == []


@pytest.mark.parametrize(("expected", "actual"), FITS_NOT)
def test_what_does_not_fit_has_a_difference(expected, actual):
    assert differences(expected, actual) != []


def test_a_difference_names_its_place_and_both_sides():
    found = differences(
        {"seats": {"1": {"hand": ["red"]}}, "turn": 3}, {"seats": [{}, {"hand": {"grey": 2}}], "turn": 2}
    )
    assert found == [Difference("seats.1.hand", "[red]", "{grey: 2}"), Difference("turn", "3", "2")]


def test_what_is_not_there_is_called_absent():
    assert differences({"turn": 3}, {}) == [Difference("turn", "3", "nothing (absent)")]
    assert not matches(None, ABSENT)


def test_a_long_value_is_cut_in_a_difference():
    (found,) = differences([], ["x" * 5000])
    assert len(found.got) < 700
    assert found.got.endswith("(5002 characters)")


def test_pairs_are_found_although_the_first_fit_would_take_what_another_needs():
    assert pair_off([{"a": 1}, {"a": 1, "b": 2}], [{"a": 1, "b": 2}, {"a": 1, "b": 3}]) == {0: 1, 1: 0}


def test_unequal_leaves_nothing_out():
    assert unequal({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}], "c": 0}) == [
        Difference("a.1.b", "2", "3"),
        Difference("c", "nothing (absent)", "0"),
    ]
    assert unequal({"a": [True]}, {"a": [1]}) == [Difference("a.0", "true", "1")]
    assert unequal({"a": [None, "x"]}, {"a": [None, "x"]}) == []
