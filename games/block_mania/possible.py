"""Where pieces can be, and which can be at all (specification, 3.3: "pieces where they cannot stand").

A table for each kind of piece: a field, whether it can be so, and the sentence that refuses it otherwise. What play can
bring about is possible, however unlikely: a walker may stand on a Pedway that runs again since the power is back.
"""

from collections.abc import Callable, Mapping
from typing import Final

from games.block_mania.minor import loot_tag
from games.block_mania.predicates import (
    can_fly,
    carry_limit,
    flying_now,
    functional,
    item,
    open_air,
    place,
    takes_damage,
    type_of,
)
from games.block_mania.state import EMPTY, Blocker, JusticeUnit, Square, State
from games.kernel.positions import impossible

#: What a way bears before it collapses, and what a tower square does: the die that comes next is at least 1 (4.9).
WAY_DAMAGE_MAX, DAMAGE_MAX, FIRES_MAX = 1, 5, 3
#: Ways that collapse or are cut: a Pedway, the Mega-Way, the Sky-Rail (BM-SD-2, BM-3CI-5).
WAYS: Final = frozenset({"pedway", "mega_way", "sky_rail"})

SquareTest = Callable[[State, str, Square], bool]
BlockerTest = Callable[[State, Blocker], bool]
UnitTest = Callable[[State, JusticeUnit], bool]


def check_pieces(state: State) -> None:
    """Test every square, blocker and Justice token of a state.

    Raises:
        PositionError: one cannot be where or as it is, with the field and a sentence.
    """
    for name, here in state.squares.items():
        _check_square(state, name, here)
    for number, blocker in enumerate(state.blockers.values()):
        for field, is_possible, sentence in BLOCKERS:
            if not is_possible(state, blocker):
                impossible(f"blockers[{number}].{field}", sentence)
    for number, unit in enumerate(state.units):
        for field, is_right, sentence in UNITS:
            if not is_right(state, unit):
                impossible(f"units[{number}].{field}", sentence)


def _check_square(state: State, name: str, here: Square) -> None:
    for marker, (can_lie, sentence) in SQUARES.items():
        if getattr(here, marker) != getattr(EMPTY, marker) and not can_lie(state, name, here):
            impossible(f"squares.{name}.{marker}", sentence)


def _burns(state: State, name: str, here: Square) -> bool:
    """In a standing tower, collapsed or not (BM-R39); more than three by an option alone (BM-ALT-4)."""
    return not open_air(state, name) and (here.fire <= FIRES_MAX or state.options.hotter_than_the_sun)


def _damaged(state: State, name: str, here: Square) -> bool:
    """Where damage is placed, and less than what makes the square collapse; a collapse takes it off (BM-COL-2)."""
    most = WAY_DAMAGE_MAX if open_air(state, name) else DAMAGE_MAX
    return takes_damage(state, name) and not here.collapsed and here.damage <= most


def _collapses(state: State, name: str, _: Square) -> bool:
    return not open_air(state, name) or bool(WAYS & place(state, name).tags)


def _is_severed(state: State, name: str, here: Square) -> bool:
    return here.collapsed and "pedway" in place(state, name).tags


def _is_looted(state: State, name: str, _: Square) -> bool:
    return functional(state, name) and loot_tag(state, name) is not None


def _has_car(state: State, name: str, _: Square) -> bool:
    return functional(state, name) and "station" in place(state, name).tags


def _infected(state: State, name: str, _: Square) -> bool:
    return not open_air(state, name)


def _dropped(state: State, _: str, here: Square) -> bool:
    """Face up bombs and mines; face down, with Mine Bluffing, anything, and mines always (BM-EQA-7, BM-ALT-3)."""
    bluffing = state.options.mine_bluffing
    for token in here.tokens:
        mine = item(state, token.token).drop == "mine"
        open_ = item(state, token.token).drop is not None and not (bluffing and mine)
        if not (bluffing if token.face_down else open_):
            return False
    return True


