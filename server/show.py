"""Views and events as lines that a person can read, whatever the ruleset."""

import textwrap
from collections.abc import Mapping
from typing import Any

from games.kernel import Outcome, render
from games.kernel.say import Saying, Texts
from server.show_map import is_drawable, map_lines

#: A line is not made longer than this by putting parts side by side.
WIDTH = 110
#: Effects that are for the kernel, not for people.
SILENT = frozenset({"agenda_set", "hidden", "position_set"})
#: Values of fields that say nothing.
EMPTY: tuple[Any, ...] = (None, "", [], (), {})
#: Fields of views that are for programs.
UNSHOWN = frozenset({"view", "agenda", "outcome", "options"})


def view_lines(view: Mapping[str, Any], texts: Texts) -> list[str]:
    """A view: what says nothing in a line, then a field after the other, last its map if it can be drawn."""
    drawn = is_drawable(view)
    fields = {name: value for name, value in view.items() if name not in UNSHOWN and not (drawn and name == "map")}
    silent = [_named(name, texts) for name, value in fields.items() if value is False or value in EMPTY]
    lines = _wrapped(f"none: {', '.join(silent)}") if silent else []
    for name, value in fields.items():
        if value is not False and value not in EMPTY:
            lines += _field(name, value, texts)
    return lines + (map_lines(view, texts) if drawn else [])


def changed_lines(old: Mapping[str, Any], new: Mapping[str, Any], texts: Texts) -> list[str]:
    """The fields of a view that are not as they were; of objects in lists and tables, the fields that are not."""
    lines: list[str] = []
    for name, value in new.items():
        before = old.get(name)
        if value == before or name in UNSHOWN:
            continue
        if isinstance(before, (list, tuple)) and _objects(value) and _objects(before) and len(before) == len(value):
            for number, (was, now) in enumerate(zip(before, value, strict=True)):
                lines += _object(f"{_one(name)} {number}", _changed(was, now), texts, empty=True)
        elif _table(value) and isinstance(before, dict):
            for key, now in value.items():
                lines += _object(_key(key, texts), _changed(before.get(key) or {}, now), texts, empty=key in before)
            lines += [f"{_key(key, texts)}: gone" for key in before if key not in value]
        elif isinstance(value, dict) and isinstance(before, dict):
            lines += _object(_named(name, texts), _changed(before, value), texts, empty=True)
        else:
            lines += _field(name, value, texts)
    if is_drawable(new) and (drawn := map_lines(new, texts)) != (map_lines(old, texts) if is_drawable(old) else None):
        lines += drawn
    return lines


def _changed(was: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    return {key: part for key, part in now.items() if was.get(key) != part}


def _field(name: str, value: Any, texts: Texts) -> list[str]:
    if _objects(value):
        return [line for n, part in enumerate(value) for line in _object(f"{_one(name)} {n}", part, texts)]
    line = f"{_named(name, texts)}: {_short(value, texts)}"
    if _table(value) and len(line) > WIDTH:
        objects = (line for key, part in value.items() for line in _object(_key(key, texts), part, texts))
        return [f"{_named(name, texts)}:", *(f"  {line}" for line in objects)]
    if isinstance(value, dict) and any(map(_objects, value.values())):
        return [
            f"{_named(name, texts)}:",
            *(f"  {line}" for key, part in value.items() for line in _field(key, part, texts)),
        ]
    return _wrapped(line)


def _object(title: str, value: Mapping[str, Any], texts: Texts, *, empty: bool = False) -> list[str]:
    """An object in a line, which is broken where it is too long; fields with nothing in them only if `empty`."""
    parts = [
        f"{_named(name, texts)} {_short(part, texts)}"
        for name, part in value.items()
        if empty or (part is not False and part not in EMPTY)
    ]
    return _wrapped(f"{title}: {'; '.join(parts)}") if parts else []


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH, subsequent_indent="    ", break_long_words=False)


