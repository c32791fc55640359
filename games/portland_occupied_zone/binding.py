"""Telling a text in the effect language, which waits beneath a decision, what was chosen."""

from games.kernel import Step, Table
from games.portland_occupied_zone.state import Bound, Space, State


def bind(table: Table[State], name: str, thing: Space) -> None:
    """Bind a name for the ops that follow; callers do it before they push anything."""
    step = next(step for step in reversed(table.state.agenda) if hasattr(step, "bound"))
    table.amend(type(step), bound={**bound_of(step), name: thing})


def bound_of(step: Step) -> Bound:
    """What has been bound so far."""
    bound: Bound = step.bound  # type: ignore[attr-defined] # asked of steps that have it
    return bound
