"""The map: the boards of a game in a row, made ready so that rules look things up (specification, 2.3.1).

Made once for each pack and row of boards; nothing in it depends on the state of a game. A *block* is the tower of one
board, named by the board's place in the row, from 0 in the west.
"""

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Literal

from msgspec import Struct

from games.block_mania.ops import Colour, KindClass
from games.block_mania.pack import SHELF
from games.block_mania.pack_boards import FACES, SHAFTS, TOWER, grid
from games.block_mania.pack_parts import Board, Kind

#: Columns from one board to the next: the half squares of two edges are one.
PITCH = 9
WEST, EAST = FACES
Side = Literal["in", "out", "-"]
#: An area: a square and a side of it.
Area = tuple[str, Side]
#: A Window has an inside and an outside (BM-WIN-1); whatever lies in it lies in both (BM-WIN-6).
WINDOW_SIDES: tuple[Side, ...] = ("in", "out")
NO_SIDES: tuple[Side, ...] = ("-",)


class Square(Struct, frozen=True):
    """A square: global column `x`, `level`, column `c` of its board; `boards` it is on, `block` if it is in a tower."""

    id: str
    x: int
    level: int
    c: int
    boards: tuple[int, ...]
    block: int | None
    kind: str
    cls: KindClass
    colour: Colour | None
    tags: frozenset[str]
    number: int | None
    features: frozenset[str]
    sides: tuple[Side, ...]

    @property
    def face(self) -> bool:
        """Whether it is a face square of a tower: next to Open Air."""
        return self.block is not None and self.c in FACES


class Pedway(Struct, frozen=True):
    """A Pedway: its squares from west to east and the termini at its ends; off the map it has but one (4.4.1)."""

    squares: tuple[str, ...]
    termini: tuple[str, ...]


