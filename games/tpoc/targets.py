"""Whom an accusation may hit (specification, 4.5; TPOC-4.1.8, TPOC-4.1.9, TPOC-R13)."""

from games.tpoc.state import State


def targets(state: State, seat: int, colour: str) -> tuple[int, ...]:
    """The seats that `seat` may accuse with `colour`, in seat order: none, one or two.

    To the left and to the right, the first other seat that shows the colour; secret cards do not count.
    """
    count = state.seat_count
    found = set()
    for direction in (1, -1):
        for distance in range(1, count):
            rival = (seat + direction * distance) % count
            if state.seats[rival].shows(colour):
                found.add(rival)
                break
    return tuple(sorted(found))
