"""Gas (ALG-GAS; POZ-GAS-1, -2, POZ-R29)."""

from games.kernel import Table
from games.portland_occupied_zone.effects import Gassed
from games.portland_occupied_zone.modifiers import in_force
from games.portland_occupied_zone.places import cells_of, distance, is_building, near
from games.portland_occupied_zone.sight import Sight
from games.portland_occupied_zone.state import State

REACH = 8  # POZ-GAS-1
GROUP = 2


def deploy(table: Table[State], cop: str, sight: Sight) -> None:
    """A riot cop gasses every group within its reach of which somebody can be seen: a cell of each space."""
    state = table.state
    space, reach = state.cops[cop].space, REACH + in_force(state, "gas_range")
    there = [
        pc
        for pc, who in state.pcs.items()
        if who.awake and not is_building(state, who.space) and distance(state, space, who.space) <= reach
    ]
    for group in _groups(state, there):
        if len(group) >= GROUP and any(sight.pc_visible(pc) for pc in group):
            for where in dict.fromkeys(state.pcs[pc].space for pc in group):
                cell = cells_of(state, where)[0]
                if cell not in state.tokens.gas:
                    table.emit(Gassed(cell, cop))


def _groups(state: State, pcs: list[str]) -> list[list[str]]:
    """Characters grouped by being near one another, directly or through others."""
    left, groups = list(pcs), list[list[str]]()
    while left:
        group = [left.pop(0)]
        for pc in group:
            joined = [other for other in left if near(state, state.pcs[pc].space, state.pcs[other].space)]
            group += joined
            left = [other for other in left if other not in joined]
        groups.append(group)
    return groups
