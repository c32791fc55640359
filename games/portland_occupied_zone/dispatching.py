"""How police join: riot cops, Jackson and the Medic at the arrows, and checkpoints (ALG-DISPATCH, ALG-CHECKPOINT)."""

from collections.abc import Iterator

from games.kernel import Table
from games.portland_occupied_zone.board import COLOURS, EDGES, Arrow
from games.portland_occupied_zone.effects import CheckpointPlaced, CopDispatched, FigureReturned
from games.portland_occupied_zone.effects.police import JACKSON, MEDIC, officer_of
from games.portland_occupied_zone.modifiers import in_force
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.pack_parts import Colour, Edge
from games.portland_occupied_zone.places import figures_in, nearest_for_police, open_ground
from games.portland_occupied_zone.routes import in_order
from games.portland_occupied_zone.state import Space, State
from games.portland_occupied_zone.throws import d4

COP_FOR_EACH = 7  # POZ-DSP-8


class Dispatcher:
    """One dispatch: the edge is rolled when it is first needed, and is the same for everybody."""

    def __init__(self, table: Table[State]) -> None:
        self.table = table
        self.state = table.state
        self._edge: Edge | None = None

    def business(self) -> None:
        """2.4: Jackson to his circle, riot cops to checkpoints and arrows, last who has no courthouse (a to c)."""
        standing = self.state.buildings[COURTHOUSE].standing
        if standing and self._due(JACKSON):
            self.table.emit(FigureReturned(JACKSON, COURTHOUSE))
        if self._open():
            for checkpoint in sorted(self.state.checkpoints, key=in_order)[: self.free()]:
                self._man(checkpoint)
            most = max((pc.crap for pc in self.state.pcs.values() if pc.alive), default=0)
            self.send(most // COP_FOR_EACH)
        for figure in (JACKSON, MEDIC):
            if not standing and self._due(figure):
                arrow = self._arrow(self._roll_edge(), self._roll_colour())
                self.table.emit(FigureReturned(figure, self._place(arrow)))

    def by_card(self, n: int) -> None:
        """A card sends `n` riot cops (op `dispatch`)."""
        if self._open():
            self.send(n)

    def free(self) -> int:
        """How many more riot cops there may be: the Cop Cap by living characters, and the figures (POZ-CAP-1 to -3)."""
        state = self.state
        limits = state.board.pack.limits
        living = sum(pc.alive for pc in state.pcs.values())
        caps = state.options.cop_cap or limits.cop_cap
        return max(0, min(caps[living], limits.riot_cops) - len(state.cops))

    def send(self, n: int) -> None:
        """Up to `n` riot cops to one edge, half of them to each arrow; a die for the odd one (POZ-DSP-2 to -4)."""
        n = min(n, self.free())
        if n <= 0:
            return
        edge = self._roll_edge()
        colours: list[Colour] = [colour for colour in COLOURS for _ in range(n // 2)]
        if n % 2:
            colours.append(self._roll_colour())
        for colour in colours:
            self._join(self._place(self._arrow(edge, colour)))

    def _open(self) -> bool:
        """Riot cops are sent only in the battle, and not while a card forbids it."""
        return self.state.battle and not in_force(self.state, "no_dispatch")

    def _due(self, figure: str) -> bool:
        officer = officer_of(self.state, figure)
        return officer.returns_round is not None and officer.returns_round <= self.state.round

    def _man(self, checkpoint: str) -> None:
        """One riot cop into a checkpoint, or beside it if a figure stands in it (POZ-DSP-7)."""
        taken = figures_in(self.state, checkpoint)
        first = self.state.checkpoints[checkpoint].cells[0]
        self._join(nearest_for_police(self.state, first) if taken else checkpoint)

    def _join(self, space: Space) -> None:
        self.table.emit(CopDispatched(f"r{self.state.made['r'] + 1}", space, self.state.round + 1))

    def _roll_edge(self) -> Edge:
        if self._edge is None:
            self._edge = _edge(self.table)
        return self._edge

    def _roll_colour(self) -> Colour:
        return _colour(self.table)

    def _arrow(self, edge: Edge, colour: Colour) -> Arrow:
        """The arrow there; on a small map the other one of its edge, else those of the next edge clockwise (2.3)."""
        arrows = self.state.board.arrows
        return next(arrows[at] for at in _clockwise(edge, colour) if at in arrows)

    def _place(self, arrow: Arrow) -> Space:
        """The first free cell of an arrow, else the nearest free one."""
        state = self.state
        free = (cell for cell in arrow.cells if nearest_for_police(state, cell) == cell)
        return next(free, None) or nearest_for_police(state, arrow.cells[0])


def _edge(table: Table[State]) -> Edge:
    return table.state.board.pack.map.edge_roll[str(d4(table, "edge"))]  # type: ignore[index] # a face of the die


def _colour(table: Table[State]) -> Colour:
    return table.state.board.pack.map.arrow_roll[str(d4(table, "arrow"))]  # type: ignore[index] # a face of the die


def _clockwise(edge: Edge, colour: Colour) -> Iterator[tuple[Edge, Colour]]:
    """An arrow, the other one of its edge, then the next edges' clockwise."""
    other = COLOURS[1 - COLOURS.index(colour)]
    start = EDGES.index(edge)
    for at in (*EDGES[start:], *EDGES[:start]):
        yield at, colour
        yield at, other


def dispatch(table: Table[State], n: int) -> None:
    """Place `n` extra riot cops within the cap (op `dispatch`)."""
    Dispatcher(table).by_card(n)


def place_checkpoints(table: Table[State], n: int) -> None:
    """Place `n` checkpoints, each on the site that two dice name, or the next free one (ALG-CHECKPOINT)."""
    state = table.state
    for _ in range(n):
        if len(state.checkpoints) < state.board.pack.limits.checkpoints:
            edge, colour = _edge(table), _colour(table)
            arrow = _free_site(state, edge, colour)
            if arrow is not None:
                name = f"k{state.made['k'] + 1}"
                table.emit(CheckpointPlaced(name, arrow.site, arrow.site_cells))


def _free_site(state: State, edge: Edge, colour: Colour) -> Arrow | None:
    """The site named, else the other of this edge, else the next edges' clockwise, blue before white."""
    arrows, ground = state.board.arrows, open_ground(state)
    first = list(_clockwise(edge, colour))[:2]
    rest = [at for at in _clockwise(edge, "blue") if at not in first]
    for at in (*first, *rest):
        if at in arrows and arrows[at].site_cells and ground.issuperset(arrows[at].site_cells):
            return arrows[at]
    return None
