"""How well a seat stands: a guess for players that look ahead but not to the end."""

from math import tanh

from games.block_mania.predicates import block_of
from games.block_mania.scoring import CATASTROPHE, dp
from games.block_mania.state import State

#: A lead counts twice: single Defeat Points, so that every shot matters, and blocks that fall.
SHOT, FALL = 3.0, 80.0
#: In Defeat Points: a Fire marker or damage will grow.
FIRE, DAMAGE = 1.5, 0.7
#: From so many collapsed squares on a block is in danger, at so many it is as good as gone (BM-4C-1).
SAFE, LOST = 3, 18


def evaluate(state: State, seat: int) -> float:
    """How likely the seat is to have the fewest Defeat Points, 0 to 1."""
    standing = [_standing(state, other) for other in range(state.seat_count)]
    lead = min(points for other, points in enumerate(standing) if other != seat) - standing[seat]
    return 0.5 + 0.25 * tanh(lead / SHOT) + 0.25 * tanh(lead / FALL)


def _standing(state: State, seat: int) -> float:
    """The Defeat Points that a seat has, and those to be expected."""
    points = float(dp(state, seat))
    if state.seats[seat].collapsed or not state.seats[seat].board:
        return points
    block, squares = block_of(state, seat), state.map.squares
    mine = [here for name, here in state.squares.items() if squares[name].block == block]
    fallen = sum(here.collapsed for here in mine)
    danger = min(1.0, max(0, fallen - SAFE) / (LOST - SAFE))
    return points + CATASTROPHE * danger + sum(FIRE * here.fire + DAMAGE * here.damage for here in mine)
