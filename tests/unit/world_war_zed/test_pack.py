"""Sections 2.2 and 2.3: which content packs are valid, and that a fault is told by its field and rule."""

import json
from pathlib import Path

import pytest

from games.content import ContentError, Shelf
from games.world_war_zed.pack import check
from games.world_war_zed.pack_parts import Pack
from tests.unit.world_war_zed.conftest import SMALL

HOUSE = Path(__file__).parents[3] / "games/world_war_zed/content/world_war_zed-house-1.json"


def add(raw):
    return Shelf(Pack, check).add(json.dumps(raw).encode())


@pytest.fixture
def raw():
    return json.loads(HOUSE.read_text("utf-8"))


def test_the_house_pack_has_the_map_of_the_specification(raw):
    add(raw)
    regions = raw["map"]["regions"]
    links = [(r["id"], e["to"]) for r in regions for e in r["exits"] if e["to"] not in ("CAN", "MEX")]
    assert (len(regions), len(links), len(raw["map"]["zones"]), len(raw["events"])) == (20, 74, 12, 30)
    for country, exit_to in (("canada", "CAN"), ("mexico", "MEX")):
        leaving = [r["id"] for r in regions if any(e["to"] == exit_to for e in r["exits"])]
        assert raw["map"]["borders"][country] == leaving


def test_a_small_pack_may_have_any_number_of_regions():
    raw = json.loads(SMALL.read_text("utf-8"))
    add(raw)
    with pytest.raises(ContentError, match=r"map\.regions: .*WWZ-1\.1-08"):
        add({**raw, "small": False})


def exits(pack, region):
    return next(r for r in pack["map"]["regions"] if r["id"] == region)["exits"]


def ops(pack, event):
    return next(e for e in pack["events"] if e["id"] == event)["ops"]


FAULTS = [
    (lambda p: p["map"]["regions"].pop(), r"map\.regions: .*WWZ-1\.1-08"),
    (lambda p: p["map"]["regions"][1].update(id="PNW"), r"map\.regions\.PNW: .*WWZ-1\.1-01"),
    (lambda p: exits(p, "PNW")[0]["faces"].append(2), r"map\.regions\[0\]\.exits\[1\]: each face.*WWZ-1\.1-02"),
    (lambda p: exits(p, "PNW")[0].update(faces=[7]), r"map\.regions\[0\]\.exits\[0\]\.faces"),
    (lambda p: exits(p, "PNW")[1].update(to="XXX"), r"map\.regions\[0\]\.exits\[1\]: .*XXX.*WWZ-1\.1-02"),
    (lambda p: exits(p, "PNW").pop(), r"exits\[0\]: PNW has no exit back to NCA.*WWZ-1\.1-09"),
    (lambda p: exits(p, "PNW")[1].pop("dz"), r"exits\[1\]: the exit back from RKY.*WWZ-1\.1-03"),
    (lambda p: p["map"]["zones"].pop(), r"map\.zones\.hudson_river: .*WWZ-1\.1-03"),
    (lambda p: p["map"]["zones"].append({"id": "x", "name": "X"}), r"map\.zones\.x: .*one link.*WWZ-1\.1-03"),
    (lambda p: p["map"]["borders"].pop("mexico"), r"map\.borders: .*WWZ-4\.3-02"),
    (lambda p: p["region_table"][2].pop(), r"region_table: .*WWZ-4\.1-03"),
    (lambda p: p["event_table"][2].__setitem__(0, "party"), r"event_table\[2\]: there is no party \(WWZ-3-01\)"),
    (lambda p: p["units"]["army"].update(count=5), r"units\.army\.count: .*WWZ-1\.2-08"),
    (lambda p: ops(p, "blight")[0]["ops"].clear(), r"events\[\d+\]\.ops\[0\]\.ops: .*WWZ-3-01"),
    (lambda p: ops(p, "desertion")[0]["at"].update(select="table"), r"events\[\d+\]\.ops\[0\]\.at\.select: "),
    (lambda p: ops(p, "boats_ashore")[0]["at"].update(region="XXX"), r"ops\[0\]\.at\.region: .*WWZ-3-01"),
    (lambda p: ops(p, "panic_buying")[0]["at"].update(filter="buildable"), r"ops\[0\]\.at\.filter: .*WWZ-3-01"),
    (lambda p: ops(p, "hard_frost")[0].update(mod="snow"), r"events\[\d+\]|events\[\.\.\.\]"),
    (lambda p: p["scenarios"].pop(0), r"scenarios: there is a scenario basic \(WWZ-1\.3-01\)"),
    (lambda p: p["scenarios"][1].update(base="cold_war_1962"), r"scenarios\[1\]\.base: .*WWZ-1\.3-01"),
    (lambda p: p["scenarios"][1]["tracks"].update(burst_min=5), r"scenarios\[1\]\.tracks: burst_min.*WWZ-1\.1-12"),
    (lambda p: p["scenarios"][5]["tracks"].update(air=1), r"scenarios\[5\]\.tracks: air.*WWZ-1\.1-12"),
    (lambda p: p["scenarios"][1]["place"][0].update(n=7), r"scenarios\[1\]\.pool: .*WWZ-1\.2-08"),
    (lambda p: p["scenarios"][1]["place"][2].update(at="GPL.city"), r"scenarios\[1\]\.place\[2\]\.at: .*WWZ-1\.1-05"),
    (lambda p: p["scenarios"][5]["place"][0].update(at="DZ.cascades"), r"place\[0\]\.at: .*WWZ-1\.2-12"),
    (lambda p: p["scenarios"][3].update(boss="DC"), r"scenarios\[3\]\.boss: .*WWZ-ZB-01"),
    (lambda p: p["levels"].pop(), r"levels: .*WWZ-7-11"),
    (lambda p: p["levels"][2].update(least=70), r"levels: .*WWZ-7-11"),
    (lambda p: p.update(colour="red"), r"colour"),
]


@pytest.mark.parametrize(("change", "sentence"), FAULTS)
def test_a_fault_is_told_by_its_field_and_rule(raw, change, sentence):
    change(raw)
    with pytest.raises(ContentError, match=sentence):
        add(raw)


def test_a_map_in_two_parts_is_refused(raw):
    for region in raw["map"]["regions"]:
        region["exits"] = [e for e in region["exits"] if "NEN" not in (region["id"], e["to"]) or e["to"] == "CAN"]
    raw["map"]["zones"] = [zone for zone in raw["map"]["zones"] if zone["id"] != "hudson_river"]
    with pytest.raises(ContentError, match=r"map\.regions: NEN cannot be reached from PNW \(WWZ-1\.1-09\)"):
        add(raw)
