"""`content check`: third parties' packs are good, or one sentence names field and rule; `case --pack` uses them."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from server.catalogue import Catalogue

ROOT = Path(__file__).parents[3]
SMALL = ROOT / "tests" / "unit" / "world_war_zed" / "pack_small.json"
HOUSE = {
    name: next((ROOT / "games" / name / "content").glob("*house*.json"))
    for name in ("host_tournament", "tpoc", "world_war_zed")
}


@pytest.fixture(autouse=True)
def shelves(monkeypatch):
    """The shelves are everybody's: leave them as they were."""
    for entry in Catalogue.load().values():
        for name in ("_packs", "_sources", "_names"):
            monkeypatch.setattr(entry.rules.shelf, name, dict(getattr(entry.rules.shelf, name)))


@pytest.fixture
def changed(tmp_path):
    """A pack of a ruleset with something changed, in a file."""

    def write(change, ruleset="world_war_zed"):
        pack = json.loads((SMALL if ruleset == "world_war_zed" else HOUSE[ruleset]).read_bytes())
        change(pack)
        file = tmp_path / "mine.json"
        file.write_text(json.dumps(pack))
        return file

    return write


def test_a_good_pack_is_told_by_name_digest_and_ruleset(turnlog):
    told = turnlog("content", "check", SMALL)
    source = SMALL.read_bytes()
    lines = [f"{SMALL}: good", f"name: {json.loads(source)['pack']}", f"sha256: {sha256(source).hexdigest()}"]
    assert (told.code, told.out.splitlines()) == (0, [*lines, "ruleset: world_war_zed"])
    assert turnlog("content", "check", SMALL, "--ruleset", "world_war_zed", "--json").json()["good"] is True


@pytest.mark.parametrize("ruleset", HOUSE)
def test_the_ruleset_is_told_from_the_fields(turnlog, ruleset):
    told = turnlog("content", "check", HOUSE[ruleset], "--json")
    assert (told.json()["ruleset"], told.json()["known"]) == (ruleset, True)
    assert "in this installation already" in told.err


def test_checking_keeps_nothing(turnlog):
    before = {name: list(entry.rules.shelf) for name, entry in Catalogue.load().items()}
    assert turnlog("content", "check", SMALL).code == 0
    assert {name: list(entry.rules.shelf) for name, entry in Catalogue.load().items()} == before


def test_another_pack_with_the_name_of_one_that_is_here_is_told(turnlog, changed):
    name = json.loads(HOUSE["tpoc"].read_bytes())["pack"]
    told = turnlog("content", "check", changed(lambda pack: pack["colours"][0].update(issue="Taxes"), "tpoc"))
    assert told.code == 0
    assert f"another pack is named {name} here" in told.err


def form(ruleset):
    return f"the form of packs of {ruleset}"


WWZ, TPOC, HOST = "world_war_zed", "tpoc", "host_tournament"
BROKEN = [
    (WWZ, lambda p: p["map"]["regions"][0]["exits"][0].update(to="XXX"), "map.regions[0].exits[0]", "WWZ-1.1-02"),
    (WWZ, lambda p: p["region_table"].pop(), "region_table", "WWZ-4.1-03"),
    (WWZ, lambda p: p["map"]["zones"].append({"id": "z", "name": "Z"}), "map.zones.z", "WWZ-1.1-03"),
    (WWZ, lambda p: p.update(small=False), "map.regions", "WWZ-1.1-08"),
    (WWZ, lambda p: p["map"]["regions"][0].update(x="left"), "map.regions[0].x", form(WWZ)),
    (WWZ, lambda p: p.update(colour="red"), "colour", form(WWZ)),
    (WWZ, lambda p: p["map"].pop("zones"), "map.zones", form(WWZ)),
    (TPOC, lambda p: p["cards"].update(blue=14), "cards.blue", "TPOC-R1"),
    (TPOC, lambda p: p.update(chefs=4), "chefs", "TPOC-1.8"),
    (TPOC, lambda p: p["limits"].update(hand="many"), "limits.hand", form(TPOC)),
    (TPOC, lambda p: p["villagers"][3].update(count=2), "villagers", "TPOC-1.2"),
    (HOST, lambda p: p["personnel"][2].update(aff=["paris"]), "personnel.tamsin.aff", "HT-3.3"),
    (HOST, lambda p: p["personnel"][14].update(effect=[["dl", "mug"]]), "personnel.anneke.effect[0].dl[0]", "HT-10.4"),
    (HOST, lambda p: p["decks"][1]["cards"].update(mug=1), "decks.glasgow_cardiff.cards.mug", "HT-0.2"),
    (HOST, lambda p: p["personnel"][2].update(height=2), "personnel[2].height", form(HOST)),
]


