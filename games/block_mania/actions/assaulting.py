"""Close Assault (specification, 4.8)."""

from collections.abc import Iterator
from typing import Any, ClassVar, Self

from games.block_mania.actions.naming import OfBlocker, types_in
from games.block_mania.actions.shooting import ALL_FIRES, Fires
from games.block_mania.board import Side
from games.block_mania.effects import FireChosen
from games.block_mania.engine import Engine
from games.block_mania.equipment import give_back
from games.block_mania.melee import Bout, charge_refusal, charges, mandatory
from games.block_mania.movement import indoors
from games.block_mania.refusals import demand
from games.block_mania.state import State
from games.block_mania.steps.assault import BeginFight, ChooseAssaultFire, declare_fight
from games.block_mania.steps.moving import enter
from games.kernel import Action, Public, Table


class Fight(Action, frozen=True):
    """Fight in an area in which a blocker of the phasing seat is pinned, against an enemy side (BM-3CII-1).

    `against` is the seat that controls it, of a Futsy its deployer.
    """

    rule: ClassVar[str] = "BM-3CII-1"
    exact: ClassVar[bool] = True

    square: Public[str]
    side: Public[Side]
    against: Public[int]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every fight that is owed."""
        return iter(dict.fromkeys(cls(*bout.area, bout.against) for bout in mandatory(state)))

    def check(self, state: State, seat: int) -> None:
        """A fight that is owed, and this enemy in it."""
        here = [bout for bout in mandatory(state) if bout.area == (self.square, self.side)]
        if not here:
            demand(("BM-3CII-1", "no_fight_there"))
        if self.bout(state) is None:
            demand(("BM-3CII-1", "no_such_enemy_there"))

    def bout(self, state: State) -> Bout | None:
        """The fight that is meant."""
        wanted = ((self.square, self.side), self.against)
        return next((bout for bout in mandatory(state) if (bout.area, bout.against) == wanted), None)

    def apply(self, table: Table[State], seat: int) -> None:
        """Declare it; the phase goes on after it."""
        bout = self.bout(table.state)
        assert bout is not None
        declare_fight(table, bout)
        table.stay()

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """The types of all who stand there."""
        return {"there": types_in(state, self.square, self.side)}


class Charge(OfBlocker, frozen=True):
    """Charge into a neighbouring square and fight there at once (BM-3CII-2)."""

    rule: ClassVar[str] = "BM-3CII-2"
    exact: ClassVar[bool] = True

    to: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Who may charge where."""
        return (cls(*found) for found in charges(state, seat))

    def check(self, state: State, seat: int) -> None:
        """The blocker, the way, an enemy there."""
        demand(charge_refusal(state, seat, self.blocker, self.to))

    def apply(self, table: Table[State], seat: int) -> None:
        """Move, meet what lies there, fight."""
        side = indoors(table.state, self.to)
        table.push(BeginFight(blocker=self.blocker, square=self.to, side=side))
        enter(table, self.blocker, (self.to, side), "charge", 0)
        table.stay()

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """The types of the blocker and of those whom it charges."""
        return {**super().notes(state, seat), "there": types_in(state, self.to, indoors(state, self.to))}


class ChooseAssaultFireAction(Action, frozen=True, tag="choose_assault_fire"):
    """How many Fire markers a fighter leaves, and with what; all three use the token up (BM-CA-3)."""

    rule: ClassVar[str] = "BM-CA-3"

    n: Public[Fires]
    token: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """None to three, with each of its weapons."""
        step = state.agenda[-1]
        assert isinstance(step, ChooseAssaultFire)
        return (cls(n, token) for token in step.tokens for n in (0, 1, 2, 3))

    def check(self, state: State, seat: int) -> None:
        """A weapon that it carried."""
        step = state.agenda[-1]
        assert isinstance(step, ChooseAssaultFire)
        if self.token not in step.tokens:
            demand(("BM-CA-3", "not_carried"))

    def apply(self, table: Table[State], seat: int) -> None:
        """The token goes back (a dead one's has), the square burns."""
        step = table.state.agenda[-1]
        assert isinstance(step, ChooseAssaultFire)
        table.emit(FireChosen(seat, step.blocker, self.token, self.n))
        if self.n == ALL_FIRES and step.blocker in table.state.blockers:
            give_back(table, step.blocker, self.token, "spent")
        engine = Engine(table)
        engine.fire(step.square, "attack", self.n)
        engine.drain()
