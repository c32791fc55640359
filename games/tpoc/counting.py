"""Deciding the vote of one villager (specification, 4.9)."""

from collections.abc import Sequence
from operator import add
from typing import Literal

from msgspec import Struct

from games.tpoc.state import State


class Vote(Struct, frozen=True):
    """How a villager votes. Either `winner` has it (`why`: most, dominant), or nobody (none_eligible, tied), or
    `breaker`, who holds the leader of its dominant colour, must choose among `tied` (leader).
    """  # noqa: D205 one sentence

    why: Literal["most", "leader", "dominant", "none_eligible", "tied"]
    totals: tuple[int, ...]
    winner: int | None = None
    breaker: int | None = None
    tied: tuple[int, ...] = ()


def vote(state: State, tile: str, candidates: Sequence[int]) -> Vote:
    """Count the platforms, secrets included, for a villager. `totals` are of all seats, candidates or not."""
    dominant, secondary = tile.split("/")
    dominants = [seat.counts(dominant) for seat in state.seats]
    secondaries = [seat.counts(secondary) for seat in state.seats]
    totals = tuple(map(add, dominants, secondaries))
    if state.options.both_colours == "void":  # TPOC-R32 (b): the best of all, if they have both colours
        candidates = _best(candidates, totals)
    eligible = [seat for seat in candidates if dominants[seat] and secondaries[seat]]
    if not eligible:
        return Vote("none_eligible", totals)  # TPOC-6.3
    top = _best(eligible, totals)
    if len(top) == 1:
        return Vote("most", totals, winner=top[0])  # TPOC-6.2
    holder = state.holder(dominant)
    if holder is not None and holder not in state.resigned:
        return Vote("leader", totals, breaker=holder, tied=tuple(top))  # TPOC-6.4
    first = _best(top, dominants)
    if len(first) == 1:
        return Vote("dominant", totals, winner=first[0])  # TPOC-6.5
    return Vote("tied", totals)  # TPOC-6.6


def candidates(state: State) -> list[int]:
    """Who may win a villager now: all seats, in sudden death the contenders (TPOC-R37)."""
    return list(state.contenders) if state.phase == "sudden_death" else list(range(state.seat_count))


def _best(seats: Sequence[int], counts: Sequence[int]) -> list[int]:
    most = max((counts[seat] for seat in seats), default=0)
    return [seat for seat in seats if counts[seat] == most]
