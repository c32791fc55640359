"""What the Leader does in the Teach-In, step 1.4 (specification, 4.4)."""

from collections.abc import Iterator
from typing import ClassVar, Self

from games.kernel import Action, Public, Table
from games.portland_occupied_zone.actions.building import check_slot
from games.portland_occupied_zone.actions.refusals import refuse
from games.portland_occupied_zone.cards import different, find
from games.portland_occupied_zone.effects import (
    ItemGained,
    NpcMoved,
    NpcPlaced,
    RedrawProposed,
    StructureRemoved,
    VoteBegun,
)
from games.portland_occupied_zone.frames import PlaceStructure
from games.portland_occupied_zone.leading import leader_seat
from games.portland_occupied_zone.places import has_room
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.steps.voting import Vote, push_redraw
from games.portland_occupied_zone.tasks.building import ONES, eligible, free_slots, removable

REASSIGNED_MAX = 21  # 4.10


class ExchangeStructures(Action, frozen=True):
    """Buy a structure with lower ones."""

    rule: ClassVar[str] = "POZ-BLD-5"
    exact: ClassVar[bool] = True

    type: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every type that can be paid and placed."""
        for kind in state.board.structures.values():
            if kind.buyable and state.supplies.structures[kind.id] > 0:
                there = eligible(state, kind.id)
                if sum(there.values()) >= kind.pop and has_room(state, kind.id, there):
                    yield cls(kind.id)

    def check(self, state: State, seat: int) -> None:
        """Buyable, in supply, payable, with room (4.4)."""
        kind = state.board.structures.get(self.type)
        if kind is None or not kind.buyable:
            refuse("POZ-GOV-8", "not_for_exchange", type=self.type)
        if state.supplies.structures[self.type] <= 0:
            refuse("POZ-BLD-1", "none_left", type=self.type)
        there = eligible(state, self.type)
        if sum(there.values()) < kind.pop:
            refuse("POZ-R67", "too_dear", price=kind.pop)
        if not has_room(state, self.type, there):
            refuse("POZ-BLD-7" if kind.site else "POZ-BLD-4", "no_room", type=self.type)

    def apply(self, table: Table[State], seat: int) -> None:
        """First its place, then its price."""
        table.stay()
        table.push(PlaceStructure(seats=(leader_seat(table.state),), type=self.type, exchange=True))


class RecruitNpc(Action, frozen=True, rename={"from_": "from"}):
    """Turn a 1-population structure into an NPC."""

    rule: ClassVar[str] = "POZ-GOV-9"
    exact: ClassVar[bool] = True

    from_: Public[str]
    to: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every tent or laundry with every free slot."""
        if state.supplies.npc:
            slots = free_slots(state)
            for name, thing in state.structures.items():
                if thing.type in ONES:
                    yield from (cls(name, to) for to in slots)

    def check(self, state: State, seat: int) -> None:
        """A tent or laundry, a free slot, an NPC."""
        thing = state.structures.get(self.from_)
        if thing is None or thing.type not in ONES:
            refuse("POZ-GOV-9", "not_worth_one", structure=self.from_)
        check_slot(state, self.to)

    def apply(self, table: Table[State], seat: int) -> None:
        """One for one."""
        table.stay()
        kind = table.state.structures[self.from_].type
        table.emit(StructureRemoved(self.from_, kind, "recruit"), NpcPlaced(self.to))


class ReassignNpc(Action, frozen=True, rename={"from_": "from"}):
    """Send an NPC to another structure."""

    rule: ClassVar[str] = "POZ-RND-1.4"
    exact: ClassVar[bool] = True

    from_: Public[str]
    to: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every structure with NPCs, with every free slot elsewhere."""
        if state.teach_in.reassigned < REASSIGNED_MAX:
            slots = free_slots(state)
            for name, thing in state.structures.items():
                if thing.npcs:
                    yield from (cls(name, to) for to in slots if to != name)

    def check(self, state: State, seat: int) -> None:
        """An NPC, a free slot elsewhere, not too often."""
        thing = state.structures.get(self.from_)
        if thing is None or not thing.npcs:
            refuse("POZ-RND-1.4", "no_npc_there", structure=self.from_)
        if self.to not in free_slots(state) or self.to == self.from_:
            refuse("POZ-NPC-1", "no_free_slot", structure=self.to)
        if state.teach_in.reassigned >= REASSIGNED_MAX:
            refuse("POZ-RND-1.4", "reassigned_enough")

    def apply(self, table: Table[State], seat: int) -> None:
        """It goes."""
        table.stay()
        table.emit(NpcMoved(self.from_, self.to))


class Distribute(Action, frozen=True):
    """Give a card of the harvest store to a character."""

    rule: ClassVar[str] = "POZ-RND-1.4"
    exact: ClassVar[bool] = True

    card: Public[str]
    pc: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every kind with every living character."""
        living = [name for name, pc in state.pcs.items() if pc.alive]
        return (cls(card, pc) for card in different(state.decks.store) for pc in living)

    def check(self, state: State, seat: int) -> None:
        """In store; alive."""
        if find(state.decks.store, self.card) is None:
            refuse("POZ-RND-1.4", "not_in_store", card=self.card)
        if self.pc not in state.pcs or not state.pcs[self.pc].alive:
            refuse("POZ-RND-1.4", "not_alive", pc=self.pc)

    def apply(self, table: Table[State], seat: int) -> None:
        """It takes it."""
        table.stay()
        card = find(table.state.decks.store, self.card)
        assert card is not None
        table.emit(ItemGained(self.pc, self.card, table.state.board.back(card), "store"))


class ProposeRedraw(Action, frozen=True):
    """Replace all five plans, for 5 population."""

    rule: ClassVar[str] = "POZ-PLN-6"
    exact: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Once, if it can be paid."""
        if not state.teach_in.redraw_used and _affordable(state):
            yield cls()

    def check(self, state: State, seat: int) -> None:
        """Once a Teach-In, with enough that can be removed."""
        if state.teach_in.redraw_used:
            refuse("POZ-PLN-6", "proposed_already")
        if not _affordable(state):
            refuse("POZ-PLN-7", "too_dear", price=state.board.pack.limits.redraw_cost)

    def apply(self, table: Table[State], seat: int) -> None:
        """The Speaker asks all, the Dictator nobody."""
        table.stay()
        table.emit(RedrawProposed())
        if table.state.battle:
            push_redraw(table)
        else:
            table.emit(VoteBegun(("yes", "no")))
            table.push(Vote(purpose="redraw"))


def _affordable(state: State) -> bool:
    return sum(removable(state).values()) >= state.board.pack.limits.redraw_cost


class EndManage(Action, frozen=True):
    """Go on to the police."""

    rule: ClassVar[str] = "POZ-RND-1.4"
    exact: ClassVar[bool] = True
    declines: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        yield cls()

    def apply(self, table: Table[State], seat: int) -> None:
        """It is over."""
