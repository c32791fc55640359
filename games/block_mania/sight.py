"""Range and line of fire (specification, 4.5.2 and 4.5.3): what they depend on is the map and which blocks stand.

Made once for each map and set of collapsed blocks; each answer is worked out once.
"""

from collections import deque
from collections.abc import Mapping
from functools import cache
from itertools import product

from games.block_mania.board import EAST, PITCH, WEST, Area, Map, Square

#: A point or an edge in doubled coordinates: the square at column x, level y is the box 2x-1 to 2x+1, 2y-1 to 2y+1.
Point = tuple[int, int]


class Sight:
    """Range and line of fire on a map on which the blocks `collapsed` are Open Air (BM-SH-4)."""

    def __init__(self, here: Map, collapsed: frozenset[int], *, open_living: bool) -> None:
        self._map = here
        self._collapsed = collapsed
        self._open_living = open_living
        self._air = {name: self._is_air(square) for name, square in here.squares.items()}
        self._ranges: dict[str, Mapping[str, int]] = {}
        self._seen: dict[tuple[str, str], bool] = {}

    def open_air(self, square: str) -> bool:
        """Whether a square is Open Air, of a collapsed block's board too (3.2)."""
        return self._air[square]

    def range(self, firer: Area, target: Area) -> int | None:
        """How many squares away the target is, the first one being next to the firer; None: not to be reached.

        The two sides of a Window are 1 apart (BM-WIN-4), an area and itself 0.
        """
        if firer[0] == target[0]:
            return int(firer[1] != target[1])
        found = self.ranges(firer[0]).get(target[0])
        if self._along_rooms(firer, target):
            across = abs(self._map.squares[firer[0]].x - self._map.squares[target[0]].x)
            return across if found is None else min(found, across)
        return found

    def ranges(self, source: str) -> Mapping[str, int]:
        """The range from a square to every other that can be reached: in between there is only Open Air (BM-SH-2)."""
        found = self._ranges.get(source)
        if found is None:
            found = self._ranges[source] = self._flood(source)
        return found

    def visible(self, firer: Area, target: Area) -> bool:
        """Whether the firer has a line of fire to the target (4.5.3)."""
        if firer[0] == target[0]:
            return firer[1] != target[1]
        here, there = self._map.squares[firer[0]], self._map.squares[target[0]]
        tower = self._tower(here)
        if tower is not None and tower == self._tower(there):
            if target[0] in self._map.cardinal[firer[0]]:
                # From inside either side of a Window beside it (BM-R27).
                return firer[1] != "out" or here.c == there.c
            if self._along_rooms(firer, target):
                return True
            if here.c == there.c:
                return False
        if not (self._outdoors(here) and self._outdoors(there)):
            return False
        key = (here.id, there.id)
        seen = self._seen.get(key)
        if seen is None:
            seen = self._seen[key] = self._seen[key[::-1]] = self._clear(here, there)
        return seen

    def _is_air(self, square: Square) -> bool:
        return square.block is None or square.block in self._collapsed

    def _tower(self, square: Square) -> int | None:
        return None if self._air[square.id] else square.block

    def _outdoors(self, square: Square) -> bool:
        return self._air[square.id] or square.face

    def _along_rooms(self, firer: Area, target: Area) -> bool:
        """Open Living Spaces: along a level of one tower, with nothing but Interior squares between (BM-ALT-1).

        Shots from outside get nothing new (BM-R28).
        """
        if not self._open_living or "out" in (firer[1], target[1]):
            return False
        here, there = self._map.squares[firer[0]], self._map.squares[target[0]]
        tower = self._tower(here)
        if tower is None or tower != self._tower(there) or here.level != there.level:
            return False
        between = range(min(here.x, there.x) + 1, max(here.x, there.x))
        return all(self._map.squares[self._map.at[x, here.level]].cls == "interior" for x in between)

    def _flood(self, source: str) -> Mapping[str, int]:
        found = {source: 0}
        rest = deque([source])
        while rest:
            name = rest.popleft()
            if name != source and not self._air[name]:
                continue
            for near in self._steps(name):
                if near not in found:
                    found[near] = found[name] + 1
                    rest.append(near)
        return found

    def _steps(self, name: str) -> list[str]:
        """Cardinal neighbours, and diagonal ones from Open Air to Open Air or a Window and back."""
        straight = self._map.cardinal[name]
        slanting = (near for near in self._map.eight[name] if near not in straight)
        return [*straight, *(near for near in slanting if self._slants(name, near))]

    def _slants(self, one: str, other: str) -> bool:
        air = self._air[one], self._air[other]
        return any(air) and all(
            is_air or self._map.squares[name].cls == "window" for is_air, name in zip(air, (one, other), strict=True)
        )

    def _clear(self, here: Square, there: Square) -> bool:
        """Whether a line from one to the other, perhaps round the map, passes through no standing tower."""
        start, end = self._point(here), self._point(there)
        around = 2 * self._map.width
        turns = (-around, 0, around) if self._map.wraps else (0,)
        return any(self._unblocked(start, (end[0] + turn, end[1]), turns) for turn in turns)

    def _point(self, square: Square) -> Point:
        """The centre of an Open Air square, the middle of the outer edge of a face square (BM-R26)."""
        x = 2 * square.x
        if not self._air[square.id]:
            x += 1 if square.c == EAST else -1
        return x, 2 * square.level

    def _unblocked(self, start: Point, end: Point, turns: tuple[int, ...]) -> bool:
        """No open box of a tower meets the segment.

        Boxes of one tower fill a rectangle. A line that meets its inside meets that of a box, as none can run along
        the edges between boxes: levels end at odd heights, and lines end at even ones, outside or on the faces.
        """
        blocks = range(len(self._map.boards))
        for block, turn in product(blocks, turns):
            if block in self._collapsed:
                continue
            west = 2 * (PITCH * block + WEST) - 1 + turn
            east = 2 * (PITCH * block + EAST) + 1 + turn
            if _meets(start, end, (west, -1), (east, 2 * self._map.levels - 1)):
                return False
        return True


def _meets(start: Point, end: Point, low: Point, high: Point) -> bool:
    """Whether the segment from `start` to `end` meets the inside of the rectangle from `low` to `high`, exactly."""
    # Along the segment from 0 to 1 it is inside between `first` and `last`, kept as fractions.
    first, last = (0, 1), (1, 1)
    for axis in (0, 1):
        delta, a = end[axis] - start[axis], start[axis]
        if delta == 0:
            if not low[axis] < a < high[axis]:
                return False
            continue
        enter, leave = (low[axis] - a, high[axis] - a) if delta > 0 else (a - high[axis], a - low[axis])
        first = _larger(first, (enter, abs(delta)))
        last = _smaller(last, (leave, abs(delta)))
    return first[0] * last[1] < last[0] * first[1]


def _larger(one: Point, other: Point) -> Point:
    return one if one[0] * other[1] >= other[0] * one[1] else other


def _smaller(one: Point, other: Point) -> Point:
    return one if one[0] * other[1] <= other[0] * one[1] else other


@cache
def sight(here: Map, collapsed: frozenset[int], *, open_living: bool) -> Sight:
    """Range and line of fire on this map while these blocks are collapsed."""
    return Sight(here, collapsed, open_living=open_living)
