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
