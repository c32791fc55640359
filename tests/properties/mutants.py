"""Actions that are nearly legal: one field changed, or at home at another time or in another seat."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from games.kernel import Action


def mutants(action: Action, words: Sequence[str], chance: Random) -> Iterator[Action]:
    """The action with each of its fields changed in every way that its type lets pass."""
    raw = msgspec.to_builtins(action)
    for name in type(action).__struct_encode_fields__:
        for value in _changed(raw.get(name), words, chance):
            try:
                yield msgspec.convert(raw | {name: value}, type(action))
            except msgspec.ValidationError:
                continue  # not even decodable: the shell refuses it


def _changed(value: Any, words: Sequence[str], chance: Random) -> Iterator[Any]:
    other = chance.choice(words) if words else "elsewhere"
    yield from (None, other, "", 0)
    match value:
        case bool():
            yield not value
        case int():
            yield from (value - 1, value + 1, -1, 10**9)
        case str():
            yield from (value + "x", value.upper())
        case list() | tuple():
            parts = list(value)
            yield from ([], parts[:-1], parts[::-1], parts + parts[-1:], [*parts, other])
            if parts:
                yield from ([changed, *parts[1:]] for changed in _changed(parts[0], words, chance))
        case dict():
            yield {}
            for key, part in value.items():
                yield {k: v for k, v in value.items() if k != key}
                yield from (value | {key: changed} for changed in _changed(part, words, chance))


def words_of(actions: Sequence[Action]) -> list[str]:
    """Every word in any field of these actions: names that mean something in the game."""
    found: dict[str, None] = {}

    def gather(value: Any) -> None:
        if isinstance(value, str):
            found[value] = None
        elif isinstance(value, dict):
            for key, part in value.items():
                gather(key)
                gather(part)
        elif isinstance(value, (list, tuple)):
            for part in value:
                gather(part)

    for action in actions:
        gather(list(msgspec.to_builtins(action).values())[1:])
    return list(found)
