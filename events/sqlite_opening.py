"""Taking hold of a SQLite file: one process has it, SQLite is new enough, it is ours, and it keeps what it is told."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from pathlib import Path

from events.database import CannotOpen, Limits

APPLICATION_ID = int.from_bytes(b"turn", "big")
SQLITE_MIN = (3, 37)  # strict tables

_PRAGMAS = f"""
pragma journal_mode = wal;
pragma synchronous = full;
pragma fullfsync = on;
pragma checkpoint_fullfsync = on;
pragma wal_autocheckpoint = 1000;
pragma journal_size_limit = 67108864;
pragma cache_size = -65536;
pragma temp_store = memory;
pragma mmap_size = 0;
pragma foreign_keys = on;
pragma recursive_triggers = on;  -- else `insert or replace` would get past the append-only triggers
pragma secure_delete = on;       -- erased words leave no bytes behind
pragma trusted_schema = off;
pragma cell_size_check = on;
pragma application_id = {APPLICATION_ID};
create table if not exists migrations(
  name text not null, number integer not null, checksum blob not null, primary key(name, number)) strict;
"""


def take_lock(path: Path) -> int:
    """Take the lock file beside the database, which the system lets go of however the process ends; its descriptor.

    Raises:
        CannotOpen: another process has it.
    """
    descriptor = os.open(f"{path}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = os.read(descriptor, 20).decode() or "unknown"
        os.close(descriptor)
        raise CannotOpen(
            f"{path} is in use by process {owner}. One process owns a database file: stop that one or use another file."
        ) from None
    os.ftruncate(descriptor, 0)
    os.write(descriptor, str(os.getpid()).encode())
    return descriptor


def connect(path: str | Path, limits: Limits) -> sqlite3.Connection:
    """The connection to a file; it begins no transaction by itself.

    Raises:
        CannotOpen: the installed SQLite is too old.
    """
    if sqlite3.sqlite_version_info < SQLITE_MIN:
        needed = ".".join(map(str, SQLITE_MIN))
        raise CannotOpen(f"SQLite {sqlite3.sqlite_version} is too old; version {needed} or newer is needed")
    return sqlite3.connect(path, timeout=limits.busy_ms / 1000, isolation_level=None, cached_statements=256)


def set_up(connection: sqlite3.Connection, path: str | Path) -> None:
    """Give the connection its settings, and a new file its mark and the table of migrations.

    Raises:
        CannotOpen: it is no database, or one of another program.
    """
    try:
        owner = connection.execute("pragma application_id").fetchone()[0]
        tables = connection.execute("select count(*) from sqlite_schema").fetchone()[0]
        if owner != APPLICATION_ID and (owner or tables):
            raise CannotOpen(f"{path} is a database of another program")
        connection.executescript(_PRAGMAS)
    except sqlite3.DatabaseError as error:
        raise CannotOpen(f"{path} cannot be opened: {error}") from error
