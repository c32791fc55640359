"""Walks of police figures: as far as movement lasts, or until something ends them (ALG-JACKSON, ALG-RIOT)."""

from msgspec import Struct

from games.kernel import Table
from games.portland_occupied_zone.effects import FigureDefeated, FigureMoved, StructureDestroyed
from games.portland_occupied_zone.effects.police import JACKSON, MEDIC, Halt
from games.portland_occupied_zone.fighting import stats
from games.portland_occupied_zone.harm import clean_one
from games.portland_occupied_zone.modifiers import in_force
from games.portland_occupied_zone.places import befouled, pcs_in
from games.portland_occupied_zone.routes import Routes, place_of
from games.portland_occupied_zone.state import Space, State

#: Structures that riot cops cannot attack: they shelter nobody (POZ-R50).
NO_SHELTER = ("laundry", "pulpit")


class Walk(Struct, frozen=True):
    """What a walk came to: the movement spent, why it ended, and the space that ended it."""

    spent: int
    end: Halt
    before: Space | None = None


def move_of(state: State, figure: str) -> int:
    """How far a figure goes in an activation (2.5)."""
    key = {JACKSON: "jackson_move", MEDIC: None}.get(figure, "riot_move")
    return max(0, stats(state, figure).move + (in_force(state, key) if key else 0))


def walk(table: Table[State], routes: Routes, target: str, rule: str, move: int) -> Walk:
    """A figure makes for a target, because a rule sends it there; a trap in the way is the end of both."""
    state, figure = table.state, routes.figure
    path, spent = list[Space](), 0
    end: Halt = "arrived"
    before: Space | None = None
    for space in routes.path(place_of(state, target)):
        if spent + routes.price(space) > move:
            end = "spent"
            break
        stop = _in_the_way(state, figure, space)
        if stop is not None:
            end, before = stop, space
            break
        spent += routes.price(space)
        path.append(space)
        if figure == JACKSON and befouled(state, space):
            end = "befouled"
            break
    table.emit(FigureMoved(figure, tuple(path), target, rule, end, before))
    _meet(table, figure, end, before)
    return Walk(spent, end, before)


def stay(table: Table[State], figure: str, rule: str) -> None:
    """A figure finds nothing to make for."""
    table.emit(FigureMoved(figure, (), None, rule, "stayed"))


def _in_the_way(state: State, figure: str, space: Space) -> Halt | None:
    """Why a figure does not enter the next space of its way (POZ-JAX-7; POZ-R46, R48, R50)."""
    thing = state.structures.get(space) if isinstance(space, str) else None
    awake = any(state.pcs[pc].awake for pc in pcs_in(state, space))
    if figure in (JACKSON, MEDIC) or thing is None or thing.type in NO_SHELTER:
        if awake:
            return "pc"
    elif awake or thing.npcs:
        return "defended"
    return "danger" if thing is not None and state.board.structures[thing.type].trap else None


def _meet(table: Table[State], figure: str, end: Halt, before: Space | None) -> None:
    """Danger takes the figure and is gone (POZ-RED-5, -9); Jackson cleans up a befoulment (POZ-JAX-8)."""
    state = table.state
    if end == "danger":
        spring(table, figure, str(before))
    elif end == "befouled":
        space = state.jackson.space
        assert space is not None
        clean_one(table, space)


def spring(table: Table[State], figure: str, trap: str) -> None:
    """A figure and the needle pile or tire fire that it enters or assaults are gone (POZ-RED-5, -9, POZ-R69)."""
    table.emit(StructureDestroyed(trap, table.state.structures[trap].type, figure))
    table.emit(FigureDefeated(figure, trap, credited=False))
