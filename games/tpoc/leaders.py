"""The leader procedure: a leader was drawn or kept, so who shows most of its colour? (specification, 4.6)."""

from typing import Literal

from msgspec import Struct

from games.tpoc.state import State


class Ruling(Struct, frozen=True):
    """What a drawn leader does: `seat` gains it (endorsed, moved) or has it (stayed, left); `loser` loses it."""

    what: Literal["endorsed", "abstained", "stayed", "moved", "left"]
    seat: int | None = None
    loser: int | None = None


def rule(state: State, colour: str) -> Ruling:
    """Judge a drawn leader of `colour` by the face-up cards as they lie now (TPOC-R11, TPOC-R23)."""
    shown = [seat.shows(colour) for seat in state.seats]
    top = [seat for seat, count in enumerate(shown) if count == max(shown)]
    holder = state.holder(colour)
    if holder is None:
        return Ruling("endorsed", top[0]) if len(top) == 1 else Ruling("abstained")  # TPOC-4.2.L1, TPOC-4.2.L2
    if top == [holder]:
        return Ruling("stayed", holder)  # TPOC-4.2.L7
    if len(top) == 1:
        return Ruling("moved", top[0], holder)  # TPOC-4.2.L8
    if holder in top and state.options.tied_owner_keeps_leader:
        return Ruling("stayed", holder)  # TPOC-R20
    return Ruling("left", loser=holder)  # TPOC-4.2.L10
