"""What nodes say to each other comes back as it was said, and what nobody said is no message."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events import feed_messages as messages
from events.feed import Moved
from tests.integration.store_kit import sealed

EVENTS = sealed("game-1", 5)


def move(moved, rows_bytes_max=10_000):
    (read,) = messages.read(messages.moves(b"node", 1.5, [moved], rows_bytes_max)).moves
    return read


def test_a_move_comes_with_its_events_in_their_places():
    moved = move(Moved("game-1", 5, 20, EVENTS[3:])).moved()
    assert (moved.game, moved.version, moved.position, moved.here) == ("game-1", 5, 20, False)
    assert [(event.position, event.data, event.digest) for event in moved.events] == [
        (19, EVENTS[3].data, EVENTS[3].digest),
        (20, EVENTS[4].data, EVENTS[4].digest),
    ]


def test_what_is_too_large_comes_without_events_and_says_how_many_there_are():
    large = move(Moved("game-1", 5, 20, EVENTS[3:]), rows_bytes_max=10)
    assert (large.count, large.rows, large.moved().events) == (2, (), ())


@pytest.mark.parametrize(
    "rows",
    [
        ((b"{}", b"x"),),
        ((EVENTS[4].data[:-1], EVENTS[4].digest),),
        ((EVENTS[3].data, EVENTS[3].digest),),  # of another version
        ((sealed("game-2", 5)[4].data, EVENTS[4].digest),),  # of another game
    ],
)
def test_rows_that_are_not_those_of_the_move_are_left_to_the_log(rows):
    assert messages.Move("game-1", 5, 20, 1, rows).moved() == Moved("game-1", 5, 20, (), here=False)


@given(st.binary(max_size=200) | st.lists(st.integers(0, 2**60) | st.text()).map(messages.encode))
def test_other_bytes_are_refused(message):
    with pytest.raises(messages.Garbled):
        messages.read(message)


@pytest.mark.parametrize("numbers", [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, -5, 1)])
def test_numbers_that_no_move_has_are_refused(numbers):
    forged = messages.Moves(b"node", 0.0, (messages.Move("game-1", *numbers, ()),))
    with pytest.raises(messages.Garbled):
        messages.read(messages.encode(forged))
