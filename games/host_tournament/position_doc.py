"""How people write a state, strictly read (specification, 3.1 and 3.4)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NoReturn

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from games.host_tournament.state import AutoPass, Phase, Played, Used
from games.host_tournament.steps import AnyStep
from games.kernel import Outcome, PositionError

Count = Annotated[int, Meta(ge=0)]
SeatNumber = Annotated[int, Meta(ge=0, le=1)]
Throw = Literal["paper", "scissors", "stone"]


class SeatDoc(Struct, kw_only=True, forbid_unknown_fields=True):
    """A seat. Without `deck` what is left of the deck list lies there in the order of ids."""

    deck: list[str] | UnsetType = UNSET
    deck_list: dict[str, Count] | list[str] | UnsetType = UNSET
    hand: list[str] = []
    shown: list[str] = []
    discard: list[str] = []
    score: Count = 0
    used_specials: list[Used] = []
    used_turn: list[Used | Literal["sort_folder"]] = []
    auto_pass: AutoPass = AutoPass()
    wish: Annotated[int, Meta(ge=0, le=3)] | None = None


class PlaceDoc(Struct, kw_only=True, forbid_unknown_fields=True):
    """A place with its copies from the bottom up; `town` follows from a location that has one."""

    pid: str
    town: str | UnsetType = UNSET
    copies: list[str]


class CardDoc(Struct, kw_only=True, forbid_unknown_fields=True):
    """A card in play; a location needs no `at`, and a `town` if it is of any. `entry`: as listed."""

    card: str
    owner: SeatNumber
    at: str | UnsetType = UNSET
    town: str | UnsetType = UNSET
    entry: Annotated[int, Meta(ge=1)] | UnsetType = UNSET
    stop: Annotated[int, Meta(ge=0, le=99)] = 0
    stasis: str | None = None
    awake: Count = 0
    counter: Annotated[int, Meta(ge=0)] | UnsetType | None = UNSET
    moving: bool = False


class RollDoc(Struct, kw_only=True, forbid_unknown_fields=True):
    """A running subgame."""

    kind: Literal["tournament", "drinking"]
    event: str
    place: str
    forced_in: list[str] = []
    forced_out: list[str] = []
    chosen: list[list[str] | None] = msgspec.field(default_factory=lambda: [None, None])
    entrants: list[str] = []
    dice: dict[str, int] = {}
    pace: int | None = None
    paces: list[tuple[str, int]] = []
    order: list[str] = []
    winner: str | None = None


class PositionDoc(Struct, kw_only=True, forbid_unknown_fields=True):
    """A position. Left out: the game is under way, seat 0 begins its first turn, the decks are whole."""

    phase: Phase = "play"
    first: SeatNumber | UnsetType = UNSET
    active: SeatNumber | UnsetType = UNSET
    turn: Count | UnsetType = UNSET
    actions_left: Annotated[int, Meta(ge=0, le=3)] = 3
    fresh: list[SeatNumber] | UnsetType = UNSET
    rps: list[Throw | None] = msgspec.field(default_factory=lambda: [None, None])
    ties: Count = 0
    seats: list[SeatDoc] | dict[str, SeatDoc] = []
    places: list[PlaceDoc] | UnsetType = UNSET
    in_play: dict[str, CardDoc] = {}
    gone: dict[str, str] = {}
    made: dict[str, Count] = {}
    entry_no: Count | UnsetType = UNSET
    plays: list[Played] = []
    roll: RollDoc | None = None
    agenda: list[AnyStep] = []
    resigned: list[SeatNumber] = []
    outcome: Outcome | None = None


def impossible(field: str, sentence: str) -> NoReturn:
    """Refuse a position: the field and what is wrong with it."""
    raise PositionError(f"{field}: {sentence}")


def read(position: Mapping[str, Any]) -> PositionDoc:
    """A position from builtins.

    Raises:
        PositionError: an unknown field or a wrong type.
    """
    try:
        return msgspec.convert(position, PositionDoc)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `$")
        return impossible(place.strip("`.") or "position", reason)
