"""How Sgt. Jackson and the riot cops act (ALG-JACKSON, ALG-RIOT)."""

from games.kernel import Table
from games.portland_occupied_zone.assaults import assault, prize
from games.portland_occupied_zone.effects.police import JACKSON
from games.portland_occupied_zone.leading import most_crapulent
from games.portland_occupied_zone.places import commune, figures, near, pcs_in
from games.portland_occupied_zone.routes import Routes
from games.portland_occupied_zone.sight import Sight
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.tasks.targets import Against, aim, fight
from games.portland_occupied_zone.walking import Walk, move_of, stay, walk

JACKSON_PURSUES, RIOT_PURSUES = "POZ-JAX-5", "POZ-R49"
BARRICADES_FIRST, BY_POPULATION = "POZ-RAI-2", "POZ-RAI-1"


class Pursue(Against, frozen=True):
    """A cop makes for a character that it sees."""

    def against(self, table: Table[State], pc: str) -> None:
        """Walk; then fight whoever stopped it, or who it came for."""
        rule = JACKSON_PURSUES if self.figure == JACKSON else RIOT_PURSUES
        _go(table, Routes(table.state, self.figure), pc, rule)


def jackson(table: Table[State]) -> None:
    """He pursues the most crapulent character in sight, however far (POZ-JAX-5, -6)."""
    routes = Routes(table.state, JACKSON)
    if not _pursue(table, routes):
        stay(table, JACKSON, JACKSON_PURSUES)
        aim(table, JACKSON)


def riot(table: Table[State], cop: str) -> None:
    """A riot cop makes for a structure in sight, else for a character in sight, else for the Commune (POZ-R49)."""
    state = table.state
    routes = Routes(state, cop)
    name = prize(state, routes)
    if name is not None:
        site = state.board.structures[state.structures[name].type].site
        _go(table, routes, name, BARRICADES_FIRST if site else BY_POPULATION)
    elif state.options.riot_fallback == "hold" or not _fall_back(table, routes):
        stay(table, cop, RIOT_PURSUES)
        aim(table, cop)


def _fall_back(table: Table[State], routes: Routes) -> bool:
    if _pursue(table, routes):
        return True
    goal = commune(table.state)
    if goal is None or routes.cost(goal) is None:
        return False
    _go(table, routes, goal, RIOT_PURSUES)
    return True


def _pursue(table: Table[State], routes: Routes) -> bool:
    """Go for the most crapulent visible character that there is a way to; whether there is one."""
    state = table.state
    sight = Sight(state)
    seen = [pc for pc, who in state.pcs.items() if sight.pc_visible(pc) and routes.cost(who.space) is not None]
    if seen:
        table.push(Pursue(figure=routes.figure, pcs=tuple(most_crapulent(state, seen))))
    return bool(seen)


def _go(table: Table[State], routes: Routes, target: str, rule: str) -> None:
    """Walk towards a target and attack what is there; who attacked nothing may shoot."""
    figure = routes.figure
    gone = walk(table, routes, target, rule, move_of(table.state, figure))
    if gone.end != "danger" and not _attacked(table, figure, target, gone):
        aim(table, figure)


def _attacked(table: Table[State], figure: str, target: str, gone: Walk) -> bool:
    """Attack at the end of a walk (POZ-JAX-8, ALG-RIOT 3 and 4); whether there was anything to attack."""
    state = table.state
    if gone.end == "pc" and gone.before is not None:
        fight(table, figure, [pc for pc in pcs_in(state, gone.before) if state.pcs[pc].awake])
        return True
    if gone.end == "befouled":
        return False
    if figure != JACKSON and assault(table, figure):
        return True
    if target not in state.pcs or not near(state, figures(state)[figure], state.pcs[target].space):
        return False
    fight(table, figure, [target])
    return True
