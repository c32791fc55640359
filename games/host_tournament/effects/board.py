"""Moves, and what is stopped, in stasis or displaced (specification, 4.13: moves, state)."""

from typing import ClassVar

from games.host_tournament.effects.fact import Fact
from games.host_tournament.state import State
from games.kernel import EVERYONE, Public


class GroupFormed(Fact, frozen=True, rename={"from_": "from"}):
    """A group is put together for a move."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    from_: Public[str]
    to: Public[str]

    def _change(self, state: State) -> None:
        state.fresh = [seat for seat in state.fresh if seat != state.active]


class LeftBehind(Fact, frozen=True):
    """One that could go along stays."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    card: Public[str]


class MoveAnnounced(Fact, frozen=True, rename={"from_": "from"}):
    """A group sets off; all are still where they start from (HT-12.9)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    from_: Public[str]
    to: Public[str]
    movers: Public[tuple[str, ...]]
    carry: Public[tuple[str, ...]]

    def _change(self, state: State) -> None:
        for name in self.movers:
            state.in_play[name].moving = True


class GroupArrived(Fact, frozen=True):
    """The movers that were not held up arrive with what they carry."""

    to: Public[str]
    movers: Public[tuple[str, ...]]
    carry: Public[tuple[str, ...]]

    def _change(self, state: State) -> None:
        for name in (*self.movers, *self.carry):
            state.in_play[name].at = self.to
        for card in state.in_play.values():
            card.moving = False


class MoveFailed(Fact, frozen=True):
    """Nobody arrives."""

    def _change(self, state: State) -> None:
        for card in state.in_play.values():
            card.moving = False


class Stopped(Fact, frozen=True):
    """A personnel is stopped until the start of its owner's n-th next turn; ends are not added (HT-R17)."""

    card: Public[str]
    n: Public[int]

    def _change(self, state: State) -> None:
        card = state.in_play[self.card]
        card.stop = max(card.stop, self.n)
        card.moving = False


class Freed(Fact, frozen=True):
    """A personnel is no longer stopped."""

    card: Public[str]

    def _change(self, state: State) -> None:
        state.in_play[self.card].stop = 0


class EnteredStasis(Fact, frozen=True):
    """A personnel goes into stasis for want of a Pint (HT-6.1)."""

    card: Public[str]

    def _change(self, state: State) -> None:
        card = state.in_play[self.card]
        card.stasis, card.moving = "beer", False


class LeftStasis(Fact, frozen=True):
    """A personnel leaves stasis; for `awake` turns of its owner it needs no Pint."""

    card: Public[str]
    awake: Public[int]

    def _change(self, state: State) -> None:
        card = state.in_play[self.card]
        card.stasis, card.awake = None, max(card.awake, self.awake)


class Displaced(Fact, frozen=True):
    """What was at a place that is gone is put to another one (4.10)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    card: Public[str]
    to: Public[str]

    def _change(self, state: State) -> None:
        state.in_play[self.card].at = self.to


class IconChosen(Fact, frozen=True):
    """The owner of a dual icon says which town it is of (HT-R31)."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    card: Public[str]
    town: Public[str]
