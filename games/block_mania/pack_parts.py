"""The parts of a content pack: boards, blockers, equipment, cards, tables (specification, 2.2 to 2.8)."""

from typing import Annotated, Literal

from msgspec import Meta

from games.block_mania.ops import BlockerType, Colour, Filter, KindClass, Op, Part, Unit, Window

Count = Annotated[int, Meta(ge=0)]
Pool = Literal["armory", "hardware"]
Offset = Literal[-1, 0, 1]
Tag = Literal[
    "plaza", "mega_way", "pedway", "sky_rail", "window", "balcony", "mall", "entrance", "armory", "hardware_store",
    "bank", "power_house", "water_tank", "vehicle_park", "station", "tubeway", "tunnel", "pedway_terminus",
]  # fmt: skip
BlockerFlag = Literal[
    "no_sky_rail", "no_mega_way", "no_flying_gear", "no_firefight", "any_may_activate",
    "flies", "no_equipment", "stacks", "no_loot", "no_arson", "sucker_gun_innate",
    "only_shoot_and_fight",
]  # fmt: skip
ItemFlag = Literal[
    "cuts_sky_rail", "stops_missiles", "missile", "flies", "swings", "scrawls", "drills", "robodog",
    "no_defensive_fires",
]  # fmt: skip
Mode = Literal["shot", "thrown", "standard", "explosive", "explosive_homing", "incendiary", "incendiary_homing"]
Expansion = Literal[
    "jaegers", "robodogs_sucker_guns", "trip_mines_spit_cannons", "thermo_bombs", "plascrete_virus", "nerve_gas"
]  # fmt: skip


class Kind(Part, frozen=True):
    """A kind of square, by its two characters on the boards."""

    id: str
    name: str
    cls: KindClass
    colour: Colour | None = None
    tags: tuple[Tag, ...] = ()


class Board(Part, frozen=True):
    """A board: rows from the top level down, cells between blanks.

    `kinds` has all columns; `numbers` (d66, `--` for none) and `features` (letters, `-` for none) those of the tower.
    """

    id: str
    name: str
    kinds: tuple[str, ...]
    numbers: tuple[str, ...]
    features: tuple[str, ...]


class Markers(Part, frozen=True):
    """How many counters of a pool draw an Armory token when deployed, a Hardware token, nothing."""

    armory: Count = 0
    hardware: Count = 0
    none: Count = 0


class Blocker(Part, frozen=True):
    """A type of blocker; `supply`: a pool for each seat, or one for all. `charge_bonus` is for Close Assault."""

    id: BlockerType
    name: str
    command: Count
    strength: Count
    move: Count
    markers: Markers
    supply: Literal["seat", "common"] = "seat"
    charge_bonus: Count = 0
    flags: tuple[BlockerFlag, ...] = ()


class Shot(Part, frozen=True):
    """A way to fire a weapon: its damage value and what else it does to the square.

    `fires` choose: 0 to 3 Fire markers, as the firer likes.
    """

    mode: Mode
    dv: int
    damage: Literal["half_d6", "one"] | None = None
    fires: Literal["choose"] | Count = 0
    homing: bool = False


class Item(Part, frozen=True):
    """A kind of equipment token. `dv` is its value in Close Assault and as a bomb, `range` None: not fired.

    `weapon`: a Justice unit takes it for one. `melee`: it counts in Close Assault. `drop`: what it does on the floor.
    """

    id: str
    name: str
    pool: Pool
    count: Count
    dv: int = 0
    range: Annotated[int, Meta(ge=1)] | None = None
    heavy: bool = False
    weapon: bool = False
    melee: bool = False
    drop: Literal["demo", "thermo", "mine"] | None = None
    shots: tuple[Shot, ...] = ()
    flags: tuple[ItemFlag, ...] = ()


class Exchange(Part, frozen=True):
    """What an expansion takes out and puts in: equipment tokens by kind."""

    remove: dict[str, Annotated[int, Meta(ge=1)]] = {}
    add: dict[str, Annotated[int, Meta(ge=1)]] = {}


class Mania(Part, frozen=True):
    """A Mania side: when it may be played, on what, and what it does."""

    id: str
    name: str
    window: Window
    ops: tuple[Op, ...]
    filter: Filter = Filter()


class Justice(Part, frozen=True):
    """A Justice side."""

    id: str
    name: str
    ops: tuple[Op, ...]


class CardRow(Part, frozen=True):
    """`count` cards with these two sides; in the other decks of the option perhaps another number."""

    justice: str
    mania: str
    count: Count
    table49: Count | None = None
    totals53: Count | None = None


class Scatter(Part, frozen=True):
    """Where a die of 1 to 6 leads: columns east of here by the first die, levels up by the second (2.7)."""

    horizontal: tuple[Offset, ...]
    vertical: tuple[Offset, ...]


class JusticeUnit(Part, frozen=True):
    """A Justice unit: its Strength as a target, and what it fires (BM-3B-3, BM-3B-4)."""

    id: Unit
    name: str
    strength: Count
    dv: int | None = None
    roll_max: Annotated[int, Meta(ge=1, le=5)] | None = None


class Pack(Part, frozen=True):
    """A content pack."""

    pack: str
    kinds: tuple[Kind, ...]
    boards: tuple[Board, ...]
    blockers: tuple[Blocker, ...]
    equipment: tuple[Item, ...]
    expansions: dict[Expansion, Exchange]
    mania: tuple[Mania, ...]
    justice: tuple[Justice, ...]
    cards: tuple[CardRow, ...]
    scatter: Scatter
    units: tuple[JusticeUnit, ...]
    cars: Count
