"""The parts of a content pack: map, limits, structures, characters, cards, plans (specification, 2.3 to 2.14)."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Cell = tuple[int, int]
#: Numbers have bounds, so that no pack is too large to be checked or played with.
Coordinate = Annotated[int, Meta(ge=0, le=99)]
Spot = tuple[Coordinate, Coordinate]
Rect = tuple[Coordinate, Coordinate, Coordinate, Coordinate]
Count = Annotated[int, Meta(ge=0, le=99)]
Positive = Annotated[int, Meta(ge=1, le=99)]
Side = Annotated[int, Meta(ge=1, le=9)]
Change = Annotated[int, Meta(ge=-9, le=9)]
Edge = Literal["n", "e", "s", "w"]
Colour = Literal["blue", "white"]
Face = Literal["1", "2", "3", "4"]
LootType = Literal["W", "A", "X", "F", "D", "S"]
Tag = Literal["med", "store", "play", "poem", "wcraft", "altar"]
Ability = Literal["cook", "sacrifice_npc", "drum"]
Feat = Literal["cop", "medic", "ko", "loot"]


class Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a pack; what it does not know is a misspelling."""


class Street(Part, frozen=True):
    """A street: its lanes are x values (axis x, north to south) or y values (axis y, west to east)."""

    axis: Literal["x", "y"]
    lanes: tuple[Coordinate, ...]
    name: str


class Circles(Part, frozen=True):
    """The cells of the courthouse on which Sgt. Jackson and the Medic start."""

    jackson: Spot
    medic: Spot


class Building(Part, frozen=True):
    """A business or the courthouse: `rect` has its corner cells, `door` the inside and the outside cell (2.3)."""

    glyph: str
    name: str
    size: Literal["small", "large"]
    rect: Rect
    door: tuple[Spot, Spot]
    tunnel: Spot | None = None
    circles: Circles | None = None
    jail: Spot | None = None
    corner_cameras: tuple[Spot, ...] = ()

    def cells(self) -> tuple[Cell, ...]:
        """Its cells, row by row."""
        x0, y0, x1, y1 = self.rect
        return tuple((x, y) for y in range(y0, y1 + 1) for x in range(x0, x1 + 1))


class Map(Part, frozen=True):
    """The map: a character for each cell, and what lies on it. `tile` is the side of a tile in cells."""

    tile: Annotated[int, Meta(ge=1, le=12)]
    rows: tuple[str, ...]
    streets: dict[str, Street]
    buildings: dict[str, Building]
    courthouse_square: Rect
    dumpsters: dict[str, Spot]
    cameras: dict[str, Spot]
    barricade_sites: dict[str, tuple[Spot, ...]]
    arrows: dict[Edge, dict[Colour, tuple[Spot, ...]]]
    edge_roll: dict[Face, Edge]
    arrow_roll: dict[Face, Colour]
    rainbow_crosswalk: tuple[Spot, ...]


class BrickDie(Part, frozen=True):
    """A brick as a die: up to `flat` it misses, up to `thin` it hits once, above it stands on its end (2.4)."""

    sides: Positive
    flat: Count
    thin: Count


class Police(Part, frozen=True):
    """Hits to defeat, movement, and what is added to the cop die."""

    hits: Positive
    move: Positive
    damage: Count


class ArsonSlots(Part, frozen=True):
    """How many arson tokens go on what."""

    small: Positive
    large: Positive
    courthouse: Positive
    checkpoint: Positive


class Figures(Part, frozen=True):
    """The police figures."""

    jackson: Police
    riot: Police
    medic: Police


class Limits(Part, frozen=True):
    """Supplies and numbers (2.5); `cop_cap` by the number of living characters, from 0."""

    bricks: Annotated[int, Meta(ge=0, le=400)]
    arson: Count
    npcs: Count
    befoul: Count
    riot_cops: Positive
    checkpoints: Count
    hand: Positive
    arson_slots: ArsonSlots
    cop_cap: tuple[Positive, ...]
    police: Figures
    burnt_population: Count
    redraw_cost: Count
    failed_vote: Count
    arrest_crap: Count


