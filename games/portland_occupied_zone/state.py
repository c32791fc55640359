"""The state of a game (specification, 3.1). It holds everything; only folds of effects change it."""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from games import kernel
from games.portland_occupied_zone.board import Board, board
from games.portland_occupied_zone.cards import SLOTS
from games.portland_occupied_zone.options import Options
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.underway import Ballot, Combat, Exchange, Offer
from games.portland_occupied_zone.vocabulary import Duration

#: A standing building, a structure or a checkpoint by its id, or a single cell (4.6).
Space = str | Cell
#: What a text in the effect language has bound so far, by name.
Bound = Mapping[str, Space]
Phase = Literal["setup", "teach_in", "police", "turns", "over"]
RoundStep = Literal["ideology", "1.1", "1.2", "1.3", "1.4", "2.1", "2.2", "2.3", "2.4", "turns"]
Status = Literal["awake", "ko", "jailed", "dead"]
Slot = Literal["weapon", "apparel", "acc1", "acc2"]
Used = Literal["dive", "structure", "power"]


class Slots(Struct, kw_only=True, forbid_unknown_fields=True):
    """What a character has equipped (POZ-BRD-9); a disease takes any slot."""

    weapon: str | None = None
    apparel: str | None = None
    acc1: str | None = None
    acc2: str | None = None

    def filled(self) -> Iterator[tuple[str, str]]:
        """The slots with a card in them."""
        return ((slot, card) for slot in SLOTS if (card := getattr(self, slot)) is not None)


class Tail(Struct, frozen=True, forbid_unknown_fields=True):
    """A drug that still works: `stability` steps to take back; `kept`: its card stays here until it has worn off."""

    card: str
    stability: int = 0
    kept: bool = False


class Pc(Struct, kw_only=True):
    """A player character. `space` of a jailed one is its jail. `catching`: diseases that have no slot yet."""

    seat: int
    status: Status = "awake"
    skip: int = 0
    jail: Literal["courthouse", "commune"] | None = None
    space: Space
    injuries: int = 0
    stability: int
    crap: int = 0
    crap_best: int = 0
    bricks: int = 0
    hand: list[str] = []
    slots: Slots
    burned_by: list[str] = []
    drug_tail: list[Tail] = []
    catching: list[str] = []

    @property
    def alive(self) -> bool:
        """Knocked out and jailed characters live."""
        return self.status != "dead"

    @property
    def awake(self) -> bool:
        """Alive, not knocked out, not jailed."""
        return self.status == "awake"


class Turn(Struct, kw_only=True, forbid_unknown_fields=True):
    """The turn of a character. `log` counts what 5 Year Plans ask for (2.12)."""

    pc: str
    equip_open: bool = True
    acted: bool = False
    moved: int = 0
    start_space: Space
    left_start: bool = False
    used: list[Used] = []
    equipped: list[Slot] = []
    unequipped: list[str] = []
    searched: list[str] = []
    claimed: list[str] = []
    offers: int = 0
    in_gas: bool = False
    log: dict[str, int] = {}


class Lead(Struct, kw_only=True, forbid_unknown_fields=True):
    """Who holds the Talking Pillow, later the Tin Pot."""

    token: Literal["pillow", "tin_pot"] = "pillow"  # noqa: S105 no password
    holder: str


