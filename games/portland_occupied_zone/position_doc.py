"""How people write a state (specification, 3.3), strictly read."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from games.kernel import Outcome
from games.portland_occupied_zone.all_steps import AnyStep
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.state import Phase, RoundStep, Slot, Space, Status, Tail, TeachIn, Tokens, Used
from games.portland_occupied_zone.underway import Ballot, Combat, Exchange, Offer
from games.portland_occupied_zone.vocabulary import Duration

Count = Annotated[int, Meta(ge=0)]


class Doc(Struct, kw_only=True, forbid_unknown_fields=True):
    """A part of a position; what is left out is as in a fresh set-up."""


class PcDoc(Doc, kw_only=True):
    """A character; `stability` by number or name, `hand` and `slots` replace those of the set-up."""

    seat: Count | UnsetType = UNSET
    status: Status | UnsetType = UNSET
    skip: Count | UnsetType = UNSET
    jail: Literal["courthouse", "commune"] | UnsetType | None = UNSET
    space: Space | UnsetType = UNSET
    injuries: Count | UnsetType = UNSET
    stability: Count | str | UnsetType = UNSET
    crap: Annotated[int, Meta(ge=0, le=30)] | UnsetType = UNSET
    crap_best: Annotated[int, Meta(ge=0, le=30)] | UnsetType = UNSET
    bricks: Count | UnsetType = UNSET
    hand: list[str] | UnsetType = UNSET
    slots: dict[Literal["weapon", "apparel", "acc1", "acc2"], str | None] | UnsetType = UNSET
    burned_by: list[str] | UnsetType = UNSET
    drug_tail: list[Tail] | UnsetType = UNSET
    catching: list[str] | UnsetType = UNSET


class TurnDoc(Doc, kw_only=True):
    """A turn: with `pc` alone it is about to begin, with anything else it is under way."""

    pc: str
    equip_open: bool | UnsetType = UNSET
    acted: bool | UnsetType = UNSET
    moved: Count | UnsetType = UNSET
    start_space: Space | UnsetType = UNSET
    left_start: bool | UnsetType = UNSET
    used: list[Used] | UnsetType = UNSET
    equipped: list[Slot] | UnsetType = UNSET
    unequipped: list[str] | UnsetType = UNSET
    searched: list[str] | UnsetType = UNSET
    claimed: list[str] | UnsetType = UNSET
    offers: Count | UnsetType = UNSET
    in_gas: bool | UnsetType = UNSET
    log: dict[str, Count] | UnsetType = UNSET


class TimedDoc(Doc, kw_only=True):
    """A modifier for a time."""

    key: str
    until: Duration
    n: int = 1
    pc: str | None = None


class LeadDoc(Doc, kw_only=True):
    """The token and who holds it."""

    token: Literal["pillow", "tin_pot"] | UnsetType = UNSET
    holder: str | UnsetType = UNSET


class DecksDoc(Doc, kw_only=True):
    """Piles that are as listed; cards that are nowhere then are out of the game."""

    loot: dict[str, list[str]] = {}
    disease: list[str] | UnsetType = UNSET
    homebrew: dict[str, Count] = {}
    aktion: list[str] | UnsetType = UNSET
    aktion_discard: list[str] | UnsetType = UNSET
    narrative: list[str] | UnsetType = UNSET
    standard_left: Count | UnsetType = UNSET
    narrative_out: list[str] | UnsetType = UNSET
    plans: list[str] | UnsetType = UNSET
    shown: list[str] | UnsetType = UNSET
    claimed: list[str] | UnsetType = UNSET
    store: list[str] | UnsetType = UNSET
    garbage: list[str] | UnsetType = UNSET
    removed: list[str] | UnsetType = UNSET
    unshuffled: list[str] | UnsetType = UNSET


class BuildingDoc(Doc, kw_only=True):
    """A building."""

    standing: bool | UnsetType = UNSET
    arson: Count | UnsetType = UNSET


class StructureDoc(Doc, kw_only=True):
    """A structure: its `cells`, or its `anchor` (`turned`), or its `site`."""

    type: str
    cells: tuple[Cell, ...] | UnsetType = UNSET
    anchor: Cell | UnsetType = UNSET
    turned: bool = False
    site: str | UnsetType = UNSET
    npcs: Count = 0
    id: str | UnsetType = UNSET


class CheckpointDoc(Doc, kw_only=True):
    """A checkpoint: its `cells`, or its `site`."""

    cells: tuple[Cell, ...] | UnsetType = UNSET
    site: str | UnsetType = UNSET
    arson: Count = 0
    id: str | UnsetType = UNSET


class DumpsterDoc(Doc, kw_only=True):
    """A dumpster."""

    cell: Cell | UnsetType = UNSET
    burning: bool | UnsetType = UNSET


class CameraDoc(Doc, kw_only=True):
    """A camera."""

    present: bool


class SuppliesDoc(Doc, kw_only=True):
    """Supplies that are not simply what is left."""

    bricks: Count | UnsetType = UNSET
    arson: Count | UnsetType = UNSET
    npc: Count | UnsetType = UNSET
    befoul: Count | UnsetType = UNSET
    structures: dict[str, Count] = {}


class OfficerDoc(Doc, kw_only=True):
    """Sgt. Jackson."""

    on_board: bool | UnsetType = UNSET
    space: Space | UnsetType | None = UNSET
    returns_round: Count | UnsetType | None = UNSET


class MedicDoc(OfficerDoc, kw_only=True):
    """The Medic."""

    tending: str | UnsetType | None = UNSET
    beside: list[str] | UnsetType = UNSET
    attacked: bool | UnsetType = UNSET


class CopDoc(Doc, kw_only=True):
    """A riot cop."""

    space: Space
    ready_round: Count = 0
    id: str | UnsetType = UNSET


class PositionDoc(Doc, kw_only=True):
    """A position over a fresh set-up. `phase`, `step` or `turn` say where play begins: at the start of it."""

    seats: list[list[str]] | UnsetType = UNSET
    phase: Phase | UnsetType = UNSET
    step: RoundStep | UnsetType | None = UNSET
    round: Count | UnsetType = UNSET
    battle: bool | UnsetType = UNSET
    turn_order: list[str] | UnsetType = UNSET
    turn_index: Count | UnsetType = UNSET
    plot: str | None = None
    aktion: str | None = None
    timed: list[TimedDoc] = []
    teach_in: TeachIn | UnsetType = UNSET
    lead: LeadDoc | UnsetType | None = UNSET
    pcs: dict[str, PcDoc] = {}
    turn: TurnDoc | None = None
    ballot: Ballot | None = None
    offer: Offer | None = None
    exchange: Exchange | None = None
    combat: Combat | None = None
    decks: DecksDoc = msgspec.field(default_factory=DecksDoc)
    buildings: dict[str, BuildingDoc] = {}
    structures: dict[str, StructureDoc] | list[StructureDoc] | UnsetType = UNSET
    checkpoints: dict[str, CheckpointDoc] | list[CheckpointDoc] = {}
    dumpsters: dict[str, DumpsterDoc] = {}
    cameras: dict[str, CameraDoc] = {}
    tokens: Tokens = msgspec.field(default_factory=Tokens)
    supplies: SuppliesDoc = msgspec.field(default_factory=SuppliesDoc)
    jackson: OfficerDoc = msgspec.field(default_factory=OfficerDoc)
    medic: MedicDoc = msgspec.field(default_factory=MedicDoc)
    cops: dict[str, CopDoc] | list[CopDoc] = {}
    stunned: list[str] = []
    made: dict[Literal["s", "r", "k"], Count] = {}
    agenda: list[AnyStep] = []
    resigned: list[Count] = []
    outcome: Outcome | None = None
    population: Count | UnsetType = UNSET


def given(doc: Struct) -> dict[str, Any]:
    """The fields of a part of a position that are not left out."""
    return {name: value for name in doc.__struct_fields__ if (value := getattr(doc, name)) is not UNSET}
