"""Filling a game from a position, and refusing what cannot be (specification, sections 3 and 8)."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from msgspec import UNSET, structs

from games.kernel.positions import impossible
from games.world_war_zed.game import put
from games.world_war_zed.pack_parts import KINDS, MILITARY
from games.world_war_zed.pieces import PREFIX
from games.world_war_zed.places import exists
from games.world_war_zed.position_doc import Derived, PositionDoc, derived, result_of
from games.world_war_zed.state import Spent, State, TurnMods, Unit


def fill(state: State, doc: PositionDoc) -> None:
    """Lay a position over a game that is laid out as its base says."""
    for name in ("turn", "phase", "step", "biochem", "breakthrough_turns"):
        if (value := getattr(doc, name)) is not UNSET:
            setattr(state, name, value)
    if state.phase == "player" and state.step is None:
        state.step = "research"
    for name, value in structs.asdict(doc.tracks).items():
        if value is not UNSET:
            setattr(state.tracks, name, value)
    if doc.pp is not UNSET and doc.tracks.pp is UNSET:
        state.tracks.pp = doc.pp
    words = dict.fromkeys(doc.spent, True) if isinstance(doc.spent, list) else doc.spent
    state.spent = Spent(**words)
    if doc.turn_mods is not UNSET:
        state.turn_mods = TurnMods(**structs.asdict(doc.turn_mods))
    _fill_regions(state, doc)
    _fill_units(state, doc)
    _fill_boss(state, doc)
    state.group = doc.group
    state.resigned = list(doc.resigned)
    state.outcome, state.result = doc.outcome, result_of(doc)


def check(state: State, doc: PositionDoc) -> None:
    """Refuse what breaks an invariant of section 3, or says of itself what is not so.

    Raises:
        PositionError: a sentence that names the field.
    """
    tracks = state.tracks
    if tracks.burst_min >= tracks.burst_max:
        impossible("tracks", "burst_min is below burst_max")
    if sorted(tracks.priority) != sorted(KINDS):
        impossible("tracks.priority", "it lists city, farm and open")
    if state.step is not None and state.phase != "player":
        impossible("step", "only the Player Phase has steps")
    if state.group is not None:
        impossible("group", "Zeds are on the move only within a Zed Phase")
    if state.resigned and state.outcome is None:
        impossible("resigned", "who resigns has ended the game")
    for name, unit in state.units.items():
        _check_unit(state, name, unit)
    _check_forts(state)
    _check_counts(state)
    if (state.phase == "over") != (state.outcome is not None):
        impossible("outcome", "a game that is over has an outcome, any other has none")
    so = derived(state)
    for name in Derived.__struct_fields__:
        said = getattr(doc, name)
        if said is not UNSET and _differs(said, so[name]):
            impossible(name, f"it follows from the rest and is {so[name]}")


def _check_forts(state: State) -> None:
    for place in state.forts:
        if not exists(state, state.board.areas[place]):
            impossible("forts", f"there is no place {place}")
    if len(set(state.forts)) < len(state.forts):
        impossible("forts", "one Fort in each place")


def _check_counts(state: State) -> None:
    for kind, count in state.board.counts.items():
        out = sum(unit.type == kind for unit in state.units.values())
        if state.pool[kind] < 0 or state.pool[kind] + state.box[kind] + out != count:
            impossible("pool", f"pool, box and map have {count} {kind} together")


def _differs(said: Any, so: Any) -> bool:
    if isinstance(said, dict) and isinstance(so, dict):
        return any(_differs(value, so.get(key)) for key, value in said.items())
    return bool(said != so)


def _fill_regions(state: State, doc: PositionDoc) -> None:
    for field in ("zeds", "nukes"):
        _all_regions(state, getattr(doc, field), field)
        for name, count in getattr(doc, field).items():
            setattr(state.regions[name], field, count)
    for field, counter in (("cities", "city"), ("farms", "farm"), ("riots", "riot")):
        listed = getattr(doc, field)
        if listed is not UNSET:
            _all_regions(state, listed, field)
            for name, region in state.regions.items():
                setattr(region, counter, name in listed)
    for name, region in state.regions.items():
        if region.riot and not region.city:
            impossible("riots", f"there is no City in {name}")
    zeds = any(region.zeds for region in state.regions.values())
    state.zeds_seen = zeds if doc.zeds_seen is UNSET else doc.zeds_seen
    if zeds and not state.zeds_seen:
        impossible("zeds_seen", "there are Zeds on the map")
    placed = sum(region.nukes for region in state.regions.values())
    state.nukes_used = placed if doc.nukes_used is UNSET else doc.nukes_used
    if state.nukes_used != placed:
        impossible("nukes_used", f"there are {placed} on the map, and markers stay")


def _fill_units(state: State, doc: PositionDoc) -> None:
    if doc.units is not UNSET:
        state.units = _in_order(doc.units)
        state.made = _numbers(state.units)
    state.made |= {kind: max(count, state.made[kind]) for kind, count in doc.made.items()}
    if doc.forts is not UNSET:
        _all_places(state, doc.forts, "forts")
        state.forts = sorted(doc.forts, key=state.board.rank.__getitem__)
    for placed in doc.place:
        _all_places(state, [placed.at], "place")
        put(state, placed.what, placed.at, placed.n, riot=placed.riot)
    state.box |= {str(kind): count for kind, count in doc.box.items()}
    for kind in MILITARY:
        out = sum(unit.type == kind for unit in state.units.values())
        state.pool[kind] = doc.pool.get(kind, state.board.counts[kind] - state.box[kind] - out)


def _fill_boss(state: State, doc: PositionDoc) -> None:
    if doc.boss is UNSET:
        return
    if doc.boss in state.regions:
        state.boss, state.boss_at = "on_map", doc.boss
    elif doc.boss in ("absent", "slain", "gone"):
        state.boss, state.boss_at = doc.boss, None  # type: ignore[assignment] # one of the words
    else:
        impossible("boss", "a Region, or absent, slain, gone")
    if state.boss_at is not None and not state.regions[state.boss_at].zeds:
        impossible("boss", "it has a Zed beside it")


def _check_unit(state: State, name: str, unit: Unit) -> None:
    area = state.board.areas.get(unit.at)
    if area is None or not exists(state, area):
        impossible(f"units.{name}", f"there is no place {unit.at}")
    if unit.type not in PREFIX:
        impossible(f"units.{name}", f"there is no type {unit.type}")
    if unit.type == "survivalist" and area.kind != "open":
        impossible(f"units.{name}", "Survivalists are in Open Areas")
    if unit.type == "refugee" and area.kind == "dz":
        impossible(f"units.{name}", "Refugees are never in a zone")
    if unit.riot and unit.type != "refugee":
        impossible(f"units.{name}", "only Refugees riot")


def _in_order(units: dict[str, Unit]) -> dict[str, Unit]:
    """As written, if the ids of each type go up; else by type and number."""
    keys: dict[str, int] = {}
    for name, unit in units.items():
        prefix = PREFIX.get(unit.type, "")
        number = name.removeprefix(prefix)
        if not prefix or not name.startswith(prefix) or not number.isdecimal() or str(int(number)) != number:
            impossible(f"units.{name}", f"the id of a {unit.type} is {prefix or '?'} and a number")
        keys[name] = int(number)
    rising = all(
        a < b for kind in PREFIX for a, b in pairwise(n for name, n in keys.items() if units[name].type == kind)
    )
    if rising:
        return dict(units)
    kinds = list(PREFIX)
    return dict(sorted(units.items(), key=lambda item: (kinds.index(item[1].type), keys[item[0]])))


def _numbers(units: dict[str, Unit]) -> dict[str, int]:
    """The highest number of each type."""
    made = dict.fromkeys(PREFIX, 0)
    for name, unit in units.items():
        made[unit.type] = max(made[unit.type], int(name.removeprefix(PREFIX[unit.type])))
    return made


def _all_regions(state: State, names: Iterable[str], field: str) -> None:
    for name in names:
        if name not in state.regions:
            impossible(field, f"there is no Region {name}")


def _all_places(state: State, names: Iterable[str], field: str) -> None:
    for name in names:
        if name not in state.board.areas:
            impossible(field, f"there is no place {name}")
