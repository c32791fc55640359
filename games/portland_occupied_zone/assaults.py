"""What riot cops attack: the structures next to them, and how one falls (ALG-RIOT 1, 4 and 5; POZ-RAI-1 to -6)."""

from games.kernel import Table
from games.portland_occupied_zone.effects import NpcKilled, StructureDestroyed
from games.portland_occupied_zone.leading import end_game
from games.portland_occupied_zone.places import neighbours, pcs_in
from games.portland_occupied_zone.routes import Routes, in_order
from games.portland_occupied_zone.sight import Sight
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.tasks.targets import fight
from games.portland_occupied_zone.walking import NO_SHELTER, spring


def prize(state: State, routes: Routes) -> str | None:
    """The structure that a riot cop makes for: in sight, barricades first, then population, the way, the id."""
    sight = Sight(state)
    costs = {name: routes.cost(name) for name in targets(state) if sight.structure_visible(name)}
    reached = {name: cost for name, cost in costs.items() if cost is not None}
    return min(reached, key=lambda name: (*_rank(state, name), reached[name], in_order(name)), default=None)


def targets(state: State) -> list[str]:
    """All structures but laundry and the Pulpit (POZ-R50)."""
    return [name for name, thing in state.structures.items() if thing.type not in NO_SHELTER]


def _rank(state: State, name: str) -> tuple[bool, int]:
    kind = state.board.structures[state.structures[name].type]
    return not kind.site, -kind.pop


def assault(table: Table[State], cop: str) -> bool:
    """A riot cop attacks the best structure it is near, its own space included; whether there was one (ALG-RIOT 4)."""
    state = table.state
    space = state.cops[cop].space
    here = {space, *neighbours(state, space)}
    near = [name for name in targets(state) if name in here]
    if not near:
        return False
    _attack(table, cop, min(near, key=lambda name: (*_rank(state, name), in_order(name))))
    return True


def _attack(table: Table[State], cop: str, name: str) -> None:
    """Traps first; NPCs, then characters, then the structure itself; with the Commune all is lost (ALG-RIOT 5)."""
    state = table.state
    thing = state.structures[name]
    awake = [pc for pc in pcs_in(state, name) if state.pcs[pc].awake]
    if state.board.structures[thing.type].trap:
        spring(table, cop, name)
    elif thing.npcs:
        table.emit(NpcKilled(name, cop))
    elif awake:
        fight(table, cop, awake)
    elif thing.type == "commune":
        end_game(table, "commune_taken")
    else:
        table.emit(StructureDestroyed(name, thing.type, cop))
