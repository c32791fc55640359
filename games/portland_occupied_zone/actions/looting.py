"""Looting, dumpsters, throwing things away, claiming plans (specification, 4.5)."""

from collections.abc import Iterator
from typing import ClassVar, Self

from games.kernel import Action, Public, Secret, Table
from games.portland_occupied_zone.actions.building import check_slot
from games.portland_occupied_zone.actions.common import begin, check_bricks, check_free, held, me, throws, turn_of
from games.portland_occupied_zone.actions.refusals import refuse
from games.portland_occupied_zone.cards import different, kind_of
from games.portland_occupied_zone.effects import CardDiscarded, DumpsterDived, NpcPlaced, PlanClaimed
from games.portland_occupied_zone.harm import crapulence
from games.portland_occupied_zone.modifiers import flagged, in_force, modifier
from games.portland_occupied_zone.ops.cards import draw_loot
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.places import is_building, padj
from games.portland_occupied_zone.plans import deal, met
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.tasks.building import free_slots
from games.portland_occupied_zone.tasks.curing import PickBack
from games.portland_occupied_zone.throws import throw

NATURAL_FEAT = 3  # POZ-SCO-8
DIVE, GARBAGE_DAY = 1, 2  # POZ-WST-4, POZ-WST-7


class Loot(Action, frozen=True):
    """Loot the business, with so many bricks."""

    rule: ClassVar[str] = "POZ-LOT-1"
    exact: ClassVar[bool] = True

    b: Public[int]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Any number of bricks, inside a business."""
        if _inside(state) and not turn_of(state).in_gas and not flagged(state, turn_of(state).pc, "no_loot"):
            yield from map(cls, throws(state))

    def check(self, state: State, seat: int) -> None:
        """Inside a standing business, while looting is allowed, with bricks."""
        check_free(state)
        if not _inside(state):
            refuse("POZ-LOT-1", "not_in_a_business")
        if flagged(state, turn_of(state).pc, "no_loot"):
            refuse("POZ-RND-1.1", "no_looting_now")
        check_bricks(state, self.b)

    def apply(self, table: Table[State], seat: int) -> None:
        """ALG-LOOT: a card for each hit."""
        begin(table)
        state = table.state
        pc, deck = turn_of(state).pc, str(me(state).space)
        thrown = throw(table, pc, self.b, "loot")
        if thrown.total:
            draw_loot(table, pc, deck, thrown.total + modifier(state, pc, "loot_bonus"))
        if thrown.natural >= NATURAL_FEAT:
            crapulence(table, pc, state.board.characters[pc].feats["loot"], "loot")


def _inside(state: State) -> bool:
    space = me(state).space
    return is_building(state, space) and space != COURTHOUSE


class DumpsterDive(Action, frozen=True):
    """Rummage in the garbage: next to a dumpster, or anywhere if something allows that."""

    rule: ClassVar[str] = "POZ-TRN-9"
    exact: ClassVar[bool] = True

    dumpster: Public[str | None] = None

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each dumpster at hand; anywhere, none."""
        turn = turn_of(state)
        if turn.in_gas or "dive" in turn.used or not state.decks.garbage:
            return
        if anywhere(state):
            yield cls()
        else:
            yield from (cls(name) for name in state.dumpsters if _at_hand(state, name))

    def check(self, state: State, seat: int) -> None:
        """Once a turn; at a plain dumpster, unless it may be anywhere; with garbage left."""
        check_free(state)
        if "dive" in turn_of(state).used:
            refuse("POZ-TRN-9", "once_a_turn")
        if anywhere(state):
            if self.dumpster is not None:
                refuse("POZ-R25", "needs_no_dumpster")
        elif self.dumpster is None or self.dumpster not in state.dumpsters:
            refuse("POZ-WST-4", "needs_a_dumpster")
        elif state.dumpsters[self.dumpster].burning:
            refuse("POZ-DUM-9", "dumpster_burns", dumpster=self.dumpster)
        elif not _at_hand(state, self.dumpster):
            refuse("POZ-WST-4", "not_next_to_it", dumpster=self.dumpster)
        if not state.decks.garbage:
            refuse("POZ-WST-4", "no_garbage")

    def apply(self, table: Table[State], seat: int) -> None:
        """So many cards, each by its back."""
        begin(table)
        state = table.state
        pc = turn_of(state).pc
        n = (GARBAGE_DAY if in_force(state, "garbage_day") else DIVE) + modifier(state, pc, "dive")
        table.emit(DumpsterDived(pc, n, self.dumpster))
        table.push(PickBack(seats=(seat,), pc=pc, left=n))


