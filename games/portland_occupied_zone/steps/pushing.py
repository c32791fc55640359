"""What comes of pushing a burning dumpster into somebody (ALG-PUSH; POZ-DUM-10, -11, POZ-R39)."""

from games.kernel import Public, Step, Table
from games.portland_occupied_zone.effects import DumpsterPushed, FireRemoved, Stepped
from games.portland_occupied_zone.effects.police import MEDIC
from games.portland_occupied_zone.fighting import DUMPSTER, defeat, stats
from games.portland_occupied_zone.harm import enter
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.places import cells_of, figures, padj, pcs_in, space_at
from games.portland_occupied_zone.state import State


class AfterPush(Step, frozen=True):
    """The fight with the primary opponent is over: the others are hit, the fire is out, and perhaps both move."""

    pc: Public[str]
    dumpster: Public[str]
    to: Public[Cell]
    primary: Public[str]
    cost: Public[int]

    def run(self, table: Table[State]) -> None:
        """Others, fire, move."""
        state = table.state
        where = space_at(state, self.to)
        for figure, space in figures(state).items():
            hit = space == where or padj(state, space, self.to)
            if figure not in (self.primary, MEDIC) and hit and stats(state, figure).hits <= DUMPSTER:
                defeat(table, self.pc, figure)
        table.emit(FireRemoved(self.dumpster))
        if occupied(state, self.to) or not state.pcs[self.pc].awake:
            table.emit(DumpsterPushed(self.pc, self.dumpster, state.dumpsters[self.dumpster].cell, self.cost))
        else:
            shift(table, self.pc, self.dumpster, self.to, self.cost)


def shift(table: Table[State], pc: str, dumpster: str, to: Cell, cost: int) -> None:
    """The dumpster moves on, and who pushes it behind it."""
    behind = table.state.dumpsters[dumpster].cell
    table.emit(DumpsterPushed(pc, dumpster, to, cost))
    space = space_at(table.state, behind)
    table.emit(Stepped(pc, space, "push", 0))
    enter(table, pc, space, "push")


def occupied(state: State, cell: Cell) -> bool:
    """Whether a character, body, police figure or checkpoint is on a cell."""
    space = space_at(state, cell)
    return bool(
        space in state.checkpoints
        or pcs_in(state, space)
        or any(cell in cells_of(state, where) for where in figures(state).values())
    )
