"""Answers to what cards, powers and mishaps ask (specification, 4.1)."""

from collections.abc import Iterator
from typing import ClassVar, Self

from games.kernel import Action, Public, Secret, Table
from games.portland_occupied_zone import frames
from games.portland_occupied_zone.actions.common import asked, held
from games.portland_occupied_zone.actions.refusals import refuse
from games.portland_occupied_zone.binding import bind
from games.portland_occupied_zone.cards import HOMEBREW, different
from games.portland_occupied_zone.effects import CardDiscarded, CardUsed, Picked, PillowTaken, SlotChosen
from games.portland_occupied_zone.harm import open_slots
from games.portland_occupied_zone.ops.cards import take_garbage
from games.portland_occupied_zone.ops.picks import hand_kinds
from games.portland_occupied_zone.state import Space, State
from games.portland_occupied_zone.tasks.curing import CureChoice, PayCards, curable, cure
from games.portland_occupied_zone.tasks.curing import PickBack as BackFrame
from games.portland_occupied_zone.tasks.targets import Against
from games.portland_occupied_zone.vocabulary import BINDS


class Pick(Action, frozen=True):
    """Choose a thing for a card or power."""

    rule: ClassVar[str] = "POZ-LOT-11"
    exact: ClassVar[bool] = True

    thing: Public[Space]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each thing there is."""
        return (cls(thing) for thing in _things(state))

    def check(self, state: State, seat: int) -> None:
        """One of them."""
        if self.thing not in _things(state):
            refuse("POZ-LOT-11", "not_to_be_picked")

    def apply(self, table: Table[State], seat: int) -> None:
        """The text beneath goes on with it; a hand card is used up."""
        step = table.state.agenda[-1]
        if isinstance(step, frames.Pick):
            bind(table, BINDS.get(step.kind, step.kind), self.thing)
            table.emit(Picked(seat, step.kind, self.thing))
        elif isinstance(step, frames.PickHandCard):
            card = held(table.state, step.pc, str(self.thing), "POZ-LOT-11")
            table.emit(CardUsed(step.pc, str(self.thing), table.state.board.back(card)))


def _things(state: State) -> tuple[Space, ...]:
    step = state.agenda[-1]
    if isinstance(step, frames.PickHandCard):
        return hand_kinds(state, step.pc, step.filter)
    return asked(state, frames.Pick).things


class PickCard(Action, frozen=True):
    """Put a hand card into the garbage as a price."""

    rule: ClassVar[str] = "POZ-R21"
    exact: ClassVar[bool] = True

    card: Secret[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each kind in the hand; for a recipe, none that is homebrew."""
        step = asked(state, PayCards)
        return (cls(kind) for kind in different(payable(state, step.pc, recipe=step.recipe is not None)))

    def check(self, state: State, seat: int) -> None:
        """In the hand; for a recipe, not homebrew."""
        step = asked(state, PayCards)
        card = held(state, step.pc, self.card, "POZ-R21")
        if card not in payable(state, step.pc, recipe=step.recipe is not None):
            refuse("POZ-R21", "homebrew", card=self.card)

    def apply(self, table: Table[State], seat: int) -> None:
        """To the garbage; until it is paid, or the hand is empty."""
        state = table.state
        step = asked(state, PayCards)
        card = held(state, step.pc, self.card, "POZ-R21")
        table.amend(PayCards, left=step.left - 1, paid=step.paid + 1)
        table.emit(CardDiscarded(step.pc, seat, state.board.back(card), self.card, "price"))
        left = step.left - 1
        if left and state.pcs[step.pc].hand and (step.swap or not pay_last(table, step.pc)):
            table.stay()


class StopPaying(Action, frozen=True):
    """Put no more cards into the garbage."""

    rule: ClassVar[str] = "POZ-R21"
    exact: ClassVar[bool] = True
    declines: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """In a swap only."""
        if asked(state, PayCards).swap:
            yield cls()

    def check(self, state: State, seat: int) -> None:
        """A recipe is paid in full."""
        if not asked(state, PayCards).swap:
            refuse("POZ-R21", "not_paid")

    def apply(self, table: Table[State], seat: int) -> None:
        """What has been paid counts."""


def payable(state: State, pc: str, *, recipe: bool) -> list[str]:
    """The hand cards that can be a price (POZ-R21)."""
    return [card for card in state.pcs[pc].hand if not recipe or state.board.back(card) != HOMEBREW]


