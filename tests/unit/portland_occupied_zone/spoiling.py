"""Positions spoilt by chance: a key gone, a value of its kind changed, parts swapped, other steps on the agenda."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import Any

Path = tuple[Any, ...]
Position = dict[str, Any]
NUMBERS = (0, 1, -1, 2, 7, 8, 40, 10**6, 10**20)


def spoil(position: Position, others: Sequence[Position], chance: Random) -> Position:
    """A position with one to three faults; parts of `others` may get into it."""
    spoilt = deepcopy(position)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        top = chance.choice(list(spoilt))
        path = chance.choice(list(_paths(spoilt[top], (top,))))
        chance.choice((_drop, _swap, _borrow, _borrow_agenda, _change, _change, _change))(spoilt, path, others, chance)
    return spoilt


def _paths(part: Any, path: Path) -> Iterator[Path]:
    yield path
    parts = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, value in parts:
        yield from _paths(value, (*path, key))


def _at(part: Any, path: Path) -> Any:
    for key in path:
        part = part[key]
    return part


def _drop(position: Position, path: Path, _: Sequence[Position], __: Random) -> None:
    _at(position, path[:-1]).pop(path[-1])


def _swap(position: Position, path: Path, _: Sequence[Position], chance: Random) -> None:
    whole = _at(position, path[:-1])
    other = chance.choice(list(whole) if isinstance(whole, dict) else range(len(whole)))
    whole[path[-1]], whole[other] = whole[other], whole[path[-1]]


def _borrow(position: Position, path: Path, others: Sequence[Position], chance: Random) -> None:
    """The same part of another position, or all that it is a part of."""
    other = chance.choice(others)
    try:
        _at(position, path[:-1])[path[-1]] = deepcopy(_at(other, path))
    except (KeyError, IndexError, TypeError):
        position[path[0]] = deepcopy(other.get(path[0]))


def _borrow_agenda(position: Position, _: Path, others: Sequence[Position], chance: Random) -> None:
    """The upper steps of another agenda on the lower ones of this."""
    mine, other = position.get("agenda") or [], chance.choice(others)["agenda"]
    upper = deepcopy(other[chance.randint(0, len(other)) :])
    position["agenda"] = [*mine[: chance.randint(0, len(mine))], *upper]


def _change(position: Position, path: Path, others: Sequence[Position], chance: Random) -> None:
    whole = _at(position, path[:-1])
    whole[path[-1]] = _changed(whole[path[-1]], others, chance)


def _changed(value: Any, others: Sequence[Position], chance: Random) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return chance.choice((value + 1, value - 1, *NUMBERS))
        case str():
            return chance.choice((_word(chance.choice(others), chance), value + "x", "", None))
        case list():
            return chance.choice(([], value[::-1], value[1:], value[:-1], value + value[:1]))
        case dict() if value:
            key = chance.choice(list(value))
            return {_word(chance.choice(others), chance) if name == key else name: part for name, part in value.items()}
        case _:
            return chance.choice((0, {}, [], _word(chance.choice(others), chance)))


def _word(position: Position, chance: Random) -> str:
    """A name that means something somewhere: a key or a value."""
    path = chance.choice(list(_paths(position, ())))
    value = _at(position, path)
    return value if isinstance(value, str) else next((str(key) for key in reversed(path)), "")
