"""How well a seat stands: a guess at the votes it will have, for players that look ahead but not to the end.

Every villager on the board, and every one that may still be drawn, is shared out among the seats by their cards of its
two colours (TPOC-6.1, TPOC-6.2); a leader is a vote (TPOC-4.2.L4). It looks at the state as it is given: who must not
know hidden cards gives it a resampled one.
"""

from collections import Counter
from math import exp

from games.tpoc.codes import COLOURS, VILLAGERS
from games.tpoc.state import Seat, State

_KINDS = tuple((tile, *tile.split("/")) for tile in VILLAGERS)

#: A card in hand may come to lie before its owner, or be paid for something else.
HAND_CARD = 0.4
#: How surely most cards win a villager: in the play there are turns left to change it, in the election none.
SURE_IN_PLAY, SURE_IN_ELECTION = 5, 20
#: So many votes ahead make the odds e to 1.
VOTES_AHEAD = 2.0


def evaluate(state: State, seat: int) -> float:
    """The chance of `seat` to become chief, roughly: 0 to 1, all seats together 1."""
    if seat in state.resigned:
        return 0.0
    votes = expected_votes(state)
    staying = [votes[other] for other in range(state.seat_count) if other not in state.resigned]
    return exp(votes[seat] / VOTES_AHEAD) / sum(exp(other / VOTES_AHEAD) for other in staying)


def expected_votes(state: State) -> list[float]:
    """The votes that each seat may expect: what it has, and its share of every villager still to be counted."""
    play = state.phase in ("setup", "play")
    sure = SURE_IN_PLAY if play else SURE_IN_ELECTION
    strengths = [_strength(seat, HAND_CARD if play else 0.0) for seat in state.seats]
    votes = [float(seat.votes) for seat in state.seats]
    coming = _coming(state) if play else 0.0
    ballot = Counter(state.ballot)
    for tile, dominant, secondary in _KINDS:
        count = state.board.get(tile, 0) + ballot[tile] + (tile == state.current) + coming
        if count:
            powers = [_power(strength[dominant], strength[secondary], sure) for strength in strengths]
            if whole := sum(powers):
                votes = [had + count * power / whole for had, power in zip(votes, powers, strict=True)]
    return votes


def _strength(seat: Seat, hand_card: float) -> dict[str, float]:
    return {colour: seat.counts(colour) + hand_card * seat.hand.get(colour, 0) for colour in COLOURS}


def _power(dominant: float, secondary: float, sure: int) -> float:
    """Without either colour a seat wins nothing (TPOC-6.3); with less than a card of it, the less likely."""
    if not dominant or not secondary:
        return 0.0
    power: float = (dominant + secondary) ** sure
    if dominant < 1:
        power *= dominant
    return power * secondary if secondary < 1 else power


def _coming(state: State) -> float:
    """How many more villagers of each kind to expect: at most a tile is drawn with each card of the deck."""
    pack = state.content()
    share = sum(kind.count for kind in pack.villagers) / sum(pack.tiles.values())
    return min(len(state.deck), len(state.bag)) * share / len(VILLAGERS)
