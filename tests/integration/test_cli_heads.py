"""`turnlog heads` and `verify --key`: as an auditor and as who runs a server would use them, on a real database."""

import asyncio
import json
import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from events.heads import Head
from events.notes import Note, PrivateKey
from server.cli import run
from server.cli.trust import Trust, judge
from server.creating import NewGame, create
from server.key_files import read_key
from server.playing import act
from server.services import Services
from server.settings import Settings
from server.simulate import BOT, SeededRandom, SteppingClock, random_turn
from tests.integration.replay_kit import ANN, caller

ROOT = Path(__file__).parents[2]
NAME = "example.org/games"
STRANGER = PrivateKey(NAME, bytes(32))


def settings(folder, **more):
    return Settings(database=str(folder / "games.db"), heads_origin=NAME, **more)


async def grow(folder, seed, **more):
    """Play one game to its end and sign a head; its id and the head."""
    services = Services.open(settings(folder, **more), clock=SteppingClock(), random=SeededRandom(seed))
    await services.prepare()
    await services.signer.prepare()
    game = (await create(services.games, ANN, NewGame(ruleset="tpoc", seats=[BOT] * 3))).decode()
    players, bots = SeededRandom(seed), msgspec.structs.replace(ANN, caller=caller(BOT))
    while (turn := await random_turn(services.games, game, players)) is not None:
        await act(services.games, bots, game, turn)
    head = await services.signer.sign()
    await services.stop()
    return game, head


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A server's folder with two games and a head after each: the first head, kept on monday, and the second."""
    folder = tmp_path_factory.mktemp("server")

    async def fill():
        first, monday = await grow(folder, "one")
        second, friday = await grow(folder, "two")
        services = Services.open(settings(folder))
        await services.prepare()
        proof = await services.signer.tree.consistency(monday.size, friday.size)
        await services.stop()
        return first, second, monday, friday, [one.hex() for one in proof]

    first, second, monday, friday, proof = asyncio.run(fill())
    (folder / "monday.head").write_text(monday.note)
    (folder / "friday.head").write_text(friday.note)
    (folder / "proof.json").write_text(json.dumps({"old": monday.size, "new": friday.size, "hashes": proof}))
    key = read_key(folder / "games.db.heads-key")
    (folder / "keys").write_text(f"# of example.org\n\n{key.public.text}\n")
    for game in (first, second):
        run(["export", game, "--database", str(folder / "games.db"), "--to", str(folder / f"{game}.ndjson")])
    return folder, first, second, (monday.size, friday.size), key


@pytest.fixture
def turnlog(world, capsys, monkeypatch):
    monkeypatch.chdir(world[0])
    capsys.readouterr()

    def called(*arguments):
        code = run(list(map(str, arguments)))
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return called


@pytest.fixture
def copy(world, tmp_path):
    """A folder with a copy of the server's database and key, to do things to."""
    for name in ("games.db", "games.db.heads-key"):
        (tmp_path / name).write_bytes((world[0] / name).read_bytes())
    return tmp_path


def tampered(folder, *statements):
    connection = sqlite3.connect(folder / "games.db")
    for (name,) in connection.execute("select name from sqlite_schema where type = 'trigger'").fetchall():
        connection.execute(f"drop trigger {name}")
    for statement in statements:
        assert connection.execute(statement).rowcount
    connection.commit()
    connection.close()