class Structure(Part, frozen=True):
    """A kind of POZ structure (2.6). `mods` hold for all characters while it is staffed (or has no NPC slots)."""

    id: str
    name: str
    pop: Count
    npcs: Count
    copies: Positive
    size: tuple[Side, Side] | None = None
    site: bool = False
    buyable: bool = False
    performing: bool = False
    trap: bool = False
    harvest: str | None = None
    abilities: tuple[Ability, ...] = ()
    entering: str = ""
    mods: str = ""


class Power(Part, frozen=True):
    """A power: from `at` crapulence on, or (`ideology`) while its owner holds the Tin Pot (2.8).

    `passive` holds by itself, `active` is used, `teach_in` works at the start of each Teach-In; `outcome` is what it
    lets its owner choose after a fight.
    """

    id: str
    name: str
    at: Count | None = None
    ideology: bool = False
    passive: str = ""
    active: str = ""
    teach_in: str = ""
    outcome: Literal["snuggle"] | None = None


class Character(Part, frozen=True):
    """A character board (2.8). `track`: each state of stability and what it adds to bricks and movement."""

    id: str
    name: str
    pronouns: str
    colour: str
    rank: Count
    works_at: str
    bricks: Count
    move: Count
    injuries: Positive
    start: str
    personal: str
    feats: dict[Feat, Count]
    track: tuple[tuple[str, Change], ...]
    powers: tuple[Power, ...]
    setup: str = ""
    disease: str | None = None


class Loot(Part, frozen=True):
    """A loot card, personal effect or homebrew card (`cook`: its price in hand cards; `tail`: when its turn ends).

    `refs` are businesses and streets it names: without them on the map it is not in play (POZ-ALT-3).
    """

    id: str
    name: str
    type: LootType
    n: Positive
    effect: str
    tags: tuple[Tag, ...] = ()
    cook: Positive | None = None
    tail: str = ""
    refs: tuple[str, ...] = ()


class Disease(Part, frozen=True):
    """A disease card: `effect` while equipped, `contracted` at once; `paste`: horse paste cures it (2.10).

    `refs` as those of loot.
    """

    id: str
    name: str
    n: Positive
    paste: bool
    effect: str = ""
    contracted: str = ""
    refs: tuple[str, ...] = ()


class Plan(Part, frozen=True):
    """A 5 Year Plan: what it needs (2.12) and what it is worth."""

    id: str
    name: str
    needs: str
    crap: Positive


class Aktion(Part, frozen=True):
    """An Aktion card: who decides between its options (2.13); `refs` are businesses and streets it names."""

    id: str
    name: str
    decision: Literal["vote", "majority", "leader", "none"]
    options: tuple[str, ...]
    refs: tuple[str, ...] = ()


class Narrative(Part, frozen=True):
    """A narrative card (2.14); `refs` are businesses and streets it names."""

    id: str
    name: str
    kind: Literal["event", "plot", "repeated_plot"]
    n: Positive
    effect: str
    refs: tuple[str, ...] = ()


class Narratives(Part, frozen=True):
    """The two narrative decks."""

    standard: tuple[Narrative, ...]
    battle: tuple[Narrative, ...]


class Pack(Part, frozen=True):
    """A content pack."""

    pack: str
    map: Map
    bricks: dict[Literal["d6", "equal_faces", "physical"], BrickDie]
    limits: Limits
    structures: tuple[Structure, ...]
    characters: tuple[Character, ...]
    personal: tuple[Loot, ...]
    loot: dict[str, tuple[Loot, ...]]
    diseases: tuple[Disease, ...]
    homebrew: tuple[Loot, ...]
    plans: tuple[Plan, ...]
    aktions: tuple[Aktion, ...]
    narratives: Narratives
