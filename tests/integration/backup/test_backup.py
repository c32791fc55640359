"""Backups: round trips between both kinds of databases, and that nothing damaged is ever written or restored."""

import asyncio
import gzip
import sqlite3
import sys
from pathlib import Path

import msgspec
import pytest

from projections.lobby import Search
from server.backup import archive
from server.backup.archive import BackupError, read_backup
from server.backup.make import check_backup
from server.backup.source import postgres_source
from server.backup.tables import LEFT_OUT, TABLES, Table
from server.cli import run
from server.creating import ME, NewGame, create
from server.playing import act
from server.records import Grant, Replay
from server.services import Services
from server.settings import Settings
from server.simulate import BOT, SeededRandom, SteppingClock, random_turn
from server.talk import say
from tests.integration.replay_kit import ANN, caller

pytestmark = pytest.mark.anyio


async def fill(database):
    """A server with a game that has ended, one that runs, table talk, a player with tokens, an imported replay."""
    services = Services.open(Settings(database=database), clock=SteppingClock(), random=SeededRandom("backup"))
    await services.prepare()
    games = services.games
    ended = (await create(games, ANN, NewGame(ruleset="tpoc", seats=[BOT] * 3))).decode()
    players, bots = SeededRandom("players"), msgspec.structs.replace(ANN, caller=caller(BOT))
    while (turn := await random_turn(games, ended, players)) is not None:
        await act(games, bots, ended, turn)
    running = (await create(games, ANN, NewGame(ruleset="tpoc", seats=[ME, BOT, BOT]))).decode()
    await say(games, ANN, running, None, "hello")
    ada, _ = await services.records.sign_up("Ada", ("play", "watch"))
    spare, _ = await services.records.add_token(ada.id, Grant(("watch",), game=running, seat=0, label="spare"))
    await services.records.revoke(ada.id, spare.id)
    await services.records.add_invite(running, ada.id, 10)
    await services.records.add_replay(Replay("replay-1", ada.id, b"lines"), b"")
    await services.store.quarantine("lobby", 1, "a note")
    await services.signer.prepare()
    await services.signer.sign()
    await services.stop()
    return ended, running


async def told(database):
    """All that a server on this database says of its log, its lists and its players."""
    services = Services.open(Settings(database=database))
    await services.prepare()
    await services.signer.check()  # the log is as it was signed
    await services.runner.catch_up()
    read = services.database.read
    found = {table.name: await read(table.select) for table in TABLES}
    found["games"] = await read("select game, version, digest, position from games order by game")
    found["lobby"] = [row["game"] for row in (await services.lobby.search(Search(), limit=100))[0]]
    found["words"] = await services.store.words(found["lobby"][0], 3)
    await services.stop()
    return {name: [tuple(row) for row in rows] if isinstance(rows, list) else rows for name, rows in found.items()}


@pytest.fixture
async def filled(tmp_path):
    path = str(tmp_path / "games.db")
    await fill(path)
    return path


async def turnlog(*arguments):
    return await asyncio.to_thread(run, [str(one) for one in arguments])  # it runs a loop of its own


async def test_a_file_restored_from_a_backup_says_the_same_and_goes_on(filled, tmp_path, capsys):
    backup, again = tmp_path / "one.turnlog", str(tmp_path / "again.db")
    assert await turnlog("db", "backup", backup, "--database", filled) == 0
    assert await turnlog("db", "check", backup) == 0
    assert await turnlog("db", "restore", backup, "--database", again) == 0
    assert await told(again) == await told(filled)
    assert await turnlog("verify", "--all", "--database", again) == 0
    assert [file.stat().st_mode & 0o777 for file in (backup, Path(again))] == [0o600, 0o600]


