"""How people write a state (specification, section 8), strictly read; and what a state says beyond its fields."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from games.kernel import Outcome
from games.kernel.positions import impossible
from games.world_war_zed.ops import AreaKind, Military, UnitType
from games.world_war_zed.options import OneToSix, OneToThree, ZeroToSix
from games.world_war_zed.pack_parts import Placed
from games.world_war_zed.scoring import level, score
from games.world_war_zed.state import Group, Phase, PlayerStep, Result, State, Unit
from games.world_war_zed.steps import AnyStep

Count = Annotated[int, Meta(ge=0)]
SpentWord = Literal["research", "food", "defcon"]


class TracksDoc(Struct, kw_only=True, forbid_unknown_fields=True):
    """Tracks to lay over those of the base."""

    burst_min: OneToSix | UnsetType = UNSET
    burst_max: OneToSix | UnsetType = UNSET
    strength: OneToThree | UnsetType = UNSET
    toughness: OneToThree | UnsetType = UNSET
    priority: tuple[AreaKind, AreaKind, AreaKind] | UnsetType = UNSET
    research: ZeroToSix | UnsetType = UNSET
    food: ZeroToSix | UnsetType = UNSET
    pp: ZeroToSix | UnsetType = UNSET
    air: ZeroToSix | UnsetType = UNSET
    defcon: Annotated[int, Meta(ge=1, le=5)] | UnsetType = UNSET


class TurnModsDoc(Struct, kw_only=True, forbid_unknown_fields=True):
    """What an event has done to this Turn."""

    zed1_extra: int = 0
    zed1_use_min: bool = False
    skip_zed2: bool = False
    pp: int = 0


class Derived(Struct, kw_only=True, forbid_unknown_fields=True):
    """What follows from the rest: to be expected; whoever gives it must give what is so."""

    city: dict[str, bool] | UnsetType = UNSET
    farm: dict[str, bool] | UnsetType = UNSET
    units_at: dict[str, dict[str, int]] | UnsetType = UNSET
    score: int | UnsetType = UNSET
    level: str | UnsetType = UNSET
    result: str | UnsetType | None = UNSET


class PositionDoc(Derived, kw_only=True, forbid_unknown_fields=True):
    """A position; what is left out is as in the base, `zeds` and `nukes` Region by Region.

    `phase` and (in the Player Phase) `step` are where play starts. `cities` and `farms` replace those of the base,
    `riots` has the Cities that riot, `forts` and `units` replace, `place` adds. Military on the map or in the box has
    left the pool, unless `pool` is given. `boss` is a Region, or absent, slain, gone.
    """

    scenario: str | UnsetType = UNSET
    turn: Annotated[int, Meta(ge=1, le=10)] | UnsetType = UNSET
    phase: Phase | UnsetType = UNSET
    step: PlayerStep | UnsetType | None = UNSET
    tracks: TracksDoc = msgspec.field(default_factory=TracksDoc)
    pp: ZeroToSix | UnsetType = UNSET
    zeds: dict[str, Count] = {}
    nukes: dict[str, Count] = {}
    cities: list[str] | UnsetType = UNSET
    farms: list[str] | UnsetType = UNSET
    riots: list[str] | UnsetType = UNSET
    forts: list[str] | UnsetType = UNSET
    place: list[Placed] = []
    units: dict[str, Unit] | UnsetType = UNSET
    made: dict[UnitType, Count] = {}
    pool: dict[Military, Count] = {}
    box: dict[Military, Count] = {}
    biochem: bool | UnsetType = UNSET
    breakthrough_turns: list[int] | UnsetType = UNSET
    spent: dict[SpentWord, bool] | list[SpentWord] = {}
    turn_mods: TurnModsDoc | UnsetType = UNSET
    group: Group | None = None
    zeds_seen: bool | UnsetType = UNSET
    nukes_used: Count | UnsetType = UNSET
    boss: str | UnsetType = UNSET
    agenda: list[AnyStep] = []
    resigned: list[Count] = []
    breakdown: dict[str, int] | UnsetType | None = UNSET
    outcome: Outcome | None = None


def derived(state: State) -> dict[str, Any]:
    """What can be expected of a position beyond its fields: counters by Region, unit types by place, the score."""
    units_at: dict[str, dict[str, int]] = {area: {} for area in state.board.areas}
    for unit in state.units.values():
        there = units_at[unit.at]
        there[unit.type] = there.get(unit.type, 0) + 1
    points = score(state)
    return {
        "city": {name: region.city for name, region in state.regions.items()},
        "farm": {name: region.farm for name, region in state.regions.items()},
        "units_at": units_at,
        "pp": state.tracks.pp,
        "score": points,
        "level": state.result.level if state.result is not None else level(state, points),
        "result": None if state.result is None else state.result.result,
    }


def result_of(doc: PositionDoc) -> Result | None:
    """How a game that is over ended, as the position says it."""
    if doc.outcome is None:
        return None
    if doc.result not in ("completed", "lost") or not isinstance(doc.level, str) or not isinstance(doc.breakdown, dict):
        return impossible("outcome", "a game that is over says its result, level and breakdown too")
    return Result(doc.result, doc.level, doc.breakdown)  # type: ignore[arg-type] # tested in the line above
