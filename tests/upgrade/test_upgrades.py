"""Databases of earlier programs, brought up to this one: nothing is lost, and tables are those of a new database."""

import asyncio
import gzip
import json
import re
import sqlite3
from pathlib import Path

import msgspec
import pytest

from events.sqlite_file import MEMORY
from games.kernel import decisions, legal
from projections.lobby import Search
from projections.verify import verify
from server.access import Caller
from server.asks import Ask
from server.cli import run
from server.playing import Act, act
from server.services import Services
from server.settings import Settings
from tests.services import execute, fetch

pytestmark = pytest.mark.anyio

DUMPS = Path(__file__).parent / "dumps"
TOKENS = {
    "sqlite-1": "tl_Od1j1RpqyoSKefbD8MlDgPpB7sh3K_tOzNi6Lu3FkGA",
    "postgres-1": "tl_z0KtVOpnMH9XGn91w3MZhIAhIhsXi8pLgWvug3xQvYA",
}
#: What the programs that wrote them had in their lists: status and version of each game.
GAMES = {
    "tpoc ended": {"sqlite-1": ("ended", 83), "postgres-1": ("ended", 85)},
    "block_mania ended": dict.fromkeys(TOKENS, ("running", 154)),
    "host_tournament ended": dict.fromkeys(TOKENS, ("running", 154)),
    "running": dict.fromkeys(TOKENS, ("running", 8)),
}


#: A role belongs to all databases of a server: no dump of one has it.
ROLE = """do $$ begin create role turnlog_node nologin;
  exception when duplicate_object or unique_violation then null; end $$"""


def dump(name):
    return gzip.decompress((DUMPS / f"{name}.sql.gz").read_bytes()).decode()


@pytest.fixture(params=["sqlite-1", "postgres-1"])
def upgraded(request, tmp_path):
    """An old database as this program leaves it: its name and where it is."""
    name = request.param
    if name.startswith("sqlite"):
        where = str(tmp_path / "old.db")
        connection = sqlite3.connect(where)
        connection.executescript(dump(name))
        connection.close()
    else:
        where = request.getfixturevalue("postgres_dsn")
        asyncio.run(execute(where, ROLE, dump(name)))
    assert run(["db", "migrate", "--database", where]) == 0
    return name, where


def silent(_, __):
    return b""


async def opened(where):
    services = Services.open(Settings(database=where))
    await services.prepare()
    await services.runner.catch_up()
    return services


async def test_no_game_player_token_or_word_is_lost(upgraded):
    name, where = upgraded
    services = await opened(where)
    found, _ = await services.lobby.search(Search(), limit=100)
    assert {game["name"]: (game["status"], game["version"]) for game in found} == {
        game: told[name] for game, told in GAMES.items()
    }
    for game in found:
        events = await services.store.read(game["game"])
        rules = services.games.rulesets()[game["ruleset"]]
        assert verify(rules, events, await services.store.secret(game["game"])).version == game["version"]
        async with services.games.game(game["game"]) as live:
            assert live.meta.digest == events[-1].digest
    results, _ = await services.results.search(Search(), limit=100)
    assert len(results) == 1
    ada = await services.records.caller(TOKENS[name])
    assert (await services.records.player(ada.player)).name == "Ada"
    assert [token.label for token in await services.records.tokens(ada.player, "", 10)] == ["sign-up", "spare"]
    assert [one.revoked_at is None for one in await services.records.tokens(ada.player, "", 10)] == [True, False]
    running = next(game["game"] for game in found if game["name"] == "running")
    spoken = [event for event in await services.store.read(running) if event.header.kind == "said"]
    assert b"hello" in await services.store.words(running, spoken[0].header.version)
    assert await services.records.replay("replay-1") is not None
    await services.stop()


