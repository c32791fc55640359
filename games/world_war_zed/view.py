"""What anybody may see of a state: everything (specification, section 3), with the map to draw it on.

`map` never changes in a game: `x` goes east and `y` south on a sheet of 17 x 11; a zone lies half way between its
Regions (H4). `regions` has what changes, in the same order.
"""

from functools import cache
from typing import Any

from msgspec import Struct

from games.kernel import EVERYTHING, Outcome, redact
from games.world_war_zed.board import board
from games.world_war_zed.ops import AreaKind
from games.world_war_zed.options import Options
from games.world_war_zed.pack_parts import RegionPart
from games.world_war_zed.places import most_zeds, supply_and_demand, target
from games.world_war_zed.scoring import level, score
from games.world_war_zed.starts import TRACKS
from games.world_war_zed.state import (
    BossStatus,
    Group,
    Phase,
    PlayerStep,
    Result,
    Spent,
    State,
    Tracks,
    TurnMods,
    Unit,
)


class ExitView(Struct, frozen=True, omit_defaults=True):
    """Faces of the die that lead to a Region or off the map, perhaps through a zone."""

    to: str
    faces: tuple[int, ...]
    zone: str | None = None


class RegionMap(Struct, frozen=True, omit_defaults=True):
    """Where a Region is; `city` is the name of the City that may stand there."""

    id: str
    name: str
    x: float
    y: float
    exits: tuple[ExitView, ...]
    city: str | None = None


class ZoneMap(Struct, frozen=True):
    """Where a Defensive Zone is; its id is that of the area."""

    id: str
    name: str
    x: float
    y: float
    between: tuple[str, ...]


class MapView(Struct, frozen=True):
    """The map; `off_map` names the countries beyond it, `tracks` how far each track goes in this scenario."""

    regions: tuple[RegionMap, ...]
    zones: tuple[ZoneMap, ...]
    off_map: dict[str, str]
    tracks: dict[str, tuple[int, int]]


class RegionView(Struct, frozen=True, kw_only=True):
    """What lies in a Region; `target` is the Area that Zeds would attack, `units` are ids by Area."""

    id: str
    zeds: int
    city: bool
    riot: bool
    farm: bool
    nukes: int
    boss: bool
    forts: tuple[AreaKind, ...]
    units: dict[AreaKind, tuple[str, ...]]
    target: str | None


class ZoneView(Struct, frozen=True, kw_only=True):
    """What lies in a Defensive Zone."""

    id: str
    fort: bool
    units: tuple[str, ...]


class View(Struct, frozen=True, kw_only=True):
    """The whole table. `burst` are the Regions tied for most Zeds; `score` and `level` are as things stand."""

    options: Options
    scenario: str
    title: str
    turn: int
    phase: Phase
    step: PlayerStep | None
    tracks: Tracks
    regions: tuple[RegionView, ...]
    zones: tuple[ZoneView, ...]
    units: dict[str, Unit]
    pool: dict[str, int]
    box: dict[str, int]
    biochem: bool
    breakthrough_turns: tuple[int, ...]
    spent: Spent
    turn_mods: TurnMods
    group: Group | None
    nukes_used: int
    boss: BossStatus
    boss_at: str | None
    zeds: int
    burst: tuple[str, ...]
    supply: int
    demand: int
    score: int
    level: str
    map: MapView
    result: Result | None
    agenda: tuple[dict[str, Any], ...]
    outcome: Outcome | None


def view(state: State, reader: int) -> View:  # noqa: ARG001 a view is for a reader
    """The view, which is the same for everybody."""
    supply, demand = supply_and_demand(state)
    points = score(state)
    places = _by_place(state)
    return View(
        options=state.options,
        scenario=state.scenario,
        title=state.start.title,
        turn=state.turn,
        phase=state.phase,
        step=state.step,
        tracks=state.tracks,
        regions=tuple(_region(state, name, places) for name in state.regions),
        zones=tuple(
            ZoneView(id=area.id, fort=area.id in state.forts, units=places.get(area.id, ()))
            for area in state.board.areas.values()
            if area.kind == "dz"
        ),
        units=dict(state.units),
        pool=dict(state.pool),
        box=dict(state.box),
        biochem=state.biochem,
        breakthrough_turns=tuple(state.breakthrough_turns),
        spent=state.spent,
        turn_mods=state.turn_mods,
        group=state.group,
        nukes_used=state.nukes_used,
        boss=state.boss,
        boss_at=state.boss_at,
        zeds=state.zeds(),
        burst=most_zeds(state),
        supply=supply,
        demand=demand,
        score=points,
        level=level(state, points),
        map=_map(state.pack, state.scenario),
        result=state.result,
        agenda=tuple(redact(step, EVERYTHING) for step in state.agenda),
        outcome=state.outcome,
    )


def _by_place(state: State) -> dict[str, tuple[str, ...]]:
    places: dict[str, tuple[str, ...]] = {}
    for name, unit in state.units.items():
        places[unit.at] = (*places.get(unit.at, ()), name)
    return places


def _region(state: State, name: str, places: dict[str, tuple[str, ...]]) -> RegionView:
    here = state.regions[name]
    kinds: tuple[AreaKind, ...] = ("city", "farm", "open")
    kind = target(state, name)
    return RegionView(
        id=name,
        zeds=here.zeds,
        city=here.city,
        riot=here.riot,
        farm=here.farm,
        nukes=here.nukes,
        boss=state.boss_at == name,
        forts=tuple(kind for kind in kinds if f"{name}.{kind}" in state.forts),
        units={kind: places[place] for kind in kinds if (place := f"{name}.{kind}") in places},
        target=None if kind is None else f"{name}.{kind}",
    )


@cache
def _map(pack: str, scenario: str) -> MapView:
    here = board(pack)
    parts = here.pack.map
    by_id = {region.id: region for region in parts.regions}
    zones = []
    for zone in parts.zones:
        area = here.areas[f"DZ.{zone.id}"]
        ends = [by_id[end] for end in area.ends]
        zones.append(ZoneMap(area.id, zone.name, _half([r.x for r in ends]), _half([r.y for r in ends]), area.ends))
    bounds = {name: here.starts[scenario].bounds[name] for name in TRACKS}
    off_map = {country.id: country.name for country in parts.off_map}
    return MapView(tuple(map(_region_map, parts.regions)), tuple(zones), off_map, bounds)


def _region_map(region: RegionPart) -> RegionMap:
    exits = tuple(ExitView(way.to, way.faces, None if way.dz is None else f"DZ.{way.dz}") for way in region.exits)
    return RegionMap(region.id, region.name, region.x, region.y, exits, region.city)


def _half(ends: list[float]) -> float:
    return round(sum(ends) / len(ends), 2)
