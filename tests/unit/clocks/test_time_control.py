"""Clocks that can be, and those that cannot, with the field that is wrong."""

import pytest
from msgspec import ValidationError, convert

from projections.time_control import Clock, ClockError, check_clock


@pytest.mark.parametrize(
    "clock",
    [
        {"bank_s": 60},
        {"bank_s": 0, "delay_s": 5},
        {"periods": 1, "period_s": 30},
        {"move_s": 259200},
        {"delay_s": 259200, "bank_s": 604800},
        {"bank_s": 60, "seats": {"0": {"bank_s": 30}, "1": {"move_s": 10}}},
        {"bank_s": 60, "increment_s": 5, "bank_max_s": 60},
    ],
)
def test_clocks_that_can_be(clock):
    check_clock(convert(clock, Clock), 2)


@pytest.mark.parametrize(
    ("clock", "field"),
    [
        ({}, "clock.bank_s"),
        ({"pause_s": 60}, "clock.bank_s"),
        ({"bank_s": 0}, "clock.bank_s"),
        ({"bank_s": 0, "increment_s": 5}, "clock.bank_s"),
        ({"move_s": 0}, "clock.move_s"),
        ({"periods": 1}, "clock.period_s"),
        ({"bank_s": 1, "period_s": 1}, "clock.period_s"),
        ({"move_s": 60, "increment_s": 5}, "clock.increment_s"),
        ({"move_s": 60, "bank_max_s": 5}, "clock.bank_max_s"),
        ({"periods": 1, "period_s": 30, "bronstein_s": 5}, "clock.bronstein_s"),
        ({"move_s": 60, "delay_s": 5}, "clock.delay_s"),
        ({"bank_s": 60, "bank_max_s": 30}, "clock.bank_max_s"),
        ({"bank_s": 60, "seats": {"2": {"bank_s": 60}}}, "clock.seats"),
        ({"bank_s": 60, "seats": {"x": {"bank_s": 60}}}, "clock.seats"),
        ({"bank_s": 60, "seats": {"1": {"periods": 1}}}, "clock.seats.1.period_s"),
        ({"bank_s": 60, "seats": {"1": {}}}, "clock.seats.1.bank_s"),
    ],
)
def test_what_does_not_go_together_is_refused_by_its_field(clock, field):
    with pytest.raises(ClockError) as refused:
        check_clock(convert(clock, Clock), 2)
    assert str(refused.value).startswith(f"{field}: ")


@pytest.mark.parametrize(
    "clock",
    [
        {"bank_s": -1},
        {"bank_s": 1.5},
        {"bank_s": "60"},
        {"bank": 60},
        {"bank_s": 10**10},
        {"seats": {"0": {"pause_s": 1}}},
    ],
)
def test_what_is_no_clock_at_all_is_refused(clock):
    with pytest.raises(ValidationError):
        convert(clock, Clock)
