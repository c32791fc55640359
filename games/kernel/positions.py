"""What every ruleset does with a position as people write it: reading it into its document, refusing what cannot be."""

from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

import msgspec

from games.kernel.ruleset import PositionError

T = TypeVar("T")


def impossible(field: str, sentence: str) -> NoReturn:
    """Refuse a position: the field and what is wrong with it."""
    raise PositionError(f"{field}: {sentence}")


def read_position(position: Mapping[str, Any], kind: type[T], *, str_keys: bool = False) -> T:
    """A position from builtins; `str_keys`: keys of maps may stand for numbers.

    Raises:
        PositionError: an unknown field or a wrong type.
    """
    try:
        return msgspec.convert(position, kind, str_keys=str_keys)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `$")
        return impossible(place.strip("`.") or "position", reason)


def all_seats(written: list[T] | dict[str, T], count: int, empty: Callable[[], T]) -> list[T]:
    """One document for each of the `count` seats; those not listed are `empty`.

    Raises:
        PositionError: one is listed that the game does not have, or a list is not complete.
    """
    if isinstance(written, list):
        if len(written) != count:
            impossible("seats", f"a list has all {count} seats; to list some, use a map by index")
        return written
    unknown = sorted(set(written) - {str(number) for number in range(count)})
    if unknown:
        impossible("seats", f"the seats are 0 to {count - 1}, not {', '.join(unknown)}")
    return [written[str(number)] if str(number) in written else empty() for number in range(count)]
