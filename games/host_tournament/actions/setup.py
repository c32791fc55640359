"""Throwing for the first turn, and start locations (specification, 4.2)."""

from collections.abc import Iterator
from typing import ClassVar, Literal, Self

from games.host_tournament.effects.turns import DeckSearched, ThrowSealed
from games.host_tournament.refusals import refused
from games.host_tournament.state import State
from games.host_tournament.steps.plays import lay
from games.kernel import Action, Public, Secret, Table


class Throw(Action, frozen=True):
    """Paper, scissors or stone, sealed."""

    rule: ClassVar[str] = "HT-1.5"
    exact: ClassVar[bool] = True

    choice: Secret[Literal["paper", "scissors", "stone"]]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The three of them."""
        yield from (cls("paper"), cls("scissors"), cls("stone"))

    def apply(self, table: Table[State], seat: int) -> None:
        """Seal it."""
        table.emit(ThrowSealed(seat, self.choice))


class ChooseStartPlace(Action, frozen=True):
    """Download any one location of the own deck to start with; `town` for one of any town."""

    rule: ClassVar[str] = "HT-2.1"
    exact: ClassVar[bool] = True

    card: Public[str]
    town: Public[str | None] = None

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every location of the deck, with every town where one is named."""
        for name in sorted(set(state.seats[seat].deck)):
            card = state.book.cards[name]
            if card.type == "location":
                yield from (cls(name, town) for town in (state.book.towns if card.town == "any" else (None,)))

    def check(self, state: State, seat: int) -> None:
        """It is a location of the deck, with a town if it asks for one."""
        if self.card not in state.seats[seat].deck:
            refused("HT-0.2", "not_in_deck", card=self.card)
        card = state.book.cards[self.card]
        if card.type != "location":
            refused("HT-0.2", "wrong_type", card=self.card)
        if card.town == "any" and self.town not in state.book.towns:
            refused("HT-0.2", "no_such_town", town=self.town)
        if card.town != "any" and self.town is not None:
            refused("HT-0.2", "no_target_wanted", town=self.town)

    def apply(self, table: Table[State], seat: int) -> None:
        """Lay it at once: no window, no action."""
        table.emit(DeckSearched(seat))
        lay(table, seat, table.state.new_name(self.card), self.town)
