"""The set-up, and a turn from its beginning to the next (specification, 4.1, 4.2, 4.7)."""

from typing import Any, ClassVar

from msgspec import structs

from games.host_tournament.effects.turns import (
    CardsDrawn,
    CountdownFinished,
    CountedDown,
    FirstSeatDrawn,
    PlacesAsked,
    StopsReduced,
    ThrowsRevealed,
    TurnBegan,
)
from games.host_tournament.finish import by_points
from games.host_tournament.state import HAND, State, other
from games.host_tournament.steps.ops import Do, draw, shuffle
from games.host_tournament.steps.settle import Settle
from games.host_tournament.steps.windows import Fire, React
from games.kernel import Public, Step, Table

BEATS = {"paper": "stone", "scissors": "paper", "stone": "scissors"}
TIES = 20  # HT-R1
DRAWN = 3  # HT-3.12


class Throw(Step, frozen=True):
    """Both seats throw, sealed; after 20 ties the lot decides (HT-1.5)."""

    menu: ClassVar[tuple[str, ...]] = ("throw",)
    sealed: ClassVar[bool] = True

    def run(self, table: Table[State]) -> None:
        """Show the throws; equal ones are thrown again."""
        state = table.state
        zero, one = state.rps
        assert zero is not None
        assert one is not None
        first = None if zero == one else 0 if BEATS[zero] == one else 1
        table.emit(ThrowsRevealed((zero, one), first))
        if first is not None:
            table.push(AskPlaces())
        elif state.ties < TIES:
            table.push(Throw(seats=(0, 1)))
        else:
            draw_first(table)


def draw_first(table: Table[Any]) -> None:
    """The lot says who goes first."""
    table.emit(FirstSeatDrawn(table.pick("first_seat", (0, 1))))
    table.push(AskPlaces())


class AskPlaces(Step, frozen=True):
    """Start locations, the first seat's first (HT-2.1, HT-2.2)."""

    def run(self, table: Table[State]) -> None:
        """Ask for those that are missing."""
        state = table.state
        if state.phase != "start_places":
            table.emit(PlacesAsked())
        having = {state.in_play[name].owner for place in state.places for name in place.copies}
        seats = [seat for seat in (state.first, other(state.first)) if seat not in having]
        table.push(*(StartPlace(seats=(seat,)) for seat in seats), Deal())


class StartPlace(Step, frozen=True):
    """A seat names the location that it starts with; with one only there is no question."""

    menu: ClassVar[tuple[str, ...]] = ("choose_start_place",)
    auto: ClassVar[bool] = True


class Deal(Step, frozen=True):
    """Both decks are shuffled, each seat draws 7 (HT-2.3)."""

    def run(self, table: Table[State]) -> None:
        """Shuffle, draw, begin."""
        seats = (table.state.first, other(table.state.first))
        for seat in seats:
            shuffle(table, seat)
        for seat in seats:
            draw(table, seat, min(HAND, len(table.state.seats[seat].deck)))
        table.push(BeginTurn(seat=table.state.first))


class BeginTurn(Step, frozen=True, kw_only=True):
    """A turn begins: stops run out, `start` rules work, the other seat may answer, then the menu (HT-2.4)."""

    seat: Public[int]

    def run(self, table: Table[State]) -> None:
        """Begin it."""
        table.emit(TurnBegan(self.seat, table.state.turn + 1), StopsReduced(self.seat))
        window = React(window="turn_start", order=(other(self.seat),))
        table.push(Settle(), Fire(timing="start"), window, MainAction(seats=(self.seat,)))


class MainAction(Step, frozen=True):
    """The active seat acts, as often as it can and wants, until it ends its turn."""

    menu: ClassVar[tuple[str, ...]] = (
        "play_card",
        "move_group",
        "use_ability",
        "sort_folder",
        "special_download",
        "play_interrupt",
        "swap_persona",
        "end_turn",
    )
    root: ClassVar[bool] = True

    def run(self, table: Table[State]) -> None:
        """The turn ends: answers, `end` rules, countdown, draw, the other seat's turn (HT-R27)."""
        active = table.state.active
        window = React(window="turn_end", order=(other(active), active), passed=(active,))
        table.push(window, Fire(timing="end"), Countdown(), Settle(deprive=True), EndDraw(), Settle(), NextTurn())


class Countdown(Step, frozen=True, kw_only=True):
    """The active seat's cards with a countdown icon go one down, in order of entry (HT-14.1)."""

    queue: Public[tuple[str, ...] | None] = None

    def run(self, table: Table[State]) -> None:
        """Count the first one down; at 0 its text, then its discard."""
        state = table.state
        queue = self.queue
        if queue is None:
            cards = state.in_play
            own = (name for name in state.look.order if cards[name].owner == state.active)
            queue = tuple(name for name in own if cards[name].counter is not None)
        if not queue:
            return
        table.push(structs.replace(self, queue=queue[1:]))
        card = state.in_play.get(queue[0])
        if card is None or card.counter is None:
            return
        table.emit(CountedDown(queue[0], card.counter - 1))
        if card.counter == 0:
            frame = state.look.frame(queue[0], -1)
            texts = (Do(frame=structs.replace(frame, rule=index)) for index, _ in state.card(queue[0]).zeros)
            table.push(*texts, Finish(card=queue[0]), Settle())


class Finish(Step, frozen=True, kw_only=True):
    """A card has counted down."""

    card: Public[str]

    def run(self, table: Table[State]) -> None:
        """Discard it."""
        if self.card in table.state.in_play:
            table.emit(CountdownFinished(self.card))


class EndDraw(Step, frozen=True):
    """The draw at the end of the turn: as wished, up to 3, up to 7 in hand (HT-3.12, HT-3.13)."""

    def run(self, table: Table[State]) -> None:
        """Draw, were it nothing."""
        state = table.state
        seat = state.seats[state.active]
        n = min(seat.wish or 0, DRAWN, max(0, HAND - len(seat.hand)), len(seat.deck))
        table.emit(CardsDrawn(state.active, n, tuple(seat.deck[:n])))


class NextTurn(Step, frozen=True):
    """The other seat's turn, unless the last one is over (HT-3.14, HT-18.8)."""

    def run(self, table: Table[State]) -> None:
        """Begin it, or end the game."""
        state = table.state
        if state.options.turn_limit and state.turn >= state.options.turn_limit:
            by_points(table, "turn_limit")
        else:
            table.push(BeginTurn(seat=other(state.active)))
