"""The actions of the Command Phase around activations (specification, 4.3)."""

from collections.abc import Iterator
from typing import Any, ClassVar, NoReturn, Self

from games.block_mania.actions.naming import OfBlocker
from games.block_mania.drawing import deploy, draw_blocker, draw_token, free_numbers
from games.block_mania.effects import ActivationEnded, MpBought, PointsLost
from games.block_mania.refusals import refuse
from games.block_mania.state import Blocker, State
from games.block_mania.steps.command import StartActivation, activation_cost
from games.block_mania.steps.window import Window, asked
from games.kernel import Action, Public, Table

#: BM-1CI-1.
DEPLOY_COST = 4


def active(state: State) -> Blocker:
    """The blocker whose activation is in progress."""
    return state.blockers[state.active or ""]


class DeployBlocker(Action, frozen=True):
    """Draw a blocker and deploy it in the own block, for 4 command points."""

    rule: ClassVar[str] = "BM-1CI-1"

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        yield cls()

    def check(self, state: State, seat: int) -> None:
        """Points, a standing block, a pool, a free square, and not in the endgame."""
        if state.command_points < DEPLOY_COST:
            refuse("BM-1CI-1", "not_enough_points")
        if state.endgame:
            refuse("BM-1CI-2", "endgame")
        if state.seats[seat].collapsed:
            refuse("BM-1CI-2", "block_collapsed")
        if not state.seats[seat].blocker_pool:
            refuse("BM-1CI-3", "pool_empty")
        if not free_numbers(state, seat):
            refuse("BM-R10", "no_free_square")

    def apply(self, table: Table[State], seat: int) -> None:
        """Draw, throw d66, equip."""
        name, pool = draw_blocker(table, seat)
        deploy(table, seat, name, DEPLOY_COST)
        draw_token(table, name, pool)
        table.stay()

    def notes(self, state: State, seat: int) -> dict[str, int]:
        """Its cost."""
        return {"cost": DEPLOY_COST}


class Activate(OfBlocker, frozen=True):
    """Activate a blocker of the own, or any Futsy."""

    rule: ClassVar[str] = "BM-ACT-1"

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """All blockers that might be activated."""
        return (cls(name) for name, one in state.blockers.items() if one.controller in (seat, None))

    def check(self, state: State, seat: int) -> None:
        """Under control, ready, and paid for; whoever was deployed or taken over this turn may be (BM-R83)."""
        blocker = state.blockers.get(self.blocker)
        if blocker is None or not blocker.at:
            refuse("BM-ACT-1", "no_such_blocker", blocker=self.blocker)
        if blocker.controller not in (seat, None):
            refuse("BM-ACT-1", "not_yours", blocker=self.blocker)
        if blocker.flipped:
            refuse("BM-DF-4", "flipped", blocker=self.blocker)
        if blocker.activated_this_turn:
            refuse("BM-ACT-9", "activated_already", blocker=self.blocker)
        if blocker.stuck_until is not None:
            refuse("BM-MAN-1", "stuck", blocker=self.blocker)
        if blocker.type == "fatties" and state.seats[seat].no_fatties:
            refuse("BM-MAN-1", "no_fatties", blocker=self.blocker)
        if activation_cost(state, blocker) > state.command_points:
            refuse("BM-ACT-1", "not_enough_points")

    def apply(self, table: Table[State], seat: int) -> None:
        """Fatties are declared first."""
        state = table.state
        table.stay()
        table.push(StartActivation(blocker=self.blocker))
        if state.blockers[self.blocker].type == "fatties":
            others = tuple(state.after(seat))
            declared = Window(kind="H", event="activation_declared", order=others, blocker=self.blocker)
            table.push(*asked(state, declared))

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """The type of the blocker, and its cost."""
        return {**super().notes(state, seat), "cost": activation_cost(state, state.blockers[self.blocker])}


class BuyMp(Action, frozen=True):
    """Turn command points into movement points."""

    rule: ClassVar[str] = "BM-ACT-3"
    exact: ClassVar[bool] = True

    n: Public[int]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Any number that is left."""
        return (cls(n) for n in range(1, state.command_points + 1))

    def check(self, state: State, seat: int) -> None:
        """At least one, and not more than are left."""
        if self.n < 1:
            refuse("BM-ACT-3", "at_least_one")
        if self.n > state.command_points:
            refuse("BM-ACT-3", "not_enough_points")

    def apply(self, table: Table[State], seat: int) -> None:
        """From the track to the blocker."""
        table.emit(MpBought(seat, table.state.active or "", self.n))
        table.stay()

    def notes(self, state: State, seat: int) -> dict[str, int]:
        """Its cost."""
        return {"cost": self.n}


class EndActivation(Action, frozen=True):
    """The blocker does no more."""

    rule: ClassVar[str] = "BM-ACT-9"
    declines: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        yield cls()

    def check(self, state: State, seat: int) -> None:
        """Not on top of a mine just dropped."""
        if active(state).must_leave:
            must_leave()

    def apply(self, table: Table[State], seat: int) -> None:
        """Back to the command."""
        table.emit(ActivationEnded(seat, table.state.active or "", "ended"))


def must_leave() -> NoReturn:
    """Refuse what is no way out for a blocker that has dropped a trip mine or thermo bomb."""
    refuse("BM-EQA-7", "must_leave")


class EndCommand(Action, frozen=True):
    """Go on to Defensive Fire; points left are lost."""

    rule: ClassVar[str] = "BM-1D-1"
    declines: ClassVar[bool] = True
    exact: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        yield cls()

    def apply(self, table: Table[State], seat: int) -> None:
        """Points are lost."""
        if table.state.command_points:
            table.emit(PointsLost(seat, table.state.command_points, "unused"))
