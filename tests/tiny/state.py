"""The state of the tiny ruleset: everything, hidden things too. Only folds change it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from games.kernel import State
from tests.tiny.pack import SHELF, Pack
from tests.tiny.steps import AnyStep


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """How many rounds; whether only seats with cards are asked in windows; how far the police walk."""

    rounds: Annotated[int, Meta(ge=1, le=3)] = 2
    ask: Literal["with_cards", "always"] = "with_cards"
    patrol: bool = True


class Floor(Struct):
    """A place of the board: its damage, and the units on it by owner, in order of arrival."""

    damage: int = 0
    collapsed: bool = False
    units: list[int] = []


class Announced(Struct):
    """A card that was played and is not yet carried out; `answers` is the announced card that it would cancel."""

    id: int
    seat: int
    card: str
    answers: int | None = None
    cancelled: bool = False


class Offer(Struct):
    """Cards laid out for another seat; it sees them once the offer is sent."""

    seat: int
    to: int
    cards: list[str] = []
    sent: bool = False


class Tiny(State, kw_only=True):
    """A game. `homes` and `stashes` are the sealed choices, `standing` and `auto` the standing passes of each seat."""

    agenda: list[AnyStep] = []
    pack: str
    options: Options
    hands: list[list[str]]
    stashes: list[str | None]
    homes: list[str | None]
    coins: list[int]
    bank: int
    lost: list[int]
    floors: dict[str, Floor]
    deck: list[str] = []
    discard: list[str] = []
    announced: list[Announced] = []
    announcements: int = 0
    offer: Offer | None = None
    offers: list[int] = []
    votes: dict[int, int] = {}
    changes: list[int] = []
    chair: int | None = None
    round: int = 0
    active: int | None = None
    actions_left: int = 0
    curfew: bool = False
    police: str = ""
    revealed: bool = False
    standing: list[int] = []
    auto: list[int] = []

    @property
    def seat_count(self) -> int:
        """How many seats the game has."""
        return len(self.hands)

    @property
    def content(self) -> Pack:
        """The pack: a constant, looked up."""
        return SHELF[self.pack]

    def playing(self) -> tuple[int, ...]:
        """The seats that have not resigned, in order."""
        return tuple(seat for seat in range(self.seat_count) if seat not in self.resigned)

    def after(self, seat: int) -> tuple[int, ...]:
        """The other seats in turn order."""
        return tuple((seat + k) % self.seat_count for k in range(1, self.seat_count))

    def card_announced(self, number: int) -> Announced | None:
        """The card announced under this number, if it is not yet carried out."""
        return next((card for card in self.announced if card.id == number), None)
