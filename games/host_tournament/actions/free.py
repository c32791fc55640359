"""Free plays of the own turn: special downloads and persona swaps (specification, 4.6, 4.9)."""

from collections.abc import Iterator
from typing import ClassVar, Self

from games.host_tournament.announcing import after_free, announce
from games.host_tournament.cards import Card
from games.host_tournament.downloads import Way, source_fault, specials, ways, zones_of
from games.host_tournament.effects.plays import PersonaSwapped, SpecialUsed
from games.host_tournament.ops import Dl
from games.host_tournament.refusals import refuse, refused
from games.host_tournament.state import State, Used
from games.host_tournament.steps.settle import Settle
from games.host_tournament.steps.turns import MainAction
from games.host_tournament.text_downloads import played
from games.host_tournament.windows import swaps
from games.kernel import Action, Public, Table


class SpecialDownload(Action, frozen=True):
    """Download the card that a special download names, for free, once a game."""

    rule: ClassVar[str] = "HT-6.5"
    exact: ClassVar[bool] = True

    source: Public[str]
    index: Public[int]
    zone: Public[str]
    target: Public[str | None] = None
    replace: Public[str | None] = None

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every way of every special download."""
        return (cls(*found) for found in specials(state, seat))

    def check(self, state: State, seat: int) -> None:
        """The card is where it is said to be and could be played now, to the downloader or its place (4.6)."""
        fault = source_fault(state, seat, self.source)
        if fault is not None and fault[0] != "HT-12.5":
            refuse(fault, source=self.source)
        card = self._card(state)
        if self.zone not in zones_of(state, seat, card.id):
            refused("HT-0.2", "not_in_hand" if self.zone == "hand" else "not_in_deck", card=card.id)
        found = ways(state, state.look.frame(self.source, self.index), card)
        if not found:
            refused("HT-6.6", "cannot_be_played_now", card=card.id)
        if Used(state.in_play[self.source].card, self.index) in state.seats[seat].used_specials:
            refused("HT-6.7", "special_used_already", source=self.source)
        self._check_way(card, found, location=state.card(self.source).type == "location")
        refuse(fault, source=self.source)

    def _check_way(self, card: Card, found: list[Way], *, location: bool) -> None:
        if self.target not in [target for target, _ in found]:
            if card.type == "equipment" and not location:
                refused("HT-6.8", "not_on_the_downloader", target=self.target)
            refused("HT-6.9", "not_where_the_downloader_is", target=self.target)
        if (self.target, self.replace) not in found:
            if self.replace is None:
                refused("HT-6.6", "cannot_be_played_now", card=card.id)
            refused("HT-16.3", "no_persona_there", replace=self.replace)

    def _card(self, state: State) -> Card:
        rules = state.card(self.source).rules
        rule = rules[self.index] if 0 <= self.index < len(rules) else None
        if not isinstance(rule, Dl):
            refused("HT-0.2", "no_such_rule", index=self.index)
        return state.book.cards[rule.card]

    def apply(self, table: Table[State], seat: int) -> None:
        """Use it up and announce the card."""
        state = table.state
        table.stay()
        frame = state.look.frame(self.source, self.index)
        card = self._card(state)
        table.emit(SpecialUsed(seat, self.source, self.index))
        told = played(state, frame, card, self.target, self.zone, self.replace, special=True)
        announce(table, told, *after_free(state))

    def notes(self, state: State, seat: int) -> dict[str, object]:
        """What is downloaded."""
        return {"card": self._card(state).id}


class SwapPersona(Action, frozen=True, rename={"in_": "in"}):
    """Swap a persona in play with another one from the hand, at the start of a turn (HT-16.2)."""

    rule: ClassVar[str] = "HT-16.2"
    exact: ClassVar[bool] = True

    out: Public[str]
    in_: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every persona in play with every one in hand, at the right time."""
        if _at_start(state):
            yield from (cls(out, kept) for out, kept in swaps(state, seat))

    def check(self, state: State, seat: int) -> None:
        """Both are personas of one thing, one in play, one in hand; nothing has been done in this turn."""
        out = state.in_play.get(self.out)
        if out is None or out.owner != seat:
            refused("HT-0.2", "no_such_card", card=self.out)
        if self.in_ not in state.seats[seat].hand:
            refused("HT-0.2", "not_in_hand", card=self.in_)
        card, kept = state.card(self.out), state.book.cards[self.in_]
        if card.key != kept.key or card.id == kept.id:
            refused("HT-16.2", "not_a_persona", card=self.in_)
        if not _at_start(state) or seat not in state.fresh:
            refused("HT-16.2", "swapped_already")

    def apply(self, table: Table[State], seat: int) -> None:
        """Swap; no window, no action."""
        state = table.state
        if isinstance(state.agenda[-1], MainAction):
            table.stay()
        table.emit(PersonaSwapped(seat, self.out, state.new_name(self.in_)))
        table.push(Settle())


def _at_start(state: State) -> bool:
    """HT-R35: B in the window at the start of the turn, A before it has done anything."""
    step = state.agenda[-1]
    return isinstance(step, MainAction) or step.window == "turn_start"
