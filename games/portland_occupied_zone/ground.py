"""The map as buildings, structures and checkpoints divide it: kept while that stays so, for it is asked often."""

from functools import lru_cache

from games.portland_occupied_zone.board import DIRECTIONS, Board, board
from games.portland_occupied_zone.options import Tile
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.state import Space, State

#: Spaces larger than a cell, with their cells.
Large = tuple[tuple[str, tuple[Cell, ...]], ...]


class Ground:
    """Which larger space owns a cell, and what lies beside a space."""

    def __init__(self, here: Board, large: Large) -> None:
        self._board = here
        self._cells = dict(large)
        self._beside: dict[Space, tuple[Space, ...]] = {}
        self.owner: dict[Cell, str] = {}
        for name, cells in reversed(large):
            self.owner.update(dict.fromkeys(cells, name))

    def beside(self, space: Space) -> tuple[Space, ...]:
        """The spaces physically adjacent (padj) to a space: north, east, south, west, each once, never diagonal."""
        found = self._beside.get(space)
        if found is None:
            owner = self.owner
            found = self._beside[space] = tuple(dict.fromkeys(owner.get(cell, cell) for cell in self._around(space)))
        return found

    def _around(self, space: Space) -> list[Cell] | tuple[Cell, ...]:
        """The cells next to those of a space: on each side the smaller y first, then the smaller x."""
        around = self._board.around
        if not isinstance(space, str):
            return around[space]
        cells = sorted(self._cells[space], key=lambda cell: (cell[1], cell[0]))
        outside = ((x + dx, y + dy) for dx, dy in DIRECTIONS.values() for x, y in cells)
        return [cell for cell in outside if cell in around and cell not in cells]


@lru_cache(maxsize=64)
def _ground(pack: str, tiles: tuple[Tile, ...] | None, large: Large) -> Ground:
    return Ground(board(pack, tiles), large)


def ground(state: State) -> Ground:
    """The ground of a position."""
    cells = state.board.building_cells
    large = (
        *((name, cells[name]) for name, building in state.buildings.items() if building.standing),
        *((name, thing.cells) for name, thing in state.structures.items()),
        *((name, point.cells) for name, point in state.checkpoints.items()),
    )
    return _ground(state.pack, state.options.tiles, large)