class TestVerify:
    def test_a_game_is_proved_to_be_in_the_log_of_a_key(self, turnlog, world):
        _, first, second, (_, size), key = world
        for trusted in (key.public.text, "keys"):
            code, out, err = turnlog("verify", f"{first}.ndjson", f"{second}.ndjson", "--key", trusted)
            assert (code, err) == (0, "")
            assert out.count(f"in the log of {NAME}, by its head of {size} events\n") == 2

    def test_without_a_key_it_says_what_was_not_checked(self, turnlog, world):
        code, out, _ = turnlog("verify", f"{world[1]}.ndjson")
        assert code == 0
        assert "whose keys were not compared" in out

    def test_programs_get_the_same(self, turnlog, world):
        _, first, _, (_, size), key = world
        _, out, _ = turnlog("verify", f"{first}.ndjson", "--key", key.public.text, "--json")
        (told,) = json.loads(out)
        assert (told["log"]["origin"], told["log"]["size"], told["log"]["trusted"]) == (NAME, size, True)
        _, out, _ = turnlog("verify", f"{first}.ndjson", "--json")
        assert json.loads(out)[0]["log"]["trusted"] is False

    def test_a_redacted_replay_too(self, turnlog, world):
        _, first, _, _, key = world
        turnlog("export", first, "--spectator", "--database", "games.db", "--to", "seen.ndjson")
        code, out, _ = turnlog("verify", "seen.ndjson", "--key", key.public.text)
        assert (code, f"in the log of {NAME}" in out) == (0, True)
        code, out, _ = turnlog("verify", "seen.ndjson", "--json")
        assert json.loads(out)[0]["report"]["header"]["reader"] == "spectator"

    @pytest.mark.parametrize("which", ["monday", "friday"])
    def test_a_head_that_was_kept_agrees(self, turnlog, world, which):
        _, first, _, sizes, key = world
        proof = ("--consistency", "proof.json") if which == "monday" else ()
        arguments = ("verify", f"{first}.ndjson", "--key", key.public.text, "--head", f"{which}.head", *proof)
        code, out, _ = turnlog(*arguments)
        assert code == 0
        assert f"which agrees with the given one of {sizes[which == 'friday']}" in out

    def test_each_failure_is_one_sentence(self, turnlog, world):
        folder, first, second, (size, _), key = world
        file, good = f"{first}.ndjson", ("--key", key.public.text)
        lines = (folder / file).read_bytes().splitlines(keepends=True)
        other = (folder / f"{second}.ndjson").read_bytes().splitlines(keepends=True)
        (folder / "bare").write_bytes(b"".join(line for line in lines if not line.startswith(b'{"log"')))
        (folder / "moved").write_bytes(b"".join([*lines[:-2], other[-2], lines[-1]]))
        (folder / "forged.head").write_text(STRANGER.sign(Head(NAME, size, bytes(32)).text).source)
        (folder / "changed.head").write_text((folder / "monday.head").read_text().replace(f"\n{size}\n", "\n1\n"))
        (folder / "forked.head").write_text(key.sign(Head(NAME, size, bytes(32)).text).source)
        cases = [
            ((file, "--key", STRANGER.public.text), "none of the keys that you trust"),
            (("bare", *good), "has no proof from the log"),
            (("bare", "--head", "monday.head"), "has no proof from the log"),
            (("moved", *good), "leads to another root"),
            ((file, *good, "--head", "monday.head"), "a proof is wanted that the log of size"),
            ((file, *good, "--head", "forged.head"), "the head that was given cannot be believed: it is signed by"),
            ((file, *good, "--head", "changed.head"), "does not hold"),
            ((file, *good, "--head", "forked.head", "--consistency", "proof.json"), "does not go on from"),
        ]
        for arguments, sentence in cases:
            code, out, err = turnlog("verify", *arguments)
            assert (code, out) == (1, ""), arguments
            assert sentence in err
            assert err.count("\n") == 1

    def test_what_is_no_key_or_head_is_refused(self, turnlog, world):
        folder, first, _, _, key = world
        file = f"{first}.ndjson"
        (folder / "empty").write_text("# nothing\n")
        for arguments in (
            (file, "--key", "nobody"),
            (file, "--key", "empty"),
            (file, "--key", key.public.text[:-5]),
            (file, "--key", key.text),
            (file, "--head", "proof.json"),
            (file, "--head", "nowhere"),
            (file, "--consistency", "proof.json"),
            (file, "--head", "monday.head", "--consistency", "monday.head"),
            ("--all", "--key", "keys"),
        ):
            code, out, err = turnlog("verify", *arguments)
            assert (code, out, err.count("\n")) == (2, "", 1), arguments
            assert key.text[-30:] not in err

    def test_a_file_may_go_without_a_proof_if_none_is_asked_for(self):
        assert judge(Trust(), None) is None


