"""Who acts in a text of the effect language, and whom and where its words mean (specification, 2.7)."""

from msgspec import Struct

from games.kernel import Table
from games.portland_occupied_zone.language import Value
from games.portland_occupied_zone.modifiers import flagged
from games.portland_occupied_zone.ops.who import selected
from games.portland_occupied_zone.state import Bound, Space, State


class Acting(Struct, frozen=True):
    """Who acts, what has been picked, and whether a drug (its card) or food is at work."""

    me: str
    bound: Bound
    drug: str | None = None
    food: bool = False


def whom(table: Table[State], act: Acting, who: Value) -> list[str]:
    """The characters an op meets; at a party, food is shared with everybody near."""
    state = table.state
    met = selected(state, who, act.me, act.bound)
    if act.food and who == "self" and flagged(state, act.me, "party"):
        met += selected(state, "near", act.me, act.bound)
    return met


def place_of(table: Table[State], act: Acting, where: str) -> Space | None:
    """The space or cell that a place of the language means."""
    state = table.state
    if where == "here":
        return state.pcs[act.me].space
    if where in act.bound:
        return act.bound[where]
    if where in state.buildings:
        return where
    return next((name for name, thing in state.structures.items() if thing.type == where), None)
