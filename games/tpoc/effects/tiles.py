"""Effects of tiles moving in play: drawn, potted, eaten, endorsed, culled (specification, 4.4 to 4.7 and 4.12)."""

from typing import Annotated, ClassVar

from msgspec import field

from games.kernel import EVERYONE, Effect, Public, secret_to
from games.tpoc.codes import in_order, put, take
from games.tpoc.state import SetAside, State

_OWN_UNLESS_OPEN = secret_to("seat", unless="open")


def current_out(state: State) -> None:
    """The tile being resolved leaves the game, seen by all."""
    if state.current is not None:
        put(state.tiles_out, state.current)
        state.current = None


class TileDrawn(Effect, frozen=True):
    """A tile was drawn from the bag (TPOC-4.2.1)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    tile: Public[str]

    def fold(self, state: State) -> None:
        """The front of the bag is the tile being resolved."""
        del state.bag[0]
        state.current = self.tile


class BagFoundEmpty(Effect, frozen=True):
    """There was no tile to draw (TPOC-R26)."""

    seat: Public[int]

    def fold(self, state: State) -> None:
        """Nothing moves."""


class TilePlaced(Effect, frozen=True):
    """A villager joined the area of its dominant colour (TPOC-4.2.3)."""

    tile: Public[str]

    def fold(self, state: State) -> None:
        """The tile being resolved to the board."""
        put(state.board, self.tile)
        state.current = None


class TilePotted(Effect, frozen=True):
    """A villager was sent to the pot (TPOC-4.3.1)."""

    tile: Public[str]

    def fold(self, state: State) -> None:
        """From the board to the pot."""
        take(state.board, self.tile)
        put(state.pot, self.tile)


class TileEaten(Effect, frozen=True):
    """A villager was eaten (TPOC-4.4.1)."""

    tile: Public[str]

    def fold(self, state: State) -> None:
        """From the pot out of the game."""
        take(state.pot, self.tile)
        put(state.tiles_out, self.tile)


class TileRescued(Effect, frozen=True):
    """A villager was saved from the pot (TPOC-4.5.1)."""

    tile: Public[str]

    def fold(self, state: State) -> None:
        """From the pot to the board, to its own area."""
        take(state.pot, self.tile)
        put(state.board, self.tile)


class TileCulled(Effect, frozen=True):
    """A villager was taken by the chef (TPOC-4.2.C1)."""

    tile: Public[str]

    def fold(self, state: State) -> None:
        """From the board out of the game."""
        take(state.board, self.tile)
        put(state.tiles_out, self.tile)


class LunchDrawn(Effect, frozen=True):
    """Tiles were drawn at a lunch (TPOC-4.4.2), seen by their seat, or by all with `open` (TPOC-R25)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    count: Public[int]
    tiles: Annotated[tuple[str, ...], _OWN_UNLESS_OPEN]
    open: Public[bool] = False

    def fold(self, state: State) -> None:
        """From the front of the bag to the step that asks which one to keep."""
        del state.bag[: self.count]


class TileKept(Effect, frozen=True):
    """A tile drawn at a lunch was kept (TPOC-4.4.2)."""

    seat: Public[int]
    tile: Public[str]

    def fold(self, state: State) -> None:
        """From the step to the tile being resolved."""
        state.current = self.tile


class TileRejected(Effect, frozen=True):
    """The other tile drawn at a lunch left the game without effect (TPOC-4.4.3, TPOC-R27)."""

    seat: Public[int]
    tile: Annotated[str, _OWN_UNLESS_OPEN]
    open: Public[bool] = False

    def fold(self, state: State) -> None:
        """From the step out of the game, openly or known to this seat only (TPOC-R39)."""
        if self.open:
            put(state.tiles_out, self.tile)
        else:
            state.tiles_out_hidden.append(SetAside(self.tile, self.seat))


class LeaderEndorsed(Effect, frozen=True):
    """A leader who was not in play went to the seat that shows most of the colour (TPOC-4.2.L1)."""

    colour: Public[str]
    seat: Public[int]

    def fold(self, state: State) -> None:
        """The tile being resolved to the seat's leaders."""
        _gain(state, self.seat, self.colour)
        state.current = None


class LeaderStayed(Effect, frozen=True):
    """A leader in play stayed with its holder (TPOC-4.2.L7)."""

    colour: Public[str]
    seat: Public[int]

    def fold(self, state: State) -> None:
        """The further copy leaves the game (TPOC-R18)."""
        current_out(state)


class LeaderMoved(Effect, frozen=True):
    """A leader in play moved to a seat that now shows most of the colour (TPOC-4.2.L8).

    It cost somebody something, so undoing it needs the consent of all (section 9).
    """

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    colour: Public[str]
    from_: Public[int] = field(name="from")
    to: Public[int]

    def fold(self, state: State) -> None:
        """The held leader moves; the further copy leaves the game."""
        state.seats[self.from_].leaders.remove(self.colour)
        _gain(state, self.to, self.colour)
        current_out(state)


class LeaderLeft(Effect, frozen=True):
    """A leader in play left its holder, and nobody got it (TPOC-4.2.L10).

    It cost somebody something, so undoing it needs the consent of all (section 9).
    """

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    colour: Public[str]
    seat: Public[int]

    def fold(self, state: State) -> None:
        """The held leader and the further copy leave the game."""
        state.seats[self.seat].leaders.remove(self.colour)
        put(state.tiles_out, f"leader:{self.colour}")
        current_out(state)


class LeaderAbstained(Effect, frozen=True):
    """A leader who was not in play found a tie and left the game (TPOC-4.2.L2)."""

    colour: Public[str]

    def fold(self, state: State) -> None:
        """The tile being resolved leaves the game."""
        current_out(state)


class ChefDrawn(Effect, frozen=True):
    """A chef came and left the game (TPOC-R24)."""

    seat: Public[int]

    def fold(self, state: State) -> None:
        """The tile being resolved leaves the game."""
        current_out(state)


class ChefFinished(Effect, frozen=True):
    """The chef is done."""

    seat: Public[int]

    def fold(self, state: State) -> None:
        """Nothing moves."""


def _gain(state: State, seat: int, colour: str) -> None:
    state.seats[seat].leaders = list(in_order([*state.seats[seat].leaders, colour]))