def anywhere(state: State) -> bool:
    """Whether rummaging needs no dumpster: on Garbage Day, or for some characters."""
    return bool(in_force(state, "garbage_day")) or flagged(state, turn_of(state).pc, "dive_anywhere")


def _at_hand(state: State, dumpster: str) -> bool:
    thing = state.dumpsters[dumpster]
    return not thing.burning and padj(state, me(state).space, thing.cell)


class Discard(Action, frozen=True):
    """Throw a hand card into the garbage, face down."""

    rule: ClassVar[str] = "POZ-TRN-15"
    exact: ClassVar[bool] = True

    card: Secret[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each kind in the hand."""
        return iter(()) if turn_of(state).in_gas else map(cls, different(me(state).hand))

    def check(self, state: State, seat: int) -> None:
        """In the hand."""
        check_free(state)
        held(state, turn_of(state).pc, self.card, "POZ-TRN-15")

    def apply(self, table: Table[State], seat: int) -> None:
        """To the garbage."""
        begin(table)
        discard(table, self.card, "discard")


def discard(table: Table[State], kind: str, why: str) -> None:
    """A hand card of the active character goes to the garbage."""
    state = table.state
    pc = turn_of(state).pc
    card = held(state, pc, kind, "POZ-TRN-15")
    table.emit(CardDiscarded(pc, state.seat_of(pc), state.board.back(card), kind, why))


class CreateNpc(Action, frozen=True):
    """Turn a hand card into an NPC (POZ-BAT-7)."""

    rule: ClassVar[str] = "POZ-NPC-4"
    exact: ClassVar[bool] = True

    card: Secret[str]
    structure: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every card that buys one, with every free slot."""
        if turn_of(state).in_gas or not state.supplies.npc:
            return
        slots = free_slots(state)
        for kind in different(me(state).hand) if slots else ():
            if buys_npc(state, kind):
                yield from (cls(kind, structure) for structure in slots)

    def check(self, state: State, seat: int) -> None:
        """A card that buys one, a free slot, an NPC."""
        check_free(state)
        held(state, turn_of(state).pc, self.card, "POZ-BAT-7")
        if not buys_npc(state, self.card):
            refuse("POZ-BAT-7", "buys_no_npc", card=self.card)
        check_slot(state, self.structure)

    def apply(self, table: Table[State], seat: int) -> None:
        """The card is garbage, the NPC is there."""
        begin(table)
        discard(table, self.card, "npc")
        table.emit(NpcPlaced(self.structure))


def buys_npc(state: State, kind: str) -> bool:
    """Whether a card buys an NPC (POZ-R17)."""
    wide = state.options.npc_cost == "any_loot" or flagged(state, turn_of(state).pc, "any_npc")
    return wide or state.board.cards[kind_of(kind)].type in "FD"


class ClaimPlan(Action, frozen=True):
    """Claim a 5 Year Plan."""

    rule: ClassVar[str] = "POZ-PLN-2"
    exact: ClassVar[bool] = True

    plan: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each one shown that is met."""
        turn = turn_of(state)
        if not turn.in_gas:
            for plan in state.decks.shown:
                if plan not in turn.claimed and met(state, turn.pc, plan):
                    yield cls(plan)

    def check(self, state: State, seat: int) -> None:
        """Shown, met now, not claimed in this turn (POZ-R65)."""
        check_free(state)
        if self.plan not in state.decks.shown:
            refuse("POZ-PLN-1", "not_shown", plan=self.plan)
        if not met(state, turn_of(state).pc, self.plan):
            refuse("POZ-PLN-2", "not_met", plan=self.plan)
        if self.plan in turn_of(state).claimed:
            refuse("POZ-R65", "claimed_this_turn", plan=self.plan)

    def apply(self, table: Table[State], seat: int) -> None:
        """Crapulence; the next one is dealt (POZ-PLN-4)."""
        begin(table)
        pc = turn_of(table.state).pc
        table.emit(PlanClaimed(pc, self.plan))
        crapulence(table, pc, table.state.board.plans[self.plan].crap, "plan")
        deal(table)
