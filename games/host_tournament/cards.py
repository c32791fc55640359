"""The cards of a pack made ready to play with: every card by id, its rules read and sorted by when they work."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Literal, TypeVar

from msgspec import Struct

from games.content import ContentError
from games.host_tournament import ops
from games.host_tournament.ops import (
    Act,
    After,
    Chula,
    Condition,
    Dl,
    During,
    End,
    Op,
    Play,
    Reply,
    Rule,
    Start,
    Word,
    Zero,
)
from games.host_tournament.pack_parts import CardPart, Deck, Pack
from games.host_tournament.reading import TYPES, Known, read_condition, read_rule

CardType = Literal["personnel", "location", "equipment", "event", "interrupt", "chula"]
R = TypeVar("R", bound=Word)
Indexed = tuple[tuple[int, R], ...]


#: What effects say in the place of an id, and where cards without a place lie.
WORDS = frozenset({"personnel", "stopped", "stasis", "table"})


class Card(Struct, frozen=True, kw_only=True, dict=True):
    """A card as the rules look at it; `key` is what uniqueness goes by (HT-R3)."""

    id: str
    name: str
    type: CardType
    text: str
    cost: int
    points: int | None
    unique: bool
    key: str
    aff: tuple[str, ...] = ()
    stats: dict[str, int] = {}
    skills: dict[str, int] = {}
    beer: bool = False
    town: str = ""
    venue: tuple[str, ...] = ()
    seats: int | None = None
    motion: bool = False
    static: bool = False
    free: Condition | None = None
    cd: int | None = None
    cum: bool = False
    rules: tuple[Rule, ...] = ()

    @cached_property
    def play(self) -> tuple[int, Play] | None:
        """Its `play` rule with its index."""
        return next(iter(self._of(Play)), None)

    @cached_property
    def chula(self) -> tuple[int, Chula] | None:
        """Its `chula` rule."""
        return next(iter(self._of(Chula)), None)

    @cached_property
    def replies(self) -> Indexed[Reply]:
        """Its `reply` rules."""
        return self._of(Reply)

    @cached_property
    def acts(self) -> Indexed[Act]:
        """Its abilities."""
        return self._of(Act)

    @cached_property
    def dls(self) -> Indexed[Dl]:
        """Its special downloads."""
        return self._of(Dl)

    @cached_property
    def during(self) -> Indexed[During]:
        """What holds while it is in play."""
        return self._of(During)

    @cached_property
    def starts(self) -> Indexed[Start]:
        """What it does at the start of its owner's turn."""
        return self._of(Start)

    @cached_property
    def ends(self) -> Indexed[End]:
        """What it does at the end of its owner's turn."""
        return self._of(End)

    @cached_property
    def zeros(self) -> Indexed[Zero]:
        """What it does when its countdown reaches 0."""
        return self._of(Zero)

    @cached_property
    def afters(self) -> Indexed[After]:
        """What it does when a window opens."""
        return self._of(After)

    @cached_property
    def able(self) -> bool:
        """Whether its owner can use it: it has abilities or special downloads."""
        return bool(self.acts or self.dls)

    @cached_property
    def fires(self) -> bool:
        """Whether it has rules that run by themselves (4.4.5)."""
        return bool(self.starts or self.ends or self.afters)

    def reply(self, timing: str) -> tuple[int, Reply] | None:
        """Its rule for a window."""
        return next(((index, rule) for index, rule in self.replies if rule.t == timing), None)

    @cached_property
    def games(self) -> frozenset[str]:
        """The subgames that playing it starts."""
        found = {"tournament" for word in words(self._played) if isinstance(word, ops.Tournament)}
        return frozenset(found | {"drinking" for word in words(self._played) if isinstance(word, ops.Drinking)})

    @cached_property
    def at_place(self) -> bool:
        """Whether its player names a place: personnel always, else if the rule speaks of *here* (4.3.1).

        Of replies only one for `open` asks for it, any other is at the place of its window.
        """
        asked = (rule for rule in self._played if isinstance(rule, Play) or rule.t == "open")
        return self.type == "personnel" or any(map(_speaks_of_here, asked))

    @property
    def _played(self) -> tuple[Play | Reply, ...]:
        return tuple(rule for rule in self.rules if isinstance(rule, Play | Reply))

    def _of(self, kind: Any) -> tuple[tuple[int, Any], ...]:
        return tuple((index, rule) for index, rule in enumerate(self.rules) if isinstance(rule, kind))


def words(things: Any) -> Iterator[Word]:
    """All words in a rule or in several, nested ones too."""
    if isinstance(things, Word):
        yield things
        things = tuple(getattr(things, name) for name in things.__struct_fields__)
    if isinstance(things, tuple):
        for thing in things:
            yield from words(thing)


