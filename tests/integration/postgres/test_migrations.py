"""Migrations of PostgreSQL: applied by the owner, once, in order; a node starts on nothing else."""

import asyncio
import re

import asyncpg
import pytest

from events import migrations
from events.database import CannotOpen
from events.postgres_pool import PostgresPool
from tests.services import Databases, execute

pytestmark = pytest.mark.anyio

FACTS = ("create table facts(name text primary key, count integer not null) strict, without rowid",)
MORE = (*FACTS, "alter table facts add column note text")
LOG = [f"log {number}" for number in range(1, 7)]


async def names(steps):
    return [str(step) for step in await steps]


async def opened(dsn, rooms):
    pool = PostgresPool(dsn)
    for room, statements in rooms.items():
        pool.migrate(room, statements)
    try:
        await pool.open()
    finally:
        await pool.close()


async def test_steps_are_applied_once_and_new_ones_later(postgres_dsn):
    assert await names(migrations.not_applied(postgres_dsn, {"facts": FACTS})) == [*LOG, "facts 1"]
    assert await names(migrations.migrate(postgres_dsn, {"facts": FACTS})) == [*LOG, "facts 1"]
    assert await names(migrations.migrate(postgres_dsn, {"facts": FACTS})) == []
    await opened(postgres_dsn, {"facts": FACTS})
    with pytest.raises(CannotOpen, match=r"lacks 1 migrations, from facts 2 on: its owner runs `turnlog db migrate`"):
        await opened(postgres_dsn, {"facts": MORE})
    assert await names(migrations.migrate(postgres_dsn, {"facts": MORE})) == ["facts 2"]
    await opened(postgres_dsn, {"facts": MORE})


async def test_an_empty_database_is_refused(postgres_dsn):
    with pytest.raises(CannotOpen, match="turnlog db migrate"):
        await opened(postgres_dsn, {})


async def test_a_step_that_was_changed_or_is_not_known_is_refused_everywhere(postgres_dsn):
    await migrations.migrate(postgres_dsn, {"facts": MORE})
    changed = ("create table facts(name text primary key)", MORE[1])
    for rooms, sentence in (
        ({"facts": changed}, "step 1 of 'facts' is not the one that was applied"),
        ({"facts": FACTS}, "step 2 of 'facts': a newer program"),
        ({}, "of 'facts': a newer program"),
    ):
        for use in (opened, migrations.migrate, migrations.not_applied):
            with pytest.raises(CannotOpen, match=re.escape(sentence)):
                await use(postgres_dsn, rooms)


async def test_a_step_that_fails_leaves_nothing_of_the_others_behind(postgres_dsn):
    with pytest.raises(asyncpg.PostgresSyntaxError):
        await migrations.migrate(postgres_dsn, {"facts": (*FACTS, "create tabel others(name text)")})
    assert await names(migrations.not_applied(postgres_dsn, {"facts": FACTS})) == [*LOG, "facts 1"]


async def test_two_who_migrate_at_the_same_time_apply_each_step_once(postgres_dsn):
    applied = await asyncio.gather(*(migrations.migrate(postgres_dsn, {"facts": FACTS}) for _ in range(3)))
    assert sorted(len(steps) for steps in applied) == [0, 0, len(LOG) + 1]


async def test_who_migrates_while_somebody_else_does_for_long_is_told_so(postgres_dsn, monkeypatch):
    monkeypatch.setattr(migrations, "TURN_S", 0.1)
    other = await asyncpg.connect(postgres_dsn)
    await other.execute("select pg_advisory_lock($1)", migrations._LOCK)
    with pytest.raises(CannotOpen, match="migrating, for long: try again"):
        await migrations.migrate(postgres_dsn, {})
    await other.close()
    assert await names(migrations.migrate(postgres_dsn, {})) == LOG


async def test_a_node_may_not_migrate(postgres_dsn):
    await migrations.migrate(postgres_dsn, {})
    name = "turnlog_test_node"
    made = f"create role {name} login password '{name}' in role turnlog_node"
    await execute(postgres_dsn, f"drop role if exists {name}", made)
    node = Databases.as_user(postgres_dsn, name, name)
    with pytest.raises(CannotOpen, match="may not"):
        await migrations.migrate(node, {"facts": FACTS})
    await execute(postgres_dsn, f"drop role {name}")


async def test_tables_of_rooms_are_in_the_shell_and_those_of_the_tree_are_only_added_to(postgres_dsn):
    tree = (
        "create table tree_heads(size integer primary key, note blob not null) strict",
        """create trigger tree_heads_are_not_updated before update on tree_heads
           begin select raise(abort, 'heads are append-only'); end""",
    )
    rooms = {"facts": FACTS, "tree": tree}
    await migrations.migrate(postgres_dsn, rooms)
    pool = PostgresPool(postgres_dsn)
    pool.rooms = rooms
    await pool.open()
    assert await pool.change("insert into facts values (?, ?)", ("a", 1)) == 1
    assert await pool.change("update facts set count = count + 1") == 1
    assert await pool.change("insert into tree_heads values (?, ?)", (1, b"note")) == 1
    for sql in ("update tree_heads set size = 2", "delete from tree_heads"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await pool.change(sql)
    rows = await pool.read("select schemaname, tablename from pg_tables where tablename in ('facts', 'tree_heads')")
    assert sorted(rows) == [("audit", "tree_heads"), ("shell", "facts")]
    await pool.close()
    with pytest.raises(asyncpg.RestrictViolationError):
        await execute(postgres_dsn, "update audit.tree_heads set size = 2")
