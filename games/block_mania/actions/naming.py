"""What actions say of the blockers that they name: their types, since an id alone tells a player nothing."""

from typing import Any

from games.block_mania.predicates import occupants
from games.block_mania.state import State
from games.kernel import Action, Public


class OfBlocker(Action, frozen=True):
    """An action of one blocker, which it names."""

    blocker: Public[str]

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """The type of the blocker."""
        return {"type": state.blockers[self.blocker].type}


def types_in(state: State, square: str, side: str) -> list[str]:
    """The types of those who stand in an area, in order of arrival."""
    return [one.type for one in occupants(state, square, side)]
