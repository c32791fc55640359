"""How people write a state (specification, 3.3), strictly read. What is left out is as in a game not yet begun."""

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from games.block_mania.messages import AnyStep
from games.block_mania.state import JusticeUnit, Phase, Side, Square, WindowKind
from games.kernel import Outcome
from games.kernel.positions import impossible

Count = Annotated[int, Meta(ge=0)]
#: Counts by name, or the pieces one by one in any order.
Multiset = dict[str, Count] | list[str]


class BlockerDoc(Struct, kw_only=True, forbid_unknown_fields=True):
    """A blocker on the map (or drawn, without `at`); the fields of 3.1. `arrived` follows the order of the list."""

    id: str | UnsetType = UNSET
    type: str
    seat: Count
    controller: Count | UnsetType | None = UNSET
    at: str = ""
    side: Side | UnsetType = UNSET
    equipment: list[str] = []
    deployed: list[str] = []
    shown: list[str] = []
    flipped: bool = False
    activated_this_turn: bool = False
    mp_left: Count = 0
    movement_over: bool = False
    free_trail: list[str] = []
    flew_in: bool = False
    drew: bool = False
    fired_this_turn: bool = False
    fought_this_turn: bool = False
    sucker_entered_turn: int | None = None
    stuck_until: Count | None = None
    must_leave: bool = False
    arrived: Count | UnsetType = UNSET


class SeatDoc(Struct, kw_only=True, forbid_unknown_fields=True):
    """One seat. `blocker_pool` is what is left by the map unless it is given; `dp` can be expected."""

    board: str | UnsetType = UNSET
    hand: Multiset = {}
    standing: list[WindowKind] = []
    blocker_pool: Multiset | UnsetType = UNSET
    dead_blockers: Count = 0
    collapsed: bool = False
    power: bool = True
    collapses_since_check: Count = 0
    collapses_this_turn: Count = 0
    no_fatties: bool = False
    mob_cost: Count | None = None
    fatty_bonus: Count = 0
    dp: int | UnsetType = UNSET


class UnitDoc(Struct, kw_only=True, forbid_unknown_fields=True):
    """A Justice token, in order of placement; a Sonic Cannon names its block by the seat."""

    id: str | UnsetType = UNSET
    kind: Literal["h_wagon", "pat_wagon", "sonic_cannon"]
    at: str
    block: Count | None = None


class PositionDoc(Struct, kw_only=True, forbid_unknown_fields=True):
    """A position (3.3). `seats` lists all seats, or some by index; `boards` lie west to east, seat i owns the i-th.

    Cards are `justice/mania`, decks front first; those not named lie behind. Pools are what the map and hands leave of
    the start unless they are given. `active` is the blocker whose activation is in progress.
    """

    boards: list[str] | UnsetType = UNSET
    turn_order: list[Count] | UnsetType = UNSET
    phase: Phase = "command"
    phasing: Count = 0
    turn_no: Count = 1
    command_points: Count = 0
    endgame: bool = False
    active: str | None = None
    blockers: list[BlockerDoc] = []
    squares: dict[str, Square] = {}
    seats: list[SeatDoc] | dict[str, SeatDoc] = {}
    mania_deck: list[str] = []
    justice_deck: list[str] = []
    mania_discard: Multiset = {}
    justice_used: Multiset = {}
    setup_discard: Multiset = {}
    deck_exact: bool = False
    reshuffles: Count = 0
    armory_pool: Multiset | UnsetType = UNSET
    hardware_pool: Multiset | UnsetType = UNSET
    klegg_supply: Count | UnsetType = UNSET
    cars_supply: Count | UnsetType = UNSET
    unit_supply: dict[str, Count] | UnsetType = UNSET
    units: list[UnitDoc] = []
    gas: list[Count] = []
    gone: Multiset = {}
    made: Count | UnsetType = UNSET
    units_made: Count | UnsetType = UNSET
    clock: Count | UnsetType = UNSET
    agenda: list[AnyStep] = []
    resigned: list[Count] = []
    outcome: Outcome | None = None


def check_names(field: str, named: Iterable[str], known: Iterable[str]) -> None:
    """Refuse what is not known by that name."""
    unknown = sorted(set(named) - set(known))
    if unknown:
        impossible(field, f"there is no {', '.join(unknown)}")


def counts(written: Multiset) -> dict[str, int]:
    """A multiset in the order of its names, without zeros."""
    pairs = written.items() if isinstance(written, dict) else ((name, 1) for name in written)
    found: dict[str, int] = {}
    for name, n in pairs:
        found[name] = found.get(name, 0) + n
    return {name: n for name, n in sorted(found.items()) if n}


def unit_of(doc: UnitDoc, number: int) -> JusticeUnit:
    """A unit, with an id by its place in the list unless it has one."""
    name = f"u{number + 1}" if doc.id is UNSET else doc.id
    return JusticeUnit(name, doc.kind, doc.at, doc.block)
