"""How people write a state, strictly read (specification, 3.1 and 3.4)."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from games.host_tournament.deck import SIZE
from games.host_tournament.state import AutoPass, Phase, Played, State, Used
from games.host_tournament.steps import AnyStep
from games.host_tournament.zones import card_of
from games.kernel import Outcome

Count = Annotated[int, Meta(ge=0, le=99_999)]
Cards = Annotated[list[str], Meta(max_length=SIZE)]
BySeat = Meta(min_length=2, max_length=2)
SeatNumber = Annotated[int, Meta(ge=0, le=1)]
Throw = Literal["paper", "scissors", "stone"]


class SeatDoc(Struct, kw_only=True, forbid_unknown_fields=True):
    """A seat. Without `deck` what is left of the deck list lies there in the order of ids."""

    deck: Cards | UnsetType = UNSET
    deck_list: dict[str, Annotated[int, Meta(ge=0, le=SIZE)]] | Cards | UnsetType = UNSET
    hand: Cards = []
    shown: Cards = []
    discard: Cards = []
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
    entry: Annotated[int, Meta(ge=1, le=99_999)] | UnsetType = UNSET
    stop: Annotated[int, Meta(ge=0, le=99)] = 0
    stasis: Literal["beer"] | None = None
    awake: Annotated[int, Meta(ge=0, le=99)] = 0
    counter: Annotated[int, Meta(ge=0, le=99)] | UnsetType | None = UNSET
    moving: bool = False


class RollDoc(Struct, kw_only=True, forbid_unknown_fields=True):
    """A running subgame."""

    kind: Literal["tournament", "drinking"]
    event: str
    place: str
    forced_in: list[str] = []
    forced_out: list[str] = []
    chosen: Annotated[list[list[str] | None], BySeat] = msgspec.field(default_factory=lambda: [None, None])
    entrants: list[str] = []
    dice: dict[str, Annotated[int, Meta(ge=1, le=6)]] = {}
    pace: Annotated[int, Meta(ge=-999, le=999)] | None = None
    paces: list[tuple[str, Annotated[int, Meta(ge=-99, le=99)]]] = []
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
    rps: Annotated[list[Throw | None], BySeat] = msgspec.field(default_factory=lambda: [None, None])
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


def is_known(state: State, name: str) -> bool:
    """Whether it is the name of an instance: the id of a card and a number; it may have left play."""
    card = card_of(name)
    number = name[len(card) :]
    return card in state.book.cards and bool(number) and not number.startswith("0") and len(number) < 7


def is_spot(state: State, pid: str | None) -> bool:
    """Whether it is a place, or was one."""
    return pid in state.look.copies or pid in state.gone
