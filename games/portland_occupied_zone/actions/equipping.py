"""Equipping and unequipping, before anything else in a turn (specification, 4.5; POZ-TRN-3)."""

from collections.abc import Iterator
from typing import ClassVar, Self

from games.kernel import Action, Public, Table
from games.portland_occupied_zone.actions.common import held, me, turn_of
from games.portland_occupied_zone.actions.refusals import refuse
from games.portland_occupied_zone.cards import EQUIPMENT, SLOTS_OF, different, kind_of
from games.portland_occupied_zone.effects import Equipped, Unequipped
from games.portland_occupied_zone.state import Slot, State


class Equip(Action, frozen=True):
    """Equip a hand card; what is in the slot goes to the hand."""

    rule: ClassVar[str] = "POZ-TRN-3"
    exact: ClassVar[bool] = True

    card: Public[str]
    slot: Public[Slot]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every card with every slot for it."""
        if not turn_of(state).equip_open:
            return
        for kind in different(me(state).hand):
            if state.board.cards[kind].type in EQUIPMENT:
                for slot in SLOTS_OF[state.board.cards[kind].type]:
                    if getattr(me(state).slots, slot) is None or may_unequip(state, slot):
                        yield cls(kind, slot)  # type: ignore[arg-type] # one of the slots

    def check(self, state: State, seat: int) -> None:
        """Early enough, in the hand, in its slot, which is free or can be freed."""
        check_open(state)
        held(state, turn_of(state).pc, self.card, "POZ-TRN-3")
        kind = state.board.cards[self.card].type
        if kind not in EQUIPMENT or self.slot not in SLOTS_OF[kind]:
            refuse("POZ-BRD-9", "wrong_slot", slot=self.slot)
        if getattr(me(state).slots, self.slot) is not None:
            check_loose(state, self.slot)

    def apply(self, table: Table[State], seat: int) -> None:
        """It is on."""
        pc = turn_of(table.state).pc
        card = held(table.state, pc, self.card, "POZ-TRN-3")
        table.emit(Equipped(pc, self.card, table.state.board.back(card), self.slot))


class Unequip(Action, frozen=True):
    """Take an item off."""

    rule: ClassVar[str] = "POZ-TRN-3"
    exact: ClassVar[bool] = True

    slot: Public[Slot]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every slot with an item that comes off."""
        if turn_of(state).equip_open:
            for slot, _ in me(state).slots.filled():
                if may_unequip(state, slot):
                    yield cls(slot)  # type: ignore[arg-type] # one of the slots

    def check(self, state: State, seat: int) -> None:
        """Early enough; an item that comes off."""
        check_open(state)
        if getattr(me(state).slots, self.slot) is None:
            refuse("POZ-TRN-3", "nothing_there", slot=self.slot)
        check_loose(state, self.slot)

    def apply(self, table: Table[State], seat: int) -> None:
        """It is in the hand."""
        pc = turn_of(table.state).pc
        table.emit(Unequipped(pc, self.slot, kind_of(getattr(me(table.state).slots, self.slot))))


def check_open(state: State) -> None:
    """Refuse it after any other action."""
    if not turn_of(state).equip_open:
        refuse("POZ-TRN-3", "equipping_over")


def check_loose(state: State, slot: str) -> None:
    """Refuse to take off a disease, or what has been put on this turn (4.10)."""
    card = getattr(me(state).slots, slot)
    if state.board.kind(card).type == "P":
        refuse("POZ-DIS-2", "disease_stays", slot=slot)
    if slot in turn_of(state).equipped:
        refuse("POZ-TRN-3", "equipped_this_turn", slot=slot)


def may_unequip(state: State, slot: str) -> bool:
    """Whether what is in a slot comes off."""
    card = getattr(me(state).slots, slot)
    return state.board.kind(card).type != "P" and slot not in turn_of(state).equipped
