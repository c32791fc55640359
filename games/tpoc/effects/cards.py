"""Effects of turns and of cards moving in play (specification, 4.4 and 4.12)."""

from typing import ClassVar

from games.kernel import EVERYONE, OTHERS, Effect, Public, Secret
from games.tpoc.codes import put, take
from games.tpoc.state import State


class TurnBegan(Effect, frozen=True):
    """A seat's turn began (TPOC-4.0.1)."""

    seat: Public[int]
    turn: Public[int]

    def fold(self, state: State) -> None:
        """The seat is active, and no turn in a row has been passed over."""
        state.phase = "play"
        state.active, state.turn, state.skips = self.seat, self.turn, 0


class TurnSkipped(Effect, frozen=True):
    """A turn was passed over; `why` is no_action (TPOC-R29) or resigned (4.14)."""

    tells: ClassVar[tuple[str, ...]] = OTHERS

    seat: Public[int]
    turn: Public[int]
    why: Public[str]

    def fold(self, state: State) -> None:
        """In place of a turn: one more passed over in a row."""
        state.phase = "play"
        state.active, state.turn = self.seat, self.turn
        state.skips += 1


class CardPlayed(Effect, frozen=True):
    """A card went face up to the platform (TPOC-4.1.1)."""

    seat: Public[int]
    colour: Public[str]

    def fold(self, state: State) -> None:
        """From the hand to the platform."""
        seat = state.seats[self.seat]
        take(seat.hand, self.colour)
        put(seat.platform, self.colour)


class PlatformCardDropped(Effect, frozen=True):
    """A platform beyond its limit lost a card of another colour (TPOC-4.1.2)."""

    seat: Public[int]
    colour: Public[str]

    def fold(self, state: State) -> None:
        """From the platform to the discards."""
        take(state.seats[self.seat].platform, self.colour)
        put(state.discards, self.colour)


class SecretPlayed(Effect, frozen=True):
    """The secret card was played face down (TPOC-4.1.4)."""

    seat: Public[int]
    colour: Secret[str]

    def fold(self, state: State) -> None:
        """From the hand to the secret."""
        seat = state.seats[self.seat]
        take(seat.hand, self.colour)
        seat.secret = self.colour
        seat.secret_played = True


class RivalAccused(Effect, frozen=True):
    """A second card of the colour just played was discarded to accuse a rival (TPOC-4.1.7)."""

    seat: Public[int]
    target: Public[int]
    colour: Public[str]

    def fold(self, state: State) -> None:
        """From the accuser's hand to the discards."""
        take(state.seats[self.seat].hand, self.colour)
        put(state.discards, self.colour)


class PlatformCardLost(Effect, frozen=True):
    """A platform card was lost; `why` is accused (TPOC-4.1.8) or leader (TPOC-4.2.L9)."""

    seat: Public[int]
    colour: Public[str]
    why: Public[str]

    def fold(self, state: State) -> None:
        """From the platform to the discards."""
        take(state.seats[self.seat].platform, self.colour)
        put(state.discards, self.colour)


class CardReplaced(Effect, frozen=True):
    """A lost card was replaced by one of another colour (TPOC-4.1.10, TPOC-4.2.L11)."""

    tells: ClassVar[tuple[str, ...]] = OTHERS

    seat: Public[int]
    colour: Public[str]

    def fold(self, state: State) -> None:
        """From the hand to the platform."""
        seat = state.seats[self.seat]
        take(seat.hand, self.colour)
        put(seat.platform, self.colour)


class ReplacementDeclined(Effect, frozen=True):
    """A lost card was not replaced (TPOC-R15)."""

    tells: ClassVar[tuple[str, ...]] = OTHERS

    seat: Public[int]

    def fold(self, state: State) -> None:
        """Nothing moves."""


class CardDiscarded(Effect, frozen=True):
    """A hand card paid for something (TPOC-2.7)."""

    seat: Public[int]
    colour: Public[str]

    def fold(self, state: State) -> None:
        """From the hand to the discards."""
        take(state.seats[self.seat].hand, self.colour)
        put(state.discards, self.colour)


class CardDrawn(Effect, frozen=True):
    """A card was drawn (TPOC-4.2.1). Undoing it needs the consent of all (section 9)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    colour: Secret[str]

    def fold(self, state: State) -> None:
        """From the front of the deck to the hand."""
        del state.deck[0]
        put(state.seats[self.seat].hand, self.colour)
