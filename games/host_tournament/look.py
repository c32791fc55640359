"""Who is where: what follows from the cards in play, worked out once and kept until one of them changes."""

from typing import TYPE_CHECKING

from msgspec import Struct

from games.host_tournament.cards import Book
from games.host_tournament.frame import Frame
from games.host_tournament.ops import During

if TYPE_CHECKING:
    from games.host_tournament.state import InPlay, Place

Names = tuple[str, ...]
NOBODY: Names = ()


class Holding(Struct, frozen=True, gc=False):
    """A `during` rule of a card in play that is active; `frame` says whose and where, `cum` whether copies add up."""

    frame: Frame
    rule: During
    cum: bool


class Look:
    """Cards in play by where they are, in order of entry.

    `groups`: active personnel by place and owner; `personnel`: the same in any state; `attached`: by host; `lying`:
    what is neither personnel nor location, by place (or `table`). `stats` and `skills` keep what `stats.py` works out.
    """

    def __init__(self, book: Book, in_play: "dict[str, InPlay]", places: "list[Place]") -> None:
        self.in_play = in_play
        self.book = book
        self.groups: dict[tuple[str, int], Names] = {}
        self.personnel: dict[tuple[str, int], Names] = {}
        self.attached: dict[str, Names] = {}
        self.lying: dict[str, Names] = {}
        self.copies: dict[str, Names] = {place.pid: tuple(place.copies) for place in places}
        self.towns: dict[str, str] = {place.pid: place.town for place in places}
        self.order: Names = tuple(sorted(in_play, key=lambda name: in_play[name].entry))
        self.keys: frozenset[tuple[int, str]] = frozenset()
        self.stats: dict[tuple[str, str], int] = {}
        self.levels: dict[tuple[str, str], int] = {}
        self.held: dict[Frame, bool] = {}
        self._sort()
        self.holding: tuple[Holding, ...] = tuple(self._holding())

    def _sort(self) -> None:
        keys = []
        for name in self.order:
            card = self.in_play[name]
            what = self.book.cards[card.card]
            if what.unique:
                keys.append((card.owner, what.key))
            spot = (card.at, card.owner)
            if what.type == "personnel":
                self.personnel[spot] = (*self.personnel.get(spot, NOBODY), name)
                if not card.stop and card.stasis is None:
                    self.groups[spot] = (*self.groups.get(spot, NOBODY), name)
            elif card.at in self.in_play and card.at not in self.copies:
                self.attached[card.at] = (*self.attached.get(card.at, NOBODY), name)
            elif what.type != "location":
                self.lying[card.at] = (*self.lying.get(card.at, NOBODY), name)
        self.keys = frozenset(keys)

    def _holding(self) -> "list[Holding]":
        found = []
        for name in self.order:
            card = self.in_play[name]
            what = self.book.cards[card.card]
            if what.during and self.active(name):
                for index, rule in what.during:
                    found.append(Holding(self.frame(name, index), rule, what.cum))
        return found

    def frame(self, name: str, rule: int) -> Frame:
        """What a rule of a card in play works with."""
        card = self.in_play[name]
        return Frame(card.owner, card.card, name, rule, self.where(name), self.host(name))

    def host(self, name: str) -> str | None:
        """The personnel that a card is attached to."""
        at = self.in_play[name].at
        return at if at in self.in_play and at not in self.copies else None

    def active(self, name: str) -> bool:
        """Whether a card in play works: personnel neither stopped nor in stasis, any other always (HT-12.5)."""
        card = self.in_play.get(name)
        return card is not None and not card.stop and card.stasis is None

    def where(self, name: str) -> str | None:
        """The place at which a card in play is, an attached one with its host; None on the table."""
        at = self.in_play[name].at
        if at in self.copies:
            return at
        host = self.in_play.get(at)
        return host.at if host is not None else None

    def group(self, place: str | None, seat: int) -> Names:
        """The active personnel of a seat at a place (HT-11.1)."""
        return self.groups.get((place or "", seat), NOBODY)

    def all_of(self, place: str | None, seat: int) -> Names:
        """The personnel of a seat at a place in any state."""
        return self.personnel.get((place or "", seat), NOBODY)

    def field(self, seat: int, *, active: bool) -> Names:
        """The personnel of a seat at all places, in order of entry."""
        return tuple(
            name
            for name in self.order
            if (card := self.in_play[name]).owner == seat
            and self.book.cards[card.card].type == "personnel"
            and (not active or (not card.stop and card.stasis is None))
        )

    def has(self, seat: int, key: str) -> bool:
        """Whether a unique thing of a seat is in play (HT-15.2)."""
        return (seat, key) in self.keys
