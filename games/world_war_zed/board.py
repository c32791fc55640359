"""A pack made ready to play on: the map by area, by link and by die, the tables by roll, the scenarios whole.

Made once for each pack (packs never change), so that rules look things up and search nothing.
"""

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from games.world_war_zed.ops import Op
from games.world_war_zed.pack import SHELF
from games.world_war_zed.pack_parts import KINDS, Pack, RegionPart
from games.world_war_zed.starts import Start, counts, resolve

#: An exit: where it leads (a Region, or a country beyond the map) and the Defensive Zone on the way.
Way = tuple[str, str | None]


class Area(Struct, frozen=True):
    """A place for counters: an Area of `region`, or a Defensive Zone (kind dz, between two Regions)."""

    id: str
    kind: str
    region: str | None
    ends: tuple[str, ...] = ()


class Board(Struct, frozen=True):
    """See the module. `moves` has the places next to each (WWZ-6.7-01, -02), `careful` without crossing a zone."""

    pack: Pack
    regions: tuple[str, ...]
    areas: Mapping[str, Area]
    rank: Mapping[str, int]
    faces: Mapping[str, tuple[Way | None, ...]]
    off_map: frozenset[str]
    moves: Mapping[str, tuple[Area, ...]]
    careful: Mapping[str, tuple[Area, ...]]
    events: Mapping[str, tuple[Op, ...]]
    starts: Mapping[str, Start]
    counts: Mapping[str, int]
    strength: Mapping[str, int]

    def at(self, tens: int, units: int) -> str:
        """The Region in a cell of the Random Region Table."""
        return self.pack.region_table[tens - 1][units - 1]

    def event_at(self, tens: int, units: int) -> str:
        """The event in a cell of the Random Event Table."""
        return self.pack.event_table[tens - 1][units - 1]

    def borders(self, country: str) -> tuple[str, ...]:
        """The Regions that border a country."""
        return self.pack.map.borders[country]  # type: ignore[index] # filters name these two


@cache
def board(digest: str) -> Board:
    """The board of the pack with this SHA-256."""
    pack = SHELF[digest]
    regions = pack.map.regions
    areas = {area.id: area for area in _areas(pack)}
    units = pack.units
    return Board(
        pack=pack,
        regions=tuple(region.id for region in regions),
        areas=areas,
        rank={name: rank for rank, name in enumerate(areas)},
        faces={region.id: _faces(region) for region in regions},
        off_map=frozenset(country.id for country in pack.map.off_map),
        moves={area.id: _next_to(area, pack, areas, crossing=True) for area in areas.values()},
        careful={area.id: _next_to(area, pack, areas, crossing=False) for area in areas.values()},
        events={event.id: event.ops for event in pack.events},
        starts={scenario.id: resolve(pack, scenario) for scenario in pack.scenarios},
        counts=counts(pack),
        strength={kind: getattr(units, kind).strength for kind in ("ng", "army", "marines", "survivalist")},
    )


def _areas(pack: Pack) -> list[Area]:
    """All places in canonical order: the Regions' Areas, then the Defensive Zones."""
    found = [Area(f"{r.id}.{kind}", kind, r.id) for r in pack.map.regions for kind in KINDS]
    for zone in pack.map.zones:
        ends = tuple(r.id for r in pack.map.regions if any(way.dz == zone.id for way in r.exits))
        found.append(Area(f"DZ.{zone.id}", "dz", None, ends))
    return found


def _faces(region: RegionPart) -> tuple[Way | None, ...]:
    """What each face of the die means; index 0 is not used."""
    ways: list[Way | None] = [None] * 7
    for way in region.exits:
        for face in way.faces:
            ways[face] = (way.to, way.dz)
    return tuple(ways)


def _next_to(area: Area, pack: Pack, areas: Mapping[str, Area], *, crossing: bool) -> tuple[Area, ...]:
    """Where one move leads from here: the same Region, adjacent ones, the zones that touch it; of a zone its ends."""
    if area.region is None:
        near = set(area.ends)
        zones = set()
    else:
        region = next(r for r in pack.map.regions if r.id == area.region)
        near = {area.region, *(way.to for way in region.exits if crossing or way.dz is None)}
        zones = {f"DZ.{way.dz}" for way in region.exits if way.dz is not None}
    return tuple(other for other in areas.values() if other is not area and (other.region in near or other.id in zones))
