"""The house pack says what the card tables of the specification say (docs/rules/host_tournament_cards.md)."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "rules" / "host_tournament_cards.md").read_text("utf-8")
PACK = json.loads((ROOT / "games" / "host_tournament" / "content" / "host_tournament-house-1.json").read_text("utf-8"))

TYPES = ("personnel", "location", "equipment", "event", "interrupt", "chula")
LISTS = ("aff", "venue", "icons")


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a data table by the names in its heading row, `-` left out."""
    lines = TEXT.split(f"<!-- table: {name} -->\n", 1)[1].split("\n\n", 1)[0].splitlines()
    heading, _, *body = ([cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines)
    return [{key: cell for key, cell in zip(heading, row, strict=True) if cell != "-"} for row in body]


def call(node: ast.AST) -> Any:
    """A rule in Python's expression syntax as the JSON of section 1."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=args):
            return [name, *map(call, args)]
        case ast.Name(id=name):
            return name
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
        case ast.Dict(keys=keys, values=values):
            return [[call(key), call(value)] for key, value in zip(keys, values, strict=True) if key is not None]
    raise ValueError(ast.dump(node))


def rules(cell: str) -> list[Any]:
    return [call(ast.parse(part, mode="eval").body) for part in cell.strip("`").split(" ; ")]


def value(field: str, cell: str) -> Any:
    """A cell as the pack has it."""
    if field == "effect":
        return rules(cell)
    if field == "free":
        return rules(cell)[0]
    if field == "cum":
        return cell == "yes"
    if field in LISTS:
        return [] if cell == "none" else cell.split(", ")
    if field == "skills":
        pairs = (part.partition("*") for part in cell.split(", "))
        return {skill: int(times or 1) for skill, _, times in pairs}
    return int(cell) if re.fullmatch(r"\d+", cell) else cell


@pytest.mark.parametrize("kind", TYPES)
def test_every_card_is_as_its_table_says(kind):
    said = [{key: value(key, cell) for key, cell in row.items()} for row in rows(kind)]
    wanted = [{key: part for key, part in card.items() if part != []} for card in said]
    assert PACK[kind] == wanted


def test_the_rule_that_every_location_has_is_the_tables():
    assert PACK["type_rules"] == [{key: value(key, cell) for key, cell in row.items()} for row in rows("type_rules")]


def test_the_towns_are_the_tables():
    assert [town["id"] for town in PACK["towns"]] == [row["id"] for row in rows("towns")]


def test_the_sample_decks_are_the_lists():
    found = re.findall(r"```deck (\w+)\n(.*?)```", TEXT, re.DOTALL)
    listed = {name: {card: int(n) for card, n in re.findall(r"(\w+):(\d+)", text)} for name, text in found}
    assert {deck["id"]: deck["cards"] for deck in PACK["decks"]} == listed
    assert [sum(cards.values()) for cards in listed.values()] == [60, 60]


def test_there_are_84_cards():
    assert [len(PACK[kind]) for kind in TYPES] == [32, 14, 8, 8, 10, 12]
