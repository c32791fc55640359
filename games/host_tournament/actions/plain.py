"""Small help for the actions."""

from typing import TypeVar

from games.host_tournament.state import State
from games.kernel import Step

P = TypeVar("P", bound=Step)


def asked(state: State, kind: type[P]) -> P:
    """The decision on top, which is of this kind (the menu has let the action through)."""
    step = state.agenda[-1]
    assert isinstance(step, kind)
    return step
