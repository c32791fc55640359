"""How folds move pieces: each piece is somewhere, and what leaves one place enters another."""

from msgspec import structs

from games.world_war_zed.pack_parts import MILITARY
from games.world_war_zed.state import Group, State, Unit

#: How ids begin.
PREFIX = {"ng": "ng", "army": "army", "marines": "marines", "refugee": "ref", "survivalist": "surv"}


def next_ids(state: State, kind: str, count: int = 1) -> tuple[str, ...]:
    """The ids of the next `count` counters of a type."""
    made = state.made[kind]
    return tuple(f"{PREFIX[kind]}{made + i}" for i in range(1, count + 1))


def add_unit(state: State, unit: str, kind: str, at: str) -> None:
    """A new counter on the map."""
    state.made[kind] += 1
    state.units[unit] = Unit(kind, at)


def remove_unit(state: State, unit: str) -> None:
    """A counter off the map: Military to the Removed Military box (WWZ-1.1-22)."""
    kind = state.units.pop(unit).type
    if kind in MILITARY:
        state.box[kind] += 1


def change_unit(state: State, unit: str, *, at: str | None = None, riot: bool | None = None) -> None:
    """A counter goes elsewhere, or begins or stops to riot."""
    old = state.units[unit]
    state.units[unit] = structs.replace(old, at=old.at if at is None else at, riot=old.riot if riot is None else riot)


def add_fort(state: State, place: str) -> None:
    """A Fort, in the order of the areas."""
    rank = state.board.rank
    state.forts.append(place)
    state.forts.sort(key=rank.__getitem__)


def gathered(state: State, region: str) -> Group:
    """The group that fights in `region`; in an attack where it stands that is all Zeds of the Region (WWZ-R40)."""
    if state.group is None:
        here = state.regions[region]
        state.group = Group(here.zeds, region, state.boss_at == region)
        here.zeds = 0
    return state.group


def regroup(state: State, region: str, n: int) -> None:
    """The group that fights in `region` has `n` Zeds now."""
    group = gathered(state, region)
    state.group = Group(n, group.region, group.boss)
