"""Whom an accusation may hit (specification, 4.5; TPOC-4.1.8, TPOC-4.1.9, TPOC-R13)."""

from games.tpoc.state import State


def targets(state: State, seat: int, colour: str) -> tuple[int, ...]:
    """The seats that `seat` may accuse with `colour`, in seat order: none, one or two.

    To the left and to the right, the first other seat that shows the colour; secret cards do not count.
    """
    to_the_left = (*range(seat + 1, state.seat_count), *range(seat))
    shows = [rival for rival in to_the_left if state.seats[rival].shows(colour)]
    return tuple(sorted({shows[0], shows[-1]})) if shows else ()
