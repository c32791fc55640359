"""The parts of a content pack: map, tables, events, units, scenarios, levels (specification, 2.2 and 2.3)."""

from typing import Annotated, Literal

from msgspec import Meta

from games.world_war_zed.ops import AreaKind, Military, Op, Part, UnitType
from games.world_war_zed.options import Rulings, StartTracks

Face = Annotated[int, Meta(ge=1, le=6)]
Count = Annotated[int, Meta(ge=0)]
Forbidden = Literal["air_strike", "nuclear_strike", "biochemical_strike", "biochem"]
BoundedTrack = Literal["burst_min", "burst_max", "strength", "toughness", "research", "food", "pp", "air", "defcon"]


class Exit(Part, frozen=True):
    """Dice faces that lead out of a Region, perhaps through a Defensive Zone (WWZ-1.1-02)."""

    to: str
    faces: tuple[Face, ...]
    dz: str | None = None


class RegionPart(Part, frozen=True):
    """A Region; `city` labels its City if it may have one; `x`, `y` is where to draw it on a sheet of 17 x 11."""

    id: str
    name: str
    x: float
    y: float
    exits: tuple[Exit, ...]
    city: str | None = None


class Named(Part, frozen=True):
    """A Defensive Zone, or a country beyond the map."""

    id: str
    name: str


class Map(Part, frozen=True):
    """The map; `borders` has the Regions that border each country of the filters (mexico, canada)."""

    regions: tuple[RegionPart, ...]
    zones: tuple[Named, ...]
    off_map: tuple[Named, ...]
    borders: dict[Literal["mexico", "canada"], tuple[str, ...]]


class Event(Part, frozen=True):
    """A Random Event: its words and its ops, in order."""

    id: str
    name: str
    text: str
    ops: tuple[Op, ...]


class UnitKind(Part, frozen=True):
    """The strength printed on a unit; how many counters there are (None: as many as needed)."""

    strength: Annotated[int, Meta(ge=1)]
    count: Count | None = None


class Units(Part, frozen=True):
    """The units that fight."""

    ng: UnitKind
    army: UnitKind
    marines: UnitKind
    survivalist: UnitKind


class Bound(Part, frozen=True):
    """How far a track goes in a scenario."""

    min: int | None = None
    max: int | None = None


class Placed(Part, frozen=True):
    """Counters on the map from the start."""

    what: Literal["fort"] | UnitType
    at: str
    n: Annotated[int, Meta(ge=1)] = 1
    riot: bool = False


class RandomZeds(Part, frozen=True):
    """`n` Zeds in each of so many different Regions from the Random Region Table."""

    n: Annotated[int, Meta(ge=1)]
    regions: Annotated[int, Meta(ge=1)]


class Scenario(Part, frozen=True):
    """A scenario as the changes to its `base`; None: as there. `boss`: on, or on and in this Region from the start."""

    id: str
    title: str
    base: str | None = None
    tracks: StartTracks = StartTracks()
    bounds: dict[BoundedTrack, Bound] = {}
    cities: tuple[str, ...] | None = None
    farms: tuple[str, ...] | None = None
    pool: dict[Military, Count] | None = None
    box: dict[Military, Count] | None = None
    place: tuple[Placed, ...] | None = None
    random_zeds: tuple[RandomZeds, ...] | None = None
    zeds: dict[str, Count] | None = None
    forbid: tuple[Forbidden, ...] | None = None
    nuclear_limit: Annotated[int, Meta(ge=0, le=10)] | None = None
    boss: bool | str | None = None
    par_adjust: int | None = None
    skip_first_event: bool | None = None
    options: Rulings = Rulings()


class Level(Part, frozen=True):
    """A row of the level table: its name and the least score for it (None: whatever is below)."""

    name: str
    least: int | None = None


class Pack(Part, frozen=True):
    """A content pack. A `small` one, for tests, may have any number of Regions."""

    pack: str
    map: Map
    region_table: tuple[tuple[str, ...], ...]
    events: tuple[Event, ...]
    event_table: tuple[tuple[str, ...], ...]
    units: Units
    scenarios: tuple[Scenario, ...]
    levels: tuple[Level, ...]
    small: bool = False


KINDS: tuple[AreaKind, ...] = ("city", "farm", "open")
MILITARY: tuple[Military, ...] = ("ng", "army", "marines")
