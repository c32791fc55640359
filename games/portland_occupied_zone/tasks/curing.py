"""Diseases of several characters one after the other, cures, and paying with hand cards (specification, 4.1, 4.7)."""

from typing import ClassVar

from msgspec import structs

from games.kernel import Public, Step, Table
from games.portland_occupied_zone.binding import bind
from games.portland_occupied_zone.effects import DeckShuffled, DiseaseCured, ItemGained
from games.portland_occupied_zone.harm import diseases, infect
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.throws import d4


class Infections(Step, frozen=True):
    """Characters contract a disease, one after the other; with `chance` each first rolls a d4 (op `infect`)."""

    pcs: Public[tuple[str, ...]]
    card: Public[str | None] = None
    chance: Public[int | None] = None

    def run(self, table: Table[State]) -> None:
        """The first one; the others wait beneath whatever it has to choose."""
        if not self.pcs:
            return
        pc, *others = self.pcs
        if others:
            table.push(structs.replace(self, pcs=tuple(others)))
        if self.chance is not None and d4(table, "flu") > self.chance:
            return
        if self.card is None or self.card in table.state.decks.disease:
            infect(table, pc, self.card)


class Cures(Step, frozen=True):
    """Characters are cured, one disease each entry (op `cure`); `paste` cures only what horse paste does."""

    pcs: Public[tuple[str, ...]]
    paste: Public[bool]

    def run(self, table: Table[State]) -> None:
        """The first one, who chooses among several."""
        if not self.pcs:
            return
        pc, *others = self.pcs
        if others:
            table.push(structs.replace(self, pcs=tuple(others)))
        there = curable(table.state, pc, paste=self.paste)
        if len(there) == 1:
            cure(table, pc, there[0])
        elif there:
            table.push(CureChoice(seats=(table.state.seat_of(pc),), pc=pc, paste=self.paste))


class CureChoice(Step, frozen=True):
    """A cured character with several diseases chooses one."""

    menu: ClassVar[tuple[str, ...]] = ("choose_disease",)
    auto: ClassVar[bool] = True

    pc: Public[str]
    paste: Public[bool]


class PayCards(Step, frozen=True):
    """A character puts hand cards into the garbage: for a `recipe` exactly `left`, in a `swap` up to so many."""

    menu: ClassVar[tuple[str, ...]] = ("pick_card", "stop_paying")

    pc: Public[str]
    left: Public[int]
    paid: Public[int] = 0
    swap: Public[bool] = False
    recipe: Public[str | None] = None

    def run(self, table: Table[State]) -> None:
        """What was cooked is gained; a swap tells its text how many."""
        if self.recipe is not None:
            table.emit(ItemGained(self.pc, self.recipe, table.state.board.cards[self.recipe].back, "homebrew"))
        elif self.swap:
            bind(table, "swapped", str(self.paid))


class PickBack(Step, frozen=True):
    """A character takes up to `left` cards from the garbage, each by its back (POZ-WST-5)."""

    menu: ClassVar[tuple[str, ...]] = ("pick_back",)
    auto: ClassVar[bool] = True

    pc: Public[str]
    left: Public[int]


def curable(state: State, pc: str, *, paste: bool) -> list[str]:
    """The diseases of a character that can be cured, each kind once (POZ-DIS-4, POZ-R23)."""
    there = dict.fromkeys(diseases(state, pc))
    caught = state.pcs[pc].catching
    return [card for card in there if card not in caught and (not paste or state.board.cards[card].paste)]


def cure(table: Table[State], pc: str, card: str) -> None:
    """The card goes back to the deck, which is shuffled (POZ-DIS-5)."""
    table.emit(DiseaseCured(pc, card))
    order = tuple(table.shuffle("disease", table.state.decks.disease))
    table.emit(DeckShuffled("disease", len(order), order))
