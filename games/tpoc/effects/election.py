"""Effects of the election, of sudden death and of the end (specification, 4.8 to 4.10 and 4.12)."""

from typing import ClassVar

from games.kernel import EVERYONE, Effect, Hidden, Outcome, Public
from games.tpoc.codes import is_villager, put
from games.tpoc.effects.tiles import current_out
from games.tpoc.state import SetAside, State


class ElectionBegan(Effect, frozen=True):
    """The election began; `pot` is what was in the pot and is eaten (TPOC-5.4)."""

    pot: Public[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """From the pot out of the game."""
        state.phase = "election"
        state.pot = {}
        for tile in self.pot:
            put(state.tiles_out, tile)


class BallotShuffled(Effect, frozen=True):
    """The villagers on the board were shuffled face down (TPOC-5.3, TPOC-5.5)."""

    count: Public[int]
    order: Hidden[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """From the board to the ballot."""
        state.board = {}
        state.ballot = list(self.order)


class AbstainersRemoved(Effect, frozen=True):
    """One villager for each seat stayed at home, seen by nobody (TPOC-5.5, TPOC-R31)."""

    count: Public[int]
    tiles: Hidden[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """From the front of the ballot to the tiles that nobody has seen."""
        del state.ballot[: self.count]
        state.tiles_out_hidden.extend(SetAside(tile, None) for tile in self.tiles)


class SecretRevealed(Effect, frozen=True):
    """A secret card was turned up and counts from now on (TPOC-5.6)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    colour: Public[str]

    def fold(self, state: State) -> None:
        """Nothing moves: that a secret is open follows from the phase."""


class TileTurned(Effect, frozen=True):
    """The next villager of the ballot was turned over (TPOC-5.7)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    tile: Public[str]

    def fold(self, state: State) -> None:
        """The front of the ballot is the tile being counted."""
        del state.ballot[0]
        state.current = self.tile


class TieBroken(Effect, frozen=True):
    """The holder of the leader chose among the tied (TPOC-6.4)."""

    seat: Public[int]
    tile: Public[str]
    tied: Public[tuple[int, ...]]
    winner: Public[int]

    def fold(self, state: State) -> None:
        """Nothing moves: the tile is won by the next effect."""


class TileWon(Effect, frozen=True):
    """A villager was won; `how` is most, leader or dominant; `totals` has each seat's cards of both colours."""

    tile: Public[str]
    seat: Public[int]
    how: Public[str]
    totals: Public[tuple[int, ...]]

    def fold(self, state: State) -> None:
        """The tile being counted to the winner."""
        put(state.seats[self.seat].won, self.tile)
        state.current = None


class TileUnclaimed(Effect, frozen=True):
    """A villager was won by nobody; `why` is none_eligible, tied or resigned (TPOC-6.6)."""

    tile: Public[str]
    why: Public[str]
    totals: Public[tuple[int, ...]]

    def fold(self, state: State) -> None:
        """The tile being counted leaves the game."""
        current_out(state)


class SuddenDeathBegan(Effect, frozen=True):
    """Seats still tied compete for tiles from the bag (TPOC-6.9)."""

    contenders: Public[tuple[int, ...]]

    def fold(self, state: State) -> None:
        """Note who competes."""
        state.phase = "sudden_death"
        state.contenders = list(self.contenders)


class SuddenDeathTileDrawn(Effect, frozen=True):
    """A tile was drawn in sudden death; leaders and chefs have no effect (TPOC-R37)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    tile: Public[str]

    def fold(self, state: State) -> None:
        """The front of the bag is the tile being counted, or leaves the game if it is no villager."""
        del state.bag[0]
        if is_villager(self.tile):
            state.current = self.tile
        else:
            put(state.tiles_out, self.tile)


class GameEnded(Effect, frozen=True):
    """The game is over and everything is public.

    `votes` and `leaders` are by seat; `ranking` has the seats of each place, the best first; `how` is votes, leaders,
    sudden_death, shared or last_seat.
    """

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    votes: Public[tuple[int, ...]]
    leaders: Public[tuple[int, ...]]
    ranking: Public[tuple[tuple[int, ...], ...]]
    winners: Public[tuple[int, ...]]
    how: Public[str]

    def fold(self, state: State) -> None:
        """Note the outcome."""
        state.phase = "ended"
        state.outcome = Outcome(self.winners, self.votes, _places(self.ranking), self.how)


def _places(ranking: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """The place of each seat: one more than the seats before it."""
    places: dict[int, int] = {}
    for seats in ranking:
        places |= dict.fromkeys(seats, len(places) + 1)
    return tuple(places[seat] for seat in sorted(places))
