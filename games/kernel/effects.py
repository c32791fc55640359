"""The effects and the one action that the kernel itself knows."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

import msgspec

from games.kernel.messages import EVERYONE, Action, Effect, State
from games.kernel.visibility import Hidden, Nested, Public

if TYPE_CHECKING:
    from games.kernel.table import Table

S = TypeVar("S")
A = TypeVar("A")


class AgendaSet(Effect, Generic[S], frozen=True):
    """The agenda after an event: the lowest `keep` steps stay, then come `steps` (the last one on top).

    The first `amended` of these are steps that were there before, with other fields: a decision that has been answered
    by one of its seats, an attack with a bonus.
    """

    keep: Public[int]
    steps: Nested[tuple[S, ...]]
    amended: Public[int] = 0

    def fold(self, state: State) -> None:
        """Cut the agenda down to `keep` steps and put the new ones on it."""
        state.agenda[self.keep :] = self.steps


class Answered(Effect, Generic[A], frozen=True):
    """The kernel answered for a seat; `why` is forced, resigned or expired."""

    seat: Public[int]
    action: Nested[A]
    why: Public[str]

    def fold(self, state: State) -> None:
        """Nothing moves: the effects of the answer follow."""


class SeatResigned(Effect, frozen=True):
    """A seat has given up; what it owes from now on is settled by the rules.

    How its debts are paid may follow from what only it has seen, so everybody learns something.
    """

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]

    def fold(self, state: State) -> None:
        """Note the seat among those that have resigned."""
        state.resigned.append(self.seat)


class PositionSet(Effect, frozen=True):
    """The game starts from this whole state (a scenario, or a fork of another game)."""

    state: Hidden[msgspec.Raw]

    def fold(self, state: State) -> None:
        """Replace every field of the state by that of the recorded one."""
        loaded = msgspec.json.decode(self.state, type=type(state))
        for name in state.__struct_fields__:
            setattr(state, name, getattr(loaded, name))


class Resign(Action, frozen=True):
    """Give up the game. Accepted at any time before the end, whether the seat owes a decision or not; never listed."""

    out_of_turn: ClassVar[bool] = True

    @classmethod
    def options(cls, state: Any, seat: int) -> Iterable[Self]:
        """Nothing: acts out of turn are never listed."""
        return ()

    def apply(self, table: "Table[Any]", seat: int) -> None:
        """Record the resignation; the kernel then settles what the seat owes."""
        table.emit(SeatResigned(seat))