class TestHeads:
    def test_the_log_went_on(self, turnlog, world):
        _, _, _, (old, new), key = world
        code, out, _ = turnlog(
            "heads", "verify", "monday.head", "friday.head", "--proof", "proof.json", "--key", "keys"
        )
        assert (code, out) == (0, f"the log of {NAME} went on from {old} events to {new}, and nothing before changed\n")
        assert turnlog("heads", "verify", "monday.head", "monday.head", "--key", key.public.text)[0] == 0
        code, out, _ = turnlog("heads", "verify", "monday.head", "monday.head", "--key", key.public.text, "--json")
        assert json.loads(out) == {"origin": NAME, "old": old, "new": old}

    def test_or_it_did_not(self, turnlog, world):
        folder, _, _, (old, new), key = world
        good = ("--key", key.public.text)
        (folder / "fork.head").write_text(key.sign(Head(NAME, old, bytes(32)).text).source)
        (folder / "other.head").write_text(key.sign(Head("example.org/other", old, bytes(32)).text).source)
        proof = json.loads((folder / "proof.json").read_text())
        proof["hashes"][0] = "00" * 32
        (folder / "bad.json").write_text(json.dumps(proof))
        cases = [
            (("monday.head", "friday.head", *good), 1, "a proof is wanted"),
            (("fork.head", "friday.head", "--proof", "proof.json", *good), 1, "does not go on from"),
            (("monday.head", "friday.head", "--proof", "bad.json", *good), 1, "does not go on from"),
            (("monday.head", "fork.head", *good), 1, "different roots"),
            (("monday.head", "friday.head", "--key", STRANGER.public.text), 1, "not signed by a key that is trusted"),
            (("other.head", "friday.head", *good), 1, "it is a head of example.org/other"),
            (("friday.head", "monday.head", "--proof", "proof.json", *good), 2, "name the older one first"),
        ]
        for arguments, expected, sentence in cases:
            code, out, err = turnlog("heads", "verify", *arguments)
            assert (code, out) == (expected, ""), arguments
            assert sentence in err
        assert new > old

    def test_status_tells_the_latest_head_and_the_keys(self, turnlog, world):
        folder, _, _, (_, new), key = world
        _, out, _ = turnlog("heads", "status", "--database", "games.db")
        assert out.startswith(f"events: {new}\nkey from size 1: {key.public.text}\nlatest head, signed at ")
        assert out.endswith((folder / "friday.head").read_text())
        told = json.loads(turnlog("heads", "status", "--database", "games.db", "--json")[1])
        assert (told["events"], told["latest"]["size"], told["keys"][0]["signed_in"]) == (new, new, False)

    def test_check_and_verify_find_a_changed_log(self, turnlog, world, copy):
        database = ("--database", str(copy / "games.db"))
        new = world[3][1]
        code, out, _ = turnlog("heads", "check", *database)
        assert (code, out) == (0, f"{new} events are as signed by 2 heads, 0 of them published\n")
        code, out, _ = turnlog("verify", "--all", *database)
        assert (code, f"signed heads: sound: 2 signed heads, the newest of {new} events" in out) == (0, True)
        tampered(copy, "update events set digest = zeroblob(32) where position = 3")
        code, _, err = turnlog("heads", "check", *database)
        assert (code, "is not that of this log: events were changed" in err, err.count("\n")) == (1, True, 1)
        assert turnlog("heads", "check", *database, "--json")[0] == 1
        code, _, err = turnlog("verify", "--all", *database)
        assert (code, "turnlog: signed heads: " in err) == (1, True)

    def test_check_reads_what_was_published(self, turnlog, world, copy, monkeypatch):
        monkeypatch.setenv("TURNLOG_HEADS_DIRECTORY", str(copy / "published"))
        (copy / "published").mkdir()
        new = world[3][1]
        file = copy / "published" / f"{new:018d}.head"
        file.write_text((world[0] / "friday.head").read_text())
        database = ("--database", str(copy / "games.db"))
        assert "1 of them published" in turnlog("heads", "check", *database)[1]
        file.rename(copy / "published" / f"{new + 1:018d}.head")
        code, _, err = turnlog("heads", "check", *database)
        assert (code, f"but a head of {new + 1} events was signed" in err) == (1, True)

    def test_lost_hashes_are_computed_anew(self, turnlog, copy):
        database = ("--database", str(copy / "games.db"))
        tampered(copy, "insert into tree_nodes values (8, 0, zeroblob(32))")
        assert turnlog("heads", "check", *database)[0] == 1
        assert turnlog("heads", "rebuild", *database) == (0, "the tree is computed anew\n", "")
        assert turnlog("heads", "check", *database)[0] == 0