async def test_a_backup_of_a_file_is_restored_to_postgresql_and_back(filled, tmp_path, postgres_database, capsys):
    first, second, again = tmp_path / "one.turnlog", tmp_path / "two.turnlog", str(tmp_path / "again.db")
    assert await turnlog("db", "backup", first, "--database", filled) == 0
    assert await turnlog("db", "restore", first, "--database", postgres_database) == 0
    assert await told(postgres_database) == await told(filled)
    assert await turnlog("db", "backup", second, "--database", postgres_database) == 0
    assert await turnlog("db", "restore", second, "--database", again) == 0
    assert await told(again) == await told(filled)
    assert await turnlog("db", "restore", first, "--database", postgres_database) == 1
    assert "the database has a log already" in capsys.readouterr().err


async def test_a_restored_log_goes_on_behind_its_head_and_refuses_who_had_the_old_one(
    filled, tmp_path, postgres_database
):
    backup = tmp_path / "one.turnlog"
    before = Services.open(Settings(database=postgres_database))
    await before.prepare()
    assert await turnlog("db", "backup", backup, "--database", filled) == 0
    assert await turnlog("db", "restore", backup, "--database", postgres_database) == 0
    with pytest.raises(Exception, match="unknown"):
        await create(before.games, ANN, NewGame(ruleset="tpoc", seats=[BOT] * 3))
    await before.stop()
    after = Services.open(Settings(database=postgres_database))
    await after.prepare()
    head = await after.store.head()
    await create(after.games, ANN, NewGame(ruleset="tpoc", seats=[ME, BOT, BOT]))
    assert await after.store.head() > head
    await after.stop()


#: Of a connection to PostgreSQL.
SETTINGS = Table("pg_settings", ("name", "setting"), "name")


async def test_a_backup_may_take_its_time_between_two_batches(postgres_database):
    async with postgres_source(postgres_database) as source:
        settings = {name: value async for rows in source.rows(SETTINGS) for name, value in rows}
    assert [settings[f"{name}_timeout"] for name in ("statement", "idle_in_transaction_session")] == ["0", "0"]


@pytest.fixture
def two_databases(postgres, postgres_server_template):
    with postgres.one(postgres_server_template) as one, postgres.one(postgres_server_template) as other:
        yield one, other


async def test_no_two_restored_logs_are_of_one_epoch(two_databases, filled, tmp_path):
    backup, epochs = tmp_path / "one.turnlog", set()
    assert await turnlog("db", "backup", backup, "--database", filled) == 0
    for dsn in two_databases:
        assert await turnlog("db", "restore", backup, "--database", dsn) == 0
        services = Services.open(Settings(database=dsn))
        await services.database.open()
        epochs.add(services.database.epoch)
        await services.stop()
    assert len(epochs) == 2


async def test_a_backup_is_taken_while_a_server_has_the_file_open_and_writes(filled, tmp_path):
    services = Services.open(Settings(database=filled))
    await services.prepare()
    head = await services.store.head()
    backup = tmp_path / "one.turnlog"
    command = [sys.executable, "-m", "server.cli", "db", "backup", backup, "--database", filled]
    other = await asyncio.create_subprocess_exec(*command, cwd=Path(__file__).parents[3])
    assert await other.wait() == 0
    await create(services.games, ANN, NewGame(ruleset="tpoc", seats=[ME, BOT, BOT]))
    await services.stop()
    assert check_backup(backup).position == head


async def test_rows_that_are_large_together_go_into_frames_that_can_be_read_again(filled, tmp_path, monkeypatch):
    services = Services.open(Settings(database=filled))
    for n in range(8):
        await services.records.add_replay(Replay(f"large-{n}", "ada", bytes(700_000)), b"")
    await services.stop()
    monkeypatch.setattr(archive, "BATCH_BYTES", 1_000_000)
    monkeypatch.setattr(archive, "FRAME_BYTES_MAX", 1_000_000)
    backup, again = tmp_path / "one.turnlog", str(tmp_path / "again.db")
    assert await turnlog("db", "backup", backup, "--database", filled) == 0
    assert await turnlog("db", "check", backup) == 0
    assert await turnlog("db", "restore", backup, "--database", again) == 0
    assert await told(again) == await told(filled)


