"""The Defensive Fire Phase (specification, 4.7): seat by seat, each finishing once (BM-R36)."""

from typing import ClassVar

from games.block_mania.defending import defences
from games.block_mania.effects import Screened
from games.block_mania.state import State
from games.kernel import Public, Step, Table


class Defensive(Step, frozen=True, kw_only=True):
    """The seats of `order` fire, the first of them now."""

    order: Public[tuple[int, ...]]

    menu: ClassVar[tuple[str, ...]] = ("defensive_fire", "pass_defensive_fire")
    root: ClassVar[bool] = True

    def run(self, table: Table[State]) -> None:
        """Ask the next seat that can fire."""
        state = table.state
        for place, seat in enumerate(self.order):
            fires = next(defences(state, seat), None) is not None
            if state.options.equipment_hidden:
                table.emit(Screened(seat, "defensive", fires))
            if fires:
                table.push(Defensive(order=self.order[place:], seats=(seat,)))
                return


def opening_defensive(state: State) -> tuple[Step, ...]:
    """Some seat can fire."""
    order = tuple(state.after(state.phasing))
    fires = any(next(defences(state, seat), None) is not None for seat in order)
    return (Defensive(order=order),) if fires else ()
