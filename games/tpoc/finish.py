"""Who becomes chief, and how the seats rank (specification, 4.10)."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from games.tpoc.effects import GameEnded
from games.tpoc.state import State


def best_by_votes(state: State) -> tuple[list[int], str]:
    """The seats with most votes, of these the ones with most leaders; and which of the two told (TPOC-6.7, TPOC-6.8).

    Resigned seats are in no group (4.14).
    """
    group = _most(_staying(state), [seat.votes for seat in state.seats])
    if len(group) == 1:
        return group, "votes"
    return _most(group, [len(seat.leaders) for seat in state.seats]), "leaders"


def game_ended(state: State, winners: Iterable[int], how: str) -> GameEnded:
    """The end of the game, with all that is known of it."""
    first = tuple(winners)
    votes = tuple(seat.votes for seat in state.seats)
    leaders = tuple(len(seat.leaders) for seat in state.seats)
    return GameEnded(votes, leaders, _ranking(state, first), first, how)


def _ranking(state: State, winners: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The winners, then the others by votes and leaders, at last those that have resigned; equal ones share a place."""

    def merit(seat: int) -> tuple[int, int]:
        return -state.seats[seat].votes, -len(state.seats[seat].leaders)

    others = sorted((seat for seat in _staying(state) if seat not in winners), key=merit)
    groups = [winners, *(tuple(group) for _, group in groupby(others, key=merit)), tuple(sorted(state.resigned))]
    return tuple(group for group in groups if group)


def _staying(state: State) -> list[int]:
    return [seat for seat in range(state.seat_count) if seat not in state.resigned]


def _most(seats: Sequence[int], counts: Sequence[int]) -> list[int]:
    most = max(counts[seat] for seat in seats)
    return [seat for seat in seats if counts[seat] == most]
