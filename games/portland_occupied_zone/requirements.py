"""The requirement language of 5 Year Plans (specification, 2.12): comparisons joined by `and`."""

import re
from functools import cache

from msgspec import Struct

TURN = (
    "steps", "pushes", "looted", "best_loot", "arson_tokens", "burned", "cops", "medics", "kos", "cameras",
    "performed", "garbage", "given", "drugs", "food",
)  # fmt: skip
SELF = ("hand", "bricks", "injuries", "diseases", "food", "lowest", "highest", "full_injuries")
POZ = ("population", "npcs")
BOARD = ("fires", "burned")
_NAMES = {
    *(f"turn.{name}" for name in TURN),
    *(f"self.{name}" for name in SELF),
    *(f"poz.{name}" for name in POZ),
    *(f"board.{name}" for name in BOARD),
}
_COMPARISON = re.compile(r"([a-z_.]+)(?:\(([A-Za-z0-9_]+)\))?(>=|<=|=|>|<)([0-9]{1,3})")


class Comparison(Struct, frozen=True):
    """A named number, held against another; `of` is the type of structure that `poz.count` counts."""

    name: str
    sign: str
    number: int
    of: str | None = None

    def holds(self, value: int) -> bool:
        """Whether the value is so."""
        signs = {
            ">=": value >= self.number,
            "<=": value <= self.number,
            "=": value == self.number,
            ">": value > self.number,
            "<": value < self.number,
        }
        return signs[self.sign]


@cache
def requirement(text: str) -> tuple[Comparison, ...]:
    """The comparisons of a requirement.

    Raises:
        ValueError: it is none, with a sentence.
    """
    found = []
    for part in text.split(" and "):
        match = _COMPARISON.fullmatch(part)
        if match is None:
            raise ValueError(f"{part!r} is no comparison")
        name, of, sign, number = match.groups()
        if (name != "poz.count" or of is None) and (name not in _NAMES or of is not None):
            raise ValueError(f"there is nothing called {name} to count")
        found.append(Comparison(name, sign, int(number), of))
    return tuple(found)
