"""How well the player stands: a guess at the final score, for players that look ahead but not to the end.

Few Zeds can be wiped out, which ends the game with its bonus; many will go on taking what scores. Hand-made: the
weights are what games by the search won most with.
"""

from math import exp

from games.world_war_zed.fighting import toughness
from games.world_war_zed.places import supply_and_demand
from games.world_war_zed.scoring import breakdown
from games.world_war_zed.state import TURNS, State

#: A score of so many points counts as 1.
TOP_SCORE = 75.0
#: So many Zeds beyond what can be killed soon make the hope to wipe them out e times smaller.
HOPE = 9.0
#: Points lost in each Turn that Zeds are left.
LOSS = 2.0
DIE = 3.5
#: How much of a unit's dice counts: beside Zeds in the open, elsewhere beside or around them, far away.
READY, NEAR, FAR = 1.0, 0.5, 0.25
SHORTAGE = 0.5
RESEARCH, FOOD, AIR, FORT = 0.4, 0.3, 0.5, 0.3
DEFCON = (0.0, 2.0, 2.5, 3.0, 1.5, 0.0)


def evaluate(state: State, seat: int) -> float:  # noqa: ARG001 there is one seat
    """The score to be expected, on a scale of 0 to 1."""
    lost = state.result is not None and state.result.result == "lost"
    points = float(sum(breakdown(state, lost=lost).values()))
    if state.outcome is None:
        points += _prospects(state)
    return max(0.0, min(1.0, points / TOP_SCORE))


def _prospects(state: State) -> float:
    """What the rest of the game will add or cost."""
    left = TURNS - state.turn + (state.phase != "player")
    zeds = state.zeds()
    power, forts = _power(state), FORT * len(state.forts)
    hope = exp(-max(0.0, zeds + state.tracks.burst_max - power) / HOPE) if left else 0.0
    supply, demand = supply_and_demand(state)
    tracks = state.tracks
    means = RESEARCH * tracks.research + FOOD * tracks.food + AIR * tracks.air + DEFCON[tracks.defcon] + forts
    strength = tracks.strength + tracks.toughness + (tracks.burst_min + tracks.burst_max) / 2
    future = hope * left - (1 - hope) * LOSS * left
    return future + left / TURNS * (means - SHORTAGE * max(0, demand - supply) - strength)


def _power(state: State) -> float:
    """How many Zeds the units on the map may kill in the next Turns."""
    power = 0.0
    for unit in state.units.values():
        strength = state.board.strength.get(unit.type)
        if strength is None:
            continue
        region, _, kind = unit.at.partition(".")
        beside = region in state.regions and state.regions[region].zeds > 0
        if beside:
            dice = 2 if strength > toughness(state, region) else 1
            power += dice * DIE * (READY if kind == "open" else NEAR)
        elif unit.type != "survivalist":
            power += (2 if strength > state.tracks.toughness else 1) * DIE * FAR
    return power