#: What lies in a square: where it can.
SQUARES: Final[Mapping[str, tuple[SquareTest, str]]] = {
    "fire": (_burns, "only squares of a standing tower burn, with at most 3 markers but by the option"),
    "damage": (_damaged, "not there, or so much that it had collapsed"),
    "collapsed": (_collapses, "only squares of a standing tower, Pedways, Mega-Ways and the Sky-Rail collapse"),
    "severed": (_is_severed, "only a collapsed Pedway is severed"),
    "looted": (_is_looted, "only Armories, Hardware Stores and Banks that stand are looted"),
    "cars": (_has_car, "cars stand in Stations that have not collapsed"),
    "virus": (_infected, "the virus lives in a standing tower"),
    "tokens": (_dropped, "face up lie bombs and mines alone, face down what Mine Bluffing lets drop"),
}


def _foothold(state: State, one: Blocker) -> bool:
    """In the air there are only flyers, and none with a heavy item (4.4.3, BM-FLY-4)."""
    return not one.at or not flying_now(state, one) or can_fly(state, one)


def _its_controller(state: State, one: Blocker) -> bool:
    """A Futsy has none, a Klegg may have changed sides (BM-BLK-12, -13)."""
    kind = type_of(state, one)
    if "any_may_activate" in kind.flags:
        return one.controller is None
    return one.controller is not None and (kind.supply == "common" or one.controller == one.seat)


def _within_limit(state: State, one: Blocker) -> bool:
    """No more than its Strength, unless its seat is asked what goes back (BM-EQA-2)."""
    asked = any(getattr(step, "blocker", None) == one.id and "keep_equipment" in step.menu for step in state.agenda)
    return asked or len(one.equipment) <= carry_limit(state, one)


def _flew_there(state: State, one: Blocker) -> bool:
    """A flight ends in the air, at a Window, in a Station or a Vehicle Park (BM-FLY-3)."""
    if not one.flew_in:
        return True
    here = place(state, one.at)
    return open_air(state, one.at) or here.cls == "window" or bool(here.tags & {"station", "vehicle_park"})


def _was_activated(_: State, one: Blocker) -> bool:
    busy = one.mp_left or one.movement_over or one.drew or one.must_leave or one.free_trail
    return one.activated_this_turn or not busy


def _on_the_map(state: State, one: Blocker) -> bool:
    return bool(one.at) or state.phase in ("setup_blockers", "over")


def _shows(state: State, one: Blocker) -> bool:
    return not one.shown or state.options.equipment_hidden


#: What a blocker is and has: the field, whether it can be so.
BLOCKERS: Final[tuple[tuple[str, BlockerTest, str], ...]] = (
    ("at", _on_the_map, "only in the set-up are there blockers that have not been placed"),
    ("at", _foothold, "it would fall: it cannot fly"),
    ("controller", _its_controller, "a Futsy has none, a Klegg any seat, all others the one that deployed them"),
    ("equipment", _within_limit, "it carries more than its Strength"),
    ("shown", _shows, "nothing is hidden in this game"),
    ("flew_in", _flew_there, "nobody flies into that square"),
    ("activated_this_turn", _was_activated, "what it has left, done or must do comes of an activation"),
)


def _parked(state: State, unit: JusticeUnit) -> bool:
    """Pat Wagons on plazas, the others in the Open Air (BM-1A-11 to -13)."""
    return open_air(state, unit.at) and (unit.kind != "pat_wagon" or "plaza" in place(state, unit.at).tags)


def _covers(state: State, unit: JusticeUnit) -> bool:
    """A Sonic Cannon covers a block next to it, the others none."""
    if unit.kind != "sonic_cannon" or unit.block is None:
        return unit.kind != "sonic_cannon" and unit.block is None
    near = {place(state, name).block for name in state.map.eight[unit.at]}
    return state.owners.index(unit.block) in near


def _alone(state: State, unit: JusticeUnit) -> bool:
    """One Sonic Cannon for each block."""
    same = [one for one in state.units if one.kind == unit.kind and one.block == unit.block]
    return unit.kind != "sonic_cannon" or len(same) == 1


def _is_named(state: State, unit: JusticeUnit) -> bool:
    return [one.id for one in state.units].count(unit.id) == 1


#: Where Justice tokens are: the field, whether it can be so.
UNITS: Final[tuple[tuple[str, UnitTest, str], ...]] = (
    ("id", _is_named, "each has an id of its own"),
    ("at", _parked, "Pat Wagons stand on plazas, the others in the Open Air"),
    ("block", _covers, "a Sonic Cannon covers a block next to it, no other token has one"),
    ("block", _alone, "a block has one Sonic Cannon at most"),
)
