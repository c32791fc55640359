"""The effect language of Random Events (specification, 2.3): what a pack may say, as data; `events/` obeys it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

EventTrack = Literal["burst_min", "burst_max", "strength", "toughness", "research", "food", "air", "defcon"]
AreaKind = Literal["city", "farm", "open"]
Military = Literal["ng", "army", "marines"]
UnitType = Literal["ng", "army", "marines", "refugee", "survivalist"]
Filter = Literal["borders_mexico", "borders_canada", "has_farm", "no_riot", "buildable"]
#: A number, or the die that gives it.
Amount = Annotated[int, Meta(ge=1)] | Literal["d3", "d6", "d6z"]


class Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a pack; what it does not know is a misspelling."""


class Selector(Part, frozen=True):
    """Where an op works: `region` names one (select: region), `filter` narrows what may be picked."""

    select: Literal["table", "most_zeds", "region", "pick_region", "pick_city", "pick_area", "pick_unit"]
    region: str | None = None
    filter: Filter | None = None


class _Op(Part, frozen=True, tag_field="op"):
    """One op of an event."""


class TrackOp(_Op, frozen=True, tag="track"):
    """Move a track by `delta` and clamp it (WWZ-R39); DEFCON -1 is toward 1."""

    name: EventTrack
    delta: int


class PriorityTop(_Op, frozen=True, tag="priority_top"):
    """`kind` becomes the first Attack Priority; or a D6 chooses among the six of `by_d6`."""

    kind: AreaKind | None = None
    by_d6: tuple[AreaKind, ...] | None = None


class TurnMod(_Op, frozen=True, tag="turn_mod"):
    """Something that holds until the end of this Turn; `n` for zed1_extra and pp."""

    mod: Literal["zed1_extra", "zed1_use_min", "skip_zed2", "pp"]
    n: int = 1


class Place(_Op, frozen=True, tag="place"):
    """Put counters on the map; Military comes `source` pool or box."""

    what: Literal["zed", "riot"] | UnitType
    n: Amount
    at: Selector
    source: Literal["pool", "box"] | None = None


class Remove(_Op, frozen=True, tag="remove"):
    """Take counters off the map, as many as are there."""

    what: Literal["zed", "farm", "city"] | UnitType
    n: Amount
    at: Selector


class Recover(_Op, frozen=True, tag="recover"):
    """Military counters of a type that the player chooses go from the Removed Military box to the pool."""

    n: Annotated[int, Meta(ge=1)]


class FreeMove(_Op, frozen=True, tag="free_move"):
    """One free move, which may be declined."""

    n: Literal[1]


class Nothing(_Op, frozen=True, tag="none"):
    """Nothing happens."""


SimpleOp = TrackOp | PriorityTop | TurnMod | Place | Remove | Recover | FreeMove | Nothing


class FirstOf(_Op, frozen=True, tag="first_of"):
    """The first of these ops that would change something."""

    ops: tuple[SimpleOp, ...]


Op = SimpleOp | FirstOf
