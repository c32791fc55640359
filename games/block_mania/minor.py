"""Looting, arson, scrawling, fire fighting (specification, 4.14): who may, and who succeeds."""

from collections.abc import Iterator
from typing import Final

from games.block_mania.aiming import ready_refusal
from games.block_mania.predicates import functional, item, open_air, owner, place, sonic, type_of
from games.block_mania.refusals import Refusal
from games.block_mania.state import Blocker, State

#: What can be looted, and the pool that is drawn from (BM-LOOT-2).
LOOT: Final = {"armory": "armory", "hardware_store": "hardware", "bank": None}
SUCCESS: Final = 6
FIRE_CONTROL: Final = "F"


def skill(state: State, blocker: Blocker) -> int:
    """What it adds to the die: Strength, less 1 under a Sonic Cannon."""
    block = None if open_air(state, blocker.at) else owner(state, blocker.at)
    return type_of(state, blocker).strength - int(sonic(state, block))


def loot_refusal(state: State, seat: int, name: str) -> Refusal | None:
    """Why it may not loot (BM-LOOT-1)."""
    if (refused := ready_refusal(state, seat, name, "BM-LOOT-1")) is not None:
        return refused
    blocker = state.blockers[name]
    if loot_tag(state, blocker.at) is None:
        return ("BM-LOOT-1", "nothing_to_loot")
    if not functional(state, blocker.at):
        return ("BM-R25", "collapsed")
    if state.square(blocker.at).looted:
        return ("BM-LOOT-1", "looted_already")
    return _unwilling(state, blocker, "no_loot", "BM-LOOT-1")


def arson_refusal(state: State, seat: int, name: str) -> Refusal | None:
    """Why it may not commit arson (BM-ARS-1)."""
    if (refused := ready_refusal(state, seat, name, "BM-ARS-1")) is not None:
        return refused
    blocker = state.blockers[name]
    if open_air(state, blocker.at):
        return ("BM-R38", "cannot_burn")
    return _unwilling(state, blocker, "no_arson", "BM-ARS-1")


def scrawl_refusal(state: State, seat: int, name: str) -> Refusal | None:
    """Why it may not scrawl (BM-SCR-1)."""
    if (refused := ready_refusal(state, seat, name, "BM-SCR-1")) is not None:
        return refused
    blocker = state.blockers[name]
    if spray_of(state, blocker) is None:
        return ("BM-SCR-1", "no_spray_paint")
    return _unwilling(state, blocker, "no_equipment", "BM-SCR-1")


def firefight_refusal(state: State, seat: int, name: str, target: str) -> Refusal | None:
    """Why it may not fight the fire of a square (BM-FF-1)."""
    if (refused := ready_refusal(state, seat, name, "BM-FF-1")) is not None:
        return refused
    blocker = state.blockers[name]
    if FIRE_CONTROL not in place(state, blocker.at).features:
        return ("BM-FF-1", "no_fire_control")
    if not functional(state, blocker.at):
        return ("BM-R25", "collapsed")
    if (refused := _unwilling(state, blocker, "no_firefight", "BM-FF-1")) is not None:
        return refused
    if target not in state.map.squares or target not in state.map.eight[blocker.at]:
        return ("BM-FF-1", "not_next_to_it")
    if place(state, target).block != place(state, blocker.at).block or not state.square(target).fire:
        return ("BM-FF-1", "nothing_burns_there")
    return None


def firefights(state: State, seat: int) -> Iterator[tuple[str, str]]:
    """Who may fight which fire: blocker by blocker, square by square."""
    burning = {name for name, here in state.squares.items() if here.fire}
    if not burning:
        return
    for blocker in state.blockers.values():
        if blocker.at and FIRE_CONTROL in place(state, blocker.at).features:
            for target in state.map.eight[blocker.at]:
                if target in burning and firefight_refusal(state, seat, blocker.id, target) is None:
                    yield blocker.id, target


def loot_tag(state: State, square: str) -> str | None:
    """What of a square can be looted."""
    return next((tag for tag in LOOT if tag in place(state, square).tags), None)


def spray_of(state: State, blocker: Blocker) -> str | None:
    """The token with which a blocker scrawls."""
    return next((kind for kind in blocker.equipment if "scrawls" in item(state, kind).flags), None)


def _unwilling(state: State, blocker: Blocker, flag: str, rule: str) -> Refusal | None:
    """Kleggs only shoot and fight (BM-BLK-9); others have flags of their own."""
    flags = type_of(state, blocker).flags
    return (rule, "not_for_its_type") if flag in flags or "only_shoot_and_fight" in flags else None
