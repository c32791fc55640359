"""How police walk (ALG-ROUTE; POZ-RAI-7): around buildings, dumpsters, other figures and what holds them up."""

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush

from games.portland_occupied_zone.effects.police import MEDIC
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.places import beside, figures, near, space_at
from games.portland_occupied_zone.state import Space, State

#: What entering a space costs: an open one, and a pile of laundry (POZ-RED-6).
STEP, SLOW = 1, 2


class Routes:
    """The ground as one police figure finds it now. Made once for an activation: only the figure itself moves in it."""

    def __init__(self, state: State, figure: str) -> None:
        there = figures(state)
        self.state = state
        self.figure = figure
        self.start = there[figure]
        self._owner: dict[Cell, Space] = {}
        self._slow: set[Space] = set()
        self._closed: set[Space] = {dumpster.cell for dumpster in state.dumpsters.values()}
        self._closed.update(space for name, space in there.items() if name != figure)
        self._own(figure)
        self._costs = self._spread([self.start])

    def _own(self, figure: str) -> None:
        """Which spaces are larger than a cell, and which of these let this figure in (POZ-R48)."""
        state, board = self.state, self.state.board
        for name, building in state.buildings.items():
            if building.standing:
                self._owner.update(dict.fromkeys(board.building_cells[name], name))
                self._closed.add(name)
        for name, checkpoint in state.checkpoints.items():
            self._owner.update(dict.fromkeys(checkpoint.cells, name))
        for name, structure in state.structures.items():
            kind = board.structures[structure.type]
            self._owner.update(dict.fromkeys(structure.cells, name))
            if kind.site or kind.id == "commune" or (kind.trap and figure == MEDIC):
                self._closed.add(name)
            if kind.id == "laundry":
                self._slow.add(name)

    def price(self, space: Space) -> int:
        """What entering a space costs."""
        return SLOW if space in self._slow else STEP

    def goals(self, target: Space) -> list[Space]:
        """The spaces from which a figure reaches a space: next to it; out of the courthouse through the door only."""
        if target == self.start:
            return [target]
        open_to = [space for space in self._next_to(target) if space not in self._closed]
        if self.start == COURTHOUSE and near(self.state, self.start, target):
            open_to.append(self.start)
        return open_to

    def cost(self, target: Space) -> int | None:
        """What the way to a space costs; None: there is none."""
        return min((self._costs[goal] for goal in self.goals(target) if goal in self._costs), default=None)

    def path(self, target: Space) -> list[Space]:
        """The way to a space: of several cheapest ones, north before east, south, west at each step."""
        left = self._spread(self.goals(target), backward=True)
        here, path = self.start, list[Space]()
        rest = self.cost(target)
        while rest:
            here = next(
                there for there in self._ahead(here) if there in left and left[there] + self.price(there) == rest
            )
            path.append(here)
            rest = left[here]
        return path

    def _next_to(self, space: Space) -> Iterable[Space]:
        if isinstance(space, str):
            return beside(self.state, space)
        owner = self._owner
        return [owner.get(cell, cell) for cell in self.state.board.around[space]]

    def _ahead(self, space: Space) -> Iterator[Space]:
        """Where the figure can step from a space; out of the courthouse by its door."""
        if space == COURTHOUSE:
            board = self.state.board
            outside = board.buildings[COURTHOUSE].door[1]
            ahead: Iterable[Space] = [self._owner.get(outside, outside)] if outside in board.around else []
        else:
            ahead = self._next_to(space)
        return (there for there in ahead if there not in self._closed)

    def _spread(self, sources: Iterable[Space], *, backward: bool = False) -> dict[Space, int]:
        """The cheapest cost from (backward: to) the nearest of some spaces, for every space (Dijkstra)."""
        found: dict[Space, int] = {}
        queue: list[tuple[int, int, Space]] = [(0, n, space) for n, space in enumerate(sources)]
        count = len(queue)
        while queue:
            cost, _, here = heappop(queue)
            if here in found:
                continue
            found[here] = cost
            for there in self._ahead(here):
                if there not in found:
                    count += 1
                    heappush(queue, (cost + self.price(here if backward else there), count, there))
        return found


def place_of(state: State, target: str) -> Space:
    """Where a figure goes that makes for a character, structure, building, checkpoint or dumpster."""
    if target in state.pcs:
        return state.pcs[target].space
    if target in state.dumpsters:
        return state.dumpsters[target].cell
    return target


def route(state: State, figure: str, to: str | Cell) -> tuple[int, list[Space]] | None:
    """The question `route` of 3.3: what the way of a figure costs, and its spaces; None: there is no way."""
    routes = Routes(state, figure)
    target = place_of(state, to) if isinstance(to, str) else space_at(state, to)
    cost = routes.cost(target)
    return None if cost is None else (cost, routes.path(target))


def in_order(name: str) -> tuple[str, int]:
    """How ids sort: `r2` before `r10`."""
    letters = name.rstrip("0123456789")
    return letters, int(name[len(letters) :] or 0)
