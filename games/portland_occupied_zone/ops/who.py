"""Selectors: whom an op meets (specification, 2.7), in turn order from the active character on."""

from games.portland_occupied_zone.language import Call, Value
from games.portland_occupied_zone.leading import leader
from games.portland_occupied_zone.modifiers import TYPE_OF, is_type
from games.portland_occupied_zone.places import cells_of, is_building, near
from games.portland_occupied_zone.state import Bound, State


def selected(state: State, who: Value, me: str, bound: Bound) -> list[str]:
    """The characters that a selector means; `me` is the user, or the Leader's character."""
    if isinstance(who, Call):
        return [pc for pc in state.living() if _fits(state, pc, who)]
    match who:
        case "self":
            return [me]
        case "leader":
            return [leader(state)]
        case "target":
            target = bound.get("target")
            return [target] if isinstance(target, str) and target in state.pcs else []
        case _:
            return _group(state, str(who), me)


def _group(state: State, who: str, me: str) -> list[str]:
    living = state.living()
    match who:
        case "others":
            return [pc for pc in living if pc != me]
        case "awake":
            return [pc for pc in living if state.pcs[pc].awake]
        case "top" | "bottom":
            best = (max if who == "top" else min)((state.pcs[pc].crap for pc in living), default=0)
            return [pc for pc in living if state.pcs[pc].crap == best]
        case "outdoors":
            return [pc for pc in living if outdoors(state, pc)]
        case "near":
            here = state.pcs[me].space
            return [pc for pc in living if pc != me and near(state, here, state.pcs[pc].space)]
        case _:
            return living


def outdoors(state: State, pc: str) -> bool:
    """Whether a character is neither in a standing building nor in jail."""
    who = state.pcs[pc]
    return who.status != "jailed" and not is_building(state, who.space)


def _fits(state: State, pc: str, who: Call) -> bool:
    where, space = who.word(0), state.pcs[pc].space
    if who.name == "holding":
        return any(is_type(state, card, TYPE_OF[where]) for card in state.pcs[pc].hand)
    if who.name == "on":
        return not state.board.streets[where].isdisjoint(cells_of(state, space))
    if not isinstance(space, str):
        return False
    return space == where or (space in state.structures and state.structures[space].type == where)