@pytest.mark.parametrize("broken", BROKEN, ids=[f"{b[0]}-{b[2]}" for b in BROKEN])
def test_what_is_wrong_is_one_sentence_with_the_field_and_the_rule(turnlog, changed, broken):
    ruleset, change, field, rule = broken
    file = changed(change, ruleset)
    told = turnlog("content", "check", file)
    assert (told.code, told.out, told.err.count("\n")) == (1, "", 1)
    assert told.err.startswith(f"turnlog: {file}: {field}: ")
    assert told.err.endswith(f" ({rule})\n")
    fault = turnlog("content", "check", file, "--json").json()["fault"]
    assert (fault["field"], fault["rule"]) == (field, rule)
    assert told.err == f"turnlog: {file}: {field}: {fault['sentence']} ({rule})\n"


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (b"", "pack: "),
        (b"{", "pack: "),
        (b"[]", "pack: expected `object`, got `array` (a pack is a JSON object)"),
        (b"\xff\xfe", "pack: "),
        (
            b"{}",
            "it has no field of any ruleset's packs (there is block_mania, host_tournament, portland_occupied_zone, ",
        ),
        (b'{"pack": "x"}', "it has no field of any ruleset's packs"),
        (b'{"a":' + b"[" * 40 + b"]" * 40 + b"}", "nested deeper than 32"),
    ],
)
def test_what_is_no_pack_at_all_is_told_in_a_sentence(turnlog, tmp_path, source, sentence):
    (tmp_path / "mine.json").write_bytes(source)
    told = turnlog("content", "check", "mine.json")
    assert (told.code, told.err.count("\n")) == (1, 1)
    assert sentence in told.err
    assert "our mistake" not in told.err


def test_a_pack_that_a_server_would_not_take_for_its_size_is_not_good(turnlog, tmp_path, monkeypatch):
    monkeypatch.setenv("TURNLOG_PACK_BYTES_MAX", "1000")
    told = turnlog("content", "check", SMALL)
    assert told.code == 1
    assert "larger than 1000 bytes" in told.err


def test_a_ruleset_that_there_is_not_and_a_file_that_there_is_not(turnlog):
    assert turnlog("content", "check", SMALL, "--ruleset", "chess").code == 2
    assert turnlog("content", "check", "nowhere.json").code == 1
    assert "turnlog content check my_map.json" in turnlog("content", "check", "--help").out


CASE = """
- case: a start of somebody's own map
  rules: [WWZ-1.1-01]
  given: {{pack: {name}, base: siege, state: {{turn: 2}}}}
  then: {{state: {{turn: 2, scenario: siege}}}}
"""


def test_cases_are_run_on_a_pack_that_is_given_with_them(turnlog, tmp_path):
    (tmp_path / "mine.yaml").write_text(CASE.format(name=json.loads(SMALL.read_bytes())["pack"]))
    told = turnlog("case", "mine.yaml", "--pack", SMALL)
    assert (told.code, told.out) == (0, "1 of 1 cases pass\n")
    (tmp_path / "bad.json").write_text("{}")
    told = turnlog("case", "mine.yaml", "--pack", "bad.json")
    assert (told.code, told.err.startswith("turnlog: bad.json: pack: ")) == (1, True)
