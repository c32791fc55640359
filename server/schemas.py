"""JSON Schemas of what clients get and send: a ruleset's messages as they are shown, and replay files.

A field that not every reader sees is not required, and `x-visible-to` says who sees it; where a whole message may be
unknown to a reader, the form that stands in its place is among the alternatives.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from events.logproof import LogLine
from games.kernel import HIDDEN_TAG, Message, Ruleset, Visibility
from games.kernel.visibility import PUBLIC, declared
from server.redacted import LastLine, RedactedHeader, RedactedLine
from server.replays import FORMAT, EventLine, ReplayHeader, TrailerLine

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def ruleset_schemas(rules: Ruleset[Any]) -> dict[str, Any]:
    """The JSON Schemas (2020-12) of what a ruleset takes and gives, by name; `setup` is None if seats bring nothing."""
    title = rules.title
    return {
        "actions": _messages(rules, rules.actions, f"An action of {title}"),
        "effects": _messages(rules, rules.effects, f"An effect of {title}"),
        "steps": _messages(rules, rules.steps, f"A step of {title}"),
        "view": _plain(rules.view_type, f"A view of {title}"),
        "options": _plain(rules.options, f"The options of {title}"),
        "setup": None if rules.setup is None else _plain(rules.setup, f"What a seat brings to {title}"),
        "position": {"$schema": DIALECT, "title": f"A position of {title}", **rules.position.schema()},
    }


def replay_schema() -> dict[str, Any]:
    """The JSON Schema of one line of a replay file, full or redacted."""
    kinds = (ReplayHeader, EventLine, TrailerLine, RedactedHeader, RedactedLine, LastLine, LogLine)
    references, definitions = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    for name, redacted in ((ReplayHeader.__name__, False), (RedactedHeader.__name__, True)):
        definitions[name]["properties"]["format"] = {"const": FORMAT}
        definitions[name]["properties"]["redacted"] = {"const": redacted}
        definitions[name]["required"] = ["format", "redacted", *definitions[name]["required"]]
    title = "A line of a turnlog replay: a header, a line for each event, perhaps a proof from the log, a trailer"
    return {"$schema": DIALECT, "title": title, "anyOf": list(references), "$defs": definitions}


def _plain(kind: Any, title: str) -> dict[str, Any]:
    return {"$schema": DIALECT, "title": title, **msgspec.json.schema(kind)}


def _messages(rules: Ruleset[Any], union: Any, title: str) -> dict[str, Any]:
    schema = _short_names(msgspec.json.schema(union))
    definitions: dict[str, Any] = schema["$defs"]
    unseen: set[str] = set()
    for definition in definitions.values():
        cls = _class_of(rules, definition)
        if cls is not None:
            _show(definition, cls)
            if cls.audience != PUBLIC:
                unseen.add(str(cls.__struct_config__.tag_field))
    for field in sorted(unseen):
        hidden = {"type": "object", "properties": {field: {"const": HIDDEN_TAG}}, "required": [field]}
        for alternatives in list(_alternatives(schema, field)):
            alternatives["anyOf"].append({"$ref": f"#/$defs/Hidden_{field}"})
            alternatives["discriminator"]["mapping"][HIDDEN_TAG] = f"#/$defs/Hidden_{field}"
        definitions[f"Hidden_{field}"] = {"title": "Hidden", **hidden}
    return {"$schema": DIALECT, "title": title, **schema}


def _short_names(schema: dict[str, Any]) -> dict[str, Any]:
    """Generic classes without the list of their parameters in their names."""
    text = msgspec.json.encode(schema).decode()
    for name, definition in schema["$defs"].items():
        short = definition.get("title", "").partition("[")[0]
        if short and name.startswith(f"{short}_"):
            text = text.replace(f'"{name}"', f'"{short}"').replace(f'"#/$defs/{name}"', f'"#/$defs/{short}"')
            text = text.replace(msgspec.json.encode(definition["title"]).decode(), f'"{short}"')
    return msgspec.json.decode(text, type=dict[str, Any])


def _class_of(rules: Ruleset[Any], definition: Mapping[str, Any]) -> type[Message] | None:
    known: tuple[tuple[str, Mapping[str, type[Message]]], ...] = (
        ("action", rules.action_types),
        ("effect", rules.effect_types),
        ("step", rules.step_types),
    )
    for field, classes in known:
        tags = definition.get("properties", {}).get(field, {}).get("enum", ())
        if len(tags) == 1 and tags[0] in classes:
            return classes[tags[0]]
    return None


def _show(definition: dict[str, Any], cls: type[Message]) -> None:
    """Say of each field who sees it. What is shown has no fields left out for having their default."""
    for name, shown in declared(cls):
        if shown.kind in ("secret", "hidden"):
            definition["properties"][name]["x-visible-to"] = _readers(shown)
            definition["required"] = [one for one in definition.get("required", []) if one != name]


def _readers(shown: Visibility) -> str:
    if shown.kind == "hidden":
        return "nobody before the end"
    told = f"the seats in {', '.join(shown.seats)}"
    return told if shown.unless is None else f"{told}, and everybody if {shown.unless}"


def _alternatives(schema: Any, field: str) -> Iterator[dict[str, Any]]:
    """Every place in a schema where one of several messages with this tag field stands."""
    if isinstance(schema, dict):
        if schema.get("discriminator", {}).get("propertyName") == field and "anyOf" in schema:
            yield schema
        for part in schema.values():
            yield from _alternatives(part, field)
    elif isinstance(schema, list):
        for part in schema:
            yield from _alternatives(part, field)