def _objects(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(part, dict) for part in value)


def _table(value: Any) -> bool:
    """Whether these are objects by their names."""
    return isinstance(value, dict) and bool(value) and all(isinstance(part, dict) for part in value.values())


def _one(name: str) -> str:
    return _words(name.removesuffix("s"))


def _words(name: object) -> str:
    """A name as words; the names of a view's objects may be numbers (seats)."""
    return str(name).replace("_", " ")


def _named(name: object, texts: Texts) -> str:
    """A field of a view in the ruleset's words, else in its own."""
    return texts.get(f"field.{name}") or _words(name)


def menu_text(tag: str, texts: Texts) -> str:
    """What stands above the actions of a type in a list."""
    return texts.get(f"menu.{tag}") or _words(tag)


def _short(value: Any, texts: Texts) -> str:
    """A value in one line; what is nested in brackets."""
    if isinstance(value, dict):
        return ", ".join(f"{_key(key, texts)} {_part(part, texts)}" for key, part in value.items()) or "none"
    if isinstance(value, (list, tuple)):
        return ", ".join(_part(part, texts) for part in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else _word(str(value), texts)


def _part(value: Any, texts: Texts) -> str:
    short = _short(value, texts)
    return f"({short})" if isinstance(value, (dict, list, tuple)) and value else short


def _key(key: str, texts: Texts) -> str:
    """A key of a map: a thing that is counted, or the name of a field."""
    return texts.get(f"field.{key}") or texts.get(f"value.{key}") or _words(key)


def _word(text: str, texts: Texts) -> str:
    return texts.get(f"value.{text}", text)


def label_text(label: Mapping[str, Any], texts: Texts) -> str:
    """A label in words; where the ruleset has no text for it, its key and arguments."""
    key = str(label["key"])
    if key in texts or key.removesuffix(".hidden") in texts:
        return render(Saying(key, label["args"]), texts)
    told = ", ".join(f"{_named(name, texts)} {_short(value, texts)}" for name, value in label["args"].items())
    name = _words(key.removesuffix(".hidden"))
    return f"{name} ({told})" if told else name


def event_lines(event: Mapping[str, Any], texts: Texts) -> list[str]:
    """An event, as a reader gets it, in words: who did what, and beneath it what came of it."""
    effects = [
        f"    {label_text(label, texts)}"
        for effect, label in zip(event["effects"], event.get("labels", ()), strict=False)
        if effect.get("effect") not in SILENT
    ]
    return [f"{event['version']:>4}  {_what(event, texts)}", *(f"  {line}" for line in effects)]


def _what(event: Mapping[str, Any], texts: Texts) -> str:
    kind, details = str(event["kind"]), event.get("details", {})
    who = f"seat {event['seat']}" if "seat" in event else str(event.get("actor", ""))
    if "label" in event:
        return f"{who}: {label_text(event['label'], texts)}"
    if kind == "hidden":
        return "(nothing that you can see)"
    if kind == "rewound":
        return f"{who}: goes back to version {details['to']}"
    if kind == "joined":
        return f"{who}: {details['player']} sits down"
    if kind in ("created", "started", "ended"):
        return f"the game is {'over' if kind == 'ended' else kind}"
    return f"{who}: {kind.replace('_', ' ')}"


def outcome_lines(outcome: Outcome | None, texts: Texts) -> list[str]:
    """How a game ended."""
    if outcome is None:
        return ["The game is not over."]
    winners = ", ".join(f"seat {seat}" for seat in outcome.winners) or "nobody"
    reason = texts.get(f"outcome.{outcome.reason}") or texts.get(f"value.{outcome.reason}") or outcome.reason
    seats = sorted(range(len(outcome.places)), key=lambda seat: (outcome.places[seat], seat))
    table = [f"  {outcome.places[seat]}. seat {seat}: {outcome.scores[seat]}" for seat in seats]
    return [f"Winner: {winners} ({reason.replace('_', ' ')})", *table]
