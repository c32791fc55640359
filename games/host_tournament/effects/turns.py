"""Setting up, turns, decks and the end (specification, 4.13: set-up, turn, score)."""

from typing import Annotated, ClassVar

from msgspec import structs

from games.host_tournament import zones
from games.host_tournament.effects.fact import Fact
from games.host_tournament.state import AutoPass, Rest, State
from games.kernel import EVERYONE, Hidden, Outcome, Public, Secret, Visibility, secret_to


class ThrowSealed(Fact, frozen=True):
    """A seat has thrown; what, it alone knows."""

    shifts: ClassVar[bool] = False

    seat: Public[int]
    choice: Secret[str]

    def _change(self, state: State) -> None:
        state.rps[self.seat] = self.choice


class ThrowsRevealed(Fact, frozen=True):
    """Both throws are shown; `first` is None if they are equal."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    choices: Public[tuple[str, ...]]
    first: Public[int | None]

    def _change(self, state: State) -> None:
        state.rps = [None, None]
        state.ties += self.first is None
        if self.first is not None:
            state.first = state.active = self.first


class FirstSeatDrawn(Fact, frozen=True):
    """The seat that goes first, by lot."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]

    def _change(self, state: State) -> None:
        state.first = state.active = self.seat


class PlacesAsked(Fact, frozen=True):
    """Start locations are chosen now."""

    shifts: ClassVar[bool] = False

    def _change(self, state: State) -> None:
        state.phase = "start_places"


class DeckSearched(Fact, frozen=True):
    """A seat looks through its deck."""

    shifts: ClassVar[bool] = False

    seat: Public[int]


class DeckShuffled(Fact, frozen=True):
    """A deck is in a new order, which nobody knows."""

    shifts: ClassVar[bool] = False

    seat: Public[int]
    order: Hidden[tuple[str, ...]]

    def _change(self, state: State) -> None:
        state.seats[self.seat].deck = list(self.order)


class CardsDrawn(Fact, frozen=True):
    """A seat draws the top cards of its deck; how many, tells the others what it wished at the end of its turn."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    n: Public[int]
    cards: Secret[tuple[str, ...]]

    def _change(self, state: State) -> None:
        seat = state.seats[self.seat]
        del seat.deck[: self.n]
        seat.hand.extend(self.cards)


class TurnBegan(Fact, frozen=True):
    """A turn begins: three actions; what was used in the last turn may be used again."""

    seat: Public[int]
    turn: Public[int]

    def _change(self, state: State) -> None:
        state.phase = "play"
        state.active, state.turn, state.actions_left = self.seat, self.turn, 3
        state.fresh = [0, 1]
        for number, seat in enumerate(state.seats):
            seat.used_turn = []
            seat.wish = None
            seat.auto_pass = _in_new_turn(seat.auto_pass, own=number == self.seat)


def _in_new_turn(kept: AutoPass, *, own: bool) -> AutoPass:
    over = kept.until == "end_of_turn" or (kept.until == "my_turn" and own)
    if not over and kept.rest == "window":
        return kept
    return structs.replace(kept, kinds=() if over else kept.kinds, rest="window")


class StopsReduced(Fact, frozen=True):
    """What is stopped, and what keeps out of stasis, is so for one turn less (HT-12.2)."""

    seat: Public[int]

    def _change(self, state: State) -> None:
        for card in state.in_play.values():
            if card.owner == self.seat:
                card.stop = max(0, card.stop - 1)
                card.awake = max(0, card.awake - 1)


class ActionPaid(Fact, frozen=True):
    """Actions of the turn are used up."""

    shifts: ClassVar[bool] = False

    n: Public[int]

    def _change(self, state: State) -> None:
        state.actions_left -= self.n


class ActionCompleted(Fact, frozen=True):
    """A normal action is over, whatever came of it (HT-R15)."""

    shifts: ClassVar[bool] = False


class TurnEndDeclared(Fact, frozen=True):
    """The active seat ends its turn; how much it wants to draw shows at the draw."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    draw: Secret[int]

    def _change(self, state: State) -> None:
        state.seats[self.seat].wish = self.draw
        state.fresh = [seat for seat in state.fresh if seat != self.seat]


class CountedDown(Fact, frozen=True):
    """A countdown icon goes one down (HT-14.1)."""

    card: Public[str]
    left: Public[int]

    def _change(self, state: State) -> None:
        if (card := state.in_play.get(self.card)) is not None:
            card.counter = self.left


class CountdownFinished(Fact, frozen=True):
    """A card has counted down and is discarded."""

    card: Public[str]

    def _change(self, state: State) -> None:
        zones.discard(state, self.card)


class PointsScored(Fact, frozen=True):
    """A batch of points: `points` by seat; no score falls below 0."""

    shifts: ClassVar[bool] = False

    points: Public[tuple[int, int]]

    def _change(self, state: State) -> None:
        for seat, n in zip(state.seats, self.points, strict=True):
            seat.score = max(0, seat.score + n)


class RollOff(Fact, frozen=True):
    """A die each, by seat: the higher one wins."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    dice: Public[tuple[int, int]]


class GameEnded(Fact, frozen=True):
    """The game is over; `winner` None is a draw."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    winner: Public[int | None]
    reason: Public[str]
    scores: Public[tuple[int, int]]

    def _change(self, state: State) -> None:
        state.phase = "ended"
        both = self.winner is None
        places = (1, 1) if both else (1, 2) if self.winner == 0 else (2, 1)
        winners = () if self.winner is None else (self.winner,)
        state.outcome = Outcome(winners, self.scores, places, self.reason)


class AutoPassSet(Fact, frozen=True):
    """A seat has said in which windows it passes by itself; others see nothing of it."""

    shifts: ClassVar[bool] = False
    audience: ClassVar[Visibility] = secret_to("seat")

    seat: Public[int]
    auto_pass: Secret[AutoPass]

    def _change(self, state: State) -> None:
        state.seats[self.seat].auto_pass = self.auto_pass


class Passed(Fact, frozen=True):
    """A seat passes in a window; why, and what it says of later windows, it alone knows (3.3)."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    rest: Secret[Rest] = "window"
    auto_pass: Annotated[AutoPass | None, secret_to("seat")] = None

    def _change(self, state: State) -> None:
        seat = state.seats[self.seat]
        if self.auto_pass is not None:
            seat.auto_pass = self.auto_pass
        elif self.rest != "window":
            seat.auto_pass = structs.replace(seat.auto_pass, rest=self.rest)


class WindowOpened(Fact, frozen=True):
    """A reaction window opens."""

    shifts: ClassVar[bool] = False

    kind: Public[str]
    subject: Public[str | None]


class WindowClosed(Fact, frozen=True):
    """A reaction window is over; after an action so is a pass for the rest of it."""

    shifts: ClassVar[bool] = False

    kind: Public[str]

    def _change(self, state: State) -> None:
        if self.kind == "after_action":
            for seat in state.seats:
                if seat.auto_pass.rest == "action":
                    seat.auto_pass = structs.replace(seat.auto_pass, rest="window")
