"""The map of a view in letters, as its layers say (see `games.drawing`): for a terminal."""

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from games.kernel.say import Texts

#: A map is at most so wide, and a square so many letters.
WIDTH: Final = 106
SQUARE_MAX: Final = 4

Square = tuple[int, int]


class Thing(NamedTuple):
    """What lies on a map: its layer, id and fields, and the squares that it lies on."""

    layer: Mapping[str, Any]
    id: str
    fields: Mapping[str, Any]
    squares: tuple[Square, ...]


def is_drawable(view: Mapping[str, Any]) -> bool:
    """Whether a view has a map of squares with layers."""
    drawn = view.get("map")
    return isinstance(drawn, Mapping) and bool(drawn.get("layers")) and bool(drawn.get("rows") or drawn.get("squares"))


def map_lines(view: Mapping[str, Any], texts: Texts) -> list[str]:
    """The map, a line for each row of squares, with the numbers of columns and rows."""
    grounds = dict(_grounds(view["map"]))
    by_id = {square.get("id"): (square["x"], square["y"]) for square in view["map"].get("squares", ())}
    things: list[Thing] = []
    for layer in view["map"]["layers"]:
        for thing in _things(view, layer, by_id):
            things.append(thing)
            if layer["shape"] == "area":
                by_id.setdefault(thing.id, thing.squares[0])
    columns, rows = ([*range(min(axis), max(axis) + 1)] for axis in zip(*grounds, strict=True))
    size = max(2, min(SQUARE_MAX, WIDTH // len(columns)))
    texted = _single(grounds, things, size, texts)
    areas = [thing for thing in things if thing.layer["shape"] == "area" and len(thing.squares) > 1]
    for area in reversed(areas):
        inside = [one for one in things if one is not area and set(one.squares) & set(area.squares)]
        texted |= _spread(area, inside, size, texts)
    if "levels" in view["map"]:  # counted from the ground
        rows.reverse()
    head = "    " + "".join(f"{x:<{size}}" for x in columns).rstrip()
    return [
        *_signs(view["map"], texts),
        head,
        *(f"{y:>3} " + "".join(texted.get((x, y), "").ljust(size) for x in columns).rstrip() for y in rows),
    ]


def _grounds(drawn: Mapping[str, Any]) -> Iterator[tuple[Square, str]]:
    """The squares with a sign for what is printed there."""
    for square in drawn.get("squares", ()):
        yield (square["x"], square["y"]), square["kind"]
    for y, row in enumerate(drawn.get("rows", ())):
        yield from (((x, y), sign) for x, sign in enumerate(row) if sign != " ")


def _signs(drawn: Mapping[str, Any], texts: Texts) -> list[str]:
    """What the signs for the ground mean, where they are not letters of their own names."""
    kinds = drawn.get("kinds", {}) if "rows" in drawn else {}
    named = {
        sign: texts.get(f"value.{kind['name']}", kind["name"]) for sign, kind in kinds.items() if not sign.isupper()
    }
    return ["    " + "   ".join(f"{sign} {name}" for sign, name in named.items())] if named else []


def _things(view: Mapping[str, Any], layer: Mapping[str, Any], by_id: Mapping[str, Square]) -> Iterator[Thing]:
    state = _dig(view, layer["state"]) if layer.get("state") else {}
    at = layer.get("at", "id")
    for name, thing in _entries(_dig(view, layer["part"]), layer["part"], at):
        fields = (thing if isinstance(thing, Mapping) else {}) | state.get(name, {})
        place = name if at == "id" else thing if at == "" else _dig(thing, at)
        squares = tuple(_squares(place, by_id))
        if squares and all(fields.get(layer[wanted]) for wanted in ("when", "count") if layer.get(wanted)):
            yield Thing(layer, name, fields, squares)


def _entries(part: Any, path: str, at: str) -> Iterator[tuple[str, Any]]:
    """The things of a part by their ids: a list, a table, or one thing."""
    if isinstance(part, (list, tuple)):
        yield from ((str(thing.get("id", "")) if isinstance(thing, Mapping) else "", thing) for thing in part)
    elif at not in ("", "id") and _dig(part, at) is not None:
        yield path.rpartition(".")[2], part
    elif isinstance(part, Mapping):
        yield from part.items()


def _squares(place: Any, by_id: Mapping[str, Square]) -> Iterator[Square]:
    if isinstance(place, str) and place in by_id:
        yield by_id[place]
    elif isinstance(place, (list, tuple)) and len(place) == 2 and all(isinstance(part, int) for part in place):
        yield place[0], place[1]
    elif isinstance(place, (list, tuple)):
        for part in place:
            yield from _squares(part, by_id)


def _dig(value: Any, path: str) -> Any:
    for name in path.split("."):
        if isinstance(value, (list, tuple)):
            value = value[int(name)] if name.isdecimal() and int(name) < len(value) else None
        else:
            value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _single(grounds: Mapping[Square, str], things: list[Thing], size: int, texts: Texts) -> dict[Square, str]:
    """The letters of each square: pieces before areas, these before marks and the ground."""
    found: dict[Square, str] = {}
    for square, sign in grounds.items():
        here = [thing for thing in things if square in thing.squares and thing.layer.get("cls") != "told"]
        pieces = [thing for thing in here if thing.layer["shape"] == "piece"]
        others = [thing for thing in here if thing.layer["shape"] == "area"] or here
        if pieces:
            told = _short(pieces[0], texts)
            found[square] = told[: size - 1] if len(pieces) == 1 else told[: size - 2] + "+"
        else:
            found[square] = (_short(others[-1], texts) if others else sign)[: size - 1]
    return found


def _spread(area: Thing, inside: list[Thing], size: int, texts: Texts) -> dict[Square, str]:
    """The letters of a large area over its squares: its name, and below it all that is in it, between brackets."""
    xs, ys = sorted({x for x, _ in area.squares}), sorted({y for _, y in area.squares})
    said = [one for one in inside if one.layer.get("cls") != "told"]
    said.sort(key=lambda one: one.layer["shape"] == "mark")
    room = len(xs) * size - 3
    text = " ".join(_short(one, texts) for one in said)
    lines = [_short(area, texts), *textwrap.wrap(text, room, max_lines=max(1, len(ys) - 1), placeholder="+")]
    found: dict[Square, str] = {}
    for row, y in enumerate(ys):
        line = f"[{(lines[row] if row < len(lines) else '')[:room]:<{room}}]".ljust(len(xs) * size)
        found |= {(x, y): line[n * size : (n + 1) * size] for n, x in enumerate(xs)}
    return found


def _short(thing: Thing, texts: Texts) -> str:
    """A thing in few letters: its own short name, that of its layer for marks, else its id."""
    layer, name = thing.layer, thing.id
    if layer["shape"] == "mark":
        word = texts.get(f"short.{name}") or texts.get(f"short.{layer['name']}") or layer["name"][:2]
        count = thing.fields.get(layer.get("count", ""), 1)
        return f"{word} {count}" if isinstance(count, int) and count > 1 else word
    if layer.get("type") and layer["shape"] == "area":
        kind = str(thing.fields.get(layer["type"]))
        own = texts.get(f"short.{kind}") or texts.get(f"value.{kind}") or kind
        return f"{name} {own}" if len(thing.squares) > 1 else name
    return texts.get(f"short.{name}") or (name if layer.get("type") else texts.get(f"value.{name}") or name)
