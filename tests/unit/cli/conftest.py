"""The command line, run in this process."""

import json
from types import SimpleNamespace

import pytest

from server.cli import run


@pytest.fixture
def turnlog(capsys, monkeypatch, tmp_path):
    """Runs a command; gives its exit code and what it printed."""
    for name in ("TURNLOG_DATABASE", "TURNLOG_PORT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)

    def run_command(*arguments):
        code = run([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return SimpleNamespace(code=code, out=printed.out, err=printed.err, json=lambda: json.loads(printed.out))

    return run_command


@pytest.fixture(scope="session")
def replays(tmp_path_factory):
    """Three replays of tpoc, with 3, 4 and 5 seats."""
    folder = tmp_path_factory.mktemp("replays")
    run(["simulate", "tpoc", "--games", "3", "--seed", "cli", "--replays", str(folder)])
    return sorted(folder.iterdir())
