"""The state of a game (specification, section 3.1) and its options (2.3)."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from games import kernel
from games.tpoc.codes import total
from games.tpoc.pack import SHELF, Pack

Phase = Literal["setup", "play", "election", "sudden_death", "ended"]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game; each picks a reading of the rulebook (TPOC-R4, R12, R20, R32, R25)."""

    first_player: Literal["random"] | Annotated[int, Meta(ge=0)] = "random"
    secret_ends_accusations: bool = False
    tied_owner_keeps_leader: bool = False
    both_colours: Literal["filter", "void"] = "filter"
    lunch_draw: Literal["private", "open"] = "private"


class Sealed(Struct, frozen=True, forbid_unknown_fields=True):
    """A set-up choice that is not revealed yet: four cards and one to three villagers, in canonical order."""

    platform: tuple[str, ...]
    tiles: tuple[str, ...]


class SetAside(Struct, frozen=True, forbid_unknown_fields=True):
    """A tile out of the game that at most `seat` has seen (an abstainer: nobody, None)."""

    tile: str
    seat: int | None


class Seat(Struct, kw_only=True):
    """What lies before one seat. `platform` has the face-up cards only; `leaders` are colours in canonical order."""

    hand: dict[str, int] = {}
    platform: dict[str, int] = {}
    secret: str | None = None
    secret_played: bool = False
    leaders: list[str] = []
    won: dict[str, int] = {}
    start_tiles: list[str] = []
    setup: Sealed | None = None

    @property
    def votes(self) -> int:
        """Villagers won and leaders held, one vote each (TPOC-6.7, TPOC-4.2.L4)."""
        return total(self.won) + len(self.leaders)

    def shows(self, colour: str) -> int:
        """Face-up platform cards of a colour: what counts during play (TPOC-R11)."""
        return self.platform.get(colour, 0)

    def counts(self, colour: str) -> int:
        """Platform cards of a colour with the revealed secret: what counts in the election (TPOC-5.6)."""
        return self.platform.get(colour, 0) + (self.secret == colour)


class State(kernel.State, kw_only=True):
    """A game. `deck`, `bag` and `ballot` have their front first; multisets are counts in canonical order."""

    pack: str
    options: Options
    phase: Phase = "setup"
    first: int = 0
    active: int = 0
    turn: int = 1
    skips: int = 0
    deck: list[str] = []
    cards_out: dict[str, int] = {}
    discards: dict[str, int] = {}
    bag: list[str] = []
    board: dict[str, int] = {}
    pot: dict[str, int] = {}
    tiles_out: dict[str, int] = {}
    tiles_out_hidden: list[SetAside] = []
    ballot: list[str] = []
    current: str | None = None
    contenders: list[int] = []
    seats: list[Seat]

    @property
    def seat_count(self) -> int:
        """How many seats the game has."""
        return len(self.seats)

    def content(self) -> Pack:
        """The pack of this game."""
        return SHELF[self.pack]

    def left_of(self, seat: int) -> int:
        """The seat to the left, whose turn comes next (TPOC-R5)."""
        return (seat + 1) % len(self.seats)

    def holder(self, colour: str) -> int | None:
        """The seat that holds the leader of this colour; None if that leader is not in play (TPOC-R18)."""
        for number, seat in enumerate(self.seats):
            if colour in seat.leaders:
                return number
        return None