class TestKeys:
    def test_a_new_key_is_readable_by_its_owner_alone(self, turnlog, tmp_path):
        code, out, _ = turnlog("heads", "new-key", tmp_path / "k", "--name", NAME)
        key = read_key(tmp_path / "k")
        assert (code, out) == (0, key.public.text + "\n")
        assert stat.S_IMODE((tmp_path / "k").stat().st_mode) == 0o600
        assert turnlog("heads", "new-key", tmp_path / "k", "--name", NAME)[0] == 1  # it is never overwritten
        assert read_key(tmp_path / "k") == key
        assert turnlog("heads", "new-key", tmp_path / "l", "--name", "my games")[0] == 2
        assert not (tmp_path / "l").exists()

    def test_a_key_is_rotated_and_old_trust_reaches_new_games(self, turnlog, world, copy):
        old, database = world[4], ("--database", str(copy / "games.db"))
        rotate = ("heads", "rotate", "--old", copy / "games.db.heads-key", "--new", copy / "new", *database)
        code, out, _ = turnlog(*rotate)
        new = read_key(copy / "new")
        assert (code, out) == (0, f"key from size {world[3][1] + 1}: {new.public.text}\n")
        assert turnlog(*rotate)[0] == 1  # it is the newest already
        game, head = asyncio.run(grow(copy, "three", heads_key=str(copy / "new")))
        assert new.public.signed(Note.parse(head.note))
        file = copy / "game.ndjson"
        turnlog("export", game, *database, "--to", file)
        for key in (old, new):
            assert turnlog("verify", file, "--key", key.public.text)[0] == 0
        assert turnlog("verify", file, "--key", STRANGER.public.text)[0] == 1
        assert turnlog("heads", "check", *database)[1].startswith(f"{head.size} events are as signed by 3 heads")

    def test_a_lost_key_is_followed_by_one_that_must_be_trusted_anew(self, turnlog, world, copy):
        database = ("--database", str(copy / "games.db"))
        assert turnlog("heads", "rotate", "--old-lost", "--new", copy / "new", *database)[0] == 0
        game, _ = asyncio.run(grow(copy, "three", heads_key=str(copy / "new")))
        file = copy / "game.ndjson"
        turnlog("export", game, *database, "--to", file)
        assert turnlog("verify", file, "--key", read_key(copy / "new").public.text)[0] == 0
        code, _, err = turnlog("verify", file, "--key", world[4].public.text)
        assert (code, "the key in force" in err) == (1, True)

    def test_rotations_that_cannot_be_are_refused(self, turnlog, world, copy, tmp_path):
        database = ("--database", str(copy / "games.db"))
        own = copy / "games.db.heads-key"
        turnlog("heads", "new-key", copy / "stranger", "--name", NAME)
        turnlog("heads", "new-key", copy / "renamed", "--name", "example.org/other")
        (copy / "garbage").write_text("x")
        for arguments, expected in [
            (("--new", copy / "n"), 2),
            (("--new", copy / "n", "--old", own, "--old-lost"), 2),
            (("--new", copy / "n", "--old", copy / "stranger"), 1),
            (("--new", copy / "n", "--old", copy / "nowhere"), 1),
            (("--new", copy / "n", "--old", copy / "garbage"), 1),
            (("--new", copy / "renamed", "--old", own), 1),
            (("--new", own, "--old", own), 1),
        ]:
            code, out, err = turnlog("heads", "rotate", *arguments, *database)
            assert (code, out, err.count("\n")) == (expected, "", 1), arguments
        assert len(json.loads(turnlog("heads", "status", *database, "--json")[1])["keys"]) == 1
        turnlog("token", "create", "--name", "Ada", "--database", tmp_path / "empty.db")
        code, _, err = turnlog(
            "heads", "rotate", "--new", copy / "n", "--old", own, "--database", tmp_path / "empty.db"
        )
        assert (code, "No key is in force yet" in err) == (1, True)


@pytest.mark.slow
@pytest.mark.parametrize("tampering", ["delete from events where position > 5", "update tree_heads set note = 'x'"])
def test_a_server_does_not_start_on_a_log_that_is_not_the_one_signed(copy, tampering):
    tampered(copy, tampering)
    command = [sys.executable, "-m", "server.cli", "serve", "--port", "0", "--database", str(copy / "games.db")]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    told = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode == 1
    (sentence,) = told.stderr.splitlines()
    assert sentence.startswith("turnlog: the log is not the one whose heads were signed: ")
