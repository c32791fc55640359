"""The schema lock of a ruleset, to be committed and compared: every message's tag, audience, fields and their types.

A renamed field, a changed type or a field that becomes visible shows in review and fails the build; stored events would
not decode, or would tell what they should not. The state is in it because `position_set` stores whole states.
"""

from typing import Any

import msgspec

from games.kernel.messages import Message
from games.kernel.ruleset import Ruleset, members, tag_of
from games.kernel.visibility import Visibility, declared, wire_names


def schema_lock(rules: Ruleset[Any]) -> dict[str, Any]:
    """The lock: of effects, actions and steps by tag the audience and for each field `{visibility, schema}`.

    `types` has the JSON Schemas of all that the fields refer to, and of the state.
    """
    lock: dict[str, Any] = {"ruleset": rules.id}
    types: dict[str, Any] = {}
    for kind in ("effects", "actions", "steps"):
        classes = members(getattr(rules, kind))
        lock[kind] = {tag_of(cls): _message(cls, types) for cls in sorted(classes, key=tag_of)}
    _, components = msgspec.json.schema_components([rules.state], ref_template="{name}")
    lock["types"] = dict(sorted((types | components).items()))
    return lock


def _message(cls: type[Message], types: dict[str, Any]) -> dict[str, Any]:
    _, components = msgspec.json.schema_components([cls], ref_template="{name}")
    properties = components.pop(cls.__name__)["properties"]
    types.update(components)
    names = wire_names(cls)
    fields = {
        names[name]: {"visibility": _told(shown), "schema": properties[names[name]]} for name, shown in declared(cls)
    }
    return {"audience": _told(cls.audience), "fields": fields}


def _told(shown: Visibility) -> str:
    told = shown.kind if not shown.seats else f"{shown.kind} to {', '.join(shown.seats)}"
    return told if shown.unless is None else f"{told} unless {shown.unless}"
