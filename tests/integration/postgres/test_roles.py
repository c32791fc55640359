"""What a node may do in the database: append by the function, and no other way; it cannot become more than it is."""

import asyncio

import asyncpg
import pytest

from events.database import CannotOpen
from events.postgres_link import NODE, PostgresLimits, connect
from events.postgres_pool import PostgresPool
from events.store import Appended
from tests.integration.store_kit import SEED, PostgresKit, a_command, an_append, sealed
from tests.services import Databases, execute

pytestmark = pytest.mark.anyio

#: What was granted, table by table; all else is refused.
GRANTED = {
    "commands": {"delete"},
    "erasable": {"delete"},
    "snapshots": {"insert", "update", "delete"},
    "quarantine": {"insert"},
}
TABLES = ("head", "events", "games", "commands", "secrets", "snapshots", "erasable", "quarantine", "migrations")
COLUMNS = {
    "head": "position",
    "quarantine": "error",
    "migrations": "checksum",
    "erasable": "words",
    "secrets": "secret",
}
CHANGES = {
    "insert": "insert into log.{table} select * from log.{table}",
    "update": "update log.{table} set {column} = {column}",
    "delete": "delete from log.{table}",
    "truncate": "truncate log.{table}",
    "alter": "alter table log.{table} add column more integer",
    "drop": "drop table log.{table}",
    "disable": "alter table log.{table} disable trigger all",
}


@pytest.fixture
async def node(kit):
    await kit.store.append(an_append(sealed("g", 2), command=a_command(), secret=SEED, erasable=((1, b"words"),)))
    connection = await connect(kit.dsn, PostgresLimits())
    yield connection
    await connection.close()


async def test_all_tables_of_the_log_are_tried_here(kit):
    async with kit.owner() as owner:
        rows = await owner.fetch("select tablename from pg_tables where schemaname = 'log'")
    assert {row[0] for row in rows} == set(TABLES)


@pytest.mark.parametrize("table", TABLES)
async def test_a_node_reads_a_table_and_changes_it_only_as_granted(node, table):
    assert await node.fetch(f"select * from log.{table}") is not None
    for kind, sql in CHANGES.items():
        statement = sql.format(table=table, column=COLUMNS.get(table, "game" if table != "commands" else "at"))
        transaction = node.transaction()
        await transaction.start()
        try:
            await node.execute(statement)
            refused = False
        except asyncpg.InsufficientPrivilegeError:
            refused = True
        await transaction.rollback()
        assert refused == (kind not in GRANTED.get(table, ())), statement


@pytest.mark.parametrize(
    "sql",
    [
        "select log.fence()",
        "create table log.other(a integer)",
        "create table shell.other(a integer)",
        "create function log.other() returns integer language sql as 'select 1'",
        "create or replace function log.forbid() returns trigger language plpgsql as 'begin return old; end'",
        "drop function log.fence",
        "drop trigger events_are_append_only on log.events",
        "alter role turnlog_node superuser",
    ],
)
async def test_a_node_cannot_change_what_holds_it(node, sql):
    with pytest.raises(asyncpg.PostgresError) as caught:
        await node.execute(sql)
    assert isinstance(caught.value, asyncpg.InsufficientPrivilegeError)


@pytest.mark.parametrize("sql", ["update log.events set data = ''", "delete from log.events", "truncate log.secrets"])
async def test_the_owner_too_is_stopped_by_the_triggers(node, kit, sql):
    async with kit.owner() as owner:
        with pytest.raises(asyncpg.RestrictViolationError, match="append-only"):
            await owner.execute(sql)


async def test_the_function_is_not_deceived_by_tables_of_the_caller(node, kit):
    await node.execute("create temporary table head(position bigint, epoch bigint)")
    await node.execute("set search_path = pg_temp, log")
    sql = """select outcome from log.append(1, false, array['h'], array[0], array[1], array[null]::bytea[],
             array[''], array[null], array[''::bytea], array[''::bytea], array[''], array['k'], array[$1::bytea],
             array[$2::bytea], '{}', '{}', '{}', array[null]::bytea[])"""
    assert await node.fetchval(sql, b"{}", bytes(32)) == "appended"
    assert await kit.store.head() == 3


HASH = "h" * 32

