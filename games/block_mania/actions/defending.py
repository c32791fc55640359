"""Defensive Fire (specification, 4.7)."""

from collections.abc import Iterator
from typing import Any, ClassVar, Self

from msgspec import structs

from games.block_mania.actions.naming import OfBlocker
from games.block_mania.defending import Defence, defence_refusal, defences
from games.block_mania.effects import DefensiveFirePassed
from games.block_mania.equipment import give_back
from games.block_mania.predicates import item
from games.block_mania.refusals import demand
from games.block_mania.state import State
from games.block_mania.steps.defensive import Defensive
from games.block_mania.steps.shooting import Shot, declare
from games.kernel import Action, Public, Table


class DefensiveFire(OfBlocker, frozen=True):
    """A blocker fires at one that was activated this turn, and at all in its area (BM-DF-1, BM-DF-7)."""

    rule: ClassVar[str] = "BM-DF-1"
    exact: ClassVar[bool] = True

    token: Public[str]
    mode: Public[str]
    target: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Everything that may be fired."""
        return (cls(*structs.astuple(found)) for found in defences(state, seat))

    def check(self, state: State, seat: int) -> None:
        """The firer, the weapon, the target beside it."""
        demand(defence_refusal(state, seat, Defence(self.blocker, self.token, self.mode, self.target)))

    def apply(self, table: Table[State], seat: int) -> None:
        """Declare it; a robodog is sent, and comes back no more (BM-DF-5)."""
        state = table.state
        aimed = state.blockers[self.target]
        shot = Shot(
            seat=seat,
            blocker=self.blocker,
            token=self.token,
            mode=self.mode,
            square=aimed.at,
            side=aimed.side,
            cause="defensive_fire",
        )
        declare(table, shot)
        if "robodog" in item(state, self.token).flags:
            give_back(table, self.blocker, self.token, "sent")

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """The types of the blocker and of its target."""
        return {**super().notes(state, seat), "against": state.blockers[self.target].type}


class PassDefensiveFire(Action, frozen=True):
    """Fire no more in this phase (BM-R36)."""

    rule: ClassVar[str] = "BM-PLAY-3"
    declines: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        yield cls()

    def apply(self, table: Table[State], seat: int) -> None:
        """The next seat's turn to fire."""
        step = table.state.agenda[-1]
        assert isinstance(step, Defensive)
        table.emit(DefensiveFirePassed(seat))
        table.amend(Defensive, order=step.order[1:])
