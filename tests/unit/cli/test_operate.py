"""`token`, `projections`, `db`, `rulesets`, `rules` and `case`."""

import json
import sqlite3
from contextlib import closing

from events.database import change
from projections.runner import Runner

CASE = """
- case: a card that is not there
  rules: [TPOC-4.0.1]
  given: {seats: 3}
  when: []
  then: {state: {turn: %d}}
"""


def test_a_token_is_made_for_a_new_player_and_for_a_known_one(turnlog):
    first = turnlog("token", "create", "--name", "Ada", "--scope", "admin", "--database", "a.db", "--json").json()
    assert first["token"].startswith("tl_")
    assert first["scopes"] == ["admin"]
    second = turnlog("token", "create", "--player", first["player"], "--scope", "watch", "--database", "a.db")
    assert second.code == 0
    assert second.out.strip().startswith("tl_")
    tokens = turnlog("token", "list", first["player"], "--database", "a.db", "--json").json()
    assert [token["scopes"] for token in tokens] == [["admin"], ["watch"]]
    assert first["token"] not in json.dumps(tokens)
    assert turnlog("token", "revoke", first["player"], tokens[0]["id"], "--database", "a.db").code == 0
    assert turnlog("token", "revoke", first["player"], tokens[0]["id"], "--database", "a.db").code == 1
    assert turnlog("token", "create", "--player", "nobody", "--database", "a.db").code == 1


def test_projections_are_told_and_rebuilt(turnlog):
    turnlog("token", "create", "--name", "Ada", "--database", "a.db")
    status = turnlog("projections", "status", "--database", "a.db", "--json").json()
    assert {row["name"] for row in status["projections"]} == {"lobby", "results", "deadlines"}
    told = turnlog("projections", "rebuild", "--database", "a.db")
    assert sorted(told.out.splitlines()) == ["deadlines: rebuilt", "lobby: rebuilt", "results: rebuilt"]
    assert turnlog("projections", "rebuild", "weather", "--database", "a.db").code == 2


def test_tables_of_another_program_are_told_and_dropped_by_tidy_alone(turnlog):
    turnlog("token", "create", "--name", "Ada", "--database", "a.db")
    with closing(sqlite3.connect("a.db")) as file, file:
        file.execute("update checkpoints set shape = 77 where name = 'lobby'")
    rebuilt = turnlog("projections", "rebuild", "lobby", "--database", "a.db")
    assert rebuilt.out == "lobby: rebuilt\n"
    status = turnlog("projections", "status", "--database", "a.db")
    assert status.code == 0
    assert "lobby: at 0 of 0, shape 2, generation 3\n" in status.out
    assert "lobby, shape 77, generation 1, of another program: at 0 of 0\n" in status.out
    told = turnlog("projections", "status", "--database", "a.db", "--json").json()
    assert {(row["name"], row["shape"]) for row in told["projections"]} == {
        ("lobby", 2),
        ("results", 2),
        ("deadlines", 1),
    }
    assert [(row["name"], row["shape"], row["generation"]) for row in told["others"]] == [("lobby", 77, 1)]
    assert turnlog("projections", "tidy", "--database", "a.db").out == "lobby, shape 77, generation 1: dropped\n"
    assert turnlog("projections", "tidy", "--database", "a.db").out == "There is nothing to drop.\n"
    assert turnlog("projections", "status", "--database", "a.db", "--json").json() == told | {"others": []}


def test_a_rebuild_whose_tables_another_program_has_dropped_says_so_in_one_sentence(turnlog, monkeypatch):
    turnlog("token", "create", "--name", "Ada", "--database", "a.db")

    async def dropped(runner, model, generation):
        await change(runner._database, "delete from checkpoints where generation = ?", generation)
        return False

    with monkeypatch.context() as patched:
        patched.setattr(Runner, "_advance", dropped)
        told = turnlog("projections", "rebuild", "lobby", "--database", "a.db")
    assert (told.code, told.out) == (1, "")
    assert told.err == (
        "turnlog: another program has dropped the new tables of lobby before they were in use; rebuild it again\n"
    )
    status = turnlog("projections", "status", "--database", "a.db", "--json").json()
    assert {(row["name"], row["generation"]) for row in status["projections"]} >= {("lobby", 1)}


def test_rulesets_are_listed(turnlog):
    assert turnlog("rulesets").out.startswith("block_mania  ")
    rows = {row["id"]: row["seats"] for row in turnlog("rulesets", "--json").json()}
    assert (rows["block_mania"], rows["portland_occupied_zone"], rows["tpoc"]) == ([2, 4], [1, 8], [3, 5])


def test_rules_are_listed_with_their_cases(turnlog):
    told = turnlog("rules", "tpoc", "--json")
    rows = told.json()
    assert {"id", "kind", "text", "cases"} == set(rows[0])
    assert told.code == int(any(row["kind"] == "case" and not row["cases"] for row in rows))


def test_a_rule_without_its_case_fails(turnlog, tmp_path):
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "one.yaml").write_text(CASE % 1)
    told = turnlog("rules", "tpoc", "--cases", tmp_path / "cases")
    assert told.code == 1
    assert "NO CASE" in told.out


def test_cases_pass_and_fail_with_what_was_expected(turnlog, tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(CASE % 1)
    assert turnlog("case", file, "--ruleset", "tpoc").code == 0
    file.write_text(CASE % 7)
    told = turnlog("case", file, "--ruleset", "tpoc")
    assert told.code == 1
    assert "expected 7" in told.out
    assert "0 of 1 cases pass" in told.out
    assert turnlog("case", file, "--ruleset", "tpoc", "--json").json()[0]["passes"] is False
    file.write_text("- nonsense: 1")
    assert turnlog("case", file, "--ruleset", "tpoc").code == 1
