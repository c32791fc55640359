"""What one can do to the unconscious, the dead, and those at rest (specification, 4.5)."""

from collections.abc import Iterator
from typing import ClassVar, Self

from games.kernel import Action, Public, Secret, Table
from games.portland_occupied_zone.actions.common import begin, check_free, me, turn_of
from games.portland_occupied_zone.actions.refusals import refuse
from games.portland_occupied_zone.cards import SLOTS, different, find, kind_of
from games.portland_occupied_zone.effects import BodySearched, ItemsRobbed, PotTaken
from games.portland_occupied_zone.harm import diseases, infect
from games.portland_occupied_zone.modifiers import at
from games.portland_occupied_zone.places import near
from games.portland_occupied_zone.state import State

DOWN = ("ko", "dead")


class SearchBody(Action, frozen=True):
    """Look through the pockets of an unconscious or dead character."""

    rule: ClassVar[str] = "POZ-KO-5"
    exact: ClassVar[bool] = True

    pc: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every body near that has not been searched."""
        if not turn_of(state).in_gas:
            yield from (cls(pc) for pc in bodies(state) if pc not in turn_of(state).searched)

    def check(self, state: State, seat: int) -> None:
        """Near, down, not searched in this turn."""
        check_free(state)
        check_body(state, self.pc)
        if self.pc in turn_of(state).searched:
            refuse("POZ-KO-5", "searched_already", pc=self.pc)

    def apply(self, table: Table[State], seat: int) -> None:
        """Its hand is open to this seat for the turn."""
        begin(table)
        hand = tuple(map(kind_of, table.state.pcs[self.pc].hand))
        table.emit(BodySearched(turn_of(table.state).pc, seat, self.pc, hand))


class StealFromBody(Action, frozen=True):
    """Take an item from a body that has been searched; any number of times."""

    rule: ClassVar[str] = "POZ-KO-5"
    exact: ClassVar[bool] = True

    pc: Public[str]
    card: Secret[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every kind of item of every searched body near."""
        if not turn_of(state).in_gas:
            for pc in bodies(state):
                if pc in turn_of(state).searched:
                    yield from (cls(pc, kind) for kind in different(items(state, pc)))

    def check(self, state: State, seat: int) -> None:
        """Searched, near; an item, no disease (POZ-R88)."""
        check_free(state)
        check_body(state, self.pc)
        if self.pc not in turn_of(state).searched:
            refuse("POZ-KO-5", "not_searched", pc=self.pc)
        if self.card in diseases(state, self.pc):
            refuse("POZ-R88", "disease_stays", card=self.card)
        if find(items(state, self.pc), self.card) is None:
            refuse("POZ-KO-5", "not_there", card=self.card)

    def apply(self, table: Table[State], seat: int) -> None:
        """It changes hands."""
        begin(table)
        state = table.state
        thief, body = turn_of(state).pc, state.pcs[self.pc]
        card = find(items(state, self.pc), self.card)
        assert card is not None
        slot = None if card in body.hand else next(s for s in SLOTS if getattr(body.slots, s) == card)
        table.emit(ItemsRobbed(thief, self.pc, seat, body.seat, state.board.back(card), self.card, slot))


class TakeTinPot(Action, frozen=True):
    """Become Dictator: take the Tin Pot from the body of the one who is."""

    rule: ClassVar[str] = "POZ-DIC-8"
    exact: ClassVar[bool] = True

    pc: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The Dictator's body, if it is near."""
        if not turn_of(state).in_gas:
            yield from (cls(pc) for pc in bodies(state) if _holds_pot(state, pc))

    def check(self, state: State, seat: int) -> None:
        """Near, down, with the Tin Pot."""
        check_free(state)
        check_body(state, self.pc, "POZ-DIC-8")
        if not _holds_pot(state, self.pc):
            refuse("POZ-DIC-8", "no_tin_pot_there", pc=self.pc)

    def apply(self, table: Table[State], seat: int) -> None:
        """The ideology changes at once."""
        begin(table)
        table.emit(PotTaken(turn_of(table.state).pc))


def _holds_pot(state: State, pc: str) -> bool:
    return state.battle and state.lead is not None and state.lead.holder == pc


class TransmitDisease(Action, frozen=True):
    """Hand a disease on to who cannot resist (POZ-DIS-9 to -11)."""

    rule: ClassVar[str] = "POZ-DIS-7"
    exact: ClassVar[bool] = True

    card: Public[str]
    pc: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every own disease with every one near that cannot resist."""
        turn = turn_of(state)
        own = [] if turn.in_gas else list(dict.fromkeys(diseases(state, turn.pc)))
        for pc in state.pcs if own else ():
            if pc != turn.pc and _near(state, pc) and _open(state, pc) and len(diseases(state, pc)) < len(SLOTS):
                yield from (cls(card, pc) for card in own)

    def check(self, state: State, seat: int) -> None:
        """An own disease; near; unconscious, or in Bed or Ball Pit; with a slot for it (POZ-R22)."""
        check_free(state)
        if self.card not in diseases(state, turn_of(state).pc):
            refuse("POZ-DIS-7", "no_such_disease", card=self.card)
        check_near(state, self.pc, "POZ-DIS-7")
        if not _open(state, self.pc):
            refuse("POZ-DIS-9", "resists", pc=self.pc)
        if len(diseases(state, self.pc)) >= len(SLOTS):
            refuse("POZ-DIS-6", "four_diseases", pc=self.pc)

    def apply(self, table: Table[State], seat: int) -> None:
        """The card itself goes over."""
        begin(table)
        infect(table, self.pc, self.card, turn_of(table.state).pc)


def _open(state: State, pc: str) -> bool:
    who = state.pcs[pc]
    return who.status == "ko" or (who.alive and (at(state, pc, "bed") or at(state, pc, "ball_pit")))


def bodies(state: State) -> list[str]:
    """The unconscious and dead near the active character."""
    return [name for name, pc in state.pcs.items() if pc.status in DOWN and _near(state, name)]


def items(state: State, pc: str) -> list[str]:
    """What can be taken from a body: hand cards, then what it has equipped, no diseases (POZ-R88)."""
    who = state.pcs[pc]
    worn = [card for _, card in who.slots.filled() if state.board.kind(card).type != "P"]
    return [*who.hand, *worn]


def _near(state: State, pc: str) -> bool:
    return near(state, me(state).space, state.pcs[pc].space)


def check_near(state: State, pc: str, rule: str) -> None:
    """Refuse a character that is not there, is the active one, or is not near."""
    if pc not in state.pcs or pc == turn_of(state).pc:
        refuse(rule, "no_such_character", pc=pc)
    if not _near(state, pc):
        refuse(rule, "not_near", pc=pc)


def check_body(state: State, pc: str, rule: str = "POZ-KO-5") -> None:
    """Refuse who is not near or not down."""
    check_near(state, pc, rule)
    if state.pcs[pc].status not in DOWN:
        refuse(rule, "not_down", pc=pc)
