"""Lines of sight between cells, and who sees what (ALG-LOS; POZ-LOS-1 to -8)."""

from collections.abc import Iterator
from functools import lru_cache

from games.portland_occupied_zone.modifiers import flagged, in_force
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.places import cells_of, figures, is_building, near, padj
from games.portland_occupied_zone.state import Space, State

#: What stops a line: this cell (a pair of the same), or both of two cells beside a corner it passes.
Gate = tuple[Cell, Cell]


@lru_cache(maxsize=200_000)
def line(a: Cell, b: Cell) -> tuple[Gate, ...]:
    """What a line between the centres of two cells passes, in order (POZ-LOS-1, POZ-R76); exact, in whole numbers."""
    (x, y), (bx, by) = a, b
    nx, ny = abs(bx - x), abs(by - y)
    sx, sy = (bx > x) - (bx < x), (by > y) - (by < y)
    ix = iy = 0
    gates: list[Gate] = []
    while ix < nx or iy < ny:
        side = (1 + 2 * ix) * ny - (1 + 2 * iy) * nx
        if side == 0:
            gates.append(((x + sx, y), (x, y + sy)))
        if side <= 0:
            x, ix = x + sx, ix + 1
        if side >= 0:
            y, iy = y + sy, iy + 1
        if (x, y) != b:
            gates.append(((x, y), (x, y)))
    return tuple(gates)


def opaque_cells(state: State, but: tuple[Space, ...] = ()) -> set[Cell]:
    """The cells of the map that stop a line: standing buildings, structures, dumpsters (POZ-LOS-2, POZ-DUM-3)."""
    opaque = {dumpster.cell for dumpster in state.dumpsters.values()}
    for name, building in state.buildings.items():
        if building.standing:
            opaque.update(state.board.building_cells[name])
    for name, structure in state.structures.items():
        if name not in but:
            opaque.update(structure.cells)
    return opaque


class Sight:
    """What can be seen as things stand: asked often, so the opaque cells and the viewpoints are found once."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.opaque = opaque_cells(state)
        self.viewpoints = viewpoints(state)

    def clear(self, a: Cell, b: Cell, but: tuple[Cell, ...] = ()) -> bool:
        """Whether nothing stands between two cells; `but` are cells of the target or around the viewpoint."""
        opaque, around = self.opaque, self.state.board.around
        for one, two in line(a, b):
            if ((one in opaque and one not in but) or one not in around) and (
                one == two or (two in opaque and two not in but) or two not in around
            ):
                return False
        return True

    def from_space(self, viewpoint: Cell, target: tuple[Cell, ...]) -> bool:
        """Whether a figure, camera or checkpoint on a cell sees any of these cells."""
        own = self.state.structures
        around = next((thing.cells for thing in own.values() if viewpoint in thing.cells), ())
        return any(self.clear(viewpoint, cell, (*target, *around)) for cell in target)

    def pc_visible(self, pc: str) -> bool:
        """Whether the police see a character (4.6)."""
        state = self.state
        who = state.pcs[pc]
        if not who.awake or is_building(state, who.space) or flagged(state, pc, "hidden"):
            return False
        return any(self.pc_seen_from(pc, cell) for cell in self.viewpoints)

    def pc_seen_from(self, pc: str, viewpoint: Cell) -> bool:
        """Whether a character outdoors is seen from a cell: in a structure from next to it only (POZ-LOS-3)."""
        space = self.state.pcs[pc].space
        if isinstance(space, str):
            return beside_cell(cells_of(self.state, space), viewpoint)
        return self.from_space(viewpoint, (space,))

    def structure_visible(self, structure: str) -> bool:
        """Whether the police see a structure."""
        cells = self.state.structures[structure].cells
        return any(self.from_space(viewpoint, cells) for viewpoint in self.viewpoints)


def beside_cell(cells: tuple[Cell, ...], cell: Cell) -> bool:
    """Whether a cell is one of these, or orthogonally next to one."""
    x, y = cell
    return any(abs(cx - x) + abs(cy - y) <= 1 for cx, cy in cells)


def viewpoints(state: State) -> tuple[Cell, ...]:
    """The cells from which the police see, shared by all (POZ-LOS-5 to -8)."""
    found = [cell for space in figures(state).values() if space != COURTHOUSE for cell in cells_of(state, space)]
    if not in_force(state, "no_camera_los"):
        found += _lenses(state)
    return tuple(dict.fromkeys(found))


def _lenses(state: State) -> Iterator[Cell]:
    """Checkpoints, cameras, and the courthouse's corners while it stands (POZ-R77)."""
    board = state.board
    for checkpoint in state.checkpoints.values():
        yield from checkpoint.cells
    for name, camera in state.cameras.items():
        if camera.present:
            yield board.cameras[name]
    if COURTHOUSE in state.buildings and state.buildings[COURTHOUSE].standing:
        yield from (cell for cell in board.buildings[COURTHOUSE].corner_cameras if cell in board.around)


def clear(state: State, a: Cell, b: Cell) -> bool:
    """The question `clear` of 3.3: from one cell to another, a structure on either not in the way."""
    own = tuple(
        cell for thing in state.structures.values() if a in thing.cells or b in thing.cells for cell in thing.cells
    )
    return Sight(state).clear(a, b, own)


def visible(state: State, pc: str) -> bool:
    """Whether the police see a character."""
    return Sight(state).pc_visible(pc)


def sees(state: State, space: Space, target: Space, sight: Sight | None = None) -> bool:
    """A character's own line of sight, from any cell of its space to any cell of the target's space (4.6)."""
    if is_building(state, space) or is_building(state, target):
        return near(state, space, target)
    if isinstance(target, str) and target in state.structures:
        return space == target or padj(state, space, target)
    here = sight or Sight(state)
    own = cells_of(state, space)
    goal = cells_of(state, target)
    return any(here.clear(a, b, (*own, *goal)) for a in own for b in goal)
