"""Matching what a case expects against what there is, and saying where the two differ.

Maps are compared key by key for the keys named, lists and numbers exactly. Where the state has a multiset (a map of
counts), an expected list means exactly this multiset and an expected map these counts. A map of indices over a list
compares these entries. Matchers: {$has: […]}, {$any_order: […]}, {$len: n}, {$absent: true}.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

MATCHERS: Final = frozenset({"$has", "$any_order", "$len", "$absent"})

#: A value longer than this in a difference is cut.
SHOWN_MAX: Final = 600


class Absent:
    """What stands for a field that is not there."""

    def __repr__(self) -> str:
        return "nothing (absent)"


ABSENT: Final = Absent()


class Difference(Struct, frozen=True):
    """Where something is not as expected; both sides in words."""

    path: str
    expected: str
    got: str


def differences(expected: Any, actual: Any, path: str = "") -> list[Difference]:
    """Every place in which `actual` is not as `expected`; none: it matches."""
    if isinstance(expected, Mapping) and MATCHERS & expected.keys():
        return _matcher(expected, actual, path)
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return _maps(expected, actual, path)
    if isinstance(expected, Mapping) and isinstance(actual, list):
        return _map_of_list(expected, actual, path)
    if isinstance(expected, list) and isinstance(actual, Mapping):
        return [] if is_counts(actual) and _count(expected) == _positive(actual) else [_differ(path, expected, actual)]
    if isinstance(expected, list) and isinstance(actual, list):
        return _lists(expected, actual, path)
    return [] if same(expected, actual) else [_differ(path, expected, actual)]


def matches(expected: Any, actual: Any) -> bool:
    """Whether `actual` is as `expected`."""
    return not differences(expected, actual)


def unequal(first: Any, second: Any, path: str = "") -> list[Difference]:
    """Every place in which two JSON values differ, nothing left out (`first` is what is expected)."""
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        keys = [*first, *(key for key in second if key not in first)]
        pairs = [(_sub(path, key), first.get(key, ABSENT), second.get(key, ABSENT)) for key in keys]
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        pairs = [(_sub(path, i), a, b) for i, (a, b) in enumerate(zip(first, second, strict=True))]
    else:
        return [] if same(first, second) else [_differ(path, first, second)]
    return [found for place, a, b in pairs for found in unequal(a, b, place)]


def same(first: Any, second: Any) -> bool:
    """Equality of JSON scalars: true is not 1, and nothing equals what is absent."""
    if isinstance(first, bool) or isinstance(second, bool):
        return first is second
    return bool(first == second)


def pair_off(expected: Sequence[Any], actual: Sequence[Any]) -> dict[int, int]:
    """As many pairs as possible (index of expected to index of actual), each used once (augmenting paths)."""
    taken: dict[int, int] = {}

    def place(i: int, seen: set[int]) -> bool:
        for j, thing in enumerate(actual):
            if j in seen or not matches(expected[i], thing):
                continue
            seen.add(j)
            if j not in taken or place(taken[j], seen):
                taken[j] = i
                return True
        return False

    for i in range(len(expected)):
        place(i, set())
    return {i: j for j, i in taken.items()}


def is_counts(value: Any) -> bool:
    """Whether this is a multiset: a map whose values are counts (the empty one too)."""
    return isinstance(value, Mapping) and all(type(count) is int for count in value.values())


def show(value: Any) -> str:
    """A JSON value in one line as people write it in a case, cut if it is long."""
    text = _flow(value)
    return text if len(text) <= SHOWN_MAX else f"{text[:SHOWN_MAX]}… ({len(text)} characters)"


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_flow(part)}" for key, part in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


def _maps(expected: Mapping[str, Any], actual: Mapping[str, Any], path: str) -> list[Difference]:
    counts = is_counts(actual)
    found = []
    for key, value in expected.items():
        missing = 0 if counts and same(value, 0) else ABSENT
        found += differences(value, actual.get(key, missing), _sub(path, key))
    return found


def _map_of_list(expected: Mapping[str, Any], actual: list[Any], path: str) -> list[Difference]:
    if all(key.isdecimal() for key in expected):
        found = []
        for key, value in expected.items():
            entry = actual[int(key)] if int(key) < len(actual) else ABSENT
            found += differences(value, entry, _sub(path, key))
        return found
    if is_counts(expected) and all(isinstance(thing, str) for thing in actual):
        return _maps(expected, _count(actual), path)
    return [_differ(path, expected, actual)]


def _lists(expected: list[Any], actual: list[Any], path: str) -> list[Difference]:
    if len(expected) != len(actual):
        return [_differ(path, expected, actual)]
    pairs = enumerate(zip(expected, actual, strict=True))
    return [found for i, (a, b) in pairs for found in differences(a, b, _sub(path, i))]


def _matcher(expected: Mapping[str, Any], actual: Any, path: str) -> list[Difference]:
    (name, value), *_ = expected.items()
    things = _things(actual)
    if name == "$absent":
        fits = (actual is ABSENT) == value
    elif things is None:
        fits = False
    elif name == "$len":
        fits = len(things) == value
    else:
        wanted = _things(value) or []
        fits = len(pair_off(wanted, things)) == len(wanted) and (name == "$has" or len(wanted) == len(things))
    return [] if fits else [_differ(path, expected, actual)]


def _things(value: Any) -> list[Any] | None:
    """The entries of a list or multiset, each as often as it is in it."""
    if isinstance(value, list):
        return value
    if is_counts(value):
        return [thing for thing, count in value.items() for _ in range(count)]
    return None


def _count(things: Sequence[Any]) -> dict[str, int]:
    return dict(Counter(thing if isinstance(thing, str) else show(thing) for thing in things))


def _positive(counts: Mapping[str, int]) -> dict[str, int]:
    return {thing: count for thing, count in counts.items() if count}


def _sub(path: str, key: object) -> str:
    return f"{path}.{key}" if path else str(key)


def _differ(path: str, expected: Any, actual: Any) -> Difference:
    return Difference(path, show(expected), repr(actual) if actual is ABSENT else show(actual))