#: Two appends with three events, one with words, as a node sends them: the type and the value of each argument.
FITTING = {
    "games": ("text", "{h,i}"),
    "expected": ("bigint", "{0,0}"),
    "counts": ("integer", "{2,1}"),
    "secrets": ("bytea", "{null,null}"),
    "scopes": ("text", "{s,s}"),
    "keys": ("text", "{null,null}"),
    "requests": ("bytea", "{r,r}"),
    "responses": ("bytea", "{a,a}"),
    "ats": ("text", "{t,t}"),
    "kinds": ("text", "{k,k,k}"),
    "data": ("bytea", "{x,y,z}"),
    "digests": ("bytea", f"{{{HASH},{HASH},{HASH}}}"),
    "word_of": ("bigint", "{1}"),
    "word_version": ("bigint", "{2}"),
    "words": ("bytea", "{w}"),
    "follows": ("bytea", "{null,null}"),
}
MISFITS = [
    {"counts": "{4,-1}"},
    {"counts": "{3,0}"},
    {"counts": "{3,null}"},
    {"counts": "{2,2}"},  # more than there are events
    {"counts": "{1,1}"},  # and fewer
    {"expected": "{{0,0}}"},
    dict.fromkeys(FITTING, "{}"),
    *({name: f"[0:{value.count(',')}]={value}"} for name, (_, value) in FITTING.items()),
    *({name: value[:-1] + "," + value[1:]} for name, (_, value) in FITTING.items()),  # twice as long
    *({name: "{}"} for name in FITTING),
    *({name: None} for name in FITTING),
    {"word_of": "{3}"},  # of no append
    {"word_of": "{null}"},
    {"word_of": "{2}"},  # which has no such version
    {"word_version": "{0}"},
    {"word_version": "{3}"},
    {"word_version": "{null}"},
]


async def append(node, changed):
    values = {name: value for name, (_, value) in FITTING.items()} | changed
    arguments = ", ".join(f"{name} => ${n}::text::{FITTING[name][0]}[]" for n, name in enumerate(values, 1))
    sql = f"select outcome from log.append(since_epoch => 1, once_more => false, {arguments})"
    return [outcome for (outcome,) in await node.fetch(sql, *values.values())]


async def standing(node):
    heads, games = await node.fetch("select position from log.head"), await node.fetch("select * from log.games")
    return heads, games, await node.fetch("select game, version from log.erasable")


async def test_appends_are_taken_from_whoever_calls_the_function_only_if_their_arrays_fit_each_other(node):
    before = await standing(node)
    for changed in MISFITS:
        with pytest.raises(asyncpg.InvalidParameterValueError, match="do not fit"):
            await append(node, changed)
        assert await standing(node) == before, changed
    assert await append(node, {}) == ["appended", "appended"]


async def test_a_member_of_the_role_cannot_move_the_log_back_by_counts_and_bounds_of_its_own(node):
    """digests[-1] is there in an array that begins at -1: with a count of -1 a game ended with it, a version before."""
    before = await standing(node)
    of_one = {name: f"{{{value[1:].split(',')[0].strip('{}')}}}" for name, (_, value) in FITTING.items()}
    back = {"games": "{g}", "expected": "{2}", "counts": "{-1}", "digests": f"[-1:0]={{{HASH},{HASH}}}"}
    with pytest.raises(asyncpg.InvalidParameterValueError, match="do not fit"):
        await append(node, of_one | dict.fromkeys(("word_of", "word_version", "words"), "{}") | back)
    assert await standing(node) == before


@pytest.mark.parametrize(
    "sql",
    [
        "update log.head set position = position - 1",
        "delete from log.head",
        "truncate log.head",
        "update log.games set version = version - 1",
        "delete from log.games",
        "truncate log.games",
    ],
)
async def test_the_head_and_games_only_ever_move_on_whoever_moves_them(node, kit, sql):
    async with kit.owner() as owner:
        with pytest.raises(asyncpg.RestrictViolationError, match="only ever moves on"):
            await owner.execute(sql)
        await owner.execute("select log.fence()")


async def test_there_is_no_append_that_does_not_ask_what_it_follows_on(node):
    """Each signature is a function of its own, with grants of its own."""
    sql = "select proargnames from pg_proc where proname = 'append' and pronamespace = 'log'::regnamespace"
    ((arguments,),) = await node.fetch(sql)
    assert "follows" in arguments


async def test_a_node_makes_and_drops_tables_of_its_own_for_all_nodes(kit, node):
    other = await connect(kit.dsn, PostgresLimits())
    await node.execute("create table models.lobby_7(game text)")
    await other.execute("insert into lobby_7 values ('g')")
    assert await other.fetchval("select schemaname from pg_tables where tablename = 'lobby_7'") == "models"
    await other.execute("drop table lobby_7")
    await other.close()


@pytest.fixture
def login(postgres, postgres_log):
    """The DSN of a login that is a member of turnlog_node and nothing else, and one of a login that is not."""
    names = ("turnlog_test_member", "turnlog_test_stranger")
    for name in names:
        asyncio.run(execute(postgres.dsn, f"drop role if exists {name}", f"create role {name} login password '{name}'"))
    asyncio.run(execute(postgres.dsn, f"grant {NODE} to {names[0]}"))
    yield [Databases.as_user(postgres_log, name, name) for name in names]
    for name in names:
        asyncio.run(execute(postgres.dsn, f"drop role {name}"))


async def test_a_member_of_the_role_can_be_a_node(login):
    kit = PostgresKit(login[0])
    await kit.open()
    assert await kit.store.append(an_append(sealed("g", 1))) == Appended(1, 1, sealed("g", 1)[0].digest)
    rows = await kit.database.read("select session_user, current_user")
    assert rows == [("turnlog_test_member", NODE)]
    await kit.store.close()


async def test_another_login_is_refused_with_a_sentence(login):
    with pytest.raises(CannotOpen, match=r"permission denied.*turnlog_node"):
        await PostgresPool(login[1]).open()
