"""The state of a game (specification, 3.1). Squares, tokens and cards go by their words; nothing derived is kept."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from games import kernel
from games.block_mania.board import Map, map_of
from games.block_mania.options import Options
from games.block_mania.sight import Sight, sight

Phase = Literal[
    "setup_block",
    "setup_blockers",
    "justice",
    "roll",
    "command",
    "defensive",
    "combat_bombs",
    "combat_justice",
    "shoot",
    "assault",
    "loot",
    "arson",
    "scrawl",
    "firefight",
    "end_virus",
    "end_fire",
    "end_catastrophe",
    "end_cards",
    "over",
]
#: `in` and `out` at a Window, `-` elsewhere.
Side = Literal["in", "out", "-"]
WindowKind = Literal["R", "H", "A+", "A-"]
Marks = Annotated[int, Meta(ge=0)]


class Blocker(Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A blocker: drawn (`at` is empty) or on the map. `seat` deployed it; nobody controls a Futsy.

    `deployed` and `shown` (known to all although equipment is hidden) are parts of `equipment`. `arrived` orders those
    in one square; it `flew_in` to where it stands. `stuck_until` is the seat whose next Command Phase frees it.
    """

    id: str
    type: str
    seat: int
    controller: int | None = None
    at: str = ""
    side: Side = "-"
    equipment: tuple[str, ...] = ()
    deployed: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    flipped: bool = False
    activated_this_turn: bool = False
    mp_left: int = 0
    movement_over: bool = False
    free_trail: tuple[str, ...] = ()
    flew_in: bool = False
    drew: bool = False
    fired_this_turn: bool = False
    fought_this_turn: bool = False
    sucker_entered_turn: int | None = None
    stuck_until: int | None = None
    must_leave: bool = False
    arrived: int = 0


class Token(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A token that lies in a square: dropped by seat `by`; `order` counts drops and arrivals.

    Face down it is known to `by` and to the seats that have `seen` it. `armed_turn`: the turn it was dropped.
    """

    token: str
    by: int
    armed_turn: int = 0
    face_down: bool = False
    seen: tuple[int, ...] = ()
    order: int = 0


class Square(Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What lies in a square. A square with nothing in it is not in the state."""

    fire: Marks = 0
    damage: Marks = 0
    collapsed: bool = False
    severed: bool = False
    looted: bool = False
    scrawl: bool = False
    cars: Marks = 0
    tokens: tuple[Token, ...] = ()
    virus: bool = False


#: What a square that is not in the state has. Never changed.
EMPTY = Square()


class Seat(Struct, kw_only=True):
    """What belongs to a seat; its power is on at the start (BM-SET-12).

    `blocker_pool` counts counters: `citi_def/A`, `fatties/H`, `superhero`. `standing` are the window kinds it passes
    for the rest of the turn; the last three fields are this turn's cards.
    """

    board: str = ""
    hand: dict[str, int] = {}
    standing: list[WindowKind] = []
    blocker_pool: dict[str, int] = {}
    dead_blockers: int = 0
    collapsed: bool = False
    power: bool = True
    collapses_since_check: int = 0
    collapses_this_turn: int = 0
    no_fatties: bool = False
    mob_cost: int | None = None
    fatty_bonus: int = 0


class JusticeUnit(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A Justice token on the map; `block` is the seat whose block a Sonic Cannon covers."""

    id: str
    kind: Literal["h_wagon", "pat_wagon", "sonic_cannon"]
    at: str
    block: int | None = None


class State(kernel.State, kw_only=True):
    """A game. `boards` lie west to east, of the seats `owners`; `squares` are sparse.

    A card is two cards, written `justice/mania` (BM-SET-11).

    `made` counts blockers and `units_made` units for their ids, `clock` arrivals and drops. `active` is the blocker
    activated now, `gas` the seats in whose blocks gas was released this turn, `gone` counts blockers out of play.
    """

    pack: str
    options: Options
    turn_order: list[int] = []
    boards: tuple[str, ...] = ()
    owners: tuple[int, ...] = ()
    seats: list[Seat]
    phase: Phase = "setup_block"
    phasing: int = 0
    turn_no: int = 0
    command_points: int = 0
    endgame: bool = False
    active: str | None = None
    blockers: dict[str, Blocker] = {}
    squares: dict[str, Square] = {}
    armory_pool: dict[str, int] = {}
    hardware_pool: dict[str, int] = {}
    klegg_supply: int = 0
    cars_supply: int = 0
    unit_supply: dict[str, int] = {}
    mania_deck: list[str] = []
    setup_discard: dict[str, int] = {}
    mania_discard: dict[str, int] = {}
    justice_deck: list[str] = []
    justice_used: dict[str, int] = {}
    reshuffles: int = 0
    units: list[JusticeUnit] = []
    gas: list[int] = []
    gone: dict[str, int] = {}
    made: int = 0
    units_made: int = 0
    clock: int = 0

    @property
    def seat_count(self) -> int:
        """How many seats the game has."""
        return len(self.seats)

    @property
    def map(self) -> Map:
        """The map of this game."""
        return map_of(self.pack, self.boards)

    @property
    def sight(self) -> Sight:
        """Range and line of fire as things stand."""
        fallen = frozenset(block for block, seat in enumerate(self.owners) if self.seats[seat].collapsed)
        return sight(self.map, fallen, open_living=self.options.open_living_spaces)

    def square(self, name: str) -> Square:
        """What lies in a square, to be read only."""
        return self.squares.get(name, EMPTY)

    def after(self, seat: int) -> list[int]:
        """The other seats in turn order, beginning after `seat`."""
        start = self.turn_order.index(seat)
        return self.turn_order[start + 1 :] + self.turn_order[:start]
