"""Upcasting: one step at a time, and no byte changed where there is nothing to do."""

import pytest

from events.upcast import Upcasters


def renamed(message):
    message["effect"] = "dice_rolled"
    return message


@pytest.fixture
def upcasters():
    made = Upcasters()
    made.register("die_rolled", 1, lambda message: {**message, "sides": 6})
    made.register("die_rolled", 3, renamed)
    made.register("dice_rolled", 4, lambda message: {"effect": message["effect"], "by": 0, "sides": message["sides"]})
    return made


def test_steps_follow_one_another_from_the_schema_of_the_message_and_past_gaps(upcasters):
    assert upcasters.apply(b'{"effect":"die_rolled"}', "effect", 1) == b'{"effect":"dice_rolled","by":0,"sides":6}'


def test_steps_before_the_schema_of_the_message_are_left_out(upcasters):
    assert upcasters.apply(b'{"effect":"dice_rolled","sides":8,"x":1}', "effect", 4) == (
        b'{"effect":"dice_rolled","by":0,"sides":8}'
    )


@pytest.mark.parametrize("schema", [1, 4, 5, 9])
def test_bytes_to_which_no_step_applies_are_untouched(upcasters, schema):
    item = b'{ "effect": "city_fell", "n": 1e2 }'
    assert upcasters.apply(item, "effect", schema) is item


def test_the_newest_schema_is_not_even_decoded(upcasters):
    assert upcasters.apply(b"no JSON at all", "effect", 5) == b"no JSON at all"


def test_without_any_step_nothing_is_decoded():
    assert Upcasters().apply(b"no JSON at all", "effect", 1) == b"no JSON at all"


def test_the_tag_field_is_the_one_asked_for():
    made = Upcasters()
    made.register("roll", 1, lambda message: {**message, "n": 2})
    assert made.apply(b'{"action":"roll","effect":"x"}', "action", 1) == b'{"action":"roll","effect":"x","n":2}'


def test_a_second_step_for_the_same_tag_and_schema_is_refused(upcasters):
    with pytest.raises(ValueError, match="die_rolled has a step from schema 1 already"):
        upcasters.register("die_rolled", 1, dict)
