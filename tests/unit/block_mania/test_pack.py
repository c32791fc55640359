"""Sections 2.1 to 2.10: which content packs are valid, and that a fault is told by its field and rule."""

import json
from collections import Counter
from pathlib import Path

import pytest

from games.block_mania.pack import check
from games.block_mania.pack_parts import Pack
from games.content import ContentError, Shelf

HOUSE = Path(__file__).parents[3] / "games/block_mania/content/block_mania-house-1.json"


def add(raw):
    return Shelf(Pack, check).add(json.dumps(raw).encode())


@pytest.fixture
def raw():
    return json.loads(HOUSE.read_text("utf-8"))


def named(parts, name):
    return next(part for part in parts if part["id"] == name)


def test_the_house_pack_is_good(raw):
    add(raw)


def test_the_pools_are_those_of_the_component_reference(raw):
    tokens = {item["id"]: item["count"] for item in raw["equipment"] if item["count"]}
    assert tokens == {
        "spitgun": 16, "stump_gun": 8, "mdl": 8, "flamer": 8, "demo_charge": 8, "missile_launcher": 4,
        "spray_paint": 16, "buzz_saw": 8, "vibro_drill": 8, "fire_bombs": 8, "bat_suit": 4, "power_board": 4,
    }  # fmt: skip


def test_a_seat_has_twenty_four_counters_of_which_so_many_draw_tokens(raw):
    seats = [b for b in raw["blockers"] if b["supply" if "supply" in b else "id"] != "common" and b["id"] != "jaeger"]
    markers = Counter()
    for blocker in seats:
        markers.update(blocker["markers"])
    assert (sum(markers.values()), markers["armory"], markers["hardware"], markers["none"]) == (24, 8, 9, 7)


def test_the_deck_has_the_justice_sides_of_the_totals_line(raw):
    sides = Counter()
    for row in raw["cards"]:
        sides[row["justice"]] += row["count"]
    assert sides == {
        "riot_foam": 14, "stumm_gas": 10, "judges": 7, "kleggs_go_home": 4, "sonic_cannon": 4, "h_wagon": 4,
        "fire_department": 4, "pat_wagon": 4, "electro_cordon": 2, "judge_dredd": 1,
    }  # fmt: skip


#: The Mania sides of the table, in the rulebook's Component Reference.
TABLE = {
    "reinforcements": 6, "kleggs": 6, "sky_rail_marker": 1, "sky_rail_car": 2, "ra_ra_ra": 4, "smoke_bombs": 2,
    "wreckers": 2, "kaboom_thermo": 1, "kaboom_mega_way": 2, "stuck": 2, "bob_harris": 1, "spider_schultz": 1,
    "judges_arrest": 2, "ape_gang": 1, "synthi_burger": 2, "tap_gang": 3, "geek_gordon": 1, "armed_robbers": 2,
    "trundle": 2, "mob_frenzy": 2, "kneepad_stall": 2, "radio_jammer": 2,
}  # fmt: skip


def test_the_deck_has_the_mania_sides_of_the_table(raw):
    sides = Counter()
    for row in raw["cards"]:
        sides[row["mania"]] += row["count"] if row.get("table49") is None else row["table49"]
    assert +sides == TABLE


def test_the_whole_deck_has_the_mania_sides_of_the_totals(raw):
    sides = Counter()
    for row in raw["cards"]:
        sides[row["mania"]] += row["count"]
    assert sides == TABLE | {"kaboom_pedway": 2, "kaboom_sky_rail": 2, "kaboom_thermo": 2}
    assert sides.total() == 54


@pytest.mark.parametrize(
    ("option", "pool", "size"), [("robodogs_sucker_guns", 8, 8), ("trip_mines_spit_cannons", 12, 12)]
)
def test_an_expansion_leaves_its_pool_as_large_as_it_was(raw, option, pool, size):
    exchange = raw["expansions"][option]
    assert (sum(exchange["remove"].values()), sum(exchange["add"].values())) == (pool, size)


def row(pack, board, table, level):
    rows = pack["boards"][board][table]
    return rows, len(rows) - 1 - level


