"""The options of a game (specification, 4.11); each picks a reading of the rulebook, or where a track starts."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from games.world_war_zed.ops import AreaKind

Count = Annotated[int, Meta(ge=0)]
OneToThree = Annotated[int, Meta(ge=1, le=3)]
OneToSix = Annotated[int, Meta(ge=1, le=6)]
ZeroToSix = Annotated[int, Meta(ge=0, le=6)]


class CounterLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """How many counters of a kind there are (WWZ-R37); at the limit no more are placed. None: no limit."""

    zeds: Annotated[int, Meta(ge=10)] | None = None
    refugees: Count | None = None
    survivalists: Count | None = None
    riots: Count | None = None
    forts: Count | None = None


class StartTracks(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where tracks start; None: as the scenario says. `priority` has the three kinds, the first one first."""

    burst_min: OneToSix | None = None
    burst_max: OneToSix | None = None
    strength: OneToThree | None = None
    toughness: OneToThree | None = None
    priority: tuple[AreaKind, AreaKind, AreaKind] | None = None
    research: ZeroToSix | None = None
    food: ZeroToSix | None = None
    pp: ZeroToSix | None = None
    air: ZeroToSix | None = None
    defcon: Annotated[int, Meta(ge=1, le=5)] | None = None
    turn: Annotated[int, Meta(ge=1, le=10)] | None = None


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game; `scenario` is one of the pack's."""

    scenario: str = "basic"
    unmatched_roll: Literal["reroll", "halt"] = "reroll"
    arrival_attack: Literal["moving_group", "all_in_region"] = "moving_group"
    riot_counting: Literal["additional", "total"] = "additional"
    riot_relief: Literal["shortage_only", "every_turn"] = "shortage_only"
    dz_crossing: Literal["direct", "stop_in_dz"] = "direct"
    zed_boss: Literal["off", "on"] = "off"
    counter_limits: CounterLimits | None = None
    start: StartTracks = StartTracks()


class Rulings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a scenario sets of the options where the player has left them as they are; None: nothing."""

    unmatched_roll: Literal["reroll", "halt"] | None = None
    arrival_attack: Literal["moving_group", "all_in_region"] | None = None
    riot_counting: Literal["additional", "total"] | None = None
    riot_relief: Literal["shortage_only", "every_turn"] | None = None
    dz_crossing: Literal["direct", "stop_in_dz"] | None = None
    zed_boss: Literal["off", "on"] | None = None
