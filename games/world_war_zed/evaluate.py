"""How well the player stands: a guess at the final score, for players that look ahead but not to the end.

Few Zeds can be wiped out, which ends the game with its bonus; many go on taking what scores, the more the more Turns
are left. The weights are a least-squares fit of what was still won or lost in some 900 games of simple rules of thumb
with chance mixed in; it explains under half of it, the rest is dice and play.
"""

from math import exp

from games.world_war_zed.fighting import toughness
from games.world_war_zed.scoring import breakdown
from games.world_war_zed.state import TURNS, State

#: A score of so many points counts as 1.
TOP_SCORE = 75.0
#: So many Zeds more make the hope to wipe them all out e times smaller.
HOPE_ZEDS = 12.0
DIE = 3.5
#: Points for the hope; now, and for each game's length that is left (as all `_LEFT`).
HOPE, HOPE_LEFT = 2.0, 16.0
#: Points for each Region with Zeds (clean, it would count already), and for each Zed that a unit beside it may kill.
INFESTED, INFESTED_LEFT = 0.6, -1.3
SOON, SOON_LEFT = 0.07, 0.12
CITY_LEFT = -1.9
BIOCHEM_LEFT, RESEARCH_LEFT, FOOD_LEFT = 7.3, 0.5, 0.3
TOUGHNESS_LEFT, BURST_LEFT = -0.7, -0.5
PP = 0.4
#: By DEFCON: at 5 nothing can be built, at 4 little, at 3 everything but the last strikes.
DEFCON_LEFT = (0.0, -2.4, -2.4, 0.0, -2.9, -5.4)
REST_LEFT = 6.0


def evaluate(state: State, seat: int) -> float:  # noqa: ARG001 there is one seat
    """The score to be expected, on a scale of 0 to 1."""
    lost = state.result is not None and state.result.result == "lost"
    points = float(sum(breakdown(state, lost=lost).values()))
    if state.outcome is None:
        points += _coming(state)
    return max(0.0, min(1.0, points / TOP_SCORE))


def _coming(state: State) -> float:
    """What the rest of the game will add or cost."""
    tracks, regions = state.tracks, state.regions.values()
    left = (TURNS - state.turn) / TURNS
    infested = sum(region.zeds > 0 for region in regions)
    soon = _killed_soon(state)
    hope = exp(-max(0.0, state.zeds() - soon) / HOPE_ZEDS)
    now = HOPE * hope + INFESTED * infested + SOON * soon + PP * tracks.pp
    later = (
        REST_LEFT
        + HOPE_LEFT * hope
        + INFESTED_LEFT * infested
        + SOON_LEFT * soon
        + CITY_LEFT * sum(region.city for region in regions)
        + BIOCHEM_LEFT * state.biochem
        + RESEARCH_LEFT * tracks.research
        + FOOD_LEFT * tracks.food
        + TOUGHNESS_LEFT * tracks.toughness
        + BURST_LEFT * (tracks.burst_min + tracks.burst_max)
        + DEFCON_LEFT[tracks.defcon]
    )
    return now + left * later


def _killed_soon(state: State) -> float:
    """How many Zeds the units in Open Areas beside them may kill (WWZ-6.8-04)."""
    power: dict[str, float] = {}
    for unit in state.units.values():
        strength = state.board.strength.get(unit.type)
        region, _, kind = unit.at.partition(".")
        if strength is not None and kind == "open" and state.regions[region].zeds:
            dice = 2 if strength > toughness(state, region) else 1
            power[region] = power.get(region, 0.0) + dice * DIE
    return sum(min(killed, state.regions[region].zeds) for region, killed in power.items())
