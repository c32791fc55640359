"""Arson: successes on buildings and checkpoints, and what burns down (ALG-ARSON; POZ-ARS-1 to -11, POZ-R30 to R38)."""

from games.kernel import Table
from games.portland_occupied_zone.effects import ArsonAdded, BuildingBurnt, CheckpointRemoved
from games.portland_occupied_zone.harm import fire
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.places import pcs_in
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.tasks.battle import StartBattle
from games.portland_occupied_zone.tasks.building import Populate

HITS = 3  # for a token, a dumpster, a camera (POZ-ARS-1, POZ-CAM-2)


def ignite(table: Table[State], place: str, successes: int, by: str | None = None) -> None:
    """Successes on a standing building or a checkpoint, one after another; then the fire hurts who is inside."""
    state = table.state
    changed = False
    for _ in range(successes):
        tokens, slots = _strength(state, place), _slots(state, place)
        if tokens >= slots:
            _burn_down(table, place, by)
            return
        if state.supplies.arson > 0:
            table.emit(ArsonAdded(place, by))
            changed = True
    if changed and place in state.buildings:
        _hurt_inside(table, place)


def _strength(state: State, place: str) -> int:
    return (state.buildings[place] if place in state.buildings else state.checkpoints[place]).arson


def _slots(state: State, place: str) -> int:
    if place in state.buildings:
        return state.board.arson_slots(place)
    return state.board.pack.limits.arson_slots.checkpoint


def _hurt_inside(table: Table[State], building: str) -> None:
    inside = pcs_in(table.state, building)
    for pc in table.state.living():
        if pc in inside and table.state.pcs[pc].status != "jailed":
            fire(table, pc, building)


def _burn_down(table: Table[State], place: str, by: str | None) -> None:
    """Nothing is left of it; the people inside suffer its fire once more at most (POZ-R100)."""
    state = table.state
    if place in state.checkpoints:
        table.emit(CheckpointRemoved(place, by))
        return
    _hurt_inside(table, place)
    if state.outcome is not None:
        return
    cards = tuple(state.decks.loot.get(place, []))
    table.emit(BuildingBurnt(place, len(cards), cards, by))
    if place == COURTHOUSE:
        table.push(StartBattle())
    else:
        table.push(Populate(left=state.board.pack.limits.burnt_population))
