"""The bot `random`: any legal action, each with the same chance."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

#: As many random bytes as leave no bias that could be noticed, whatever the number of actions.
RANDOM_BYTES = 16


def choose(actions: Sequence[T], randomness: bytes) -> T:
    """One of the actions by `randomness` (RANDOM_BYTES of it); the same bytes choose the same one.

    Raises:
        IndexError: there is no action.
    """
    if not actions:
        raise IndexError("there is no legal action to choose from")
    return actions[int.from_bytes(randomness, "big") % len(actions)]
