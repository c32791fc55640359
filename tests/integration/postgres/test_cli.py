"""`turnlog db` on PostgreSQL: nodes refuse a database that its owner has not brought up to date."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from events.database import CannotOpen
from events.sqlite_file import MEMORY
from server.services import Services
from server.settings import Settings, shown
from tests.services import execute, fetch

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]

#: What is noted of read models, and where the files of their tables are: those that are made anew have others.
MADE = """select name, generation, position, active, shape, (select sum(relfilenode::bigint) from pg_class
  where relnamespace = 'models'::regnamespace) from shell.checkpoints order by name"""

#: The tables of read models, and where their files are.
TABLES = "select relname, relfilenode from pg_class where relnamespace = 'models'::regnamespace"


def turnlog(*arguments):
    command = [sys.executable, "-m", "server.cli", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_a_database_is_migrated_once_and_told_about(postgres_dsn):
    database = ("--database", postgres_dsn)
    before = turnlog("db", "status", *database, "--json")
    assert (before.returncode, json.loads(before.stdout)["pending"][:1]) == (1, ["log 1"])
    refused = turnlog("token", "list", "ann", *database)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "turnlog db migrate" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1

    done = turnlog("db", "migrate", *database)
    assert (done.returncode, "log 1" in done.stdout) == (0, True)
    assert "nothing to apply" in turnlog("db", "migrate", *database).stdout
    after = turnlog("db", "status", *database, "--json")
    told = json.loads(after.stdout)
    assert after.returncode == 0
    assert (told["pending"], told["events"], told["games"], told["epoch"]) == ([], 0, 0, 1)
    assert turnlog("token", "list", "ann", *database).returncode == 0


def test_status_leaves_read_models_of_another_program_as_they_are(postgres_database):
    database = ("--database", postgres_database)
    assert turnlog("token", "list", "ann", *database).returncode == 0  # which makes the read models
    asyncio.run(execute(postgres_database, "update shell.checkpoints set shape = shape + 1, position = 7"))
    before = asyncio.run(fetch(postgres_database, MADE))
    assert turnlog("db", "status", *database).returncode == 0
    assert asyncio.run(fetch(postgres_database, MADE)) == before != []


def test_no_command_drops_read_models_of_another_program_but_tidy(postgres_database):
    database = ("--database", postgres_database)
    assert turnlog("projections", "status", *database).returncode == 0
    asyncio.run(execute(postgres_database, "update shell.checkpoints set shape = shape + 1"))
    theirs = set(asyncio.run(fetch(postgres_database, TABLES)))
    for command in (("token", "list", "ann"), ("projections", "status"), ("projections", "rebuild")):
        assert turnlog(*command, *database).returncode == 0
    assert theirs <= set(asyncio.run(fetch(postgres_database, TABLES)))
    done = turnlog("projections", "tidy", *database)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 3)
    left = set(asyncio.run(fetch(postgres_database, TABLES)))
    assert left
    assert theirs.isdisjoint(left)


def test_a_server_that_is_not_there_is_one_sentence():
    done = turnlog("db", "status", "--database", "postgresql://ann:secret@/x?host=/nowhere")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("turnlog: PostgreSQL cannot be reached")
    assert "secret" not in done.stderr


@pytest.mark.parametrize(
    ("database", "expected"),
    [
        ("data/turnlog.db", "data/turnlog.db"),
        ("postgresql://ann:secret@db.example.org:5432/turnlog", "postgresql://ann@db.example.org:5432/turnlog"),
        ("postgres://ann@/turnlog?host=/run", "postgres://ann@/turnlog?host=/run"),
        ("postgresql://db.example.org/turnlog", "postgresql://db.example.org/turnlog"),
        ("postgresql://ann:se/cret@db.example.org/turnlog", "postgresql://…"),
        ("postgresql://ann:se#cret@db.example.org/turnlog", "postgresql://…"),
        ("postgresql://ann:se?cret@db.example.org/turnlog", "postgresql://…"),
        ("postgresql://ann:se[cret@db.example.org/turnlog", "postgresql://ann@db.example.org/turnlog"),
        ("postgresql://db.example.org/turnlog?user=ann&password=secret", "postgresql://…"),
    ],
)
def test_a_database_is_named_without_its_password(database, expected):
    assert shown(database) == expected


@pytest.mark.parametrize("mark", "/#?[")
def test_an_address_that_is_none_is_refused_without_a_word_of_its_password(mark):
    services = Services.open(Settings(database=f"postgresql://ann:hunter{mark}two@127.0.0.1/turnlog"))
    with pytest.raises(CannotOpen, match="its address is no URL") as refused:
        asyncio.run(services.prepare())
    with pytest.raises(CannotOpen, match="no URL of a Redis") as refused_too:
        Services.open(Settings(database=MEMORY, redis=f"redis://:hunter{mark}two@127.0.0.1/0"))
    assert "hunter" not in f"{refused.value} {refused_too.value}"
    assert "two" not in f"{refused.value} {refused_too.value}"
