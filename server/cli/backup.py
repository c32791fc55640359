"""`turnlog db backup`, `restore` and `check`: the whole of a server in one file, for either kind of database."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cyclopts import App
from rich.console import Console
from rich.progress import Progress as Bar

from server.backup.archive import BackupError
from server.backup.make import Made, Progress, check_backup, make_backup
from server.backup.restore import restore_backup
from server.backup.source import postgres_source, sqlite_source
from server.backup.target import postgres_target, sqlite_target
from server.cli.common import CommandError, Database, Json, print_json, settings_of
from server.ports import SystemClock, timestamp
from server.settings import is_postgres, shown


def add_to(group: App) -> None:
    """Add the commands to `turnlog db`."""
    group.command(db_backup, name="backup")
    group.command(db_restore, name="restore")
    group.command(db_check, name="check")


async def db_backup(to: Path, /, *, database: Database = None, json: Json = False) -> None:
    """Write everything that cannot be made anew to a file, as it is at this moment; servers may go on meanwhile.

    Every game's chain is checked on the way. The file is as secret as the database: it has the seeds of running games.

    Try:

    - `turnlog db backup backups/2026-11-30.turnlog`
    - `turnlog db backup monday.turnlog --database postgresql://node@db.example.org/turnlog`
    """
    settings = settings_of(database)
    open_source = postgres_source(settings.database) if is_postgres(settings.database) else None
    with _told_errors(), _bar() as progress:
        async with open_source or sqlite_source(Path(settings.database)) as source:
            made = await make_backup(source, to, timestamp(SystemClock().now()), progress)
    _tell(f"{to}: backup of {shown(settings.database)}", made, json=json)


async def db_restore(backup: Path, /, *, database: Database = None, json: Json = False) -> None:
    """Make a database from a backup, whichever kind of database that came from; every game's chain is checked.

    The SQLite file must not be there; the PostgreSQL database must be migrated, empty and one's own. Nodes that had the
    old database open cannot write to the new one. Read models are folded anew when the server starts.

    Try:

    - `turnlog db restore monday.turnlog --database data/restored.db`
    - `turnlog db restore monday.turnlog --database postgresql://owner@db.example.org/turnlog`
    """
    settings = settings_of(database)
    open_target = postgres_target(settings.database) if is_postgres(settings.database) else None
    with _told_errors(), _bar() as progress:
        async with open_target or sqlite_target(Path(settings.database)) as target:
            made = await restore_backup(backup, target, progress)
    _tell(f"{shown(settings.database)}: restored from {backup}", made, json=json)


def db_check(backup: Path, /, *, json: Json = False) -> None:
    """Read a backup through: its checksum, and every game's chain; exit code 1 if it could not be restored.

    Try:

    - `turnlog db check monday.turnlog`
    """
    with _told_errors():
        made = check_backup(backup)
    _tell(f"{backup}: sound", made, json=json)


def _tell(what: str, made: Made, *, json: bool) -> None:
    if json:
        print_json(made)
    else:
        print(f"{what}: {made.games} games, {made.position} events, as of {made.made_at}")


@contextmanager
def _told_errors() -> Iterator[None]:
    try:
        yield
    except BackupError as error:
        raise CommandError(f"{error}.") from error


@contextmanager
def _bar() -> Iterator[Progress]:
    console = Console(stderr=True)
    with Bar(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("events", total=None)

        def tell(position: int) -> None:
            bar.update(task, completed=position)

        yield tell
