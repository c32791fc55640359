"""How well a seat stands, as a guess from 0 to 1: what `bot:search` looks ahead with."""

from games.host_tournament.state import State, other
from games.host_tournament.values import rated

#: What an active personnel, a card in hand and a card of the deck are worth in points.
PERSON, CARD, DECK = 1.5, 0.4, 0.05
SCALE = 60  # so many points ahead are as good as won


def evaluate(state: State, seat: int) -> float:
    """The lead in points and in what makes points."""
    lead = (_worth(state, seat) - _worth(state, other(seat))) / SCALE
    return min(1.0, max(0.0, 0.5 + lead / 2))


def _worth(state: State, seat: int) -> float:
    owner = state.seats[seat]
    people = state.look.field(seat, active=True)
    stats = sum(rated(state, name, "playing") + rated(state, name, "drinking") for name in people)
    return owner.score + PERSON * len(people) + stats / 20 + CARD * min(7, len(owner.hand)) + DECK * len(owner.deck)
