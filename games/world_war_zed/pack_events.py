"""Which Random Events a pack may have: what the effect language can do (specification, 2.3)."""

from games.content import expect
from games.world_war_zed.ops import FirstOf, Op, Place, PriorityTop, Remove, Selector
from games.world_war_zed.pack_parts import MILITARY, Pack

RULE = "WWZ-3-01"
FILTERS = {
    "pick_region": (None, "borders_mexico", "borders_canada", "has_farm"),
    "pick_city": (None, "no_riot"),
    "pick_area": ("buildable",),
}
#: What each selector can be used with.
PLACES = {
    "zed": ("table", "most_zeds", "region", "pick_region"),
    "refugee": ("table", "region", "pick_region"),
    "survivalist": ("table", "region", "pick_region"),
    "riot": ("pick_city",),
} | dict.fromkeys(MILITARY, ("pick_area",))
REMOVES = {
    "zed": ("table", "most_zeds", "region", "pick_region"),
    "farm": ("table", "region", "pick_region"),
    "city": ("table", "region", "pick_city"),
} | dict.fromkeys((*MILITARY, "refugee", "survivalist"), ("pick_unit",))


def check_events(pack: Pack) -> None:
    """Test the events.

    Raises:
        ContentError: a sentence that names the field and the rule.
    """
    ids = [event.id for event in pack.events]
    for index, event in enumerate(pack.events):
        field = f"events[{index}]"
        expect(ids.count(event.id) == 1, f"{field}.id", f"{event.id} is listed once", RULE)
        expect(bool(event.ops), f"{field}.ops", "an event does something, or says none", RULE)
        for number, op in enumerate(event.ops):
            _check_op(pack, op, f"{field}.ops[{number}]")


def _check_op(pack: Pack, op: Op, field: str) -> None:
    match op:
        case FirstOf(ops):
            expect(bool(ops), f"{field}.ops", "there is something to choose from", RULE)
            for number, inner in enumerate(ops):
                _check_op(pack, inner, f"{field}.ops[{number}]")
        case PriorityTop(kind, by_d6):
            expect((kind is None) != (by_d6 is None), field, "it has either kind or by_d6", RULE)
            expect(by_d6 is None or len(by_d6) == 6, f"{field}.by_d6", "a kind for each face", RULE)
        case Place(what, n, at, source):
            _check_selector(pack, at, PLACES[what], f"{field}.at")
            expect((what in MILITARY) == (source is not None), f"{field}.source", "Military has a source", "WWZ-1.2-08")
            single = what != "riot" or n == 1
            expect(single, f"{field}.n", "a City has one Riot", "WWZ-1.2-07")
        case Remove(what, n, at):
            _check_selector(pack, at, REMOVES[what], f"{field}.at")
            expect(what not in ("farm", "city") or n == 1, f"{field}.n", "a Region has one of it", "WWZ-1.1-04")


def _check_selector(pack: Pack, at: Selector, allowed: tuple[str, ...], field: str) -> None:
    expect(at.select in allowed, f"{field}.select", f"it is one of {', '.join(allowed)}", RULE)
    known = {region.id for region in pack.map.regions}
    named = at.region in known if at.select == "region" else at.region is None
    expect(named, f"{field}.region", "select region names a Region of the map, others none", RULE)
    expect(at.filter in FILTERS.get(at.select, (None,)), f"{field}.filter", f"not with {at.select}", RULE)