def pay_last(table: Table[State], pc: str) -> bool:
    """Pay with the only card that can be part of the price, as backs tell everybody; whether there is but one."""
    state = table.state
    cards = payable(state, pc, recipe=True)
    if len(cards) > 1:
        return False
    table.emit(CardDiscarded(pc, state.seat_of(pc), state.board.back(cards[0]), state.board.kind(cards[0]).id, "price"))
    return True


class PickBack(Action, frozen=True):
    """Take a card with this back out of the garbage."""

    rule: ClassVar[str] = "POZ-WST-5"
    exact: ClassVar[bool] = True

    back: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each back that lies there."""
        return (cls(back) for back in dict.fromkeys(map(state.board.back, state.decks.garbage)))

    def check(self, state: State, seat: int) -> None:
        """It lies there."""
        if all(state.board.back(card) != self.back for card in state.decks.garbage):
            refuse("POZ-WST-5", "no_such_back", back=self.back)

    def apply(self, table: Table[State], seat: int) -> None:
        """A random one of them (POZ-R87)."""
        state = table.state
        step = asked(state, BackFrame)
        table.amend(BackFrame, left=step.left - 1)
        take_garbage(table, step.pc, [card for card in state.decks.garbage if state.board.back(card) == self.back])
        if step.left > 1 and state.decks.garbage:
            table.stay()


class ChooseSlot(Action, frozen=True):
    """Say where a disease goes."""

    rule: ClassVar[str] = "POZ-DIS-3"
    exact: ClassVar[bool] = True

    slot: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every free slot, else every slot without a disease."""
        return map(cls, open_slots(state, asked(state, frames.DiseaseSlot).pc))

    def check(self, state: State, seat: int) -> None:
        """One of them."""
        if self.slot not in open_slots(state, asked(state, frames.DiseaseSlot).pc):
            refuse("POZ-DIS-3", "slot_not_open", slot=self.slot)

    def apply(self, table: Table[State], seat: int) -> None:
        """There it is."""
        step = asked(table.state, frames.DiseaseSlot)
        table.emit(SlotChosen(step.pc, self.slot, step.card))


class ChooseDisease(Action, frozen=True):
    """Say which disease is cured."""

    rule: ClassVar[str] = "POZ-DIS-4"
    exact: ClassVar[bool] = True

    card: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each one that can be."""
        step = asked(state, CureChoice)
        return map(cls, curable(state, step.pc, paste=step.paste))

    def check(self, state: State, seat: int) -> None:
        """It has it, and it can be cured so (POZ-DIS-13)."""
        step = asked(state, CureChoice)
        if self.card not in curable(state, step.pc, paste=False):
            refuse("POZ-DIS-4", "no_such_disease", card=self.card)
        if self.card not in curable(state, step.pc, paste=step.paste):
            refuse("POZ-DIS-13", "not_cured_so", card=self.card)

    def apply(self, table: Table[State], seat: int) -> None:
        """It is cured."""
        cure(table, asked(table.state, CureChoice).pc, self.card)


class TakePillow(Action, frozen=True):
    """Become the Speaker, or not."""

    rule: ClassVar[str] = "POZ-GOV-4"
    exact: ClassVar[bool] = True

    take: Public[bool]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """No, then yes: what is not answered is declined."""
        return map(cls, (False, True))

    def apply(self, table: Table[State], seat: int) -> None:
        """If so, the token changes boards."""
        if self.take:
            table.emit(PillowTaken(asked(table.state, frames.TakePillow).pc))


class ChoosePoliceTarget(Action, frozen=True):
    """Say whom of equally crapulent characters a police figure goes for."""

    rule: ClassVar[str] = "POZ-BAT-11"
    exact: ClassVar[bool] = True

    pc: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each of them."""
        return map(cls, asked(state, frames.ChoosePoliceTarget).pcs)

    def check(self, state: State, seat: int) -> None:
        """One of them."""
        if self.pc not in asked(state, frames.ChoosePoliceTarget).pcs:
            refuse("POZ-BAT-11", "not_to_be_picked", pc=self.pc)

    def apply(self, table: Table[State], seat: int) -> None:
        """The activation beneath goes on with it."""
        table.amend(Against, pcs=(self.pc,))
        table.emit(Picked(seat, "police_target", self.pc))
