"""How people write a state: the fields of the specification's 3.1 and their shorthands (3.3), strictly read."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Struct

from games.kernel import Outcome
from games.kernel.positions import impossible
from games.tpoc.codes import CHEF, COLOURS, RANK, TILES, in_order
from games.tpoc.state import Phase, Sealed, SetAside
from games.tpoc.steps import AnyStep

Count = Annotated[int, Meta(ge=0)]
#: Counts by code, or the pieces one by one in any order.
Multiset = dict[str, Count] | list[str]


class SeatDoc(Struct, kw_only=True, forbid_unknown_fields=True):
    """One seat; what is not listed is empty."""

    hand: Multiset = {}
    platform: Multiset = {}
    secret: str | None = None
    secret_played: bool | None = None
    leaders: list[str] = []
    won: Multiset = {}
    start_tiles: list[str] = []
    setup: Sealed | None = None
    resigned: bool = False


class PositionDoc(Struct, kw_only=True, forbid_unknown_fields=True):
    """A position; how it is completed is said in the specification, 3.3 nr. 6 to 8.

    `seats` lists all seats, or some by index. `bag_exact` says that the bag has no more than is listed. `agenda` has
    the pending decision (what lies beneath it may be left out). `resigned` has the resigned seats in the order in which
    they gave up, `outcome` how an ended game ended.
    """

    phase: Phase = "play"
    first: Count = 0
    active: Count = 0
    turn: Annotated[int, Meta(ge=1)] = 1
    skips: Count = 0
    deck: list[str] | None = None
    cards_out: Multiset = {}
    discards: Multiset = {}
    bag: list[str] = []
    bag_exact: bool = False
    board: Multiset = {}
    pot: Multiset = {}
    tiles_out: Multiset = {}
    tiles_out_hidden: list[SetAside] = []
    ballot: list[str] = []
    current: str | None = None
    contenders: list[Count] = []
    seats: list[SeatDoc] | dict[str, SeatDoc] = {}
    resigned: list[Count] = []
    agenda: list[AnyStep] = []
    outcome: Outcome | None = None


def card_counts(written: Multiset, field: str) -> dict[str, int]:
    """A multiset of cards, in canonical order and without zeros."""
    return _counts(written, field, COLOURS, "colour")


def tile_counts(written: Multiset, field: str) -> dict[str, int]:
    """A multiset of tiles, in canonical order and without zeros."""
    return _counts(written, field, TILES, "tile")


def card_list(written: Iterable[str], field: str) -> list[str]:
    """Cards in the order written."""
    return [_known(code, field, COLOURS, "colour") for code in written]


def tile_list(written: Iterable[str], field: str) -> list[str]:
    """Tiles in the order written."""
    return [_known(code, field, TILES, "tile") for code in written]


def _counts(written: Multiset, field: str, known: tuple[str, ...], what: str) -> dict[str, int]:
    pairs = written.items() if isinstance(written, dict) else ((code, 1) for code in written)
    counts: dict[str, int] = {}
    for code, count in pairs:
        counts[code] = counts.get(_known(code, field, known, what), 0) + count
    return {code: counts[code] for code in in_order(counts) if counts[code]}


def _known(code: str, field: str, known: tuple[str, ...], what: str) -> str:
    if code not in RANK or code not in known:
        impossible(field, f"there is no {what} {code!r}; a villager is dominant/secondary, others leader:red or {CHEF}")
    return code