async def test_a_game_that_was_running_goes_on(upgraded):
    services = await opened(upgraded[1])
    found, _ = await services.lobby.search(Search(status="running", text="running"), limit=1)
    game, games = found[0]["game"], services.games
    async with games.game(game) as live:
        decision = next(one for one in decisions(live.state) if one.owes)
        wanted = Act(msgspec.to_builtins(legal(live.rules, live.state, decision.seat)[0]), decision.seat)
        caller = Caller(live.meta.seats[decision.seat].player, frozenset({"play"}))
    await act(games, Ask(caller, silent, if_version="*"), game, wanted)
    versions = sum(told[upgraded[0]][1] for told in GAMES.values())
    assert await services.store.head() == versions + 1
    await services.stop()


async def tables(services):
    """What there is in a file; generations of read models are counted on, so their numbers are left out."""
    rows = await services.database.read("select name, sql from sqlite_schema where name not like 'sqlite%'")
    return sorted(tuple(re.sub(r"_\d+\b", "", told) for told in row) for row in rows)


async def test_a_file_has_the_tables_of_a_new_one(tmp_path):
    old = sqlite3.connect(tmp_path / "old.db")
    old.executescript(dump("sqlite-1"))
    old.close()
    services, new = await opened(str(tmp_path / "old.db")), await opened(MEMORY)
    await services.runner.tidy()
    assert await tables(services) == await tables(new)
    await services.stop()
    await new.stop()


def schema(path):
    connection = sqlite3.connect(path)
    found = connection.execute("select name, sql from sqlite_schema order by name").fetchall()
    applied = connection.execute("select * from migrations order by rowid").fetchall()
    connection.close()
    return found, applied


def test_the_status_of_an_old_file_tells_what_is_pending_and_changes_nothing(tmp_path, capsys):
    path = tmp_path / "old.db"
    old = sqlite3.connect(path)
    old.executescript(dump("sqlite-1"))
    old.close()
    before, content = schema(path), path.read_bytes()
    assert run(["db", "status", "--database", str(path), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert {step.split()[0] for step in told["pending"]} == {"checkpoints", "tickets", "tree", "tree_nodes"}
    assert "checkpoints 2" in told["pending"]
    assert (told["migrations"]["checkpoints"], told["faults"]) == (1, [])
    assert run(["db", "status", "--database", str(path)]) == 1
    assert f"pending: {', '.join(told['pending'])}" in capsys.readouterr().out
    assert (schema(path), path.read_bytes()) == (before, content)
    assert run(["db", "migrate", "--database", str(path)]) == 0
    capsys.readouterr()
    assert run(["db", "status", "--database", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    versions = sum(one["sqlite-1"][1] for one in GAMES.values())
    assert (told["pending"], told["events"], told["games"], told["players"]) == ([], versions, len(GAMES), 1)


COLUMNS = """select table_schema, table_name, column_name, data_type, collation_name, is_nullable
  from information_schema.columns where table_schema in ('log', 'audit', 'shell') order by 1, 2, ordinal_position"""
INDEXES = (
    "select schemaname, indexname, indexdef from pg_indexes where schemaname in ('log', 'audit', 'shell') order by 2"
)
FUNCTIONS = """select proname, md5(prosrc) from pg_proc p join pg_namespace n on n.oid = pronamespace
  where nspname in ('log', 'audit', 'shell') order by 1"""
TRIGGERS = (
    "select event_object_table, trigger_name, event_manipulation from information_schema.triggers order by 1, 2, 3"
)
GRANTS = """select table_schema, table_name, privilege_type from information_schema.role_table_grants
  where grantee = 'turnlog_node' and table_schema <> 'models' order by 1, 2, 3"""


def test_a_postgresql_database_has_the_tables_indexes_functions_and_grants_of_a_new_one(postgres, capsys):
    with postgres.one() as old, postgres.one() as new:
        asyncio.run(execute(old, ROLE, dump("postgres-1")))
        for dsn in (old, new):
            assert run(["db", "migrate", "--database", dsn]) == 0
        for sql in (COLUMNS, INDEXES, FUNCTIONS, TRIGGERS, GRANTS):
            assert asyncio.run(rows(old, sql)) == asyncio.run(rows(new, sql))
        assert run(["db", "migrate", "--database", old]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith(": nothing to apply")


async def rows(dsn, sql):
    found = await fetch(dsn, sql)
    assert found
    return found
