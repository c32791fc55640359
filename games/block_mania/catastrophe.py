"""The catastrophic collapse of a block (specification, 4.11 step 3; BM-4C-1)."""

from typing import Final

from games.block_mania.deaths import kill
from games.block_mania.effects import BlockCollapsed, CatastropheChecked, CatastropheRolled
from games.block_mania.predicates import block_of
from games.block_mania.state import State
from games.kernel import Table

COLLAPSES_MIN: Final = 6
DICE: Final = 5


def due(state: State) -> list[int]:
    """The seats whose blocks are checked in this End Phase, in turn order from the phasing one (BM-R50)."""
    seats = [state.phasing]
    if state.options.catastrophe_check == "every_end_phase":
        seats += state.after(state.phasing)
    return [seat for seat in seats if _fell_lately(state, seat)]


def check_catastrophe(table: Table[State], seat: int) -> None:
    """Five dice against the collapsed squares of a seat's block, if there are enough; then count anew (BM-COL-4)."""
    state = table.state
    tower = state.map.tower[block_of(state, seat)]
    number = sum(state.square(name).collapsed for name in tower)
    if _fell_lately(state, seat) and number >= COLLAPSES_MIN:
        dice = tuple(table.roll("catastrophe", 6) for _ in range(DICE))
        falls = sum(dice) < number
        table.emit(CatastropheRolled(seat, dice, number, falls))
        if falls:
            _fall(table, seat, tower)
    table.emit(CatastropheChecked(seat))


def _fell_lately(state: State, seat: int) -> bool:
    here = state.seats[seat]
    since = state.options.catastrophe_check == "since_last_check"
    return not here.collapsed and (here.collapses_since_check if since else here.collapses_this_turn) > 0


def _fall(table: Table[State], seat: int, tower: tuple[str, ...]) -> None:
    """Everybody in the tower is dead, on both sides of its Windows (BM-R81); those in the Open Air stay (BM-R51)."""
    state = table.state
    ranks = {name: rank for rank, name in enumerate(tower)}
    there = [blocker for blocker in state.blockers.values() if blocker.at in ranks]
    table.emit(BlockCollapsed(seat, tower))
    for blocker in sorted(there, key=lambda one: (ranks[one.at], one.arrived)):
        kill(table, blocker.id, "catastrophe")
