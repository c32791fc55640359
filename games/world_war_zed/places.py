"""Questions about places: what is there, what Zeds go for, where a unit may be built or go (4.3, 4.7, 4.8)."""

from collections.abc import Iterator

from games.world_war_zed.board import Area
from games.world_war_zed.pack_parts import MILITARY
from games.world_war_zed.state import State, Unit

#: The order in which units are attacked (WWZ-4.2-07); within a type in id order (WWZ-R12).
DEFENCE = {"marines": 0, "army": 1, "ng": 2, "survivalist": 3}


def exists(state: State, area: Area) -> bool:
    """Whether the place can be occupied: a City or Farm Area only with its counter (WWZ-1.1-05 to -07)."""
    if area.region is None or area.kind == "open":
        return True
    region = state.regions[area.region]
    return region.city if area.kind == "city" else region.farm


def target(state: State, region: str) -> str | None:
    """The kind of Area that Zeds attack in a Region: the first valid one by Attack Priority (WWZ-4.2-01 to -04)."""
    here = state.regions[region]
    for kind in state.tracks.priority:
        if kind == "city":
            valid = here.city
        elif kind == "farm":
            valid = here.farm
        else:
            valid = _occupied(state, f"{region}.open")
        if valid:
            return kind
    return None


def _occupied(state: State, place: str) -> bool:
    # Nuclear markers and Riots by themselves are no target (WWZ-R43).
    return place in state.forts or any(unit.at == place for unit in state.units.values())


def units_at(state: State, place: str) -> list[tuple[str, Unit]]:
    """The units in a place, with their ids."""
    return [(name, unit) for name, unit in state.units.items() if unit.at == place]


def defenders(state: State, place: str) -> list[str]:
    """The units that fight for a place, in the order in which they are attacked."""
    there = [(DEFENCE[unit.type], name) for name, unit in units_at(state, place) if unit.type in DEFENCE]
    return [name for _, name in sorted(there, key=lambda found: found[0])]


def most_zeds(state: State) -> tuple[str, ...]:
    """The Regions tied for most Zeds, in their order; none if there are no Zeds (WWZ-4.1-01)."""
    most = max(region.zeds for region in state.regions.values())
    return tuple(name for name, region in state.regions.items() if region.zeds == most) if most else ()


def riot_in(state: State, area: Area) -> bool:
    """Whether a Riot is in the Area, on its City or on a Refugee in it (WWZ-R21)."""
    if area.kind == "city" and area.region is not None and state.regions[area.region].riot:
        return True
    return any(unit.riot and unit.at == area.id for unit in state.units.values())


def nuked(state: State, area: Area) -> bool:
    """Whether this is the Open Area of a Region with a Nuclear marker (WWZ-R48)."""
    return area.kind == "open" and area.region is not None and state.regions[area.region].nukes > 0


def buildable(state: State) -> list[str]:
    """Where Military could be built, in the order of the areas (4.7)."""
    rioting = {unit.at for unit in state.units.values() if unit.riot}
    found = []
    for area in state.board.areas.values():
        if area.region is not None:
            here = state.regions[area.region]
            if area.kind == "city":
                fits = here.city and not here.riot
            elif area.kind == "farm":
                fits = here.farm
            else:
                fits = not here.nukes
            if not fits or area.id in rioting:
                continue
        found.append(area.id)
    return found


def movable(unit: Unit) -> bool:
    """Whether a counter of this kind ever moves: Military, and Refugees without a Riot (WWZ-6.7-03, -04)."""
    return unit.type in MILITARY or (unit.type == "refugee" and not unit.riot)


def destinations(state: State, unit: Unit) -> Iterator[str]:
    """Where one move may take this movable unit, in the order of the areas (4.8)."""
    near = state.board.moves if state.options.dz_crossing == "direct" else state.board.careful
    refugee = unit.type == "refugee"
    for area in near[unit.at]:
        if area.kind == "open" or (exists(state, area) and not (refugee and area.kind == "dz")):
            yield area.id


def riots(state: State) -> list[str]:
    """What riots: Refugees by id, then Cities by their Region."""
    return [name for name, unit in state.units.items() if unit.riot] + [
        name for name, region in state.regions.items() if region.riot
    ]


def supply_and_demand(state: State) -> tuple[int, int]:
    """Farms and Food Reserves; Cities and Refugees (WWZ-6.2-01, -02)."""
    farms = sum(region.farm for region in state.regions.values())
    cities = sum(region.city for region in state.regions.values())
    refugees = sum(unit.type == "refugee" for unit in state.units.values())
    return farms + state.tracks.food, cities + refugees


def room(state: State, counter: str, wanted: int, leaving: int = 0) -> int:
    """How many of `wanted` more counters there are (WWZ-R37), when so many of the kind have just left the map."""
    limits = state.options.counter_limits
    limit: int | None = getattr(limits, counter) if limits is not None else None
    if limit is None:
        return wanted
    return max(0, min(wanted, limit - _count(state, counter) + leaving))


def _count(state: State, counter: str) -> int:
    if counter == "zeds":
        return state.zeds()
    if counter == "riots":
        return len(riots(state))
    if counter == "forts":
        return len(state.forts)
    return sum(unit.type == counter.removesuffix("s") for unit in state.units.values())