_HERE_NAMES = frozenset({"HERE", "MINE", "THEIRS", "ALL"})
_HERE_WORDS = (ops.At, ops.Download, ops.Tournament, ops.Drinking)


def _speaks_of_here(rule: Word) -> bool:
    return any(
        isinstance(word, _HERE_WORDS) or any(getattr(word, name) in _HERE_NAMES for name in _texts(word))
        for word in words(rule)
    )


def _texts(word: Word) -> Iterator[str]:
    return (name for name in word.__struct_fields__ if isinstance(getattr(word, name), str))


class Book:
    """A pack, ready: `cards` in the order of the pack, `rank` of each, `personas` with the cards of each key."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        parts = [(kind, part) for kind in TYPES for part in getattr(pack, kind)]
        self.known = Known(pack.skills, tuple(t.id for t in pack.towns), tuple(part.id for _, part in parts))
        self.towns = {town.id: town.name for town in pack.towns}
        self.skills = pack.skills
        self.cards: dict[str, Card] = {}
        for kind, part in parts:
            where = f"{kind}.{part.id}"
            if part.id in self.cards or part.id in {*WORDS, *self.towns, *self.skills}:
                raise ContentError(f"{where}: each id is used once, and none is a town, a skill or a word (HT-0.2)")
            self.cards[part.id] = _card(kind, part, self.known, where)
        self.ids = tuple(sorted(self.cards))
        self.decks: dict[str, Deck] = {deck.id: deck for deck in pack.decks}
        self.personas: dict[str, tuple[str, ...]] = {}
        for card in self.cards.values():
            self.personas[card.key] = (*self.personas.get(card.key, ()), card.id)
        self.sorting = self._sorting()

    def _sorting(self) -> Act | None:
        """Sort the folder: the `act` that every location has (HT-18.1)."""
        rows = self.pack.type_rules
        if len(rows) > 1:
            raise ContentError("type_rules[1]: there is one row at most, for locations (HT-18.1)")
        rules = [
            read_rule(raw, self.known, f"type_rules[0].effect[{i}]") for row in rows for i, raw in enumerate(row.effect)
        ]
        if not rows:
            return None
        if len(rules) != 1 or not isinstance(rules[0], Act):
            raise ContentError("type_rules[0].effect: it is one act (HT-18.1)")
        return rules[0]

    @cached_property
    def timings(self) -> frozenset[str]:
        """The windows that some interrupt of the pack names."""
        return frozenset(rule.t for card in self.cards.values() for _, rule in card.replies)

    @cached_property
    def motion_chulas(self) -> bool:
        """Whether the pack has chulas that play on movers."""
        return any(card.motion for card in self.cards.values())

    @cached_property
    def static_chulas(self) -> bool:
        """Whether the pack has chulas that play after an action."""
        return any(card.static for card in self.cards.values())


def _card(kind: Any, part: CardPart, known: Known, where: str) -> Card:
    told: Callable[[str, Any], Any] = lambda name, default: getattr(part, name, default)  # noqa: E731
    free = told("free", None)
    named = told("kind", "unique" if kind != "equipment" else "universal")
    rules = tuple(read_rule(raw, known, f"{where}.effect[{i}]") for i, raw in enumerate(part.effect))
    return Card(
        id=part.id,
        name=part.name,
        type=kind,
        text=part.text,
        cost=part.cost,
        points=part.points,
        unique=kind in ("personnel", "location", "equipment") and named == "unique",
        key=told("persona", "") or part.id,
        aff=told("aff", ()),
        stats={stat: told(stat, 0) for stat in ops.STATS} if kind == "personnel" else {},
        skills=dict(told("skills", {})),
        beer="beer" in told("icons", ()),
        town=told("town", ""),
        venue=told("venue", ()),
        seats=told("seats", None),
        motion=kind == "chula" and named in ("motion", "both"),
        static=kind == "chula" and named in ("static", "both"),
        free=None if free is None else read_condition(free, known, f"{where}.free"),
        cd=told("cd", None),
        cum=told("cum", False),
        rules=rules,
    )


def op_at(rule: Rule, path: tuple[int, ...]) -> tuple[Op, ...]:
    """The operations that a path leads to: of the rule itself, or of a branch within.

    A path is pairs of the number of an operation and of a branch of it: of `may` 0, of `check` 0 (yes) and 1 (no), of
    `ladder` the number of the rung.
    """
    found: tuple[Op, ...] = getattr(rule, "ops", ())
    if isinstance(rule, Dl):
        found = (ops.Download(rule.card),)
    for number, branch in zip(path[::2], path[1::2], strict=True):
        match found[number]:
            case ops.May(_, inner):
                found = inner
            case ops.Check(_, yes, no):
                found = (yes, no)[branch : branch + 1]
            case ops.Ladder(_, rungs):
                found = (rungs[branch][1],)
    return found
