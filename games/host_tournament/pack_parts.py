"""The parts of a content pack: towns, skills, the cards by type, sample decks (cards, section 3)."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Stat10 = Annotated[int, Meta(ge=0, le=10)]
Count = Annotated[int, Meta(ge=0, le=99)]
Positive = Annotated[int, Meta(ge=1, le=99)]
#: No id ends with a digit: instances are numbered (`pint1`).
Id = Annotated[str, Meta(pattern="^[a-z]([a-z0-9_]*[a-z_])?$", max_length=60)]
Kind = Literal["unique", "universal"]
Venue = Literal["tournament", "social"]
ChulaKind = Literal["motion", "static", "both"]


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a pack; what it does not know is a misspelling."""


class Town(Part, frozen=True, kw_only=True):
    """A town: what affiliations and locations name."""

    id: Id
    name: str


class TypeRule(Part, frozen=True, kw_only=True):
    """A rule that every card of a type has."""

    type: Literal["location"]
    text: str
    effect: tuple[Any, ...]


class CardPart(Part, frozen=True, kw_only=True):
    """What all cards have; `effect` is in the language of `ops/`."""

    id: Id
    name: str
    cost: Count = 1
    aff: tuple[str, ...] = ()
    points: Count | None = None
    text: str = ""
    effect: tuple[Any, ...] = ()


class PersonnelPart(CardPart, frozen=True, kw_only=True):
    """A personnel; cards with one `persona` are one unique thing."""

    kind: Kind = "unique"
    persona: str = ""
    playing: Stat10
    drinking: Stat10
    charisma: Stat10
    skills: dict[str, Positive] = {}
    icons: tuple[Literal["beer"], ...] = ()


class LocationPart(CardPart, frozen=True, kw_only=True):
    """A location; `town` may be `any`; `seats`: most entrants of each seat in one subgame there."""

    town: str
    kind: Kind = "unique"
    venue: tuple[Venue, ...] = ()
    seats: Positive | None = None


class EquipmentPart(CardPart, frozen=True, kw_only=True):
    """An equipment; `free` is the condition under which it costs nothing."""

    kind: Kind = "universal"
    free: Any = None
    cd: Positive | None = None
    cum: bool = False
    points: None = None


class EventPart(CardPart, frozen=True, kw_only=True):
    """An event."""

    cd: Positive | None = None
    cum: bool = False


class InterruptPart(CardPart, frozen=True, kw_only=True):
    """An interrupt."""

    cost: Literal[0] = 0
    cum: bool = False


class ChulaPart(CardPart, frozen=True, kw_only=True):
    """A chula; `kind` says in which windows it plays."""

    cost: Literal[0] = 0
    kind: ChulaKind
    cd: Positive | None = None
    cum: bool = False


class Deck(Part, frozen=True, kw_only=True):
    """A sample deck: how many of each card."""

    id: Id
    name: str
    cards: dict[str, Positive]


class Pack(Part, frozen=True, kw_only=True):
    """A content pack. `places_matter`: which places of a tournament matter to the cards (4.11)."""

    pack: str
    skills: tuple[Id, ...]
    towns: tuple[Town, ...]
    type_rules: tuple[TypeRule, ...] = ()
    personnel: tuple[PersonnelPart, ...] = ()
    location: tuple[LocationPart, ...] = ()
    equipment: tuple[EquipmentPart, ...] = ()
    event: tuple[EventPart, ...] = ()
    interrupt: tuple[InterruptPart, ...] = ()
    chula: tuple[ChulaPart, ...] = ()
    decks: tuple[Deck, ...] = ()
    places_matter: Literal["first", "last", "all"] = "first"
