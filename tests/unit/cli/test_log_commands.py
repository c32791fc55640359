"""`replay`, `verify`, `export` and `import`."""

import json


def test_verify_accepts_replays_and_says_what_it_did(turnlog, replays):
    told = turnlog("verify", *replays)
    assert told.code == 0
    assert told.out.count(": sound: tpoc/1, ended, ") == len(replays)
    rows = turnlog("verify", *replays, "--json").json()
    assert [row["report"]["status"] for row in rows] == ["ended"] * 3


def test_verify_names_file_and_line_of_what_is_wrong_and_goes_on(turnlog, replays, tmp_path):
    source = replays[0].read_bytes()
    at = source.index(b'"kind":"acted"')
    bad = tmp_path / "bad.ndjson"
    bad.write_bytes(source[:at] + source[at:].replace(b"acted", b"actec", 1))
    told = turnlog("verify", bad, replays[1])
    assert told.code == 1
    line = source.count(b"\n", 0, at) + 1
    assert told.err.startswith(f"turnlog: {bad}: line {line}: version {line - 1}, ")
    assert told.err.count("\n") == 1
    assert f"{replays[1]}: sound" in told.out


def test_replay_tells_the_story_in_words(turnlog, replays):
    told = turnlog("replay", replays[0])
    assert told.code == 0
    assert "The 90 cards are shuffled" in told.out
    assert "Winner: " in told.out
    assert "agenda" not in told.out


def test_replay_shows_any_version_as_a_seat_saw_it(turnlog, replays):
    view = turnlog("replay", replays[0], "--at", 30, "--seat", 1, "--json").json()
    assert (view["version"], view["reader"]) == (30, 1)
    assert "hand" in view["view"]["seats"][1]
    assert "hand" not in view["view"]["seats"][0]
    assert turnlog("replay", replays[0], "--at", 30, "--json").json()["view"]["seats"][0]["hand"] is not None
    assert "seat 1: Hand" in turnlog("replay", replays[0], "--at", 30, "--seat", 1).out


def test_replay_refuses_versions_and_seats_that_are_none(turnlog, replays):
    assert turnlog("replay", replays[0], "--at", 2).code == 2
    assert turnlog("replay", replays[0], "--at", 10_000).code == 2
    assert turnlog("replay", replays[0], "--seat", 3).code == 2


def test_an_imported_replay_is_kept_beside_the_log(turnlog, replays):
    made = turnlog("import", *replays, "--database", "games.db", "--json").json()
    assert len({one["replay"] for one in made}) == len(replays)
    status = turnlog("db", "status", "--database", "games.db", "--json").json()
    assert (status["events"], status["games"], status["faults"]) == (0, 0, [])


def test_a_replay_that_is_not_sound_is_not_imported(turnlog, replays, tmp_path):
    bad = tmp_path / "bad.ndjson"
    bad.write_bytes(replays[0].read_bytes()[:-1])
    told = turnlog("import", replays[1], bad, "--database", "games.db")
    assert told.code == 1
    assert "cut off" in told.err
    assert not (tmp_path / "games.db").exists()


def test_schema_export_checks_what_it_wrote(turnlog, tmp_path):
    folder = tmp_path / "schemas"
    assert turnlog("schema", "export", "--check", "--dir", folder).code == 1
    assert turnlog("schema", "export", "--dir", folder).code == 0
    assert turnlog("schema", "export", "--check", "--dir", folder).code == 0
    file = folder / "tpoc" / "actions.schema.json"
    schema = json.loads(file.read_bytes())
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    file.write_text("{}")
    (folder / "old").mkdir()
    (folder / "old" / "view.schema.json").write_text("{}")
    told = turnlog("schema", "export", "--check", "--dir", folder)
    assert told.code == 1
    assert "actions.schema.json is out of date" in told.err
    assert "old/view.schema.json is made by nothing any more" in told.err
