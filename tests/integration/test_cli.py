"""The command line as a program: the same output under any hash seed and number of jobs, pipes, and a real database."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from server.cli import run
from server.services import Services
from server.settings import Settings
from server.simulate import SeededRandom, SteppingClock
from tests.integration.replay_kit import ended_and_running

ROOT = Path(__file__).parents[2]


def turnlog(*arguments, hash_seed="0", **more):
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "server.cli", *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, timeout=100, check=False, **more)


def test_what_simulate_prints_is_determined_by_the_seed_alone():
    asked = ("simulate", "tpoc", "--games", "12", "--seed", "7", "--json")
    told = [
        turnlog(*asked, hash_seed="1"),
        turnlog(*asked, hash_seed="2"),
        turnlog(*asked, "--jobs", "2", hash_seed="3"),
        turnlog(*asked, "--jobs", "3", hash_seed="4"),
    ]
    assert [one.returncode for one in told] == [0] * 4
    assert len({one.stdout for one in told}) == 1
    assert {one.stderr for one in told} == {b""}


def test_a_closed_pipe_is_no_error():
    command = f'"{sys.executable}" -m server.cli rules tpoc | head -n 1'
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    told = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], env=environment, capture_output=True, timeout=100, check=False
    )
    assert told.stderr == b""
    assert told.stdout.count(b"\n") == 1


def test_play_works_through_a_pipe_without_a_terminal():
    told = turnlog("play", "tpoc", "--seed", "3", input=b"1\n" * 100)
    assert told.returncode == 0
    assert told.stderr == b""
    assert b"Winner: " in told.stdout


def test_a_replay_comes_from_standard_input_too(tmp_path):
    turnlog("simulate", "tpoc", "--games", "1", "--replays", tmp_path)
    source = next(tmp_path.iterdir()).read_bytes()
    assert turnlog("verify", "-", input=source).returncode == 0
    assert turnlog("verify", "-", input=source[:-1]).returncode == 1


@pytest.fixture
def database(tmp_path):
    """A database with a game that has ended and one that runs; its path and the two ids."""
    path = tmp_path / "games.db"

    async def fill():
        settings = Settings(database=str(path))
        services = Services.open(settings, clock=SteppingClock(), random=SeededRandom("database"))
        await services.runner.prepare()
        ended, running = await ended_and_running(services.games)
        await services.runner.catch_up()
        await services.stop()
        return ended, running

    return path, *asyncio.run(fill())


def called(capsysbinary, *arguments):
    code = run(list(map(str, arguments)))
    printed = capsysbinary.readouterr()
    return code, printed.out, printed.err.decode()


def test_games_of_a_database_are_verified_running_ones_too(database, capsysbinary):
    path, ended, running = database
    code, out, _ = called(capsysbinary, "verify", "--all", "--database", path, "--json")
    rows = {row["of"]: row["report"]["status"] for row in msgspec.json.decode(out)}
    assert code == 0
    assert rows == {ended: "ended", running: "running"}
    code, out, _ = called(capsysbinary, "verify", "--game", running, "--database", path)
    assert code == 0
    assert b"running" in out


def test_a_game_is_exported_and_verifies(database, capsysbinary, tmp_path):
    path, ended, running = database
    code, out, _ = called(capsysbinary, "export", ended, "--database", path)
    assert code == 0
    (tmp_path / "game.ndjson").write_bytes(out)
    assert called(capsysbinary, "verify", tmp_path / "game.ndjson")[0] == 0
    assert called(capsysbinary, "export", "--all", "--to", tmp_path / "all", "--database", path)[0] == 0
    assert [file.name for file in (tmp_path / "all").iterdir()] == [f"{ended}.ndjson"]
    assert (tmp_path / "all" / f"{ended}.ndjson").read_bytes() == out
    code, _, err = called(capsysbinary, "export", running, "--database", path)
    assert code == 1
    assert "has not ended" in err


def test_a_running_game_is_exported_as_a_seat_sees_it(database, capsysbinary, tmp_path):
    path, _, running = database
    file = tmp_path / "seat0.ndjson"
    assert called(capsysbinary, "export", running, "--seat", 0, "--to", file, "--database", path)[0] == 0
    assert called(capsysbinary, "verify", file)[0] == 0
    code, out, _ = called(capsysbinary, "replay", file)
    assert code == 0
    assert b"Seat 1 is dealt 10 cards\n" in out
    assert called(capsysbinary, "replay", file, "--at", 5)[0] == 2
    assert called(capsysbinary, "export", running, "--seat", 3, "--database", path)[0] == 2


def test_a_database_in_use_is_told_in_a_sentence(database, capsysbinary):
    path, _, _ = database
    services = Services.open(Settings(database=str(path)))
    try:
        code, _, err = called(capsysbinary, "verify", "--all", "--database", path)
    finally:
        asyncio.run(services.stop())
    assert code == 1
    assert f"in use by process {os.getpid()}" in err


def test_read_models_of_a_new_version_are_folded_before_it_is_started(database, capsysbinary, monkeypatch):
    path, _, _ = database
    monkeypatch.setattr("projections.lobby.Lobby.shape", 99)
    code, out, _ = called(capsysbinary, "projections", "status", "--database", path, "--json")
    lobby = next(row for row in msgspec.json.decode(out)["projections"] if row["name"] == "lobby")
    assert (code, lobby["position"]) == (1, 0)
    code, out, _ = called(capsysbinary, "projections", "catch-up", "--database", path)
    assert (code, out.splitlines()[0]) == (0, b"lobby: at the head of the log")
    code, out, _ = called(capsysbinary, "projections", "status", "--database", path, "--json")
    assert (code, next(row["shape"] for row in msgspec.json.decode(out)["projections"])) == (0, 99)


def test_rebuilt_projections_are_at_the_head_of_the_log(database, capsysbinary):
    path, _, _ = database
    assert called(capsysbinary, "projections", "rebuild", "--database", path)[0] == 0
    code, out, _ = called(capsysbinary, "projections", "status", "--database", path, "--json")
    rows = msgspec.json.decode(out)["projections"]
    assert code == 0
    assert all(row["position"] == row["head"] > 0 for row in rows)
