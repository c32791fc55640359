"""What a store on SQLite promises beyond the contract: bounded queue, failed commits, append-only tables, crashes."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from events.database import CannotOpen, Limits
from events.digest import verify
from events.sqlite import SqliteStore
from events.sqlite_file import SqliteFile
from events.store import Appended, Conflict, Duplicate, KeyReused, Snapshot, StoreFailed, StoreFull
from tests.integration.store_kit import KEY, SEED, FileKit, SqliteKit, a_command, an_append, sealed, settled

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
CHILD = ROOT / "tests" / "integration" / "store_child.py"
LOG = sealed("g", 4)


@pytest.fixture
async def file_kit(tmp_path):
    made = FileKit(tmp_path)
    yield made
    await made.store.close()


@pytest.fixture(params=[SqliteKit, FileKit], ids=["sqlite_memory", "sqlite_file"])
async def kit(request, tmp_path):
    made = request.param(tmp_path)
    yield made
    await made.store.close()


async def test_appends_beyond_the_queue_are_refused_and_those_within_are_written(kit):
    store = await kit.reopen(Limits(queue_max=8))
    answers = await settled(*(store.append(an_append(sealed(f"game-{n}", 1))) for n in range(11)))
    assert [type(answer) for answer in answers] == [Appended] * 8 + [StoreFull] * 3
    assert await store.head() == 8
    await store.append(an_append(sealed("game-10", 1)))
    assert store.healthy()


async def test_more_than_a_batch_is_written_in_several_in_order(kit):
    store = await kit.reopen(Limits(batch_max=3))
    answers = await settled(*(store.append(an_append(sealed(f"game-{n}", 1))) for n in range(10)))
    assert [answer.position for answer in answers] == list(range(1, 11))


def break_the_commit(connection):
    """Leave a deferred foreign key without its parent: SQLite refuses the COMMIT itself."""
    connection.execute("insert into children values (1)")


BREAKABLE = (
    "create table parents(id integer primary key) strict",
    "create table children(parent integer references parents(id) deferrable initially deferred) strict",
)


async def test_a_failed_commit_fails_the_whole_batch_and_all_that_waits_and_nothing_of_it_is_there(kit):
    store = await kit.reopen(Limits(batch_max=3))
    kit.database.migrate("breakable", BREAKABLE)
    await store.append(an_append(LOG[:1]))
    answers = await settled(
        store.append(an_append(LOG[1:2])),
        kit.database.write_now(break_the_commit),
        store.append(an_append(sealed("h", 2)[1:])),  # a conflict, judged in the transaction that failed
        store.append(an_append(sealed("waiting in the next batch", 1))),
    )
    assert [type(answer) for answer in answers] == [StoreFailed] * 4
    assert "reopen" in str(answers[0])
    assert not store.healthy()
    with pytest.raises(StoreFailed):
        await store.append(an_append(LOG[1:2]))
    assert await store.head() == 1


async def test_a_store_that_failed_is_healthy_again_when_reopened_and_the_command_can_be_resent(file_kit):
    file_kit.database.migrate("breakable", BREAKABLE)
    append = an_append(LOG[:1], command=a_command())
    await settled(file_kit.store.append(append), file_kit.database.write_now(break_the_commit))
    store = await file_kit.reopen()
    assert store.healthy()
    assert await store.append(append) == Appended(1, 1, LOG[0].digest)


async def test_a_full_disk_fails_the_store_and_keeps_what_was_acknowledged(file_kit):
    pages = file_kit.database.read_now("pragma page_count")[0][0]
    file_kit.database.read_now(f"pragma max_page_count = {pages + 8}")
    acknowledged = 0

    async def fill():
        nonlocal acknowledged
        for acknowledged in range(1000):
            await file_kit.store.append(an_append(sealed(f"game-{acknowledged}", 3)))

    with pytest.raises(StoreFailed, match="full"):
        await fill()
    assert not file_kit.store.healthy()
    assert 0 < acknowledged < 999
    store = await file_kit.reopen()
    assert await store.head() == 3 * acknowledged


@pytest.mark.parametrize(
    "sql",
    [
        "update events set data = x'00' where position = 1",
        "update events set position = 99 where position = 1",
        "delete from events",
        "replace into events select position, game, version, 'other', data, digest from events where position = 1",
        "insert into events values (9, 'g', 9, 'acted', x'00', x'00')",
        "update secrets set secret = x'00'",
        "replace into secrets values ('g', x'00')",
    ],
)
async def test_the_tables_of_the_log_refuse_to_be_changed_and_a_refusal_harms_nobody_else(kit, sql):
    await kit.store.append(an_append(LOG[:2], secret=SEED))
    answers = await settled(
        kit.store.append(an_append(LOG[2:3])),
        kit.database.write_now(lambda connection: connection.execute(sql)),
        kit.store.append(an_append(LOG[3:4])),
    )
    assert isinstance(answers[1], sqlite3.IntegrityError)
    assert [type(answer) for answer in answers] == [Appended, sqlite3.IntegrityError, Appended]
    verify(await kit.store.read("g"), KEY, head=(4, LOG[3].digest))
    assert await kit.store.secret("g") == SEED


async def test_the_triggers_hold_for_other_programs_too(file_kit):
    await file_kit.store.append(an_append(LOG))
    await file_kit.store.close()
    with sqlite3.connect(file_kit.path) as other:
        for sql in ("update events set kind = 'x'", "delete from events"):
            with pytest.raises(sqlite3.IntegrityError, match="events are append-only"):
                other.execute(sql)
    other.close()


async def test_all_is_there_after_reopening(file_kit):
    snapshot = Snapshot(
        "g", 2, "f", b"{}", bytes.fromhex("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a")
    )
    await file_kit.store.append(an_append(LOG, command=a_command(), secret=SEED, erasable=((2, b"words"),)))
    await file_kit.store.save_snapshot(snapshot)
    await file_kit.store.quarantine("lobby", 1, "why")
    before = await file_kit.store.read("g")
    store = await file_kit.reopen()
    assert await store.read("g") == before
    assert await store.secret("g") == SEED
    assert await store.words("g", 2) == b"words"
    assert await store.load_snapshot("g") == snapshot
    assert len(await store.quarantined()) == 1
    with pytest.raises(Duplicate) as caught:
        await store.append(an_append(LOG[:1], command=a_command(response=b"other")))
    assert caught.value.command == a_command()
    with pytest.raises(KeyReused):
        await store.append(an_append(LOG[:1], command=a_command(request=b"other")))
    with pytest.raises(Conflict):
        await store.append(an_append(LOG[:1]))
    (more,) = sealed("h", 1)
    assert (await store.append(an_append((more,)))).position == 5


async def test_erased_words_leave_no_bytes_in_the_file(file_kit):
    await file_kit.store.append(an_append(LOG, erasable=((2, b"a word to forget"), (3, b"a word to keep"))))
    await file_kit.store.erase_words("g", 2)
    await file_kit.store.close()
    content = b"".join(path.read_bytes() for path in file_kit.path.parent.iterdir())
    assert b"a word to keep" in content
    assert b"a word to forget" not in content


async def test_only_the_owner_can_read_the_file_that_holds_the_seeds(file_kit):
    assert {path.stat().st_mode & 0o077 for path in file_kit.path.parent.iterdir()} == {0}


async def test_a_second_process_is_refused_with_a_sentence_that_names_the_first(file_kit):
    imports = "import sys; from events.database import CannotOpen; from events.sqlite_file import SqliteFile"
    code = f"{imports}\ntry: SqliteFile(sys.argv[1])\nexcept CannotOpen as e: print(e)"
    assert run(sys.executable, "-c", code, file_kit.path) == (
        f"{file_kit.path} is in use by process {os.getpid()}. "
        "One process owns a database file: stop that one or use another file.\n"
    )
    await file_kit.store.append(an_append(LOG[:1]))


async def test_the_file_can_be_opened_again_once_it_was_closed_but_not_before(file_kit):
    with pytest.raises(CannotOpen, match="in use by process"):
        SqliteFile(file_kit.path)
    await file_kit.store.close()
    again = SqliteStore(SqliteFile(file_kit.path))
    assert again.healthy()
    await again.close()


@pytest.mark.slow
@pytest.mark.parametrize("lines", [1, 150, 400])
async def test_after_kill_9_of_a_process_that_was_appending_nothing_acknowledged_is_lost(tmp_path, lines):
    path = tmp_path / "log.db"
    acknowledged = run_and_kill(path, lines)
    assert len(acknowledged) >= lines

    store = SqliteStore(SqliteFile(path))
    log = await store.read_all(0, 1_000_000)
    assert [event.position for event in log] == list(range(1, len(log) + 1))
    stored = {(event.header.game, event.header.version): event.digest.hex() for event in log}
    assert [line for line in acknowledged if stored.get((line[0], int(line[1]))) != line[2]] == []
    for game in {event.header.game for event in log}:
        verify(await store.read(game), KEY, head=await store.game_head(game))
    assert store._database.read_now("pragma integrity_check") == [("ok",)]
    assert await store.append(an_append(sealed("new", 1))) == Appended(len(log) + 1, 1, sealed("new", 1)[0].digest)
    await store.close()


def run(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=True).stdout


def run_and_kill(path, lines):
    """The words of each whole line that a child which appends had printed when it was killed, after `lines` or more."""
    command, environment = [sys.executable, CHILD, path], {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, env=environment) as child:
        heard = [child.stdout.readline() for _ in range(lines)]
        child.send_signal(signal.SIGKILL)
        heard += child.stdout.readlines()
    assert child.returncode == -signal.SIGKILL
    return [line.decode().split() for line in heard if line.endswith(b"\n")]
