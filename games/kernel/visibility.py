"""Who may see what: every field of an effect, action and step declares its reader.

`Public[T]` everybody; `Secret[T]` the seat in the message's own field `seat` (of an action: the acting seat);
`Annotated[T, secret_to("thief", "victim", unless="open")]` the seats that these fields hold, and everybody if the
public flag `open` is true; `Hidden[T]` nobody before the game has ended; `Nested[T]` messages that decide for
themselves.
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, TypeVar, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

T = TypeVar("T")

#: A reader is a seat number or one of these two roles. A spectator is a role of its own, never "no seat".
SPECTATOR: Final = -1
EVERYTHING: Final = -2


class Visibility(Struct, frozen=True):
    """How a field is shown: `kind` is public, secret, hidden or nested; `seats` names fields that hold the readers."""

    kind: str
    seats: tuple[str, ...] = ()
    unless: str | None = None


def secret_to(*seats: str, unless: str | None = None) -> Visibility:
    """Declare a field seen only by the seats that the named fields hold, or by all if the flag `unless` is true."""
    return Visibility("secret", seats, unless)


PUBLIC: Final = Visibility("public")
Public = Annotated[T, PUBLIC]
Secret = Annotated[T, Visibility("secret", ("seat",))]
Hidden = Annotated[T, Visibility("hidden")]
Nested = Annotated[T, Visibility("nested")]


class UndeclaredFieldError(TypeError):
    """A field has no declared visibility: nothing is shown by default, so the class may not be used."""


@cache
def declared(cls: type[Struct]) -> tuple[tuple[str, Visibility], ...]:
    """The fields of a message class with their visibility, in order.

    Raises:
        UndeclaredFieldError: a field without a declaration, or one that names no field of the class (found when a
            ruleset is made, at import).
    """
    hints = get_type_hints(cls, include_extras=True)
    result = []
    for field in fields(cls):
        found = [m for m in getattr(hints[field.name], "__metadata__", ()) if isinstance(m, Visibility)]
        if len(found) != 1:
            raise UndeclaredFieldError(f"{cls.__name__}.{field.name} must declare who may see it, exactly once")
        result.append((field.name, found[0]))
    shown = dict(result)
    for owner, visibility in (*result, ("audience", getattr(cls, "audience", PUBLIC))):
        _check_names(cls, owner, visibility, shown)
    return tuple(result)


def _check_names(cls: type[Struct], owner: str, visibility: Visibility, shown: Mapping[str, Visibility]) -> None:
    """A name that is no field would hide for ever, or fail when somebody looks: refuse it at import."""
    acting = {"seat"} if cls.__struct_config__.tag_field == "action" else set()
    unknown = set(visibility.seats) - set(shown) - acting
    if unknown:
        raise UndeclaredFieldError(f"{cls.__name__}.{owner} is secret to {sorted(unknown)}, which are no fields of it")
    if visibility.unless is not None and shown.get(visibility.unless) != PUBLIC:
        raise UndeclaredFieldError(f"{cls.__name__}.{owner}: {visibility.unless} must be a public field of it")


@cache
def wire_names(cls: type[Struct]) -> dict[str, str]:
    """The name in JSON of each field of a message class (`from` cannot be a name in Python), in order."""
    return {field.name: field.encode_name for field in fields(cls)}


def may_see(message: Any, shown: Visibility, reader: int, acting: int | None) -> bool:
    """Whether `reader` may see a field (or a whole message) declared `shown`; `acting` is the seat of an action."""
    if reader == EVERYTHING or shown.kind in ("public", "nested"):
        return True
    if shown.kind == "hidden":
        return False
    if shown.unless is not None and getattr(message, shown.unless):
        return True
    return any(_holds(getattr(message, name, acting), reader) for name in shown.seats)


def _holds(value: Any, reader: int) -> bool:
    if isinstance(value, (tuple, list)):
        return reader in value
    return bool(value == reader)