def cell(board, table, level, column, value):
    def change(pack):
        rows, at = row(pack, board, table, level)
        cells = rows[at].split()
        cells[column] = value
        rows[at] = " ".join(cells)

    return change


FAULTS = [
    (lambda p: p["kinds"][0].update(id="..."), r"kinds\[0\]\.id: .*BM-LOC-1"),
    (lambda p: p["kinds"][1].update(id=".."), r"kinds\[0\]\.id: \.\. is listed once \(BM-LOC-1\)"),
    (lambda p: named(p["kinds"], "ap").pop("colour"), r"kinds\[7\]\.colour: .*BM-LOC-3"),
    (lambda p: named(p["kinds"], "WI").update(tags=[]), r"kinds\[5\]\.tags: .*BM-WIN-8"),
    (lambda p: p["boards"].pop(), r"boards: there is a board for each of 4 seats \(BM-SET-7\)"),
    (lambda p: p["boards"][1].update(id="tallow_point"), r"boards\[0\]\.id: .*BM-SET-7"),
    (lambda p: p["boards"][2]["kinds"].pop(0), r"boards\[2\]\.kinds: all boards have the same levels \(BM-EDGE-1\)"),
    (cell(1, "kinds", 9, 3, "xx"), r"boards\[1\]\.kinds\[1\]: there is no xx \(BM-LOC-1\)"),
    (cell(1, "kinds", 9, 3, "ap ap"), r"boards\[1\]\.kinds\[1\]: there are 10 columns \(BM-EDGE-1\)"),
    (cell(1, "kinds", 9, 2, ".."), r"boards\[1\]\.kinds\[1\]: column 2 is in the tower \(BM-LOC-1\)"),
    (cell(1, "kinds", 9, 8, "ap"), r"boards\[1\]\.kinds\[1\]: column 8 is Open Air \(BM-LOC-1\)"),
    (cell(1, "kinds", 9, 5, "WI"), r"boards\[1\]\.kinds\[1\]: Windows are on the faces.*BM-WIN-8"),
    (cell(1, "kinds", 9, 0, "tp"), r"boards\[1\]\.kinds\[1\]: a plaza goes on up to the tower \(BM-WALK-4\)"),
    (cell(1, "kinds", 8, 8, ".."), r"boards\[1\]\.kinds\[2\]: a sky_rail goes on up.*BM-TR-6"),
    (cell(1, "kinds", 8, 7, "WI"), r"boards\[1\]\.kinds\[2\]: a tubeway is where a sky_rail meets.*BM-TR-6"),
    (cell(0, "kinds", 5, 2, "WI"), r"boards\[0\]\.kinds\[5\]: a pedway_terminus is where.*BM-TR-8"),
    (cell(0, "kinds", 4, 5, "ap"), r"boards\[0\]\.kinds: there is a square with bank \(BM-LOOT-1\)"),
    (cell(0, "kinds", 1, 4, "WT"), r"boards\[0\]\.kinds\[9\]: a Water Tank is on level 3 or up \(BM-SD-5\)"),
    (cell(0, "numbers", 10, 1, "63"), r"boards\[0\]\.numbers: each number of d66.*BM-1CI-3"),
    (cell(0, "numbers", 10, 0, "64"), r"boards\[0\]\.numbers\[0\]: Interior squares have.*BM-1CI-3"),
    (lambda p: p["boards"][0]["numbers"].pop(), r"boards\[0\]\.numbers: there is a row for each.*BM-LOC-2"),
    (cell(0, "features", 4, 3, "-"), r"boards\[0\]\.features: the shaft E is one vertical run \(BM-TR-4\)"),
    (cell(0, "features", 4, 1, "-"), r"boards\[0\]\.features: the shaft G is one vertical run \(BM-TR-5\)"),
    (cell(0, "features", 4, 5, "X"), r"boards\[0\]\.features\[6\]: X is - or letters.*BM-TR-4"),
    (lambda p: named(p["blockers"], "mob").update(strength=5), r"blockers\[5\]: mob has.*BM-BLK-10"),
    (lambda p: named(p["blockers"], "klegg").update(supply="seat"), r"blockers\[9\]\.supply: .*BM-BLK-9"),
    (lambda p: named(p["blockers"], "superhero").update(markers={"armory": 2}), r"blockers\[7\]\.markers: .*BM-BLK-11"),
    (lambda p: p["blockers"].pop(), r"blockers: every type is listed \(BM-BLK-1\)"),
    (lambda p: p["equipment"][0].update(count=15), r"equipment: the armory pool has 52 tokens, not 51 \(BM-COMP-1\)"),
    (lambda p: p["equipment"][0].update(dv=4), r"equipment\[0\]: spitgun has range.*BM-EQ-13"),
    (lambda p: p["equipment"][0].update(id="laser"), r"equipment\[0\]\.id: there is no laser \(BM-COMP-1\)"),
    (lambda p: p["equipment"].pop(), r"equipment: every kind is listed, and no other \(BM-COMP-1\)"),
    (lambda p: p["equipment"][0].update(shots=[]), r"equipment\[0\]: what is fired has a range.*BM-SH-1"),
    (lambda p: p["equipment"][2].update(melee=True), r"equipment\[2\]\.melee: .*BM-CA-1"),
    (lambda p: p["equipment"][0]["shots"][0].update(homing=True), r"equipment\[0\]\.shots\[0\]: .*BM-SH-5"),
    (lambda p: p["equipment"][5]["shots"][2].update(fires=4), r"equipment\[5\]\.shots\[2\]\.fires: .*BM-SH-9"),
    (lambda p: p["expansions"].pop("nerve_gas"), r"expansions: nerve_gas is not listed \(BM-SET-1\)"),
    (lambda p: p["expansions"]["jaegers"]["add"].update(jaeger=2), r"expansions\.jaegers: .*BM-SET-2"),
    (lambda p: p["expansions"]["thermo_bombs"].update(add={"x": 1}), r"expansions\.thermo_bombs: .*no x.*BM-SET-5"),
    (
        lambda p: p["expansions"]["robodogs_sucker_guns"]["remove"].update(buzz_saw=9),
        r"expansions\.robodogs_sucker_guns\.remove\.buzz_saw: there are only 8 \(BM-SET-3\)",
    ),
    (lambda p: p["cards"][0].update(count=7), r"cards: the deck .* not 50 \(BM-COMP-2\)"),
    (lambda p: p["cards"][0].update(mania="party"), r"cards\[0\]\.mania: there is no party \(BM-COMP-2\)"),
    (lambda p: p["cards"][0].update(justice="party"), r"cards\[0\]\.justice: there is no party \(BM-COMP-2\)"),
    (lambda p: named(p["mania"], "stuck").update(window="A+"), r"mania\[8\]\.ops\[0\]: not with set_blocker_flag.*MAN"),
    (lambda p: named(p["mania"], "ape_gang").update(window="A-"), r"mania\[\d+\]\.ops\[0\]\.side: .*BM-MAN-1"),
    (lambda p: named(p["mania"], "stuck").update(ops=[]), r"mania\[8\]\.ops: a card does something \(BM-MAN-1\)"),
    (lambda p: named(p["mania"], "radio_jammer")["ops"][0].update(dice=1), r"mania\[\d+\]\.ops\[0\]: .*BM-1B-1"),
    (lambda p: p["justice"][0]["ops"][0].update(target="mover"), r"justice\[0\]\.ops: .*BM-1A-2"),
    (lambda p: p["justice"][2]["ops"][0]["where"].update(tag=["x"]), r"justice\[2\]\.ops\[0\]: there is no x"),
    (lambda p: p["scatter"]["vertical"].pop(), r"scatter\.vertical: .*BM-FIRE-2"),
    (lambda p: p["units"].pop(), r"units: every Justice unit is listed \(BM-3B-1\)"),
    (lambda p: p["units"][1].pop("roll_max"), r"units\[1\]: .*BM-3B-4"),
    (lambda p: p.update(weather="fine"), r"weather"),
]


@pytest.mark.parametrize(("change", "sentence"), FAULTS)
def test_a_fault_is_told_by_its_field_and_rule(raw, change, sentence):
    change(raw)
    with pytest.raises(ContentError, match=sentence):
        add(raw)
