"""The Medic: aid, then the nearest fire or the injured (ALG-MEDIC; POZ-MED-1 to -6)."""

from games.kernel import Table
from games.portland_occupied_zone.effects import FireRemoved, MedicTends
from games.portland_occupied_zone.effects.police import MEDIC
from games.portland_occupied_zone.harm import heal
from games.portland_occupied_zone.modifiers import in_force
from games.portland_occupied_zone.places import is_building, near, padj
from games.portland_occupied_zone.routes import Routes, in_order, place_of
from games.portland_occupied_zone.state import Space, State
from games.portland_occupied_zone.tasks.targets import aim
from games.portland_occupied_zone.walking import move_of, stay, walk

FOLLOWS, SEEKS = "POZ-MED-5", "POZ-MED-3"


def tend(table: Table[State]) -> None:
    """His activation: he helps where he has been all round, then seeks the next fire or patient."""
    state = table.state
    if in_force(state, "medic_idle"):
        look_round(table)
        return
    left = move_of(state, MEDIC)
    if not state.medic.attacked:  # POZ-MED-9
        left -= _fight_fire(table)
        for pc in state.living():
            if pc in state.medic.beside:
                heal(table, pc, 1)
    routes = Routes(state, MEDIC)
    errand = _errand(state, routes)
    if errand is None:
        stay(table, MEDIC, SEEKS)
    else:
        walk(table, routes, errand, SEEKS, left)
    _note(table, errand)
    aim(table, MEDIC)


def look_round(table: Table[State]) -> None:
    """He does nothing, but a round beside him or the fire begins all the same (POZ-MED-9: "that round")."""
    _note(table, _errand(table.state, Routes(table.state, MEDIC)))


def _note(table: Table[State], errand: str | None) -> None:
    """Where he stands until his next activation (ALG-MEDIC 4)."""
    state = table.state
    here = _here(state)
    tending = errand if errand is not None and errand not in state.pcs and _reaches(state, errand) else None
    beside = tuple(pc for pc, who in state.pcs.items() if who.alive and near(state, here, who.space))
    table.emit(MedicTends(tending, beside))


def _here(state: State) -> Space:
    here = state.medic.space
    assert here is not None
    return here


def _reaches(state: State, place: str) -> bool:
    """Whether he is next to a fire, or inside the building."""
    target, here = place_of(state, place), _here(state)
    return here == target or padj(state, here, target)


def _fight_fire(table: Table[State]) -> int:
    """A whole round beside a fire: a token less, or the dumpster is out, which he may follow; the movement spent."""
    state = table.state
    place = state.medic.tending
    if place is None or not _burns(state, place):
        return 0
    spent = 0
    if place in state.dumpsters:
        routes, move = Routes(state, MEDIC), move_of(state, MEDIC)
        cost = routes.cost(place_of(state, place))
        if cost is None or cost > move:
            return 0
        if cost:
            spent = walk(table, routes, place, FOLLOWS, move).spent
    if _reaches(state, place):
        table.emit(FireRemoved(place))
    return spent


def _burns(state: State, place: str) -> bool:
    if place in state.dumpsters:
        return state.dumpsters[place].burning
    if place in state.buildings:
        return state.buildings[place].standing and state.buildings[place].arson > 0
    return place in state.checkpoints and state.checkpoints[place].arson > 0


def _errand(state: State, routes: Routes) -> str | None:
    """The nearest burning building or checkpoint, else dumpster, else injured character outside buildings."""
    injured = [pc for pc, who in state.pcs.items() if who.alive and who.injuries and not is_building(state, who.space)]
    fires = sorted(filter(lambda place: _burns(state, place), (*state.buildings, *state.checkpoints)), key=in_order)
    dumpsters = sorted((name for name in state.dumpsters if _burns(state, name)), key=in_order)
    for places in (fires, dumpsters, injured):
        costs = {place: routes.cost(place_of(state, place)) for place in places}
        reached = {place: cost for place, cost in costs.items() if cost is not None}
        if reached:
            return min(reached, key=lambda place: reached[place])
    return None
