"""When a seat has no legal main action (TPOC-R29), told apart into what all can see and what only its hand shows."""

from games.tpoc.codes import dominant_of, total
from games.tpoc.state import State


def is_stuck(state: State, seat: int) -> bool:
    """Whether no main action is legal: the open half holds and the whole hand is of the platform's one colour."""
    colour = lone_colour(state, seat)
    return colour is not None and set(state.seats[seat].hand) == {colour} and table_offers_nothing(state, colour)


def lone_colour(state: State, seat: int) -> str | None:
    """The colour of a full platform of one colour beside a full hand and a played secret: what all see of a seat."""
    me, limits = state.seats[seat], state.content().limits
    if not (me.secret_played and len(me.platform) == 1):
        return None
    full = total(me.hand) >= limits.hand and total(me.platform) >= limits.platform
    return next(iter(me.platform)) if full else None


def table_offers_nothing(state: State, colour: str) -> bool:
    """Whether board, pot and bag allow no action 3, 4, or 5 with a card of `colour`: what all see of the table."""
    can_pot = bool(state.board) and total(state.pot) < state.seat_count
    can_lunch = bool(state.pot) and bool(state.bag)
    can_rescue = any(dominant_of(tile) == colour for tile in state.pot)
    return not (can_pot or can_lunch or can_rescue)
