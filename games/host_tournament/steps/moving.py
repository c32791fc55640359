"""Moving a group (specification, 4.5.1)."""

from typing import ClassVar

from msgspec import structs

from games.host_tournament.effects.board import GroupArrived, MoveAnnounced, MoveFailed
from games.host_tournament.effects.turns import ActionPaid
from games.host_tournament.look import Names
from games.host_tournament.moves import carried, cost
from games.host_tournament.state import State, other
from games.host_tournament.steps.plays import Completed
from games.host_tournament.steps.settle import Settle
from games.host_tournament.steps.windows import React
from games.kernel import Public, Step, Table


class Movers(Step, frozen=True, kw_only=True, rename={"from_": "from"}):
    """Who goes: `movers`, and `carry` with them. One after the other may be left behind, each later than the last.

    `text`: a card text moves them, who all go, for nothing.
    """

    seat: Public[int]
    from_: Public[str]
    to: Public[str]
    movers: Public[tuple[str, ...]]
    carry: Public[tuple[str, ...]]
    after: Public[int] = 0
    text: Public[bool] = False

    menu: ClassVar[tuple[str, ...]] = ("leave_behind", "set_off")
    auto: ClassVar[bool] = True

    def run(self, table: Table[State]) -> None:
        """Set off: pay, announce the move, let it be answered, arrive."""
        state = table.state
        then: tuple[Step, ...] = (Settle(),)
        if not self.text:
            table.emit(ActionPaid(cost(state, self.from_, self.to, self.movers)))
            then = (Settle(), Completed())
        table.emit(MoveAnnounced(self.seat, self.from_, self.to, self.movers, self.carry))
        order = (other(self.seat), self.seat)
        window = React(window="motion", subject=self.from_, order=order, passed=(self.seat,))
        arrive = Arrive(seat=self.seat, from_=self.from_, to=self.to, movers=self.movers, carry=self.carry)
        table.push(window, arrive, *then)

    def without(self, state: State, name: str) -> "Movers":
        """The same without one that stays."""
        return structs.replace(
            self,
            movers=tuple(mover for mover in self.movers if mover != name),
            carry=tuple(card for card in self.carry if card != name),
            after=state.in_play[name].entry,
        )


def leavable(state: State, step: Movers) -> Names:
    """Who can be left behind: later than the last, so that somebody still moves and the cost can be paid."""
    cards = state.in_play
    found = [name for name in step.carry if cards[name].entry > step.after]
    if not step.text and len(step.movers) > 1:
        for name in step.movers:
            rest = tuple(mover for mover in step.movers if mover != name)
            if cards[name].entry > step.after and cost(state, step.from_, step.to, rest) <= state.actions_left:
                found.append(name)
    return tuple(sorted(found, key=lambda name: cards[name].entry))


class Arrive(Step, frozen=True, kw_only=True, rename={"from_": "from"}):
    """All chulas are resolved: those that still move arrive with what they carry (HT-12.9)."""

    seat: Public[int]
    from_: Public[str]
    to: Public[str]
    movers: Public[tuple[str, ...]]
    carry: Public[tuple[str, ...]]

    def run(self, table: Table[State]) -> None:
        """Arrive, or not: nobody moves any more, or there is no place to arrive at."""
        state = table.state
        cards = state.in_play
        movers = tuple(name for name in self.movers if name in cards and cards[name].moving)
        if not movers or self.to not in state.look.copies or self.from_ not in state.look.copies:
            table.emit(MoveFailed())
            return
        there = carried(state, self.from_, self.seat)
        table.emit(GroupArrived(self.to, movers, tuple(name for name in self.carry if name in there)))
