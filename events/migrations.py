"""Migrations of a PostgreSQL database: numbered steps of each room, with checksums, applied by the owner alone.

Steps are only ever added. A node applies none: it may not, and two versions of it may run at the same time.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from importlib import resources
from typing import Any

import asyncpg
from msgspec import Struct

from events.database import CannotOpen
from events.dialect import to_postgres
from events.postgres_link import AUDIT, LOG, LOST, SHELL, why_not

#: Rooms whose tables are only ever added to.
_PLACES = {"log": LOG, "tree": AUDIT}

#: A migration waits so long for a table that somebody is using, and so long for another one.
LOCK_S = 10
TURN_S = 60

#: One migrating process at a time, over all databases of a server: they share the role.
_LOCK = int.from_bytes(b"turnlog", "big")

_GROUND = """
create schema if not exists log;
create schema if not exists audit;
create schema if not exists shell;
create schema if not exists models;
create table if not exists log.migrations(
  room text not null, number integer not null, checksum bytea not null, at timestamptz not null default now(),
  primary key (room, number));
"""
_GRANTS = """
grant select, insert on all tables in schema audit to turnlog_node;
grant select, insert, update, delete on all tables in schema shell to turnlog_node;
"""
_APPLIED = "select room, number, checksum from log.migrations"


class Step(Struct, frozen=True):
    """A step of a room's: SQL as it is run, and the checksum of what was written in the program."""

    room: str
    number: int
    sql: str
    checksum: bytes

    def __str__(self) -> str:
        return f"{self.room} {self.number}"


Applied = Mapping[tuple[str, int], bytes]


def steps_of(rooms: Mapping[str, Sequence[str]]) -> list[Step]:
    """The steps of the log and of these rooms' statements, in the order in which they are applied."""
    files = sorted(resources.files("events").joinpath("log_schema").iterdir(), key=lambda file: file.name)
    log = [file.read_text("utf-8") for file in files if file.name.endswith(".sql")]
    steps = [_step(LOG, number, sql, sql) for number, sql in enumerate(log, 1)]
    for room, statements in rooms.items():
        steps += [_step(room, number, sql, to_postgres(sql)) for number, sql in enumerate(statements, 1)]
    return steps


async def applied_to(connection: Any) -> Applied:
    """The checksums of the steps that were applied to this database; none if it has nothing of ours."""
    if await connection.fetchval("select to_regclass('log.migrations')") is None:
        return {}
    return {(room, number): checksum for room, number, checksum in await connection.fetch(_APPLIED)}


def pending(steps: Sequence[Step], applied: Applied) -> list[Step]:
    """The steps that are yet to be applied.

    Raises CannotOpen if an applied one was changed since, or is not known to this program.
    """
    known = {(step.room, step.number): step for step in steps}
    for (room, number), checksum in applied.items():
        step = known.get((room, number))
        if step is None:
            raise CannotOpen(f"the database knows step {number} of {room!r}: a newer program migrated it; use that one")
        if checksum != step.checksum:
            raise CannotOpen(f"step {number} of {room!r} is not the one that was applied to this database")
    return [step for step in steps if (step.room, step.number) not in applied]


def check_applied(steps: Sequence[Step], applied: Applied) -> None:
    """Refuse, by CannotOpen, a database that is not as this program wants it."""
    if missing := pending(steps, applied):
        raise CannotOpen(
            f"the database lacks {len(missing)} migrations, from {missing[0]} on: its owner runs `turnlog db migrate`"
        )


async def migrate(dsn: str, rooms: Mapping[str, Sequence[str]]) -> list[Step]:
    """Apply what is pending, all or nothing, as the owner of the database; the steps that were applied.

    Raises CannotOpen as `pending` does, and if somebody has a table, or is migrating, for longer than is waited for.
    """
    async with _connected(dsn) as connection, connection.transaction():
        await connection.execute(f"set local lock_timeout = '{TURN_S}s'")
        await connection.execute("select pg_advisory_xact_lock($1)", _LOCK)
        # Whoever has a table for long makes the migration fail, which can be tried again, and not all nodes wait.
        await connection.execute(f"set local lock_timeout = '{LOCK_S}s'")
        await connection.execute(_GROUND)
        steps = pending(steps_of(rooms), await applied_to(connection))
        for step in steps:
            await _apply(connection, step)
        await connection.execute(_GRANTS)
    return steps


async def not_applied(dsn: str, rooms: Mapping[str, Sequence[str]]) -> list[Step]:
    """What `migrate` would apply now. Raises CannotOpen as `pending` does."""
    async with _connected(dsn) as connection:
        return pending(steps_of(rooms), await applied_to(connection))


@asynccontextmanager
async def _connected(dsn: str) -> AsyncIterator[Any]:
    try:
        connection = await asyncpg.connect(dsn)
    except (*LOST, asyncpg.PostgresError, ValueError) as error:
        raise why_not(error) from error
    try:
        yield connection
    except asyncpg.InsufficientPrivilegeError as error:
        raise why_not(error) from error
    except asyncpg.LockNotAvailableError as error:
        raise CannotOpen("somebody is using the tables, or migrating, for long: try again in a moment") from error
    finally:
        await connection.close()


async def _apply(connection: Any, step: Step) -> None:
    await connection.execute(f"set local search_path = {_PLACES.get(step.room, SHELL)}")
    await connection.execute(step.sql)
    note = "insert into log.migrations(room, number, checksum) values ($1, $2, $3)"
    await connection.execute(note, step.room, step.number, step.checksum)


def _step(room: str, number: int, written: str, sql: str) -> Step:
    return Step(room, number, sql, sha256(written.encode()).digest())


async def placed(connection: Any, table: str) -> str:
    """The schema in which a table is. Raises KeyError if there is none of that name."""
    sql = "select schemaname from pg_tables where tablename = $1 and schemaname = any($2)"
    found = await connection.fetchval(sql, table, [LOG, AUDIT, SHELL])
    if found is None:
        raise KeyError(table)
    return str(found)
