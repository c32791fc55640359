"""4.5.2 and 4.5.3: range and line of fire, by the specification's examples and by its exact test, box by box."""

from fractions import Fraction
from itertools import product

import pytest

from tests.unit.block_mania.kit import FOUR, THREE, TWO, area, sq, standing

SIGHT = standing(TWO)


@pytest.mark.parametrize(
    ("firer", "target", "away"),
    [
        ("TP:7,4 in", "GR:2,4 in", 4),  # W6
        ("TP:7,0", "TP:8,0", 1),  # W7
        ("TP:7,9 in", "GR:2,3 in", 6),  # W10
        ("TP:7,6 in", "TP:7,6 out", 1),  # BM-WIN-4
        ("GR:2,6 in", "GR:1,7", 1),  # T7
        ("GR:2,7 in", "GR:1,7", 1),
        ("GR:2,8", "GR:1,7", 2),
        ("TP:5,6", "TP:6,6", 1),
        ("TP:5,6", "TP:7,6 in", None),  # T30
        ("TP:4,4", "TP:5,5", None),
        ("TP:8,3", "TP:8,3", 0),
    ],
)
def test_range_is_counted_through_open_air_alone(firer, target, away):
    assert SIGHT.range(area(TWO, firer), area(TWO, target)) == away


@pytest.mark.parametrize(
    ("firer", "target", "seen"),
    [
        ("TP:7,4 in", "GR:2,4 out", True),
        ("TP:7,4 in", "TP:7,4 in", False),
        ("TP:7,4 in", "TP:7,4 out", True),  # 1
        ("TP:6,6", "TP:7,6 in", True),  # T6
        ("TP:6,6", "TP:7,6 out", True),  # BM-R27
        ("TP:7,6 out", "TP:6,6", False),  # 2
        ("TP:7,6 out", "TP:7,7 in", True),
        ("TP:7,3 in", "TP:7,6 out", False),  # 3
        ("TP:5,6", "TP:7,6 in", False),  # 4, T30
        ("TP:5,6", "TP:9,6", False),
        ("TP:7,3 in", "TP:8,0", True),  # T31
        ("TP:7,3 in", "TP:9,0", True),
        ("TP:7,3 in", "GR:1,0", True),
        ("TP:7,3 in", "TP:6,0", False),
        ("TP:2,3 in", "TP:8,3", False),  # back through its own wall
        ("TP:7,3 in", "GR:7,3 in", False),
        ("TP:8,6", "GR:8,6", False),
        ("TP:8,0", "TP:8,10", True),
    ],
)
def test_line_of_fire_goes_into_but_not_through_a_tower(firer, target, seen):
    assert SIGHT.visible(area(TWO, firer), area(TWO, target)) is seen


def test_a_collapsed_block_is_open_air():
    firer, beyond = area(THREE, "TP:7,5"), area(THREE, "QH:2,5")
    assert not standing(THREE).visible(firer, beyond)
    fallen = standing(THREE, [1])
    assert fallen.visible(firer, beyond)
    assert fallen.range(firer, beyond) == 13
    assert fallen.open_air(sq("GR:4,5"))
    assert not fallen.open_air(sq("TP:4,5"))


def test_with_more_than_two_boards_lines_and_ranges_go_round():
    here = standing(THREE)
    firer, target = area(THREE, "TP:2,5"), area(THREE, "QH:7,5")
    assert here.visible(firer, target)
    assert here.range(firer, target) == 4


def test_open_living_spaces_opens_one_level_of_one_tower():  # T30, BM-ALT-1
    rooms = standing(TWO, open_living=True)
    firer = area(TWO, "TP:5,6")
    for target, away in (("TP:7,6 in", 2), ("TP:2,6 in", 3), ("TP:3,6", 2)):
        assert rooms.visible(firer, area(TWO, target))
        assert rooms.range(firer, area(TWO, target)) == away
    for target in ("TP:7,6 out", "TP:5,8", "TP:7,5", "TP:8,6"):
        assert not rooms.visible(firer, area(TWO, target))


def boxes(here, collapsed):
    """Every box that is not Open Air, at each of its places round the map."""
    turns = (-here.width, 0, here.width) if here.wraps else (0,)
    towers = [square for square in here.squares.values() if square.block not in (None, *collapsed)]
    return [(square.x + turn, square.level) for square, turn in product(towers, turns)]


def point(here, square, collapsed):
    x = 2 * square.x
    if square.block is not None and square.block not in collapsed:
        x += {2: -1, 7: 1}[square.c]
    return x, 2 * square.level


def crosses(start, end, box):
    """The specification's exact test: the segment, clipped to the open box with fractions, is not empty."""
    first, last = Fraction(0), Fraction(1)
    for axis in (0, 1):
        low, high = 2 * box[axis] - 1, 2 * box[axis] + 1
        delta = end[axis] - start[axis]
        if delta == 0:
            if not low < start[axis] < high:
                return False
            continue
        near, far = sorted((Fraction(low - start[axis], delta), Fraction(high - start[axis], delta)))
        first, last = max(first, near), min(last, far)
    return first < last


@pytest.mark.slow
@pytest.mark.parametrize(("here", "collapsed"), [(TWO, ()), (THREE, (2,)), (FOUR, (1,))])
def test_lines_agree_with_the_exact_test_of_every_box(here, collapsed):
    sight, blocked_by = standing(here, collapsed), boxes(here, collapsed)
    outdoors = [s for s in here.squares.values() if s.block in (None, *collapsed) or s.face]
    turns = (-2 * here.width, 0, 2 * here.width) if here.wraps else (0,)
    for one, other in zip(outdoors, outdoors[7::3] + outdoors[:7:2], strict=False):
        neighbours = one.block == other.block is not None and (one.c == other.c or other.id in here.cardinal[one.id])
        if one is other or (neighbours and one.block not in collapsed):
            continue
        start, (x, y) = point(here, one, collapsed), point(here, other, collapsed)
        lines = [(x + turn, y) for turn in turns]
        clear = any(not any(crosses(start, end, box) for box in blocked_by) for end in lines)
        seen = sight.visible((one.id, one.sides[0]), (other.id, other.sides[0]))
        assert seen is clear, (one.id, other.id)
