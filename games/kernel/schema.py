"""The schema lock of a ruleset: every message's tag, fields, types and visibility, to be committed and compared.

A renamed field, a changed type or a field that becomes visible shows in review and fails the build; stored events would
not decode, or would tell what they should not.
"""

from typing import Any

import msgspec

from games.kernel.messages import Message
from games.kernel.ruleset import Ruleset, members, tag_of
from games.kernel.visibility import Visibility, declared


def schema_lock(rules: Ruleset[Any]) -> dict[str, Any]:
    """The lock: for effects, actions and steps a map of tag to fields, each `{visibility, schema}`."""
    lock: dict[str, Any] = {"ruleset": rules.id}
    for kind in ("effects", "actions", "steps"):
        classes = members(getattr(rules, kind))
        lock[kind] = {tag_of(cls): _fields(cls) for cls in sorted(classes, key=tag_of)}
    return lock


def _fields(cls: type[Message]) -> dict[str, Any]:
    if cls.__parameters__ if hasattr(cls, "__parameters__") else ():
        return {name: {"visibility": _told(shown)} for name, shown in declared(cls)}
    (schema,), components = msgspec.json.schema_components([cls])
    properties = components[cls.__name__]["properties"]
    return {name: {"visibility": _told(shown), "schema": properties[name]} for name, shown in declared(cls)}


def _told(shown: Visibility) -> str:
    told = shown.kind if not shown.seats else f"{shown.kind} to {', '.join(shown.seats)}"
    return told if shown.unless is None else f"{told} unless {shown.unless}"
