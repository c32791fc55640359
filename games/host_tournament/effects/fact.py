"""What all effects of this ruleset have in common."""

from typing import ClassVar

from games.host_tournament.state import State
from games.kernel import Effect


class Fact(Effect, frozen=True):
    """One fact; `shifts` is false for those that leave the cards in play as they are."""

    shifts: ClassVar[bool] = True

    def fold(self, state: State) -> None:
        """Change the state, and forget what was worked out from the cards in play."""
        if self.shifts:
            state.touch()
        self._change(state)

    def _change(self, state: State) -> None:
        """What the fact changes; nothing, if it only tells."""
