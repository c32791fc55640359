"""Reading what older programs wrote: steps that bring a message from one schema version to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

Step = Callable[[dict[str, Any]], dict[str, Any]]


class Upcasters:
    """The steps from each schema version to the next, by the tag of the messages that they change."""

    def __init__(self) -> None:
        self._steps: dict[tuple[str, int], Step] = {}
        self._newest = 0

    def register(self, tag: str, from_schema: int, step: Step) -> None:
        """Have messages of this tag in schema `from_schema` rewritten by `step` to the form they have in the next.

        A step gets the decoded JSON object, may change it, and returns the new one; it may give it another tag. Raises
        ValueError if there is a step already.
        """
        if (tag, from_schema) in self._steps:
            raise ValueError(f"{tag} has a step from schema {from_schema} already")
        self._steps[tag, from_schema] = step
        self._newest = max(self._newest, from_schema + 1)

    def apply(self, item: bytes, field: str, schema: int) -> bytes:
        """The JSON object `item`, written in `schema`, in its newest form; the same bytes if no step is for it.

        field: the name of the tag in it ("effect", "action").
        """
        if schema >= self._newest:
            return item
        message, changed = msgspec.json.decode(item, type=dict[str, Any]), False
        for version in range(schema, self._newest):
            step = self._steps.get((message[field], version))
            if step is not None:
                message, changed = step(message), True
        return msgspec.json.encode(message) if changed else item
