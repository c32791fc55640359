"""The JSON Schema (2020-12) of case files, made from the types that read them, and of a ruleset's positions."""

from typing import Any, Final

import msgspec

from server.cases.match import MATCHERS
from server.cases.model import Case, Json
from server.cases.play import plain
from server.catalogue import Entry

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def case_schema() -> Json:
    """The schema of case files: strict in the form of cases, open in what belongs to a ruleset."""
    schema = msgspec.json.schema(tuple[Case, ...])
    definitions = schema["$defs"]
    for definition in definitions.values():
        _untag(definition)
    _any_line(definitions)
    _expecting(definitions)
    result: Json = plain({"$schema": DIALECT, "title": "A file of cases", **_closed(schema)})
    return result


def position_schema(entry: Entry) -> Json:
    """The schema of the positions of a ruleset, as its `position.py` gives it."""
    title = f"A position of {entry.rules.title}"
    result: Json = plain({"$schema": DIALECT, "title": title, **entry.rules.position.schema()})
    return result


def _untag(definition: dict[str, Any]) -> None:
    """The tag that tells the kinds of lines apart is put in by the reader of files; nobody writes it."""
    if "line" in definition.get("properties", {}):
        del definition["properties"]["line"]
        definition["required"] = [name for name in definition.get("required", []) if name != "line"]


def _any_line(definitions: dict[str, Any]) -> None:
    """A line is of exactly one kind; the arguments of a procedure are further keys of its line."""
    kinds = ["ActLine", "UntilLine", "RunLine", "AskLine"]
    definitions["AnyLine"] = {"oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in kinds]}
    run = definitions["RunLine"]
    del run["properties"]["args"]
    run["additionalProperties"] = True
    run["not"] = {"anyOf": [{"required": [key]} for key in ("action", "until", "ask")]}


def _expecting(definitions: dict[str, Any]) -> None:
    """What the types cannot say: a case expects something, matchers stand alone, questions have an answer."""
    definitions["Case"]["anyOf"] = [
        {"required": ["then"]},
        {"required": ["when"], "properties": {"when": {"contains": _SPEAKING}}},
    ]
    definitions["Expected"] = _EXPECTED
    definitions["Question"] = {"type": "object", "required": ["is"], "minProperties": 2, "maxProperties": 2}
    for name in ("Then", "LineThen", "WholeThen", "UntilLine", "Legal"):
        for field, value in definitions.get(name, {}).get("properties", {}).items():
            if field in _EXPECTING:
                definitions[name]["properties"][field] = _objects(value, "#/$defs/Expected")
    for name in ("Then", "LineThen", "WholeThen", "AskLine"):
        if name in definitions:
            ask = definitions[name]["properties"]["ask"]
            definitions[name]["properties"]["ask"] = _objects(ask, "#/$defs/Question")


_SPEAKING: Final = {"anyOf": [{"required": [key]} for key in ("then", "illegal", "ask")]}
_EXPECTING: Final = frozenset(
    {
        "effects",
        "effects_exactly",
        "state",
        "decisions",
        "views",
        "effects_for",
        "outcome",
        "until",
        "includes",
        "excludes",
        "exactly",
    }
)
_DEEPER: Final = {"$ref": "#/$defs/Expected"}
_MATCHER: Final = {
    "description": "$has: contains these; $any_order: these in any order; $len: so many; $absent: is not there.",
    "type": "object",
    "properties": {
        "$has": {"type": ["array", "object"]},
        "$any_order": {"type": "array"},
        "$len": {"type": "integer", "minimum": 0},
        "$absent": {"type": "boolean"},
    },
    "minProperties": 1,
    "maxProperties": 1,
    "additionalProperties": False,
}
_EXPECTED: Final = {
    "description": "Maps are compared for the keys named, lists and numbers exactly.",
    "if": {"type": "object", "anyOf": [{"required": [name]} for name in sorted(MATCHERS)]},
    "then": _MATCHER,
    "else": {
        "additionalProperties": _DEEPER,
        "propertyNames": {"pattern": "^[^$]"},
        "items": _DEEPER,
    },
}


def _objects(value: Any, reference: str) -> Any:
    """A schema in which every open object is also what `reference` says."""
    if isinstance(value, list):
        return [_objects(part, reference) for part in value]
    if not isinstance(value, dict):
        return value
    if value.get("type") == "object" and not isinstance(value.get("additionalProperties"), dict):
        return {**value, "allOf": [{"$ref": reference}]}
    return {key: _objects(part, reference) for key, part in value.items()}


def _closed(value: Any) -> Any:
    """Without titles made from class names, and with every list of lines pointing at `AnyLine`."""
    if isinstance(value, list):
        return [_closed(part) for part in value]
    if not isinstance(value, dict):
        return value
    if "discriminator" in value:
        return {"$ref": "#/$defs/AnyLine"}
    return {key: _closed(part) for key, part in value.items() if not (key == "title" and isinstance(part, str))}
