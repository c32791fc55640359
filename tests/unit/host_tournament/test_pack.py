"""The house pack is that of the specification; which packs are valid; a fault is told by its place and rule."""

import ast
import json
import re
from pathlib import Path

import pytest

from games.content import ContentError, Shelf
from games.host_tournament.pack import check
from games.host_tournament.pack_parts import Pack
from tests.unit.host_tournament.conftest import HOUSE

SPECIFICATION = Path(__file__).parents[3] / "docs/rules/host_tournament_cards.md"
TYPES = ("personnel", "location", "equipment", "event", "interrupt", "chula")


def add(raw):
    return Shelf(Pack, check).add(json.dumps(raw).encode())


@pytest.fixture
def raw():
    return json.loads(HOUSE.read_text("utf-8"))


def tables():
    """The tables of the specification: rows of cells by heading, without empty cells."""
    lines, found = SPECIFICATION.read_text("utf-8").splitlines(), {}
    for number, line in enumerate(lines):
        if name := re.fullmatch(r"<!-- table: (\w+) -->", line):
            heading, rows = cells(lines[number + 1]), []
            for row in lines[number + 3 :]:
                if not row.startswith("|"):
                    break
                rows.append({key: cell for key, cell in zip(heading, cells(row), strict=True) if cell != "-"})
            found[name[1]] = rows
    return found


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split(" | ")]


def as_json(node):
    """A call of the specification's effects as it stands in a pack (cards, section 1)."""
    match node:
        case ast.Call(ast.Name(name), args):
            return [name, *map(as_json, args)]
        case ast.Name(name):
            return name
        case ast.UnaryOp(ast.USub(), ast.Constant(value)):
            return -value
        case ast.Dict(keys, values):
            return [[as_json(key), as_json(value)] for key, value in zip(keys, values, strict=True)]
    return node.value


def effects(cell):
    return [as_json(ast.parse(part.strip(), mode="eval").body) for part in cell.strip("`").split(" ; ")]


def test_every_cell_of_the_specification_is_in_the_house_pack(raw):
    """Cell by cell; a cell that is empty there is absent here, or has the value that says so."""
    add(raw)
    specified = tables()
    assert sum(len(raw[kind]) for kind in TYPES) == sum(len(specified[kind]) for kind in TYPES) == 84
    for kind in TYPES:
        for card, row in zip(raw[kind], specified[kind], strict=True):
            for field, cell in row.items():
                assert told(field, card.get(field)) == read(field, cell), (card["id"], field)
            assert set(card) <= set(row), card["id"]


def read(field, cell):
    """A cell as comparable data."""
    if field == "effect":
        return effects(cell)
    if field == "free":
        return effects(cell)[0]
    if field == "skills":
        pairs = [part.strip().partition("*") for part in cell.split(",")]
        return {name: int(count or 1) for name, _, count in pairs}
    if field in ("aff", "venue", "icons"):
        return [] if cell == "none" else [part.strip() for part in cell.split(",")]
    if field == "cum":
        return cell == "yes"
    return int(cell) if re.fullmatch(r"\d+", cell) else cell


def told(field, value):
    return [] if field == "aff" and value is None else value


def test_the_sample_decks_are_those_of_the_specification(raw):
    blocks = dict(re.findall(r"```deck (\w+)\n(.*?)```", SPECIFICATION.read_text("utf-8"), re.DOTALL))
    written = {
        name: {k: int(n) for k, n in (item.split(":") for item in text.split())} for name, text in blocks.items()
    }
    assert {deck["id"]: deck["cards"] for deck in raw["decks"]} == written


def card(pack, kind, name):
    return next(one for one in pack[kind] if one["id"] == name)