class Timed(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A modifier or flag for a time; `pc` None: for nobody in particular. `turn` ends with the next end of its turn."""

    key: str
    until: Duration
    n: int = 1
    pc: str | None = None


class TeachIn(Struct, kw_only=True, forbid_unknown_fields=True):
    """What has been done in this Teach-In (4.4)."""

    redraw_used: bool = False
    reassigned: int = 0


class Decks(Struct, kw_only=True, forbid_unknown_fields=True):
    """Every pile, the top card first. `standard_left`: so many cards of `narrative` are standard ones.

    `unshuffled` names the decks that still lie as they were unpacked. Loot decks and `homebrew` have ids of kinds.
    """

    loot: dict[str, list[str]]
    disease: list[str]
    homebrew: dict[str, int]
    aktion: list[str]
    aktion_discard: list[str] = []
    narrative: list[str]
    standard_left: int = 0
    narrative_out: list[str] = []
    plans: list[str]
    shown: list[str] = []
    claimed: list[str] = []
    store: list[str] = []
    garbage: list[str] = []
    removed: list[str] = []
    unshuffled: list[str] = []


class Building(Struct, kw_only=True):
    """A business or the courthouse."""

    standing: bool = True
    arson: int = 0


class Structure(Struct, kw_only=True):
    """A POZ structure on the board; its first cell is its anchor."""

    type: str
    cells: tuple[Cell, ...]
    npcs: int = 0


class Checkpoint(Struct, kw_only=True):
    """A police checkpoint."""

    cells: tuple[Cell, ...]
    arson: int = 0


class Dumpster(Struct, kw_only=True):
    """A dumpster."""

    cell: Cell
    burning: bool = False


class Camera(Struct, kw_only=True):
    """A surveillance camera."""

    present: bool = True


class Tokens(Struct, kw_only=True, forbid_unknown_fields=True):
    """Cells with a befoulment, cells with gas."""

    befoul: list[Cell] = []
    gas: list[Cell] = []


class Supplies(Struct, kw_only=True):
    """What is not on the board or in hands."""

    bricks: int
    arson: int
    npc: int
    befoul: int
    structures: dict[str, int]


class Officer(Struct, kw_only=True):
    """Sgt. Jackson, or the Medic with what he tends, who is beside him, and whether he was attacked this round."""

    on_board: bool = True
    space: Space | None = COURTHOUSE
    returns_round: int | None = None


class Medic(Officer, kw_only=True):
    """The Medic: `tending` a building, checkpoint or dumpster; `beside` him are characters (ALG-MEDIC)."""

    tending: str | None = None
    beside: list[str] = []
    attacked: bool = False


class Cop(Struct, kw_only=True):
    """A riot cop; it acts from `ready_round` on."""

    space: Space
    ready_round: int = 0


class State(kernel.State, kw_only=True):
    """A game. `pcs` in rainbow order; `structures`, `checkpoints`, `cops` as they came; `made` counts them."""

    pack: str
    options: Options
    seats: int
    phase: Phase = "setup"
    step: RoundStep | None = None
    round: int = 0
    battle: bool = False
    turn_order: list[str] = []
    turn_index: int = 0
    plot: str | None = None
    aktion: str | None = None
    timed: list[Timed] = []
    teach_in: TeachIn
    lead: Lead | None = None
    pcs: dict[str, Pc] = {}
    turn: Turn | None = None
    ballot: Ballot | None = None
    offer: Offer | None = None
    exchange: Exchange | None = None
    combat: Combat | None = None
    decks: Decks
    buildings: dict[str, Building]
    structures: dict[str, Structure] = {}
    checkpoints: dict[str, Checkpoint] = {}
    dumpsters: dict[str, Dumpster]
    cameras: dict[str, Camera]
    tokens: Tokens
    supplies: Supplies
    jackson: Officer
    medic: Medic
    cops: dict[str, Cop] = {}
    stunned: list[str] = []
    made: dict[str, int]

    @property
    def seat_count(self) -> int:
        """How many seats the game has."""
        return self.seats

    @property
    def board(self) -> Board:
        """The map, cards and tables of this game."""
        return board(self.pack, self.options.tiles)

    def living(self) -> list[str]:
        """The living characters in turn order, the active one first (2.7), else the first of the round."""
        order = self.turn_order or list(self.pcs)
        start = order.index(self.turn.pc) if self.turn is not None else 0
        return [pc for pc in (*order[start:], *order[:start]) if self.pcs[pc].status != "dead"]

    def seat_of(self, pc: str) -> int:
        """The seat that plays a character."""
        return self.pcs[pc].seat
