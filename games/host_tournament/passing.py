"""The pass in a reaction window, which gives it itself where a seat has said so beforehand (specification, 4.4.4)."""

from collections.abc import Iterator
from typing import ClassVar, Self

from games.host_tournament.effects.turns import Passed
from games.host_tournament.state import Rest, State
from games.kernel import Action, Secret, Table, Visibility, secret_to


class Pass(Action, frozen=True):
    """Pass; with `rest` also in later windows, which only the own seat knows."""

    rule: ClassVar[str] = "HT-0.1"
    declines: ClassVar[bool] = True
    exact: ClassVar[bool] = True
    audience: ClassVar[Visibility] = secret_to("seat")

    rest: Secret[Rest] = "window"

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """In this window, until the next action is over, in the whole turn."""
        yield from (cls(), cls("action"), cls("turn"))

    def apply(self, table: Table[State], seat: int) -> None:
        """Put the seat among those that have passed."""
        window = table.state.agenda[-1]
        table.emit(Passed(seat, self.rest))
        table.amend(type(window), passed=(*window.passed, seat))
