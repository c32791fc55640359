"""Spaces, what lies next to what, and what may be entered or built on (specification, 4.6)."""

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from games.portland_occupied_zone.ground import ground
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.state import Building, Checkpoint, Space, State

Bar = Literal["off_the_map", "dumpster_there", "checkpoint_there", "courthouse_there", "police_there", "pulpit_taken"]


def space_at(state: State, cell: Cell) -> Space:
    """The space that owns a cell of the map (POZ-TRN-17, -19)."""
    name = state.board.building_at.get(cell)
    if name is not None and state.buildings[name].standing:
        return name
    for name, structure in state.structures.items():
        if cell in structure.cells:
            return name
    for name, checkpoint in state.checkpoints.items():
        if cell in checkpoint.cells:
            return name
    return cell


def cells_of(state: State, space: Space) -> tuple[Cell, ...]:
    """The cells of a space."""
    if not isinstance(space, str):
        return (space,)
    if space in state.structures:
        return state.structures[space].cells
    if space in state.checkpoints:
        return state.checkpoints[space].cells
    return state.board.building_cells[space]


def is_building(state: State, space: Space) -> bool:
    """Whether a space is a standing building."""
    return isinstance(space, str) and space in state.buildings


def exists(state: State, space: Space) -> bool:
    """Whether there is such a space now: a single cell only while nothing larger owns it."""
    if not isinstance(space, str):
        return space in state.board.around and space_at(state, space) == space
    if space in state.buildings:
        return state.buildings[space].standing
    return space in state.structures or space in state.checkpoints


def beside(state: State, space: Space) -> tuple[Space, ...]:
    """The spaces physically adjacent (padj) to a space: north, east, south, west, each once, never diagonal."""
    return ground(state).beside(space)


def padj(state: State, a: Space, b: Space) -> bool:
    """Whether two spaces own cells that differ by 1 in exactly one coordinate."""
    return a != b and any(
        abs(ax - bx) + abs(ay - by) == 1 for ax, ay in cells_of(state, a) for bx, by in cells_of(state, b)
    )


def neighbours(state: State, space: Space) -> list[Space]:
    """Where one can step from a space: padj, into and out of a building by its door only."""
    if is_building(state, space):
        outside = state.board.buildings[str(space)].door[1]
        return [space_at(state, outside)] if outside in state.board.around else []
    return [there for there in beside(state, space) if not is_building(state, there) or through(state, there, space)]


def through(state: State, building: Space, space: Space) -> bool:
    """Whether the door of a building opens to a space."""
    return state.board.buildings[str(building)].door[1] in cells_of(state, space)


def near(state: State, a: Space, b: Space) -> bool:
    """The same space, or neighbours (4.6)."""
    if a == b:
        return True
    if is_building(state, a):
        return not is_building(state, b) and through(state, a, b)
    return through(state, b, a) if is_building(state, b) else padj(state, a, b)


def distance(state: State, a: Space, b: Space) -> int:
    """The smallest Manhattan distance between cells of two spaces."""
    return min(abs(ax - bx) + abs(ay - by) for ax, ay in cells_of(state, a) for bx, by in cells_of(state, b))


def dumpster_at(state: State, cell: Space) -> str | None:
    """The dumpster on a cell."""
    return next((name for name, dumpster in state.dumpsters.items() if dumpster.cell == cell), None)


def figures(state: State) -> dict[str, Space]:
    """Where every police figure on the board is: Jackson, the riot cops by id, the Medic."""
    there: dict[str, Space] = {}
    if state.jackson.on_board and state.jackson.space is not None:
        there["jackson"] = state.jackson.space
    there |= {name: cop.space for name, cop in state.cops.items()}
    if state.medic.on_board and state.medic.space is not None:
        there["medic"] = state.medic.space
    return there


def figures_in(state: State, space: Space) -> list[str]:
    """The police figures in a space."""
    return [name for name, where in figures(state).items() if where == space]


def pcs_in(state: State, space: Space) -> list[str]:
    """The characters in a space, bodies too."""
    return [name for name, pc in state.pcs.items() if pc.space == space]


def barred(state: State, pc: str, space: Space) -> tuple[str, Bar] | None:
    """Why a character cannot enter a space: the rule and the reason; None if it can (4.6)."""
    if not isinstance(space, str):
        if space not in state.board.ground and space not in state.board.building_at:
            return "POZ-ALT-2", "off_the_map"
        if dumpster_at(state, space) is not None:
            return "POZ-DUM-3", "dumpster_there"
    elif space in state.checkpoints:
        return "POZ-CHK-2", "checkpoint_there"
    elif space == COURTHOUSE:
        return "POZ-ARS-24", "courthouse_there"
    if figures_in(state, space):
        return "POZ-R93", "police_there"
    if isinstance(space, str) and space in state.structures and state.structures[space].type == "pulpit":
        others = [other for other in pcs_in(state, space) if other != pc and state.pcs[other].alive]
        if others:
            return "POZ-GOV-5", "pulpit_taken"
    return None


