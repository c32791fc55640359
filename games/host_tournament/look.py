"""Who is where: what follows from the cards in play, worked out once and kept until one of them changes."""

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from games.host_tournament.cards import Book, Card
from games.host_tournament.frame import Frame
from games.host_tournament.ops import During, Word

if TYPE_CHECKING:
    from games.host_tournament.state import InPlay, Place

Names = tuple[str, ...]
NOBODY: Names = ()
PINT = "pint"


class Holding(Struct, frozen=True, gc=False):
    """A `during` rule of a card in play that is active; `frame` says whose and where, `cum` whether copies add up."""

    frame: Frame
    rule: During
    cum: bool


class Look:
    """Cards in play by where they are, in order of entry.

    `groups`: active personnel by place and owner; `personnel`: the same in any state; `attached`: by host; `lying`:
    what is neither personnel nor location, by place (or `table`). `orphans` hang on nothing, `displaced` personnel
    have lost their place, `thirsty` want a Pint. `able` have abilities or special downloads, `firing` rules that work
    by themselves, `mods` is what holds now, by kind. `stats`, `levels` and `held` keep what `values.py` works out.
    """

    def __init__(self, book: Book, in_play: "dict[str, InPlay]", places: "list[Place]") -> None:
        self.in_play = in_play
        self.book = book
        self.copies: dict[str, Names] = {place.pid: tuple(place.copies) for place in places}
        self.towns: dict[str, str] = {place.pid: place.town for place in places}
        self.order: Names = tuple(sorted(in_play, key=lambda name: in_play[name].entry))
        self.groups: dict[tuple[str, int], Names] = {}
        self.personnel: dict[tuple[str, int], Names] = {}
        self.attached: dict[str, Names] = {}
        self.lying: dict[str, Names] = {}
        self.keys: set[tuple[int, str]] = set()
        self.orphans: list[str] = []
        self.displaced: list[str] = []
        self.able: list[str] = []
        self.firing: list[str] = []
        self.stats: dict[tuple[str, str], int] = {}
        self.levels: dict[tuple[str, str], int] = {}
        self.held: dict[Frame, bool] = {}
        self._sort()
        self.thirsty = [name for name in self._waiting if not self._has_pint(name)]
        self.venues = {pid: book.cards[in_play[names[0]].card].venue for pid, names in self.copies.items() if names}
        self.mods: dict[type[Word], list[tuple[Holding, Any]]] = {}
        for name in self._holding:
            self._hold(name, book.cards[in_play[name].card])

    def _sort(self) -> None:
        cards, in_play = self.book.cards, self.in_play
        self._waiting: list[str] = []
        self._holding: list[str] = []
        for name in self.order:
            card = in_play[name]
            what = cards[card.card]
            active = not card.stop and card.stasis is None
            if what.unique:
                self.keys.add((card.owner, what.key))
            if what.during and active:
                self._holding.append(name)
            if what.able:
                self.able.append(name)
            if what.fires:
                self.firing.append(name)
            if what.type == "personnel":
                self._sort_person(name, card, active=active)
                if what.beer and card.stasis is None and not card.awake:
                    self._waiting.append(name)
            elif what.type != "location":
                self._sort_thing(name, card.at)

    def _sort_person(self, name: str, card: "InPlay", *, active: bool) -> None:
        spot = (card.at, card.owner)
        self.personnel[spot] = (*self.personnel.get(spot, NOBODY), name)
        if active:
            self.groups[spot] = (*self.groups.get(spot, NOBODY), name)
        if card.at not in self.copies:
            self.displaced.append(name)

    def _sort_thing(self, name: str, at: str) -> None:
        if at in self.copies or at == "table":
            self.lying[at] = (*self.lying.get(at, NOBODY), name)
        elif at in self.in_play:
            self.attached[at] = (*self.attached.get(at, NOBODY), name)
        else:
            self.orphans.append(name)

    def _hold(self, name: str, card: Card) -> None:
        for index, rule in card.during:
            holding = Holding(self.frame(name, index), rule, card.cum)
            for mod in rule.mods:
                self.mods.setdefault(type(mod), []).append((holding, mod))

    def _has_pint(self, name: str) -> bool:
        return any(self.in_play[part].card == PINT for part in self.attached.get(name, NOBODY))

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