FAULTS = [
    (lambda p: p["towns"].append({"id": "leeds", "name": "Leeds"}), r"towns\[3\]\.id: each town once.*HT-3\.3"),
    (lambda p: card(p, "personnel", "tamsin").update(aff=["paris"]), r"personnel\.tamsin\.aff: .*paris.*HT-3\.3"),
    (lambda p: card(p, "personnel", "tamsin").update(aff=["leeds", "leeds"]), r"tamsin\.aff: at most two.*HT-13\.1"),
    (lambda p: card(p, "personnel", "tamsin").update(playing=11), r"personnel\[2\]\.playing|personnel\[\.\.\.\]"),
    (lambda p: card(p, "personnel", "tamsin").update(skills={"cooking": 1}), r"tamsin\.skills: .*cooking.*HT-5\.2"),
    (lambda p: card(p, "personnel", "tamsin").update(id="pint"), r"equipment\.pint: each id is used once.*HT-0\.2"),
    (lambda p: card(p, "personnel", "tamsin").update(id="tamsin2"), r"personnel"),
    (lambda p: card(p, "personnel", "tamsin").update(persona="yusra"), r"tamsin\.persona: .*HT-16\.1"),
    (lambda p: card(p, "location", "corn_hall").update(town="any"), r"corn_hall\.town: only a universal.*HT-18\.11"),
    (
        lambda p: card(p, "location", "corn_hall").update(town="york"),
        r"corn_hall\.town: there is no town york.*HT-3\.3",
    ),
    (
        lambda p: card(p, "event", "pub_quiz").update(effect=[]),
        r"event\.pub_quiz\.effect: an event has a play.*HT-7\.1",
    ),
    (lambda p: card(p, "interrupt", "second_wind").update(effect=[]), r"second_wind\.effect: .*reply.*HT-18\.10"),
    (lambda p: card(p, "chula", "the_station").update(effect=[]), r"the_station\.effect: a chula has one.*HT-10\.4"),
    (lambda p: card(p, "equipment", "pint").update(effect=[["play"]]), r"pint\.effect: it begins with attach.*HT-6\.8"),
    (
        lambda p: card(p, "personnel", "kit").update(effect=[["reply", "open"]]),
        r"personnel\.kit\.effect\[0\]: .*HT-10\.4",
    ),
    (lambda p: card(p, "chula", "downpour")["effect"][1].insert(1, ["fee", "MINE", "move", 1]), r"dearer.*HT-18\.5"),
    (lambda p: card(p, "personnel", "petra")["effect"][0].__setitem__(1, "open"), r"after goes with.*HT-18\.9"),
    (lambda p: card(p, "event", "league_table").pop("cd"), None),
    (lambda p: card(p, "event", "club_newsletter").pop("cd"), r"zero goes with a countdown.*HT-14\.1"),
    (lambda p: card(p, "chula", "the_station")["effect"][0][1][1].__setitem__(1, "YOU_ALL"), r"count\[0\]: .*HT-10\.4"),
    (lambda p: card(p, "chula", "the_station")["effect"][0][1][2].reverse(), r"ladder\[1\]: rungs go up.*HT-10\.4"),
    (
        lambda p: card(p, "personnel", "anneke").update(effect=[["dl", "binder"]]),
        r"there is no card 'binder'.*HT-10\.4",
    ),
    (lambda p: card(p, "personnel", "anneke").update(effect=[["dl"]]), r"dl\[0\]: card is missing"),
    (lambda p: card(p, "personnel", "anneke").update(effect=[["dl", "pint", 3]]), r"dl: 1 arguments too many"),
    (lambda p: card(p, "personnel", "anneke").update(effect=["dl"]), r"anneke\.effect\[0\]: 'dl' is none of play"),
    (
        lambda p: card(p, "event", "road_trip").update(effect=[["play", ["stop", "GROUP", 1]]]),
        r"GROUP goes with.*HT-11\.1",
    ),
    (lambda p: card(p, "event", "road_trip").update(effect=[["play", ["cancel", "TRIG"]]]), r"cancel goes.*HT-18\.10"),
    (lambda p: card(p, "event", "road_trip").update(effect=[["play", ["stop", "ENTRANTS", 1]]]), r"ENTRANTS.*HT-8\.1"),
    (
        lambda p: card(p, "personnel", "yusra").update(
            effect=[["during", ["when", ["ge", ["count", "MINE", "quiz"], 1]], ["grant", "SELF", "quiz", 1]]]
        ),
        r"effect: what changes quiz depends on quiz in a circle.*HT-18\.9",
    ),
    (
        lambda p: card(p, "personnel", "yusra").update(
            effect=[["during", ["buff", ["rand", "MINE", 1], "playing", 1]]]
        ),
        r"nothing is chosen or used up.*HT-18\.9",
    ),
    (lambda p: p["decks"][0]["cards"].update(pint=7), r"decks\.warwick_london\.cards: a deck has 60.*61.*HT-1\.2"),
    (lambda p: p["decks"][0]["cards"].update(mug=1), r"decks\.warwick_london\.cards\.mug: .*HT-0\.2"),
    (lambda p: p.update(decks=[]), r"decks: there is a sample deck.*HT-1\.2"),
    (lambda p: p["type_rules"][0].update(effect=[]), r"type_rules\[0\]\.effect: it is one act.*HT-18\.1"),
    (lambda p: p.update(colour="red"), r"colour"),
]


@pytest.mark.parametrize(("change", "sentence"), FAULTS)
def test_a_fault_is_told_by_its_place_and_rule(raw, change, sentence):
    change(raw)
    if sentence is None:
        add(raw)
        return
    with pytest.raises(ContentError, match=sentence):
        add(raw)
