"""The state of a game (specification, 3.1). An instance is named after its card: `pint1`, `pint2` and on."""

from functools import cached_property
from typing import Literal

from msgspec import Struct, field

from games import kernel
from games.host_tournament.cards import Book, Card
from games.host_tournament.look import Look
from games.host_tournament.options import Options
from games.host_tournament.pack import book

Phase = Literal["first_player", "start_places", "play", "ended"]
Kind = Literal["turn_start", "announce", "motion", "after_action", "entry", "roll", "result", "turn_end"]
KINDS: tuple[Kind, ...] = ("turn_start", "announce", "motion", "after_action", "entry", "roll", "result", "turn_end")
Subject = Literal["personnel", "location", "equipment", "event", "interrupt", "chula", "ability", "special"]
Covered = Literal[
    "turn_start",
    "announce",
    "motion",
    "after_action",
    "entry",
    "roll",
    "result",
    "turn_end",
    "announce.personnel",
    "announce.location",
    "announce.equipment",
    "announce.event",
    "announce.interrupt",
    "announce.chula",
    "announce.ability",
    "announce.special",
]
Wake = Literal["own_target", "answer", "event", "dice"]
Rest = Literal["window", "action", "turn"]
Until = Literal["cancelled", "end_of_turn", "my_turn"]
TABLE = "table"
POINTS = 100  # HT-4.2
HAND = 7  # HT-3.13
TURN_ACTIONS = 3  # HT-3.1


class AutoPass(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """In which windows a seat passes by itself (4.4.4); `rest` is what a pass by hand said of later windows."""

    kinds: tuple[Covered, ...] = ()
    until: Until = "end_of_turn"
    wake: tuple[Wake, ...] = ("own_target", "event")
    rest: Rest = "window"


class Used(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule that has been used: the id of its card, and its index there."""

    card: str
    index: int


class Seat(Struct, kw_only=True):
    """One seat. `deck` front = top; `shown`: hand cards that all know of (personas put back); `wish`: the draw."""

    deck: list[str] = []
    deck_list: dict[str, int] = {}
    hand: list[str] = []
    shown: list[str] = []
    discard: list[str] = []
    score: int = 0
    used_specials: list[Used] = []
    used_turn: list[Used | Literal["sort_folder"]] = []
    auto_pass: AutoPass = AutoPass()
    wish: int | None = None


class Place(Struct):
    """A location in play, or two stacked copies of one; `pid` is the card's id, of a universal one its instance."""

    pid: str
    town: str
    copies: list[str]


class InPlay(Struct, kw_only=True):
    """A card on the table; `at`: a place, the instance it is attached to, or `table`."""

    card: str
    owner: int
    at: str
    entry: int
    stop: int = 0
    stasis: str | None = None
    awake: int = 0
    counter: int | None = None
    moving: bool = False


class Played(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is announced and not yet resolved: a card (`name` its instance), an ability (its source), the folder.

    `here` is its place, `target` what its player named, `group` what a chula plays on, `trig` what an answer answers.
    """

    name: str
    kind: str
    seat: int
    card: str
    rule: int = -1
    here: str | None = None
    target: str | None = None
    group: tuple[str, ...] = ()
    moved: bool = False
    trig: str | None = None
    replace: str | None = None
    special: bool = False


class Roll(Struct, kw_only=True):
    """The running subgame. `chosen` is by seat, None until it has answered; `paces`: the pace's changes by instance."""

    kind: Literal["tournament", "drinking"]
    event: str
    place: str
    forced_in: list[str] = []
    forced_out: list[str] = []
    chosen: list[list[str] | None] = field(default_factory=lambda: [None, None])
    entrants: list[str] = []
    dice: dict[str, int] = {}
    pace: int | None = None
    paces: list[tuple[str, int]] = []
    order: list[str] = []
    winner: str | None = None


class State(kernel.State, kw_only=True, dict=True):
    """A game. `plays` is the stack of what is announced, `made` how many instances of each card there have been.

    `gone` has the towns of places that have left play.
    """

    pack: str
    options: Options
    phase: Phase = "first_player"
    first: int = 0
    active: int = 0
    turn: int = 0
    actions_left: int = 0
    fresh: list[int] = []
    rps: list[str | None] = field(default_factory=lambda: [None, None])
    ties: int = 0
    seats: list[Seat]
    places: list[Place] = []
    in_play: dict[str, InPlay] = {}
    gone: dict[str, str] = {}
    made: dict[str, int] = {}
    entry_no: int = 1
    plays: list[Played] = []
    roll: Roll | None = None

    @property
    def seat_count(self) -> int:
        """Two seats (HT-1.1)."""
        return 2

    @cached_property
    def book(self) -> Book:
        """The cards of this game's pack."""
        return book(self.pack)

    @property
    def look(self) -> Look:
        """Who is where; kept until something in play changes."""
        kept: Look | None = self.__dict__.get("look")
        if kept is None or kept.in_play is not self.in_play:
            kept = self.__dict__["look"] = Look(self.book, self.in_play, self.places)
        return kept

    def touch(self) -> None:
        """Something in play has changed: forget who was where."""
        self.__dict__.pop("look", None)

    def card(self, name: str) -> Card:
        """The card of an instance in play."""
        return self.book.cards[self.in_play[name].card]

    def place(self, pid: str | None) -> Place | None:
        """The place with this id."""
        return next((place for place in self.places if place.pid == pid), None)

    def played(self, name: str | None) -> Played | None:
        """What is announced under this name."""
        return next((play for play in self.plays if play.name == name), None)

    def new_name(self, card: str) -> str:
        """The name of the next instance of a card."""
        number = self.made.get(card, 0) + 1
        while f"{card}{number}" in self.in_play:
            number += 1
        return f"{card}{number}"


def other(seat: int) -> int:
    """The other seat."""
    return 1 - seat
