"""Errors: one sentence on standard error, exit code 1 for what is not so and 2 for what was not understood."""

import pytest

USAGE = [
    ("nonsense",),
    ("simulate",),
    ("simulate", "chess"),
    ("simulate", "tpoc", "--games", "0"),
    ("simulate", "tpoc", "--games", "many"),
    ("simulate", "tpoc", "--seats", "9"),
    ("simulate", "tpoc", "--options", "colour=blue"),
    ("simulate", "tpoc", "--options", "{"),
    ("simulate", "tpoc", "--bogus"),
    ("play", "tpoc", "--seat", "7"),
    ("play", "tpoc", "--seats", "7"),
    ("rules", "chess"),
    ("verify",),
    ("verify", "a.ndjson", "--all"),
    ("export",),
    ("export", "--all"),
    ("import",),
    ("case",),
    ("case", "nowhere.yaml"),
    ("token", "create"),
    ("token", "create", "--name", "Ada", "--scope", "king"),
    ("token", "create", "--name", "Ada", "--seat", "1"),
    ("serve", "--port", "70000"),
]

NOT_SO = [
    ("verify", "nowhere.ndjson"),
    ("replay", "nowhere.ndjson"),
    ("verify", "--all"),
    ("verify", "--game", "x", "--database", "nowhere.db"),
    ("export", "x", "--database", "nowhere.db"),
    ("projections", "status"),
    ("db", "status"),
    ("rules", "tpoc", "--cases", "nowhere"),
]


@pytest.mark.parametrize(("code", "arguments"), [(2, one) for one in USAGE] + [(1, one) for one in NOT_SO])
def test_an_error_is_one_sentence_and_an_exit_code(turnlog, code, arguments):
    told = turnlog(*arguments)
    assert told.code == code
    assert told.out == ""
    assert told.err.startswith("turnlog: ")
    assert told.err.count("\n") == 1
    assert "Traceback" not in told.err
    assert "our mistake" not in told.err


def test_a_bug_is_told_with_its_place_and_no_traceback(turnlog, monkeypatch):
    monkeypatch.setattr("server.cli.case.load_catalogue", lambda: 1 / 0)
    told = turnlog("rulesets")
    assert told.code == 1
    assert "our mistake, in test_errors.py" in told.err
    assert "ZeroDivisionError" in told.err
    assert "Traceback" not in told.err


def test_an_unknown_setting_is_named(turnlog, monkeypatch):
    monkeypatch.setenv("TURNLOG_DATABSE", "x")
    told = turnlog("db", "status")
    assert told.code == 1
    assert "TURNLOG_DATABSE" in told.err


COMMANDS = [
    *("serve", "play", "simulate", "replay", "verify", "export", "import", "case", "rules", "rulesets"),
    *("projections status", "projections catch-up", "projections rebuild", "projections tidy"),
    *("token create", "token list", "token revoke", "db status"),
    "schema export",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(turnlog, command):
    told = turnlog(*command.split(), "--help")
    assert told.code == 0
    assert f"turnlog {command}" in told.out
    assert "Try:" in told.out


def test_the_help_lists_every_command(turnlog):
    told = turnlog("--help")
    assert all(command.split()[0] in told.out for command in COMMANDS)
