"""How well a seat stands: a guess for players that look ahead but not to the end."""

from math import tanh

from games.block_mania.scoring import dp
from games.block_mania.state import State

#: So many Defeat Points ahead of the best of the others are about as good as won.
LEAD = 40.0
#: What a blocker on the map is worth in Defeat Points: it will cost others some.
BLOCKER = 0.5


def evaluate(state: State, seat: int) -> float:
    """How likely the seat is to have the fewest Defeat Points, 0 to 1."""
    standing = [_standing(state, other) for other in range(state.seat_count)]
    lead = min(points for other, points in enumerate(standing) if other != seat) - standing[seat]
    return 0.5 + 0.5 * tanh(lead / LEAD)


def _standing(state: State, seat: int) -> float:
    blockers = sum(one.controller == seat for one in state.blockers.values())
    return dp(state, seat) - BLOCKER * blockers