def taken_cells(state: State, but: Iterable[str] = ()) -> set[Cell]:
    """The cells on which nothing can be built: dumpsters, checkpoints, structures, police, characters (4.6).

    `but` are structures whose cells count as free ground.
    """
    spared = set(but)
    taken = {dumpster.cell for dumpster in state.dumpsters.values()}
    for checkpoint in state.checkpoints.values():
        taken.update(checkpoint.cells)
    for name, structure in state.structures.items():
        if name not in spared:
            taken.update(structure.cells)
    for where in (*figures(state).values(), *(pc.space for pc in state.pcs.values())):
        if not isinstance(where, str):
            taken.add(where)
        elif where in spared:
            taken.update(state.structures[where].cells)
    return taken


def walkable(state: State, cell: Cell) -> bool:
    """Whether a cell is open ground: street, lot, square, or where a building has burnt down (POZ-TRN-18)."""
    name = state.board.building_at.get(cell)
    return cell in state.board.ground if name is None else not state.buildings[name].standing


def footprint(kind: tuple[int, int], anchor: Cell, *, turned: bool) -> tuple[Cell, ...]:
    """The cells of a tile with this size, its anchor (smallest y, then x) first."""
    width, height = kind[::-1] if turned else kind
    x, y = anchor
    return tuple((x + dx, y + dy) for dy in range(height) for dx in range(width))


def open_ground(state: State, but: Iterable[str] = ()) -> set[Cell]:
    """All cells that can be built on."""
    ground = set(state.board.ground)
    for name, building in state.buildings.items():
        if not building.standing:
            ground.update(state.board.building_cells[name])
    return ground - taken_cells(state, but)


def footprints(state: State, kind: str, but: Iterable[str] = ()) -> Iterator[tuple[Cell, bool, str | None]]:
    """Every legal footprint of a type as anchor, turned and (barricades) site, row by row."""
    what = state.board.structures[kind]
    free = open_ground(state, but)
    if what.site:
        for name, cells in state.board.sites.items():
            if cells and free.issuperset(cells):
                yield cells[0], False, name
        return
    assert what.size is not None
    if kind == "pulpit":
        free -= state.board.square
    ways = (False, True) if what.size[0] != what.size[1] else (False,)
    for anchor in sorted(free, key=lambda cell: (cell[1], cell[0])):
        for turned in ways:
            if all(cell in free for cell in footprint(what.size, anchor, turned=turned)):
                yield anchor, turned, None


def has_room(state: State, kind: str, but: Iterable[str] = ()) -> bool:
    """Whether a structure of this type can be placed anywhere."""
    return next(footprints(state, kind, but), None) is not None


def nearest(state: State, cell: Cell, fits: Callable[[Space], bool]) -> Space | None:
    """The nearest space that fits, by the Manhattan distance of its cell, then smaller y, then smaller x (4.6)."""
    x, y = cell

    def order(other: Cell) -> tuple[int, int, int]:
        return abs(other[0] - x) + abs(other[1] - y), other[1], other[0]

    for there in sorted(state.board.cells, key=order):
        space = space_at(state, there)
        if fits(space):
            return space
    return None


def nearest_for_pc(state: State, pc: str, cell: Cell) -> Space:
    """Where a character that has to be put on a cell goes."""
    found = nearest(state, cell, lambda space: barred(state, pc, space) is None)
    return cell if found is None else found


def nearest_for_police(state: State, cell: Cell) -> Space:
    """Where a police figure that has to be put on a cell goes: a single cell with nothing on it."""

    def free(space: Space) -> bool:
        return (
            not isinstance(space, str)
            and dumpster_at(state, space) is None
            and not pcs_in(state, space)
            and not figures_in(state, space)
        )

    found = nearest(state, cell, free)
    return cell if found is None else found


def token_cells(state: State, space: Space) -> tuple[Cell, ...]:
    """The cells of a space on which a token counts for it: of a building only its door's inside cell (3.1)."""
    if is_building(state, space):
        return (state.board.buildings[str(space)].door[0],)
    return cells_of(state, space)


def befouled(state: State, space: Space) -> bool:
    """Whether a befoulment lies in a space (POZ-R96)."""
    return bool(state.tokens.befoul) and any(cell in state.tokens.befoul for cell in token_cells(state, space))


def gassed(state: State, space: Space) -> bool:
    """Whether gas lies in a space."""
    return bool(state.tokens.gas) and any(cell in state.tokens.gas for cell in token_cells(state, space))


def burnables(state: State) -> list[tuple[str, Building | Checkpoint]]:
    """What arson tokens go on: buildings, then checkpoints."""
    return [*state.buildings.items(), *state.checkpoints.items()]


def commune(state: State) -> str | None:
    """The Commune, once it stands (POZ-DIC-5)."""
    return next((name for name, thing in state.structures.items() if thing.type == "commune"), None)
