"""Redaction: a message as one reader may see it. Generic, from the declarations, so that nothing is forgotten."""

from typing import Any

import msgspec

from games.kernel.messages import Message
from games.kernel.visibility import EVERYTHING, declared, may_see, wire_names

#: What stands for a message that a reader may not know of: the number of messages stays, nothing else.
HIDDEN_TAG = "hidden"


def redact(message: Message, reader: int, acting: int | None = None) -> dict[str, Any]:
    """The message as builtins with all removed that `reader` (a seat, SPECTATOR, EVERYTHING) may not know.

    `acting` is the seat of an action (its own `Secret` fields are seen by that seat).
    A message whose whole audience excludes the reader becomes `{tag_field: "hidden"}`.
    """
    config = message.__struct_config__
    field = str(config.tag_field)
    if not may_see(message, message.audience, reader, acting):
        return {field: HIDDEN_TAG}
    result: dict[str, Any] = {field: config.tag}
    names = wire_names(type(message))
    for name, shown in declared(type(message)):
        if not may_see(message, shown, reader, acting):
            continue
        value = getattr(message, name)
        if shown.kind == "nested":
            value = _nested(value, reader, getattr(message, "seat", acting))
        elif isinstance(value, msgspec.Raw):
            value = msgspec.json.decode(value)
        result[names[name]] = msgspec.to_builtins(value)
    return result


def whole(message: Message, reader: int, acting: int | None = None) -> bool:
    """Whether `reader` may see every field of the message (and so may check its commitment)."""
    if reader == EVERYTHING:
        return True
    if not may_see(message, message.audience, reader, acting):
        return False
    for name, shown in declared(type(message)):
        if not may_see(message, shown, reader, acting):
            return False
        if shown.kind == "nested":
            value, seat = getattr(message, name), getattr(message, "seat", acting)
            if not all(whole(part, reader, seat) for part in _parts(value)):
                return False
    return True


def _parts(value: Any) -> tuple[Message, ...]:
    if isinstance(value, (tuple, list)):
        return tuple(value)
    return () if value is None else (value,)


def _nested(value: Any, reader: int, acting: int | None) -> Any:
    if isinstance(value, (tuple, list)):
        return [redact(part, reader, acting) for part in value]
    return None if value is None else redact(value, reader, acting)
