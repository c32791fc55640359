"""Looting, arson, scrawling and fire fighting (specification, 4.14; the order is BM-R8's)."""

from collections.abc import Callable
from typing import ClassVar

from games.block_mania.minor import arson_refusal, firefights, loot_refusal, scrawl_refusal
from games.block_mania.refusals import Refusal
from games.block_mania.state import State
from games.kernel import Step

Asked = Callable[[State, int, str], Refusal | None]


class Loot(Step, frozen=True):
    """The phasing seat loots, blocker by blocker."""

    menu: ClassVar[tuple[str, ...]] = ("loot", "end_step")
    root: ClassVar[bool] = True

    def alive(self, state: State) -> bool:
        """Whether anybody may."""
        return anyone(state, loot_refusal)


class Arson(Step, frozen=True):
    """The phasing seat sets fire, blocker by blocker."""

    menu: ClassVar[tuple[str, ...]] = ("arson", "end_step")
    root: ClassVar[bool] = True

    def alive(self, state: State) -> bool:
        """Whether anybody may."""
        return anyone(state, arson_refusal)


class Scrawl(Step, frozen=True):
    """The phasing seat scrawls, blocker by blocker."""

    menu: ClassVar[tuple[str, ...]] = ("scrawl", "end_step")
    root: ClassVar[bool] = True

    def alive(self, state: State) -> bool:
        """Whether anybody may."""
        return anyone(state, scrawl_refusal)


class Firefight(Step, frozen=True):
    """The phasing seat fights fires, blocker by blocker."""

    menu: ClassVar[tuple[str, ...]] = ("firefight", "end_step")
    root: ClassVar[bool] = True

    def alive(self, state: State) -> bool:
        """Whether anybody may."""
        return next(firefights(state, state.phasing), None) is not None


def anyone(state: State, refusal: Asked) -> bool:
    """Whether some blocker of the phasing seat is not refused."""
    return any(refusal(state, state.phasing, name) is None for name in state.blockers)
