"""How well a seat stands: a guess between 0 and 1, for players that look ahead but not to the end."""

from games.portland_occupied_zone.leading import population
from games.portland_occupied_zone.state import State

CRAP_TOP = 30.0
POPULATION_TOP = 60.0
#: What the Tin Pot, crapulence and a living POZ are worth beside each other.
POT, CRAP, POZ = 0.45, 0.35, 0.2


def evaluate(state: State, seat: int) -> float:
    """The Dictator wins if the Commune stands: the token counts most, then strength, then what protects it."""
    if state.outcome is not None:
        return float(seat in state.outcome.winners)
    own = [pc for pc in state.pcs.values() if pc.seat == seat and pc.alive]
    if not own:
        return 0.0
    leads = state.lead is not None and state.pcs[state.lead.holder].seat == seat
    strength = max(pc.crap for pc in own) / CRAP_TOP
    return POT * leads + CRAP * strength + POZ * min(1.0, population(state) / POPULATION_TOP)
