"""What the phases of Defensive Fire and combat begin with (specification, 4.2)."""

from games.block_mania.state import State
from games.block_mania.steps.assault import opening_assault
from games.block_mania.steps.bombs import opening_combat_bombs
from games.block_mania.steps.defensive import opening_defensive
from games.block_mania.steps.justice_units import opening_combat_justice
from games.block_mania.steps.minor import Arson, Firefight, Loot, Scrawl
from games.block_mania.steps.shooting import Shoot
from games.kernel import Step


def opening_shoot(state: State) -> tuple[Step, ...]:
    """Somebody can shoot or drill."""
    return _if_alive(state, Shoot(seats=(state.phasing,)))


def opening_loot(state: State) -> tuple[Step, ...]:
    """Somebody can loot."""
    return _if_alive(state, Loot(seats=(state.phasing,)))


def opening_arson(state: State) -> tuple[Step, ...]:
    """Somebody can set fire."""
    return _if_alive(state, Arson(seats=(state.phasing,)))


def opening_scrawl(state: State) -> tuple[Step, ...]:
    """Somebody can scrawl."""
    return _if_alive(state, Scrawl(seats=(state.phasing,)))


def opening_firefight(state: State) -> tuple[Step, ...]:
    """Somebody can fight a fire."""
    return _if_alive(state, Firefight(seats=(state.phasing,)))


def _if_alive(state: State, step: Step) -> tuple[Step, ...]:
    return (step,) if step.alive(state) else ()


__all__ = [
    "opening_arson",
    "opening_assault",
    "opening_combat_bombs",
    "opening_combat_justice",
    "opening_defensive",
    "opening_firefight",
    "opening_loot",
    "opening_scrawl",
    "opening_shoot",
]
