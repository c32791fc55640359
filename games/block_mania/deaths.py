"""Blockers that leave the map (specification, 4.13; BM-DP-1, BM-R54)."""

from games.block_mania.effects import BlockerKilled, BlockerRemoved
from games.block_mania.predicates import answers_for
from games.block_mania.state import State
from games.kernel import Table


def kill(table: Table[State], blocker: str, cause: str, *, counts: bool = True) -> None:
    """It dies: a Defeat Point for its controller (of a Futsy its deployer), unless the death does not count."""
    dead = table.state.blockers[blocker]
    table.emit(BlockerKilled(blocker, dead.type, dead.at, cause, answers_for(dead) if counts else None))


def remove(table: Table[State], blocker: str, cause: str) -> None:
    """It is taken away: no Defeat Point (BM-1A-3)."""
    gone = table.state.blockers[blocker]
    table.emit(BlockerRemoved(blocker, gone.type, gone.at, cause))
