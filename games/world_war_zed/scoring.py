"""The score, its level, and when a game is over (specification, 4.9)."""

from typing import Any

from games.kernel import Table
from games.world_war_zed.effects.turns import GameEnded
from games.world_war_zed.state import TURNS, State

SLAIN = 3  # WWZ-ZB-08


def breakdown(state: State, *, lost: bool = False) -> dict[str, int]:
    """What the score is made of, as things stand (WWZ-7-05 to -09, WWZ-ZB-08)."""
    regions = state.regions.values()
    group = state.group.region if state.group is not None and state.group.n else None
    cleared = state.zeds_seen and not lost and state.zeds() == 0
    return {
        "cities": sum(3 - region.riot for region in regions if region.city),
        "refugees": sum(2 - unit.riot for unit in state.units.values() if unit.type == "refugee"),
        "farms": sum(region.farm for region in regions),
        "regions": sum(not r.zeds and not r.nukes and name != group for name, r in state.regions.items()),
        "early": max(0, TURNS - state.turn) if cleared else 0,
        "boss": SLAIN if state.boss == "slain" else 0,
    }


def score(state: State) -> int:
    """The score as things stand, or as the game ended."""
    return sum(state.result.breakdown.values()) if state.result is not None else sum(breakdown(state).values())


def level(state: State, points: int) -> str:
    """The level of a score, with the scenario's adjustment (WWZ-7-11)."""
    adjusted = points + state.start.par_adjust
    levels = state.board.pack.levels
    return next(row.name for row in levels if row.least is None or adjusted >= row.least)


def finished(table: Table[State], *, turn_over: bool = False) -> bool:
    """End the game if it is over (WWZ-7-01 to -03); whether it is."""
    state = table.state
    if not any(region.city for region in state.regions.values()):
        cause = "no_cities"
    elif state.zeds_seen and state.zeds() == 0:
        cause = "no_zeds"
    elif turn_over and state.turn >= TURNS:
        cause = "turn_limit"
    else:
        return False
    end(table, cause)
    return True


def end(table: Table[Any], cause: str) -> None:
    """The game is over: it is scored however it ended (WWZ-7-12)."""
    lost = cause in ("no_cities", "resigned")
    parts = breakdown(table.state, lost=lost)
    points = sum(parts.values())
    table.emit(GameEnded("lost" if lost else "completed", cause, points, level(table.state, points), parts))
