"""Production Points (WWZ-6-02), and the two ways to stop spending them."""

from collections.abc import Iterator
from typing import ClassVar, Self

from games.kernel import Action, Table
from games.world_war_zed.actions.refusals import refuse
from games.world_war_zed.effects import StepPassed, TrackChanged
from games.world_war_zed.state import State


def check_pp(state: State) -> None:
    """Refuse what costs a PP when there is none."""
    if not state.tracks.pp:
        refuse("WWZ-6-02", "no_pp")


def pay(table: Table[State]) -> None:
    """Spend a PP (WWZ-6.3-04)."""
    pp = table.state.tracks.pp
    table.emit(TrackChanged("pp", pp, pp - 1, "paid"))


class EndStep(Action, frozen=True):
    """Go on to the next step."""

    rule: ClassVar[str] = "WWZ-6-01"
    declines: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        yield cls()

    def apply(self, table: Table[State], seat: int) -> None:
        """The step is over."""
        assert table.state.step is not None
        table.emit(StepPassed(table.state.step))


class EndTurn(Action, frozen=True):
    """Do nothing more this Turn."""

    rule: ClassVar[str] = "WWZ-6-01"
    declines: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        yield cls()

    def apply(self, table: Table[State], seat: int) -> None:
        """All steps that are left are over."""
        while table.state.step is not None:
            table.emit(StepPassed(table.state.step))
