"""Effects of the set-up (specification, 4.3 and 4.12)."""

from typing import ClassVar

from games.kernel import EVERYONE, Effect, Hidden, Public, Secret
from games.tpoc.codes import put, take
from games.tpoc.state import Sealed, SetAside, State


class DeckShuffled(Effect, frozen=True):
    """The cards were shuffled."""

    count: Public[int]
    order: Hidden[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """All cards are the deck."""
        state.deck = list(self.order)


class CardsTakenOut(Effect, frozen=True):
    """Cards left the game unseen (TPOC-3.1)."""

    count: Public[int]
    cards: Hidden[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """From the front of the deck to the cards taken out."""
        del state.deck[: self.count]
        for card in self.cards:
            put(state.cards_out, card)


class HandDealt(Effect, frozen=True):
    """A seat was dealt its cards (TPOC-3.2)."""

    tells: ClassVar[tuple[str, ...]] = ("seat",)

    seat: Public[int]
    count: Public[int]
    cards: Secret[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """From the front of the deck to the hand."""
        del state.deck[: self.count]
        for card in self.cards:
            put(state.seats[self.seat].hand, card)


class BagShuffled(Effect, frozen=True):
    """All tiles in the bag were shuffled."""

    count: Public[int]
    order: Hidden[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """The whole content of the bag has a new order."""
        state.bag = list(self.order)


class StartTilesDrawn(Effect, frozen=True):
    """A seat drew its start tiles (TPOC-3.3)."""

    tells: ClassVar[tuple[str, ...]] = ("seat",)

    seat: Public[int]
    count: Public[int]
    tiles: Secret[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """From the front of the bag to the start tiles."""
        del state.bag[: self.count]
        state.seats[self.seat].start_tiles = list(self.tiles)


class MisdealShown(Effect, frozen=True):
    """A seat without a villager showed its start tiles (TPOC-3.10)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    tiles: Public[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """Nothing moves yet."""


class StartTilesReturned(Effect, frozen=True):
    """After a mis-deal the start tiles of all seats went back, unseen by others (TPOC-R6)."""

    count: Public[int]

    def fold(self, state: State) -> None:
        """All start tiles to the bag, which is then shuffled."""
        for seat in state.seats:
            state.bag.extend(seat.start_tiles)
            seat.start_tiles = []


class FirstPlayerChosen(Effect, frozen=True):
    """It is known who goes first (TPOC-R4)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]

    def fold(self, state: State) -> None:
        """Note the first player, who is active first."""
        state.first = state.active = self.seat


class SetupSealed(Effect, frozen=True):
    """A seat made its set-up choice; nobody else learns even how many tiles it chose (TPOC-R8)."""

    seat: Public[int]
    platform: Secret[tuple[str, ...]]
    tiles: Secret[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """Keep the choice until all have chosen."""
        state.seats[self.seat].setup = Sealed(self.platform, self.tiles)


class PlatformRevealed(Effect, frozen=True):
    """The start platform of a seat was turned up (TPOC-3.11)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    cards: Public[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """From the hand to the platform; the sealed choice is no more."""
        seat = state.seats[self.seat]
        seat.setup = None
        for card in self.cards:
            take(seat.hand, card)
            put(seat.platform, card)


class StartTilesPlaced(Effect, frozen=True):
    """The chosen start tiles of a seat went to the areas of their dominant colours (TPOC-3.11)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    tiles: Public[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """From the start tiles to the board."""
        for tile in self.tiles:
            state.seats[self.seat].start_tiles.remove(tile)
            put(state.board, tile)


class StartTilesSetAside(Effect, frozen=True):
    """The other start tiles of a seat left the game face down (TPOC-3.6, TPOC-3.7); `count` may be 0."""

    seat: Public[int]
    count: Public[int]
    tiles: Secret[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """The rest of the start tiles to those set aside by this seat."""
        state.seats[self.seat].start_tiles = []
        state.tiles_out_hidden.extend(SetAside(tile, self.seat) for tile in self.tiles)
