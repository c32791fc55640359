"""Doing an op: the dice in the order of H6, then the facts; after each op the game may be over (4.9)."""

from games.kernel import Effect, Table
from games.world_war_zed.drawing import draw_region
from games.world_war_zed.effects import (
    AreaRemoved,
    EffectApplied,
    EffectSkipped,
    FortRemoved,
    PriorityChanged,
    RiotPlaced,
    TrackChanged,
    TurnModified,
    UnitMoved,
    UnitPlaced,
    UnitRecovered,
    UnitRemoved,
    ZedsPlaced,
    ZedsRemoved,
)
from games.world_war_zed.events.candidates import clamped
from games.world_war_zed.fighting import boss_alone
from games.world_war_zed.ops import Amount, Place, PriorityTop, Recover, Remove, Selector, SimpleOp, TrackOp, TurnMod
from games.world_war_zed.pieces import next_ids
from games.world_war_zed.places import most_zeds, room, units_at
from games.world_war_zed.scoring import finished
from games.world_war_zed.state import State, d3


def do(table: Table[State], op: SimpleOp) -> None:
    """An op for which nothing is to be chosen, or whose place dice or the pack name."""
    state = table.state
    match op:
        case TrackOp(name, delta):
            now = getattr(state.tracks, name)
            table.emit(EffectApplied("track", name), TrackChanged(name, now, clamped(state, name, delta), "event"))
        case PriorityTop():
            _priority(table, op)
        case TurnMod(mod, n):
            before = getattr(state.turn_mods, mod)
            value = 1 if isinstance(before, bool) else before + n
            table.emit(EffectApplied("turn_mod", mod), TurnModified(mod, value))
        case Place(_, _, at, _) | Remove(_, _, at):
            do_at(table, op, _selected(table, at))
            return
    finished(table)


def do_at(table: Table[State], op: SimpleOp, target: str) -> None:
    """An op at a place, unit or type; then the end of the game is looked for."""
    match op:
        case Place():
            _place(table, op, target)
        case Remove():
            _remove(table, op, target)
        case Recover(n):
            table.emit(EffectApplied("recover", target))
            table.emit(*(UnitRecovered(target) for _ in range(min(n, table.state.box[target]))))
    finished(table)


def _selected(table: Table[State], at: Selector) -> str:
    if at.region is not None:
        return at.region
    if at.select == "table":
        return draw_region(table)
    return table.pick("most_zeds", most_zeds(table.state))


def _priority(table: Table[State], op: PriorityTop) -> None:
    old = table.state.tracks.priority
    die = table.roll("priority", 6) if op.by_d6 is not None else None
    top = op.by_d6[die - 1] if op.by_d6 is not None and die is not None else op.kind
    assert top is not None
    new = (top, *(kind for kind in old if kind != top))
    table.emit(EffectApplied("priority_top", top), PriorityChanged(old, new, die))


def _amount(table: Table[State], n: Amount) -> tuple[int, int | None]:
    """The number, and the die that gave it."""
    if isinstance(n, int):
        return n, None
    die = table.roll(n, 6)
    return {"d3": d3(die), "d6": die, "d6z": table.state.d6z(die)}[n], die


def _place(table: Table[State], op: Place, target: str) -> None:
    state, what = table.state, op.what
    if what in ("refugee", "survivalist") and state.regions[target].nukes:
        table.emit(EffectSkipped("place", "nuked"))
        return
    n, die = _amount(table, op.n)
    table.emit(EffectApplied("place", what, target))
    if what == "zed":
        table.emit(ZedsPlaced(target, room(state, "zeds", n), "event", die))
    elif what == "riot":
        table.emit(RiotPlaced(target, op.at.select != "pick_city", 0))
        _drop_fort(table, f"{target}.city")
    else:
        _place_units(table, op, n, target)


def _place_units(table: Table[State], op: Place, n: int, target: str) -> None:
    state, kind = table.state, op.what
    if op.source is not None:
        n = min(n, (state.pool if op.source == "pool" else state.box)[kind])
    else:
        n = room(state, f"{kind}s", n)
        target = f"{target}.open"
    table.emit(*(UnitPlaced(unit, kind, target, op.source) for unit in next_ids(state, kind, n)))


def _remove(table: Table[State], op: Remove, target: str) -> None:
    state, what = table.state, op.what
    if what in ("farm", "city"):
        _remove_area(table, target, what)
        return
    n, die = _amount(table, op.n)
    if what == "zed":
        here = state.regions[target].zeds
        table.emit(EffectApplied("remove", what, target), ZedsRemoved(target, min(n, here), "event", die))
        boss_alone(table)  # WWZ-ZB-06
        return
    named = state.units[target]
    alike = [name for name, unit in units_at(state, named.at) if unit == named]
    table.emit(EffectApplied("remove", what, named.at))
    table.emit(*(UnitRemoved(unit) for unit in alike[:n]))


def _remove_area(table: Table[State], region: str, kind: str) -> None:
    """The counter goes; who was there goes to the Open Area, a Fort is lost (WWZ-R36)."""
    state, area = table.state, f"{region}.{kind}"
    here = state.regions[region]
    if not (here.farm if kind == "farm" else here.city):
        table.emit(EffectSkipped("remove", "nothing_there"))
        return
    moved: list[Effect] = [UnitMoved(name, area, f"{region}.open") for name, _ in units_at(state, area)]
    table.emit(EffectApplied("remove", kind, area), AreaRemoved(area), *moved)
    _drop_fort(table, area)


def _drop_fort(table: Table[State], place: str) -> None:
    if place in table.state.forts:
        table.emit(FortRemoved(place))
