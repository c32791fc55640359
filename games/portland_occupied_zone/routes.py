"""How police walk (ALG-ROUTE; POZ-RAI-7): around buildings, dumpsters, other figures and what holds them up."""

from collections.abc import Iterable

from games.portland_occupied_zone.effects.police import MEDIC
from games.portland_occupied_zone.ground import ground
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.places import figures, near, neighbours, space_at
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
        self._ground = ground(state)
        self._slow: set[Space] = {name for name, thing in state.structures.items() if thing.type == "laundry"}
        self._closed: set[Space] = {dumpster.cell for dumpster in state.dumpsters.values()}
        self._closed.update(space for name, space in there.items() if name != figure)
        self._closed.update(name for name, building in state.buildings.items() if building.standing)
        self._closed.update(name for name, thing in state.structures.items() if self._stops(thing.type))
        self._costs = self._spread([self.start])

    def _stops(self, kind: str) -> bool:
        """Whether a structure does not let this figure in (POZ-R48)."""
        what = self.state.board.structures[kind]
        return what.site or kind == "commune" or (what.trap and self.figure == MEDIC)

    def price(self, space: Space) -> int:
        """What entering a space costs."""
        return SLOW if space in self._slow else STEP

    def goals(self, target: Space) -> list[Space]:
        """The spaces from which a figure reaches a space: next to it; out of the courthouse through the door only."""
        if target == self.start:
            return [target]
        goals = [space for space in self._ground.beside(target) if space not in self._closed]
        if self.start == COURTHOUSE and near(self.state, self.start, target):
            goals.append(self.start)
        return goals

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

    def _ahead(self, space: Space) -> tuple[Space, ...]:
        """What lies ahead of a figure in a space, north, east, south, west; out of the courthouse by its door."""
        return tuple(neighbours(self.state, space)) if space == COURTHOUSE else self._ground.beside(space)

    def _spread(self, sources: Iterable[Space], *, backward: bool = False) -> dict[Space, int]:
        """The cheapest cost from (backward: to) the nearest of some spaces, for every space (Dijkstra, by waves)."""
        found: dict[Space, int] = {}
        closed, slow = self._closed, self._slow
        wave, soon, later = list(sources), list[Space](), list[Space]()
        cost = 0
        while wave or soon or later:
            for here in wave:
                if here not in found:
                    found[here] = cost
                    for there in self._ahead(here):
                        if there not in found and there not in closed:
                            (later if (here if backward else there) in slow else soon).append(there)
            wave, soon, later = soon, later, []
            cost += STEP
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
