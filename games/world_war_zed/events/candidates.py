"""Where an op can strike, and whether it would change anything (specification, 2.3)."""

from games.world_war_zed.legality import moves
from games.world_war_zed.ops import FreeMove, Nothing, Place, PriorityTop, Recover, Remove, Selector, SimpleOp, TrackOp
from games.world_war_zed.pack_parts import MILITARY
from games.world_war_zed.places import buildable, most_zeds, room
from games.world_war_zed.state import State


def candidates(state: State, op: SimpleOp) -> tuple[str, ...] | None:
    """What the player chooses among, in canonical order; None if this op needs no choice."""
    match op:
        case Recover():
            return tuple(kind for kind in MILITARY if state.box[kind])
        case Place(what, _, at, _) if at.select.startswith("pick_"):
            if at.select == "pick_area":
                return tuple(buildable(state))
            # Refugees and Survivalists do not come to where a Nuclear marker lies (events only).
            clean = what in ("refugee", "survivalist")
            return tuple(name for name in _regions(state, at) if not (clean and state.regions[name].nukes))
        case Remove(what, _, at) if at.select == "pick_unit":
            return _different(state, what)
        case Remove(what, _, at) if at.select.startswith("pick_"):
            return tuple(name for name in _regions(state, at) if _present(state, what, name))
    return None


def would_change(state: State, op: SimpleOp) -> bool:
    """Whether the op would change something; one that leaves it to dice would."""
    match op:
        case TrackOp(name, delta):
            return bool(clamped(state, name, delta) != getattr(state.tracks, name))
        case PriorityTop(kind, _):
            return kind is None or state.tracks.priority[0] != kind
        case Place(what, _, _, source):
            if source is not None and not (state.pool if source == "pool" else state.box)[what]:
                return False
            if what not in MILITARY and not room(state, f"{what}s", 1):
                return False  # WWZ-R37
        case Remove(what, _, at) if at.select == "most_zeds":
            return bool(most_zeds(state))
        case FreeMove():
            return next(moves(state, free=True), None) is not None
        case Nothing():
            return False
    targets = candidates(state, op)
    return targets is None or bool(targets)


def clamped(state: State, name: str, delta: int) -> int:
    """Where a track comes to lie (WWZ-R39)."""
    tracks = state.tracks
    now = int(getattr(tracks, name))
    low, high = state.start.bounds[name]
    if name == "burst_min":
        high = min(high, tracks.burst_max - 1)
    elif name == "burst_max":
        low = max(low, tracks.burst_min + 1)
    # A position may have a track outside the scenario's bounds; an event then never pushes it further out.
    return min(max(now, high), now + delta) if delta > 0 else max(min(now, low), now + delta)


def _regions(state: State, at: Selector) -> list[str]:
    """The Regions of a pick_region or pick_city selector."""
    filtered = at.filter
    if filtered is not None and filtered.startswith("borders_"):
        return list(state.board.borders(filtered.removeprefix("borders_")))
    cities = at.select == "pick_city"
    return [
        name
        for name, region in state.regions.items()
        if (region.city or not cities)
        and (region.farm or filtered != "has_farm")
        and not (region.riot and filtered == "no_riot")
    ]


def _present(state: State, what: str, region: str) -> bool:
    here = state.regions[region]
    return {"zed": here.zeds > 0, "farm": here.farm, "city": here.city}[what]


def _different(state: State, kind: str) -> tuple[str, ...]:
    """Units of a type; of those in the same Area and alike only the one with the lowest id."""
    first: dict[object, str] = {}
    for name, unit in state.units.items():
        if unit.type == kind:
            first.setdefault(unit, name)
    return tuple(first.values())
