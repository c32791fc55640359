"""Scenarios made whole: each is its base with the changes it lists (specification, H10)."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, structs

from games.world_war_zed.options import Options, StartTracks
from games.world_war_zed.pack_parts import MILITARY, Bound, Pack, Placed, RandomZeds, Scenario

#: The tracks and how far they go (WWZ-1.1-12 to WWZ-1.1-21).
TRACKS: Mapping[str, tuple[int, int]] = {
    "burst_min": (1, 6),
    "burst_max": (1, 6),
    "strength": (1, 3),
    "toughness": (1, 3),
    "research": (0, 6),
    "food": (0, 6),
    "pp": (0, 6),
    "air": (0, 6),
    "defcon": (1, 5),
}
NUCLEAR_MAX = 10  # WWZ-6.5-06


class Start(Struct, frozen=True):
    """A scenario with nothing left open. `pool` counts what is neither placed nor in the box, unless it says so."""

    id: str
    title: str
    tracks: StartTracks
    bounds: dict[str, tuple[int, int]]
    cities: tuple[str, ...]
    farms: tuple[str, ...]
    pool: dict[str, int]
    box: dict[str, int]
    place: tuple[Placed, ...]
    random_zeds: tuple[RandomZeds, ...]
    zeds: dict[str, int]
    forbid: tuple[str, ...]
    nuclear_limit: int
    boss: bool | str
    par_adjust: int
    skip_first_event: bool
    options: dict[str, Any]

    def ruled(self, options: Options) -> Options:
        """The options with what this scenario sets where the player has left the default."""
        default = Options()
        changes = {n: v for n, v in self.options.items() if getattr(options, n) == getattr(default, n)}
        return structs.replace(options, **changes) if changes else options


def resolve(pack: Pack, scenario: Scenario) -> Start:
    """The scenario laid over its base, and that over its own; a base is listed before what rests on it."""
    chain = [scenario]
    known = {other.id: other for other in pack.scenarios}
    while (base := chain[-1].base) is not None:
        chain.append(known[base])
    chain.reverse()
    box = dict.fromkeys(MILITARY, 0) | (_last(chain, "box") or {})
    place = _last(chain, "place") or ()
    return Start(
        id=scenario.id,
        title=scenario.title,
        tracks=StartTracks(**_merged(chain, "tracks")),
        bounds=_bounds(chain),
        cities=_last(chain, "cities") or (),
        farms=_last(chain, "farms") or (),
        pool=_pool(pack, box, place) | (_last(chain, "pool") or {}),
        box=box,
        place=place,
        random_zeds=_last(chain, "random_zeds") or (),
        zeds=_last(chain, "zeds") or {},
        forbid=_last(chain, "forbid") or (),
        nuclear_limit=NUCLEAR_MAX if (limit := _last(chain, "nuclear_limit")) is None else limit,
        boss=_last(chain, "boss") or False,
        par_adjust=_last(chain, "par_adjust") or 0,
        skip_first_event=_last(chain, "skip_first_event") is not False,
        options=_merged(chain, "options"),
    )


def counts(pack: Pack) -> dict[str, int]:
    """How many military counters of each type there are (WWZ-1.2-08)."""
    return {kind: getattr(pack.units, kind).count or 0 for kind in MILITARY}


def _last(chain: list[Scenario], field: str) -> Any:
    """What the last scenario of the chain that speaks of it says."""
    said = [getattr(scenario, field) for scenario in chain if getattr(scenario, field) is not None]
    return said[-1] if said else None


def _merged(chain: list[Scenario], field: str) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for scenario in chain:
        said |= {n: v for n, v in structs.asdict(getattr(scenario, field)).items() if v is not None}
    return said


def _bounds(chain: list[Scenario]) -> dict[str, tuple[int, int]]:
    bounds = dict(TRACKS)
    for scenario in chain:
        for name, bound in scenario.bounds.items():
            bounds[name] = _narrowed(bounds[name], bound)
    return bounds


def _narrowed(whole: tuple[int, int], bound: Bound) -> tuple[int, int]:
    low, high = whole
    return (low if bound.min is None else bound.min, high if bound.max is None else bound.max)


def _pool(pack: Pack, box: dict[str, int], place: tuple[Placed, ...]) -> dict[str, int]:
    left = {kind: count - box[kind] for kind, count in counts(pack).items()}
    for placed in place:
        if placed.what in left:
            left[placed.what] -= placed.n
    return left
