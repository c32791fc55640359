"""The house pack is what the specification says, and what is wrong with a pack is told (2.3 to 2.14)."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.content import ContentError
from games.portland_occupied_zone.board import board
from games.portland_occupied_zone.ruleset import RULES

ROOT = Path(__file__).parents[3]
PACK = ROOT / "games/portland_occupied_zone/content/portland_occupied_zone-house-1.json"
SPECIFICATION = ROOT / "docs/rules/portland_occupied_zone.md"


@pytest.fixture
def pack() -> dict[str, Any]:
    return json.loads(PACK.read_text("utf-8"))


def test_the_map_is_that_of_the_specification(pack):
    text = SPECIFICATION.read_text("utf-8")
    section = text[text.index("### 2.3 Map") : text.index("### 2.4")]
    rows = [line[4:] for line in section.splitlines() if re.match(r"\d\d  \S", line)]
    assert pack["map"]["rows"] == rows
    told = json.loads(section[section.index("```json") + 7 : section.rindex("```")])
    assert {name: pack["map"][name] for name in told} == told


def test_the_numbers_of_cards_are_those_of_the_specification(pack):
    loot = {deck: sum(card["n"] for card in cards) for deck, cards in pack["loot"].items()}
    assert loot == {
        "merda": 16, "rags": 12, "coop": 16, "hexen": 12, "herpetic": 16, "pizza": 12, "dispensary": 12, "captains": 16
    }  # fmt: skip
    assert sum(loot.values()) == 112
    counts = {
        name: sum(card.get("n", 1) for card in pack[name]) for name in ("diseases", "homebrew", "plans", "aktions")
    }
    assert counts == {"diseases": 12, "homebrew": 25, "plans": 26, "aktions": 24}
    assert {name: sum(card["n"] for card in cards) for name, cards in pack["narratives"].items()} == {
        "standard": 38,
        "battle": 26,
    }
    assert sum(pc["bricks"] for pc in pack["characters"]) == 45
    assert pack["limits"]["bricks"] == 40


def test_every_row_of_the_card_tables_is_in_the_pack(pack):
    text = SPECIFICATION.read_text("utf-8")
    section = text[text.index("### 2.9 Loot decks") : text.index("### 2.10")]
    told = Counter()
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 6 and cells[4].isdigit():
            told[cells[0], cells[1], cells[2], cells[3], int(cells[4]), cells[5].strip("`")] += 1
    cards = [card for deck in pack["loot"].values() for card in deck]
    there = Counter(
        (card["id"], card["name"], card["type"], ", ".join(card.get("tags", [])), card["n"], card["effect"])
        for card in cards
    )
    assert there == told


def test_the_whole_map_has_the_arrows_and_sites_that_are_listed(house, pack):
    here = board(house, None)
    for edge, colours in pack["map"]["arrows"].items():
        for colour, cells in colours.items():
            assert [list(cell) for cell in here.arrows[edge, colour].cells] == cells
    listed = {name: {tuple(cell) for cell in cells} for name, cells in pack["map"]["barricade_sites"].items()}
    assert {name: set(cells) for name, cells in here.sites.items()} == listed


FAULTS = [
    (lambda pack: pack["map"]["rows"].pop(), "map.rows"),
    (lambda pack: pack["map"]["buildings"]["pizza"].update(door=[[3, 17], [5, 17]]), "map.buildings.pizza.door"),
    (lambda pack: pack["map"]["dumpsters"].update(d1=[9, 2]), "map.d1"),
    (lambda pack: pack["map"]["barricade_sites"].update(n_st37=[[6, 2], [7, 2]]), "map.barricade_sites.n_st37"),
    (lambda pack: pack["loot"].pop("pizza"), "loot"),
    (lambda pack: pack["loot"]["pizza"][0].update(effect="heel(self,1)"), "cards.slice.effect"),
    (lambda pack: pack["loot"]["pizza"][0].update(effect="heal(everybody,1)"), "cards.slice.effect"),
    (lambda pack: pack["loot"]["pizza"][1].update(id="granola"), "loot.pizza.granola"),
    (lambda pack: pack["characters"][0].update(works_at="bank"), "characters.magic_pink.works_at"),
    (lambda pack: pack["characters"][0]["powers"].pop(2), "characters.magic_pink.powers"),
    (lambda pack: pack["plans"][0].update(needs="turn.naps>=8"), "plans.leap.needs"),
    (lambda pack: pack["aktions"][0]["options"].pop(), "aktions.bake_sale.options"),
    (lambda pack: pack["structures"].pop(), "structures.commune"),
    (lambda pack: pack["structures"][1].update(site=True), "structures.tent"),
    (lambda pack: pack["bricks"]["d6"].update(flat=6), "bricks.d6"),
    (lambda pack: pack["narratives"]["battle"].clear(), "narratives.battle"),
]


@pytest.mark.parametrize(("spoil", "field"), FAULTS)
def test_what_is_wrong_with_a_pack_is_told_with_field_and_rule(pack, spoil, field):
    spoil(pack)
    with pytest.raises(ContentError, match=r"\(POZ-[A-Z]+-[\d.]+\)$") as error:
        RULES.shelf.read(msgspec.json.encode(pack))
    assert str(error.value).startswith(field)
