"""What the phasing seat decides while bombs and Justice units work (specification, 4.10, 4.15)."""

from collections.abc import Iterator
from typing import Any, ClassVar, Self

from games.block_mania.engine import Engine
from games.block_mania.refusals import demand
from games.block_mania.state import State
from games.block_mania.steps.bombs import ChooseThermoFire
from games.block_mania.steps.justice_units import ChooseJusticeTarget, fire_unit
from games.kernel import Action, Public, Table


class ChooseThermoFireAction(Action, frozen=True, tag="choose_thermo_fire"):
    """Which square above the melted one burns (BM-3A-2, BM-R71)."""

    rule: ClassVar[str] = "BM-3A-2"

    square: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The squares above that stand."""
        step = state.agenda[-1]
        assert isinstance(step, ChooseThermoFire)
        return map(cls, step.squares)

    def check(self, state: State, seat: int) -> None:
        """One of them."""
        step = state.agenda[-1]
        assert isinstance(step, ChooseThermoFire)
        if self.square not in step.squares:
            demand(("BM-3A-2", "not_above_it"))

    def apply(self, table: Table[State], seat: int) -> None:
        """It burns."""
        engine = Engine(table)
        engine.fire(self.square, "thermo")
        engine.drain()


class ChooseJusticeTargetAction(Action, frozen=True, tag="choose_justice_target"):
    """Whom a unit attacks, among those that its priorities leave equal (BM-3B-2)."""

    rule: ClassVar[str] = "BM-3B-2"

    unit: Public[str]
    blocker: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The tied blockers."""
        step = state.agenda[-1]
        assert isinstance(step, ChooseJusticeTarget)
        return (cls(step.unit, blocker) for blocker in step.blockers)

    def check(self, state: State, seat: int) -> None:
        """This unit, one of them."""
        step = state.agenda[-1]
        assert isinstance(step, ChooseJusticeTarget)
        if self.unit != step.unit or self.blocker not in step.blockers:
            demand(("BM-3B-2", "not_tied"))

    def apply(self, table: Table[State], seat: int) -> None:
        """It acts."""
        unit = next(unit for unit in table.state.units if unit.id == self.unit)
        fire_unit(table, unit, table.state.blockers[self.blocker])

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """The type of the blocker."""
        return {"type": state.blockers[self.blocker].type}
