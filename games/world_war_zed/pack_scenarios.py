"""Which scenarios a pack may have (specification, H10): tracks inside their bounds, pieces that add up."""

from games.content import expect
from games.world_war_zed.options import StartTracks
from games.world_war_zed.pack_parts import KINDS, MILITARY, Pack, Placed, Scenario
from games.world_war_zed.starts import TRACKS, Start, counts, resolve

RULE = "WWZ-1.3-01"


def check_scenarios(pack: Pack) -> None:
    """Test the scenarios.

    Raises:
        ContentError: a sentence that names the field and the rule.
    """
    ids = [scenario.id for scenario in pack.scenarios]
    expect("basic" in ids, "scenarios", "there is a scenario basic", RULE)
    for index, scenario in enumerate(pack.scenarios):
        field = f"scenarios[{index}]"
        expect(ids.count(scenario.id) == 1, f"{field}.id", f"{scenario.id} is listed once", RULE)
        based = scenario.base is None or scenario.base in ids[:index]
        expect(based, f"{field}.base", "it is a scenario listed before this one", RULE)
        _check_bounds(scenario, field)
        _check_start(pack, resolve(pack, scenario), field)


def _check_bounds(scenario: Scenario, field: str) -> None:
    for name, bound in scenario.bounds.items():
        low, high = TRACKS[name]
        within = low <= (low if bound.min is None else bound.min) <= (high if bound.max is None else bound.max) <= high
        expect(within, f"{field}.bounds.{name}", f"it lies within {low} to {high}", "WWZ-1.3-01")


def _check_start(pack: Pack, start: Start, field: str) -> None:
    wrong = tracks_fault(start.tracks, start)
    expect(wrong is None, f"{field}.tracks", wrong or "", "WWZ-1.1-12")
    regions = {region.id: region for region in pack.map.regions}
    for name in ("cities", "farms", "zeds"):
        for region in getattr(start, name):
            expect(region in regions, f"{field}.{name}", f"there is no Region {region}", RULE)
    expect(len(set(start.cities)) == len(start.cities) > 0, f"{field}.cities", "a City, each listed once", "WWZ-7-02")
    expect(len(set(start.farms)) == len(start.farms), f"{field}.farms", "each Farm is listed once", "WWZ-1.3-03")
    for kind, count in counts(pack).items():
        out = sum(placed.n for placed in start.place if placed.what == kind)
        whole = start.pool[kind] >= 0 and start.pool[kind] + start.box[kind] + out == count
        expect(whole, f"{field}.pool", f"pool, box and map have {count} {kind} together", "WWZ-1.2-08")
    for number, placed in enumerate(start.place):
        _check_placed(pack, start, placed, f"{field}.place[{number}]")
    for number, drawn in enumerate(start.random_zeds):
        found = {cell for row in pack.region_table for cell in row}
        expect(drawn.regions <= len(found), f"{field}.random_zeds[{number}]", "so many Regions there are", "WWZ-4.1-03")
    if isinstance(start.boss, str):
        expect(start.zeds.get(start.boss, 0) > 0, f"{field}.boss", "the Boss has a Zed beside it", "WWZ-ZB-01")


def _check_placed(pack: Pack, start: Start, placed: Placed, field: str) -> None:
    name, _, kind = placed.at.partition(".")
    if name == "DZ":
        expect(kind in {zone.id for zone in pack.map.zones}, f"{field}.at", f"there is no {placed.at}", "WWZ-1.1-03")
        expect(placed.what in (*MILITARY, "fort"), f"{field}.at", "only Military and Forts in a zone", "WWZ-1.2-12")
    else:
        known = name in {region.id for region in pack.map.regions} and kind in KINDS
        expect(known, f"{field}.at", f"there is no {placed.at}", "WWZ-1.1-04")
        there = {"city": name in start.cities, "farm": name in start.farms, "open": True}[kind]
        expect(there, f"{field}.at", f"there is no counter for {placed.at}", "WWZ-1.1-05")
        expect(placed.what != "survivalist" or kind == "open", f"{field}.at", "it stands in an Open Area", "WWZ-1.2-11")
    expect(placed.what != "fort" or placed.n == 1, f"{field}.n", "one Fort in a place", "WWZ-6.6-10")
    expect(not placed.riot or placed.what == "refugee", f"{field}.riot", "Refugees riot", "WWZ-1.2-07")


def tracks_fault(tracks: StartTracks, start: Start) -> str | None:
    """What is wrong with where these tracks start, in words; None if nothing is."""
    for name, (low, high) in start.bounds.items():
        value = getattr(tracks, name)
        if value is None or not low <= value <= high:
            return f"{name} starts at {low} to {high}, not {value}"
    if tracks.priority is None or sorted(tracks.priority) != sorted(KINDS):
        return "priority lists city, farm and open"
    if tracks.burst_min is None or tracks.burst_max is None or tracks.burst_min >= tracks.burst_max:
        return "burst_min is below burst_max"
    return None if tracks.turn is not None else "turn is given"
