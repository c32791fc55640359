"""How well a seat stands: a guess between 0 and 1, for players that look ahead but not to the end."""

from games.portland_occupied_zone.leading import population
from games.portland_occupied_zone.places import distance
from games.portland_occupied_zone.state import Pc, Space, State

CRAP_TOP = 30.0
POPULATION_TOP = 60.0
#: From corner to corner of the map.
FAR = 38.0
#: What the token, health, crapulence and a living POZ are worth beside each other.
TOKEN, HEALTH, CRAP, POZ = 0.5, 0.35, 0.1, 0.05
#: Of the token, for who stands where it can be had; a character that is down has so much of its health.
WITHIN_REACH, DOWN = 0.4, 0.5


def evaluate(state: State, seat: int) -> float:
    """The Dictator wins if the Commune stands: the token counts most, or the way to it, then to stay alive."""
    if state.outcome is not None:
        return float(seat in state.outcome.winners)
    own = {name: pc for name, pc in state.pcs.items() if pc.seat == seat and pc.alive}
    if not own:
        return 0.0
    slots = state.board.characters
    health = sum((1 if pc.awake else DOWN) * (1 - pc.injuries / slots[name].injuries) for name, pc in own.items())
    strength = max(pc.crap for pc in own.values()) / CRAP_TOP
    return (
        TOKEN * _token(state, seat, list(own.values()))
        + HEALTH * health / state.options.counts(state.seats)[seat]
        + CRAP * strength
        + POZ * min(1.0, population(state) / POPULATION_TOP)
    )


def _token(state: State, seat: int, own: list[Pc]) -> float:
    """1 for who holds it; else the nearer to where it can be had, the more."""
    if state.lead is None:
        return 0.0
    holder = state.pcs[state.lead.holder]
    if holder.seat == seat and holder.alive:
        return 1.0
    there = holder.space if state.battle else _pulpit(state)
    ways = [distance(state, pc.space, there) for pc in own if pc.awake and there is not None]
    return WITHIN_REACH * max((1 - way / FAR for way in ways), default=0.0)


def _pulpit(state: State) -> Space | None:
    return next((name for name, thing in state.structures.items() if thing.type == "pulpit"), None)
