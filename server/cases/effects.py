"""Comparing the effects of a line with those that a case expects."""

from collections.abc import Sequence
from typing import Final

from server.cases.match import differences, matches, show
from server.cases.model import Json
from server.cases.report import Failure

#: Effects of the kernel's own, which may stand anywhere (the last one begins a game from a position).
BETWEEN: Final = frozenset({"agenda_set", "answered", "position_set"})

#: What only machines read is not listed in a failure.
UNLISTED: Final = frozenset({"agenda_set", "position_set"})

#: More effects than this are not listed in a failure.
LISTED_MAX: Final = 40


def in_order(expected: Sequence[Json], actual: Sequence[Json], where: str) -> list[Failure]:
    """The expected effects come in this order, others may stand between."""
    begin = 0
    for i, wanted in enumerate(expected):
        found = next((j for j in range(begin, len(actual)) if matches(wanted, actual[j])), None)
        if found is None:
            return [Failure(f"{where}[{i}]", _missing(wanted, actual, begin))]
        begin = found + 1
    return []


def exactly(expected: Sequence[Json], actual: Sequence[Json], where: str) -> list[Failure]:
    """The expected effects and no others, but for those of the kernel, which may stand between."""
    i = 0
    for j, effect in enumerate(actual):
        if i < len(expected) and matches(expected[i], effect):
            i += 1
        elif effect["effect"] not in BETWEEN:
            if i == len(expected):
                return [Failure(where, f"expected no more than these {i}, got\n{_listed(actual, j)}")]
            return [Failure(f"{where}[{i}]", _missing(expected[i], actual, j))]
    if i < len(expected):
        return [Failure(f"{where}[{i}]", _missing(expected[i], actual, len(actual)))]
    return []


def none_of(tags: Sequence[str], actual: Sequence[Json], where: str) -> list[Failure]:
    """No effect has one of these tags."""
    found = [effect for effect in actual if effect["effect"] in tags]
    return [Failure(where, f"expected none of {show(list(tags))}\ngot      {show(effect)}") for effect in found]


def _missing(wanted: Json, actual: Sequence[Json], begin: int) -> str:
    """What was expected, how the nearest of this type differs, and all effects, marked where the search began."""
    near = next((effect for effect in actual[begin:] if effect["effect"] == wanted["effect"]), None)
    lines = [f"expected {show(wanted)}"]
    if near is not None:
        found = differences(wanted, near)
        lines += [f"nearest  {show(near)}", *(f"         {d.path}: expected {d.expected}, got {d.got}" for d in found)]
    return "\n".join([*lines, f"got\n{_listed(actual, begin)}"])


def _listed(actual: Sequence[Json], mark: int) -> str:
    """The effects from a little before the mark on, without what only machines read."""
    begin = max(0, mark - LISTED_MAX // 2)
    shown = [(j, effect) for j, effect in enumerate(actual) if effect["effect"] not in UNLISTED and j >= begin]
    lines = [f"{'>' if j == mark else ' '} {show(effect)}" for j, effect in shown[:LISTED_MAX]]
    if len(shown) > LISTED_MAX:
        lines.append(f"  … and {len(shown) - LISTED_MAX} more")
    return "\n".join(lines if mark < len(actual) else [*lines, "> (no more)"])
