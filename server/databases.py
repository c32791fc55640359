"""Which database the settings name: a file of SQLite's, or a PostgreSQL server that many nodes share."""

from pathlib import Path

from events.database import Database, Limits
from events.postgres import PostgresStore
from events.postgres_link import PostgresLimits
from events.postgres_pool import PostgresPool
from events.sqlite import SqliteStore
from events.sqlite_file import MEMORY, SqliteFile
from events.store import EventStore
from server.settings import Settings, is_postgres


def open_database(settings: Settings) -> tuple[Database, EventStore]:
    """The database of the settings and the log in it. A file is made if it is not there; PostgreSQL is not asked yet.

    Raises:
        CannotOpen: the file is in use or no file of ours.
    """
    if is_postgres(settings.database):
        pool = PostgresPool(settings.database, _postgres_limits(settings))
        return pool, PostgresStore(pool)
    if settings.database != MEMORY:
        Path(settings.database).parent.mkdir(parents=True, exist_ok=True)
    limits = Limits(queue_max=settings.append_queue_max, batch_max=settings.append_batch_max)
    file = SqliteFile(settings.database, limits)
    return file, SqliteStore(file)


def _postgres_limits(settings: Settings) -> PostgresLimits:
    return PostgresLimits(
        connections_max=settings.database_connections_max,
        writers_max=settings.database_writers_max,
        write_tries_max=settings.database_write_tries_max,
        locks_max=settings.database_locks_max,
        waiting_max=settings.append_queue_max,
        batch_max=settings.append_batch_max,
        connect_s=settings.database_connect_s,
        statement_s=settings.database_statement_s,
        lock_s=settings.database_lock_s,
        patience_s=settings.database_patience_s,
        idle_s=settings.database_idle_s,
    )
