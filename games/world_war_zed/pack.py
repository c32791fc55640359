"""What makes a content pack valid (specification, 2.3), and the shelf of packs in use."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from games.content import ContentError, Shelf, expect
from games.world_war_zed.pack_events import check_events
from games.world_war_zed.pack_parts import MILITARY, Level, Pack, RegionPart
from games.world_war_zed.pack_scenarios import check_scenarios

REGIONS = 20  # WWZ-1.1-08
COUNTS = {"ng": 6, "army": 4, "marines": 2}  # WWZ-1.2-08
LEVELS = 9  # WWZ-7-11


def check(pack: Pack) -> None:
    """Test a pack against the rulebook and against itself.

    Raises:
        ContentError: a sentence that names the field and the rule.
    """
    regions = pack.map.regions
    expect(pack.small or len(regions) == REGIONS, "map.regions", f"there are {REGIONS} Regions", "WWZ-1.1-08")
    _check_names(pack)
    known = {region.id: region for region in regions}
    for index, region in enumerate(regions):
        _check_exits(pack, known, region, f"map.regions[{index}]")
    _check_zones(pack)
    _check_connected(regions)
    for country, borders in pack.map.borders.items():
        _all_known(borders, known, f"map.borders.{country}", "WWZ-1.1-01")
    expect(len(pack.map.borders) == 2, "map.borders", "Mexico and Canada are both listed", "WWZ-4.3-02")
    _check_table(pack.region_table, known, "region_table", "WWZ-4.1-03")
    _check_table(pack.event_table, {event.id for event in pack.events}, "event_table", "WWZ-3-01")
    _check_units(pack)
    check_events(pack)
    check_scenarios(pack)
    _check_levels(pack.levels)


def _check_names(pack: Pack) -> None:
    ids = [*(r.id for r in pack.map.regions), *(country.id for country in pack.map.off_map)]
    for name in ids:
        expect(ids.count(name) == 1, f"map.regions.{name}", "each id is used once", "WWZ-1.1-01")
        expect(bool(name) and "." not in name and name != "DZ", f"map.regions.{name}", "no id has a dot", "WWZ-1.1-04")
    zones = [zone.id for zone in pack.map.zones]
    for name in zones:
        expect(zones.count(name) == 1, f"map.zones.{name}", "each id is used once", "WWZ-1.1-03")
        expect(bool(name) and "." not in name, f"map.zones.{name}", "no id has a dot", "WWZ-1.1-03")


def _check_exits(pack: Pack, known: dict[str, RegionPart], region: RegionPart, field: str) -> None:
    used: set[int] = set()
    beyond = {country.id for country in pack.map.off_map}
    for number, way in enumerate(region.exits):
        place = f"{field}.exits[{number}]"
        expect(way.to in known or way.to in beyond, place, f"there is no Region {way.to}", "WWZ-1.1-02")
        expect(way.to != region.id, place, "a Region has no exit to itself", "WWZ-1.1-09")
        expect(sum(w.to == way.to for w in region.exits) == 1, place, "one link for each pair", "WWZ-1.1-09")
        expect(
            bool(way.faces) and len(set(way.faces)) == len(way.faces), place, "it has faces, each once", "WWZ-1.1-02"
        )
        expect(not used & set(way.faces), place, "each face is used at most once in a Region", "WWZ-1.1-02")
        used |= set(way.faces)
        if way.to in known:
            back = [other for other in known[way.to].exits if other.to == region.id]
            expect(bool(back), place, f"{way.to} has no exit back to {region.id}", "WWZ-1.1-09")
            expect(back[0].dz == way.dz, place, f"the exit back from {way.to} has another zone", "WWZ-1.1-03")
        else:
            expect(way.dz is None, place, "there is no zone on the way off the map", "WWZ-1.1-03")
    expect(bool(used), f"{field}.exits", "every Region has an exit", "WWZ-1.1-09")


def _check_zones(pack: Pack) -> None:
    known = [zone.id for zone in pack.map.zones]
    sides = [way.dz for region in pack.map.regions for way in region.exits if way.dz is not None]
    for name in sides:
        expect(name in known, f"map.zones.{name}", "it is used in exits and not listed", "WWZ-1.1-03")
    for name in known:
        # A link has two ends, and each names its zone.
        expect(sides.count(name) == 2, f"map.zones.{name}", "a zone lies on exactly one link", "WWZ-1.1-03")


def _check_connected(regions: Sequence[RegionPart]) -> None:
    expect(bool(regions), "map.regions", "there is a Region", "WWZ-1.1-01")
    ways = {region.id: [way.to for way in region.exits] for region in regions}
    reached, rest = {regions[0].id}, [regions[0].id]
    while rest:
        fresh = [to for to in ways[rest.pop()] if to in ways and to not in reached]
        reached.update(fresh)
        rest.extend(fresh)
    missing = sorted(set(ways) - reached)
    expect(not missing, "map.regions", f"{', '.join(missing)} cannot be reached from {regions[0].id}", "WWZ-1.1-09")


def _check_table(table: Sequence[Sequence[str]], known: Iterable[str], field: str, rule: str) -> None:
    whole = len(table) == 6 and all(len(row) == 6 for row in table)
    expect(whole, field, "there are six rows of six cells", rule)
    for number, row in enumerate(table):
        _all_known(row, known, f"{field}[{number}]", rule)


def _all_known(names: Iterable[str], known: Iterable[str], field: str, rule: str) -> None:
    for name in names:
        expect(name in known, field, f"there is no {name}", rule)


def _check_units(pack: Pack) -> None:
    for kind in MILITARY:
        count = getattr(pack.units, kind).count
        fits = count is not None and (pack.small or count == COUNTS[kind])
        expect(fits, f"units.{kind}.count", f"there are {COUNTS[kind]} counters", "WWZ-1.2-08")
    expect(pack.units.survivalist.count is None, "units.survivalist.count", "there is no limit", "WWZ-R37")


def _check_levels(levels: Sequence[Level]) -> None:
    expect(len(levels) == LEVELS, "levels", f"the table has {LEVELS} rows", "WWZ-7-11")
    expect(levels[-1].least is None, "levels", "the last row takes every lower score", "WWZ-7-11")
    least = [level.least for level in levels[:-1] if level.least is not None]
    falling = len(least) == LEVELS - 1 and all(a > b for a, b in pairwise(least))
    expect(falling, "levels", "the rows go down from the highest score", "WWZ-7-11")


#: The packs in use, by SHA-256; whoever reads files fills it.
SHELF: Shelf[Pack] = Shelf(Pack, check)

__all__ = ["SHELF", "ContentError", "check"]
