"""What the player can do, as lists: the rules of 4.2 the other way round from the refusals of `actions/`.

Exact and cheap: the lists are made for every decision, and tell whether there is anything to decide.
"""

from collections.abc import Iterator

from games.world_war_zed.pack_parts import MILITARY
from games.world_war_zed.places import buildable, destinations, movable, room
from games.world_war_zed.state import State

#: DEFCON at which each thing can be built, or lower (WWZ-6.6-02 to -04).
DEFCON_TO_BUILD = {"fort": 4, "ng": 4, "army": 3, "marines": 3}
BIOCHEM_DEFCON = 2  # WWZ-6.1-07, WWZ-6.5-07
AIR_DEFCON = 3  # WWZ-6.5-02
TOP = 6  # WWZ-1.1-16, WWZ-1.1-17


def anything(state: State, step: str) -> bool:
    """Whether there is anything to do in a step but to pass it."""
    if step == "attack":
        return next(attackers(state), None) is not None
    if state.tracks.pp == 0:
        return False
    if step == "tracks":
        return can_raise(state, "research") or can_raise(state, "food") or bool(defcon_changes(state))
    if step == "strikes":
        return any(strike_regions(state, kind) for kind in ("air", "nuclear", "biochemical"))
    return next(builds(state) if step == "build" else moves(state), None) is not None


def can_raise(state: State, track: str) -> bool:
    """Whether Research or Food can be bought (WWZ-6.4-01, -02)."""
    limit = state.start.bounds[track][1]
    return bool(state.tracks.pp and not getattr(state.spent, track) and getattr(state.tracks, track) < min(TOP, limit))


def defcon_changes(state: State) -> list[str]:
    """The ways in which DEFCON can be changed (WWZ-6.4-03, WWZ-R17)."""
    if not state.tracks.pp or state.spent.defcon:
        return []
    low, high = state.start.bounds["defcon"]
    defcon = state.tracks.defcon
    ways = [("toward_1", defcon > low), ("toward_5", defcon < high)]
    return [way for way, fits in ways if fits]


def strike_regions(state: State, kind: str) -> list[str]:
    """The Regions that a strike of this kind can hit (WWZ-6.5-01 to -07)."""
    tracks, start = state.tracks, state.start
    if not tracks.pp or f"{kind}_strike" in start.forbid:
        return []
    if kind == "nuclear":
        return list(state.regions) if tracks.defcon == 1 and state.nukes_used < start.nuclear_limit else []
    if kind == "air":
        ready = tracks.air > 0 and tracks.defcon <= AIR_DEFCON
    else:
        ready = state.biochem and tracks.defcon <= BIOCHEM_DEFCON
    return [name for name, region in state.regions.items() if region.zeds] if ready else []


def builds(state: State) -> Iterator[tuple[str, str]]:
    """What can be built where: type by type, each in the order of the areas (WWZ-6.6-01 to -10)."""
    if not state.tracks.pp:
        return
    defcon = state.tracks.defcon
    kinds = [kind for kind in MILITARY if state.pool[kind] and defcon <= DEFCON_TO_BUILD[kind]]
    forts = defcon <= DEFCON_TO_BUILD["fort"] and room(state, "forts", 1) > 0
    if not kinds and not forts:
        return
    places = buildable(state)
    if forts:
        yield from (("fort", place) for place in places if place not in state.forts)
    for kind in kinds:
        yield from ((kind, place) for place in places)


def moves(state: State, *, free: bool = False) -> Iterator[tuple[str, str]]:
    """Which unit can go where: unit by unit, each in the order of the areas (WWZ-6.7-01 to -05)."""
    if not state.tracks.pp and not free:
        return
    for name, unit in state.units.items():
        if movable(unit):
            yield from ((name, place) for place in destinations(state, unit))


def attackers(state: State) -> Iterator[str]:
    """The units that may attack (WWZ-6.8-01, -02)."""
    for name, unit in state.units.items():
        region, _, kind = unit.at.partition(".")
        if kind == "open" and unit.type != "refugee" and state.regions[region].zeds:
            yield name


def breakthroughs(state: State) -> list[str]:
    """What a breakthrough can give (WWZ-6.1-03 to -07, WWZ-R24)."""
    tracks = state.tracks
    options = [
        ("strength", tracks.strength > 1),
        ("toughness", tracks.toughness > 1),
        ("burst_min", tracks.burst_min > 1),
        ("burst_max", tracks.burst_max > tracks.burst_min + 1),
        ("biochem", _biochem_possible(state)),
    ]
    return [name for name, fits in options if fits]


def _biochem_possible(state: State) -> bool:
    return (
        not state.biochem
        and "biochem" not in state.start.forbid
        and any(turn < state.turn for turn in state.breakthrough_turns)
        and state.tracks.defcon <= BIOCHEM_DEFCON
    )