async def test_a_row_that_no_backup_holds_is_one_sentence_and_not_written(filled, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(archive, "FRAME_BYTES_MAX", 100)
    assert await turnlog("db", "backup", tmp_path / "one.turnlog", "--database", filled) == 1
    assert "larger than a backup can hold" in capsys.readouterr().err
    assert sorted(tmp_path.glob("*.turnlog*")) == []


async def test_every_table_is_carried_or_left_out_for_a_reason(filled):
    services = Services.open(Settings(database=filled))
    await services.prepare()
    sql = "select name from sqlite_schema where type = 'table' and name not like 'sqlite%'"
    names = {row[0] for row in await services.database.read(sql)}
    carried = {table.name: set(table.columns) for table in TABLES}
    read_models = {
        f"{name}_1" for name in ("lobby", "lobby_seat", "lobby_step", "results", "results_player", "deadlines")
    }
    assert names - set(carried) - set(LEFT_OUT) - read_models == set()
    for name, columns in carried.items():
        there = {row[1] for row in await services.database.read(f"pragma table_info({name})")}
        assert there == columns
    await services.stop()


DAMAGE = {
    "an event is changed": "update events set data = cast(replace(data, 'ann', 'bob') as blob) where position = 2",
    "an event is taken out": "delete from events where position = 5",
    "a version is another": "update events set version = version + 1000 where position = 4",
    "a digest is another": "update events set digest = zeroblob(32) where position = 2",
    "a seed is another": "update secrets set secret = zeroblob(32)",
    "a seed is gone": "delete from secrets",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
async def test_a_damaged_log_is_not_backed_up(damage, filled, tmp_path, capsys):
    with sqlite3.connect(filled) as connection:
        for (trigger,) in connection.execute("select name from sqlite_schema where type = 'trigger'").fetchall():
            connection.execute(f"drop trigger {trigger}")
        connection.execute(damage)
    connection.close()
    backup = tmp_path / "one.turnlog"
    assert await turnlog("db", "backup", backup, "--database", filled) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert list(tmp_path.glob("one.turnlog*")) == []


async def test_no_backup_with_a_byte_changed_or_cut_off_is_restored(filled, tmp_path, capsys):
    backup, hurt, again = tmp_path / "one.turnlog", tmp_path / "hurt.turnlog", tmp_path / "again.db"
    assert await turnlog("db", "backup", backup, "--database", filled) == 0
    whole = gzip.decompress(backup.read_bytes())
    changed = [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in range(0, len(whole), len(whole) // 40)]
    for source in [*changed, *(whole[: len(whole) * n // 10] for n in range(10)), whole + b"x"]:
        hurt.write_bytes(gzip.compress(source, 1))
        with pytest.raises(BackupError):
            list(read_backup(hurt))
        assert await turnlog("db", "restore", hurt, "--database", again) == 1
        assert sorted(one.name for one in tmp_path.glob("again*")) == []
    hurt.write_bytes(backup.read_bytes()[:-20])
    assert await turnlog("db", "check", hurt) == 1


async def test_what_is_there_is_never_written_over(filled, tmp_path, capsys):
    backup = tmp_path / "one.turnlog"
    assert await turnlog("db", "backup", backup, "--database", filled) == 0
    assert await turnlog("db", "backup", backup, "--database", filled) == 1
    assert await turnlog("db", "restore", backup, "--database", filled) == 1
    assert await turnlog("db", "backup", tmp_path / "two", "--database", tmp_path / "nothing.db") == 1
    assert await turnlog("db", "check", filled) == 1
    errors = capsys.readouterr().err.splitlines()
    assert [error.split(": ", 1)[0] for error in errors] == ["turnlog"] * 4
