"""Zed attacks on a Defensive Zone or an Area (specification, 4.4), and strikes' common ends."""

from games.kernel import Table
from games.world_war_zed.effects import (
    BossSlain,
    CityDestroyed,
    FarmDestroyed,
    FortAssaulted,
    RefugeesOverrun,
    UnitAssaulted,
)
from games.world_war_zed.pieces import next_ids
from games.world_war_zed.places import defenders, room, units_at
from games.world_war_zed.state import State

RATING_MAX = 3  # WWZ-ZB-04


def fight(table: Table[State], place: str, region: str) -> str | None:
    """The group fights its way through `place`; why it did not get through (held, eliminated), or None if it did.

    `region` is where the group is, or comes from.
    """
    state = table.state
    if place in state.forts:
        size, die = group_size(state, region), table.roll("fort", 6)
        held = min(die, size)
        table.emit(FortAssaulted(place, die, held, size - held, held < size))
        if held == size:
            return "held"
    for unit in defenders(state, place):
        _assault(table, unit, region)
        if unit in state.units:
            return "eliminated"
    return None


def overrun(table: Table[State], region: str, kind: str) -> None:
    """Zeds that came through fall on Refugees, then on the Farm or City itself (WWZ-4.2-21 to -23)."""
    state = table.state
    refugees = [name for name, unit in units_at(state, f"{region}.{kind}") if unit.type == "refugee"]
    if refugees:
        dice = tuple(table.roll("refugee", 6) for _ in refugees)
        more = room(state, "zeds", sum(map(state.d6z, dice)))
        survivalists = next_ids(state, "survivalist", room(state, "survivalists", len(refugees)))
        table.emit(RefugeesOverrun(tuple(refugees), dice, more, survivalists))
    if kind == "farm":
        die = table.roll("farm", 6)
        table.emit(FarmDestroyed(region, die, room(state, "zeds", state.d6z(die))))
    elif kind == "city":
        refugee = next_ids(state, "refugee", room(state, "refugees", 1))
        more = room(state, "zeds", state.tracks.burst_max)
        table.emit(CityDestroyed(region, refugee[0] if refugee else None, more))


def group_size(state: State, region: str) -> int:
    """How many Zeds fight: the group, or in an attack where they stand all of the Region (WWZ-R40)."""
    return state.group.n if state.group is not None else state.regions[region].zeds


def fighting_dice(table: Table[State], purpose: str, unit: str, rating: int) -> tuple[int, ...]:
    """Two dice for a unit stronger than the rating, else one (WWZ-4.2-15, WWZ-6.8-04)."""
    stronger = table.state.board.strength[table.state.units[unit].type] > rating
    return tuple(table.roll(purpose, 6) for _ in range(2 if stronger else 1))


def toughness(state: State, region: str) -> int:
    """Zed Toughness in a Region: 1 higher beside the Boss (WWZ-ZB-04)."""
    return _rating(state.tracks.toughness, boss=state.boss_at == region)


def boss_alone(table: Table[State]) -> None:
    """The Boss without a Zed beside it is slain (WWZ-ZB-05, -06)."""
    state = table.state
    if state.boss_at is not None and state.regions[state.boss_at].zeds == 0:
        table.emit(BossSlain(state.boss_at))


def _assault(table: Table[State], unit: str, region: str) -> None:
    state = table.state
    boss = state.group.boss if state.group is not None else state.boss_at == region
    size = group_size(state, region)
    dice = fighting_dice(table, "unit", unit, _rating(state.tracks.strength, boss=boss))
    killed = min(sum(dice), size)
    left, more = size - killed, 0
    if left and state.units[unit].type == "survivalist":
        more = room(state, "zeds", state.tracks.burst_min, leaving=killed)  # WWZ-R11
    table.emit(UnitAssaulted(unit, dice, killed, left, left > 0, more))


def _rating(track: int, *, boss: bool) -> int:
    return min(RATING_MAX, track + 1) if boss else track