class Map(Struct, frozen=True, eq=False, dict=True):
    """See the module. `order` has all squares by level, then west to east; neighbours come in the same order."""

    boards: tuple[str, ...]
    levels: int
    wraps: bool
    squares: Mapping[str, Square]
    at: Mapping[tuple[int, int], str]

    @property
    def width(self) -> int:
        """How many global columns there are before the map wraps."""
        return PITCH * len(self.boards)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """All squares: level ascending, west to east."""
        return tuple(self.squares)

    @cached_property
    def rank(self) -> Mapping[str, int]:
        """The place of each square in `order`."""
        return {name: rank for rank, name in enumerate(self.squares)}

    def step(self, square: str, east: int, up: int) -> str | None:
        """The square so many columns east and levels up; None off the map."""
        here = self.squares[square]
        x = here.x + east
        return self.at.get((x % self.width if self.wraps else x, here.level + up))

    def _around(self, square: str, ways: tuple[tuple[int, int], ...]) -> tuple[str, ...]:
        found = (self.step(square, east, up) for east, up in ways)
        return tuple(name for name in found if name is not None)

    @cached_property
    def cardinal(self) -> Mapping[str, tuple[str, ...]]:
        """The neighbours below, west, east and above of each square."""
        return {name: self._around(name, ((0, -1), (-1, 0), (1, 0), (0, 1))) for name in self.squares}

    @cached_property
    def eight(self) -> Mapping[str, tuple[str, ...]]:
        """The cardinal and diagonal neighbours: level ascending, west to east."""
        ways = tuple((east, up) for up in (-1, 0, 1) for east in (-1, 0, 1) if east or up)
        return {name: self._around(name, ways) for name in self.squares}

    @cached_property
    def above(self) -> Mapping[str, tuple[str, ...]]:
        """The squares up-left, up and up-right of each, as far as they are on the map (BM-COL-3)."""
        return {name: self._around(name, ((-1, 1), (0, 1), (1, 1))) for name in self.squares}

    @cached_property
    def tower(self) -> tuple[tuple[str, ...], ...]:
        """The tower squares of each block: level ascending, west to east."""
        blocks = range(len(self.boards))
        return tuple(tuple(s.id for s in self.squares.values() if s.block == block) for block in blocks)

    @cached_property
    def numbered(self) -> tuple[Mapping[int, str], ...]:
        """The squares of each block by their number of d66 (BM-1CI-3)."""
        return tuple(
            {number: name for name in tower if (number := self.squares[name].number) is not None}
            for tower in self.tower
        )

    @cached_property
    def tagged(self) -> Mapping[str, tuple[str, ...]]:
        """The squares with each tag, in order."""
        tags = {tag for square in self.squares.values() for tag in square.tags}
        return {tag: tuple(s.id for s in self.squares.values() if tag in s.tags) for tag in tags}

    @cached_property
    def shafts(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """The shafts through each square by letter (E, K elevators, G grav chute): their squares, from the bottom."""
        found: dict[str, dict[str, tuple[str, ...]]] = {}
        for tower in self.tower:
            for letter in SHAFTS:
                shaft = tuple(name for name in tower if letter in self.squares[name].features)
                for name in shaft:
                    found.setdefault(name, {})[letter] = shaft
        return found

    @cached_property
    def pedways(self) -> Mapping[str, tuple[Pedway, ...]]:
        """The Pedway of each Pedway square and terminus, west of it before east of it."""
        found: dict[str, tuple[Pedway, ...]] = {}
        for level in range(self.levels):
            for join in range(0, self.width + (not self.wraps), PITCH):
                pedway = self._pedway(join, level)
                for name in (*pedway.squares, *pedway.termini):
                    found[name] = (*found.get(name, ()), pedway)
        return found

    def _pedway(self, join: int, level: int) -> Pedway:
        columns = [self.at.get((x % self.width if self.wraps else x, level)) for x in range(join - 2, join + 3)]
        here = [self.squares[name] for name in columns if name is not None]
        squares = tuple(square.id for square in here if "pedway" in square.tags)
        termini = tuple(square.id for square in here if "pedway_terminus" in square.tags)
        return Pedway(squares, termini if squares else ())

    def opposite(self, square: str, down: int = 0) -> str | None:
        """The face square so many levels down on the tower that this face square looks at; None at the map's end."""
        here = self.squares[square]
        if not here.face:
            return None
        name = self.step(square, 4 if here.c == EAST else -4, -down)
        return name if name is not None and self.squares[name].face else None


@cache
def map_of(digest: str, boards: tuple[str, ...]) -> Map:
    """The map of these boards of a pack, west to east."""
    pack = SHELF[digest]
    by_id = {board.id: board for board in pack.boards}
    kinds = {kind.id: kind for kind in pack.kinds}
    row = [by_id[name] for name in boards]
    wraps = len(row) > 2
    levels = len(row[0].kinds)
    width = PITCH * len(row)
    # Without a wrap the outermost half squares are no squares; with it they join (BM-EDGE-2, -3, BM-R3).
    columns = range(0 if wraps else 1, width)
    squares = [_square(row, kinds, x, level) for level in range(levels) for x in columns]
    return Map(
        boards=boards,
        levels=levels,
        wraps=wraps,
        squares={square.id: square for square in squares},
        at={(square.x, square.level): square.id for square in squares},
    )


def _square(row: list[Board], kinds: Mapping[str, Kind], x: int, level: int) -> Square:
    place, c = divmod(x, PITCH)
    joined: tuple[int, ...] = (place,)
    if c == 0:
        # A join square is named by the board to the west of it.
        joined = ((place - 1) % len(row), place)
        place, c = joined[0], PITCH
    board, top = row[place], len(row[place].kinds) - 1
    kind = kinds[grid(board.kinds)[top - level][c]]
    block = place if c in TOWER else None
    number, letters = "--", "-"
    if block is not None:
        number = grid(board.numbers)[top - level][c - TOWER[0]]
        letters = grid(board.features)[top - level][c - TOWER[0]]
    return Square(
        id=f"{board.id}:{c},{level}",
        x=x,
        level=level,
        c=c,
        boards=joined,
        block=block,
        kind=kind.id,
        cls=kind.cls,
        colour=kind.colour,
        tags=frozenset(kind.tags),
        number=None if number == "--" else int(number),
        features=frozenset() if letters == "-" else frozenset(letters),
        sides=WINDOW_SIDES if kind.cls == "window" else NO_SIDES,
    )
