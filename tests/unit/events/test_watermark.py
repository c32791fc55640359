"""The watermark, held to a set of positions."""

from hypothesis import given
from hypothesis import strategies as st

from events.watermark import Watermark

RANGES = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 5)).map(lambda told: (told[0], sum(told))), max_size=60)


@given(st.integers(0, 10), RANGES)
def test_it_is_the_last_position_before_the_first_that_nobody_told(start, ranges):
    mark, told = Watermark(start, ranges_max=100), set(range(start + 1))
    for first, last in ranges:
        mark.told(first, last)
        told.update(range(first, last + 1))
        expected = next(position for position in range(100) if position + 1 not in told)
        assert mark.at == expected
        assert mark.gap == (max(told) > expected)


@given(RANGES)
def test_with_room_for_few_ranges_it_is_never_too_far(ranges):
    mark, told = Watermark(0, ranges_max=2), {0}
    for first, last in ranges:
        mark.told(first, last)
        told.update(range(first, last + 1))
        assert told.issuperset(range(mark.at + 1))
    for position in range(1, 100):  # whoever reads the log on from there brings it to the end
        mark.told(position, position)
    assert (mark.at, mark.gap) == (99, False)
