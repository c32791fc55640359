"""`turnlog db`: migrations of the database, and what is in it."""

import sqlite3
from pathlib import Path
from typing import Any

from cyclopts import App
from msgspec.structs import replace

from events.database import CannotOpen
from events.sqlite_file import MEMORY
from events.sqlite_look import STEPS, Step, looked_at, not_applied
from server.cli import backup
from server.cli.common import Database, Json, print_json, services_of, settings_of
from server.settings import Settings, is_postgres, shown

LAST_STEPS = "select name, max(number) from migrations group by name order by name"
COUNTS = {
    "events": "select coalesce(max(position), 0) from events",
    "games": "select count(*) from games",
    "players": "select count(*) from players",
    "quarantined": "select count(*) from quarantine",
}
LAST_STEPS_SHARED = "select room, max(number) from migrations group by room order by room"


def add_to(app: App) -> None:
    """Add the commands."""
    group = App(name="db", help="The database.", result_action="return_value")
    group.command(db_migrate, name="migrate")
    group.command(db_status, name="status")
    backup.add_to(group)
    app.command(group)


async def db_migrate(*, database: Database = None) -> None:
    """Bring the tables up to this version of the program, as the owner of the database. Twice does no harm.

    A server on a SQLite file does this itself; nodes on PostgreSQL refuse to start until it is done.

    Try:

    - `turnlog db migrate --database postgresql://owner@db.example.org/turnlog`
    """
    settings = settings_of(database)
    if is_postgres(settings.database):
        from events import migrations  # noqa: PLC0415 - as in services_of

        applied = [str(step) for step in await migrations.migrate(settings.database, _rooms(settings))]
    else:
        async with services_of(database, make=True) as services:
            applied = [f"{room} {number}" for room, number in await services.database.read(LAST_STEPS)]
    print(f"{shown(settings.database)}: {', '.join(applied) or 'nothing to apply'}")


async def db_status(*, database: Database = None, json: Json = False) -> int:
    """Check the database and tell what is in it, changing nothing; exit code 1 if it is damaged or lacks migrations.

    Try:

    - `turnlog db status --database data/turnlog.db`
    """
    settings = settings_of(database)
    told = {"database": shown(settings.database)}
    told |= await (_in_postgres if is_postgres(settings.database) else _in_file)(settings)
    if json:
        print_json(told)
    else:
        for name, value in told.items():
            print(f"{name}: {_plain(value)}")
    return int(bool(told.get("faults") or told.get("pending")))


async def _in_file(settings: Settings) -> dict[str, Any]:
    """What is told of a file, which is not changed, and may be in use."""
    path, wanted = Path(settings.database), await _steps(settings)
    try:
        with looked_at(path) as connection:
            return {"bytes": size_of(path)} | _seen(connection, wanted)
    except sqlite3.DatabaseError as error:
        raise CannotOpen(f"{path} cannot be read: {error}") from error


def _seen(connection: sqlite3.Connection, wanted: list[Step]) -> dict[str, Any]:
    read = connection.execute
    faults = [row[0] for row in read("pragma quick_check") if row[0] != "ok"]
    checked = {"migrations": dict(read(LAST_STEPS).fetchall()), "faults": faults}
    if pending := not_applied(connection, wanted):
        return checked | {"pending": pending}
    counts = {name: read(sql).fetchone()[0] for name, sql in COUNTS.items()}
    return counts | checked | {"pending": []}


async def _steps(settings: Settings) -> list[Step]:
    """The steps that this program applies to a file."""
    from server.services import Services  # noqa: PLC0415 - as in services_of

    services = Services.open(replace(settings, database=MEMORY))
    steps: list[Step] = [(name, number, sum_) for name, number, sum_ in await services.database.read(STEPS)]
    await services.stop()
    return steps


async def _in_postgres(settings: Settings) -> dict[str, Any]:
    from events import migrations  # noqa: PLC0415 - as in services_of

    pending = await migrations.not_applied(settings.database, _rooms(settings))
    if pending:
        return {"pending": [str(step) for step in pending]}
    from server.services import Services  # noqa: PLC0415

    services = Services.open(settings)
    try:
        await services.database.open()  # and no more: `prepare` makes read models
        read = services.database.read
        return {
            "bytes": (await read("select pg_database_size(current_database())"))[0][0],
            "events": await services.store.head(),
            "epoch": (await read("select epoch from head"))[0][0],
            "games": (await read("select count(*) from games"))[0][0],
            "players": (await read("select count(*) from players"))[0][0],
            "migrations": dict(await read(LAST_STEPS_SHARED)),
            "pending": [],
            "quarantined": len(await services.store.quarantined()),
        }
    finally:
        await services.stop()


def _rooms(settings: Settings) -> dict[str, Any]:
    """The statements of every room of the server, beside the log's."""
    from events.postgres_pool import PostgresPool  # noqa: PLC0415 - as in services_of
    from server.services import Services  # noqa: PLC0415

    database = Services.open(settings).database
    return dict(database.rooms) if isinstance(database, PostgresPool) else {}


def size_of(file: Path) -> int:
    """The size of a file in bytes."""
    return file.stat().st_size


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {number}" for name, number in value.items())
    return ", ".join(value) or "none" if isinstance(value, list) else str(value)
