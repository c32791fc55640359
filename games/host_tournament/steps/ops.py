"""A card text that is being carried out, and the choices it leaves (specification, 4.4.6)."""

from collections.abc import Callable
from typing import Annotated, ClassVar

from msgspec import structs

from games.host_tournament.effects.plays import CardDropped, CardsRecycled
from games.host_tournament.effects.turns import CardsDrawn, DeckShuffled
from games.host_tournament.frame import Frame
from games.host_tournament.state import State
from games.kernel import Hidden, Public, Step, Table, secret_to

#: What carries out a text (`doing.py`); the ruleset puts it here, for what it does needs the steps.
performers: "list[Callable[[Table[State], Do], None]]" = []


class Do(Step, frozen=True, kw_only=True):
    """Operations of a rule, from number `at` on; `path` leads to them within the rule (`op_at` in `cards.py`).

    `chosen` are the answers to what the operation at hand has asked so far; `zone` where a download of this very card
    is to come from, if that was said before.
    """

    frame: Public[Frame]
    path: Public[tuple[int, ...]] = ()
    at: Public[int] = 0
    chosen: Hidden[tuple[tuple[str, ...], ...]] = ()
    zone: Public[str | None] = None

    def run(self, table: Table[State]) -> None:
        """Carry out the next one."""
        performers[0](table, self)


class CardChoice(Step, frozen=True, kw_only=True):
    """One card (or place) after another is chosen: at least `least` more, at most `most` more.

    `offer` is what is left to choose from, in the zone's order; `open`: everybody may see it.
    """

    seat: Public[int]
    kind: Public[str]
    zone: Public[str]
    least: Public[int] = 1
    most: Public[int] = 1
    offer: Annotated[tuple[str, ...], secret_to("seat", unless="open")] = ()
    taken: Annotated[tuple[str, ...], secret_to("seat", unless="open")] = ()
    open: Public[bool] = True
    done: Public[bool] = False

    menu: ClassVar[tuple[str, ...]] = ("choose", "choose_none")

    @property
    def auto(self) -> bool:  # type: ignore[override] # of one class some are answered by the server, others not
        """The only answer is taken, unless the offer depends on a hidden zone."""
        return self.open

    def run(self, table: Table[State]) -> None:
        """Ask for the next one, or go on with what was chosen."""
        more = self.choosable() if self.open else self._more(table.state)
        if not self.done and self.most and more:
            table.push(self.asked())
            return
        self._finish(table)

    def choosable(self) -> list[str]:
        """What can be chosen next: cards that leave enough for the least number, each kind once."""
        cards = self.offer
        return [
            card
            for index, card in enumerate(cards)
            if card not in cards[:index] and len(behind(cards, index)) >= self.least - 1
        ]

    def _more(self, state: State) -> bool:
        """Of a hidden zone the question is asked as long as there might be an answer."""
        return self.zone == "deck" or len(self.taken) < len(state.seats[self.seat].hand)

    def asked(self) -> "CardChoice":
        """The question, put to its seat."""
        return structs.replace(self, seats=(self.seat,))

    def _finish(self, table: Table[State]) -> None:
        seat = table.state.seats[self.seat]
        match self.kind:
            case "drop":
                self._drop(table)
            case "sift":
                self._drop(table)
                draw(table, self.seat, min(len(self.taken), len(seat.deck)))
            case "recycle":
                if self.taken:
                    table.emit(CardsRecycled(self.seat, self.taken))
                    shuffle(table, self.seat)
            case _:
                answer(table, self.taken)

    def _drop(self, table: Table[State]) -> None:
        for card in self.taken:
            table.emit(CardDropped(self.seat, card))


def behind(cards: tuple[str, ...], index: int) -> tuple[str, ...]:
    """What may come after the one at an index: later ones, but none of a kind that was passed over."""
    return tuple(card for card in cards[index + 1 :] if card not in cards[:index])


class ChooseIcon(Step, frozen=True, kw_only=True):
    """The owner of a dual icon says which town it is of (HT-R31)."""

    seat: Public[int]
    card: Public[str]
    town: Public[str] = ""

    menu: ClassVar[tuple[str, ...]] = ("choose_icon",)

    def run(self, table: Table[State]) -> None:
        """Go on with the text that asked."""
        answer(table, (self.town,))


def answer(table: Table[State], chosen: tuple[str, ...]) -> None:
    """Tell the text beneath what was chosen."""
    text = next(step for step in reversed(table.state.agenda) if isinstance(step, Do))
    table.amend(Do, chosen=(*text.chosen, chosen))


def draw(table: Table[State], seat: int, n: int) -> None:
    """A seat draws so many cards, which its deck has."""
    table.emit(CardsDrawn(seat, n, tuple(table.state.seats[seat].deck[:n])))


def shuffle(table: Table[State], seat: int) -> None:
    """A deck is shuffled."""
    order = table.shuffle(f"deck_{seat}", table.state.seats[seat].deck)
    table.emit(DeckShuffled(seat, tuple(order)))
