"""A SQLite file as it is: looked at by a connection that cannot change it, also while a server has it open."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from events.database import CannotOpen
from events.sqlite_opening import APPLICATION_ID

#: Name, number and checksum of a statement of a room's.
Step = tuple[str, int, bytes]

#: In the order in which they were applied.
STEPS = "select name, number, checksum from migrations order by rowid"


@contextmanager
def looked_at(path: Path) -> Iterator[sqlite3.Connection]:
    """A transaction that reads one moment of the file.

    Nothing in it is changed. If no server has it open, SQLite leaves an empty `-wal` and a `-shm` beside it, which
    the next server takes over. (Without them, as `immutable`, nothing would be locked: a backup during which a server
    starts would be of no one moment.)

    Raises CannotOpen if it is not there, or none of ours.
    """
    if not path.exists():
        raise CannotOpen(f"There is no database {path}; name it with --database.")
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)) as connection:
        if connection.execute("pragma application_id").fetchone()[0] != APPLICATION_ID:
            raise CannotOpen(f"{path} is a database of another program")
        connection.execute("begin")
        yield connection


def not_applied(connection: sqlite3.Connection, wanted: Iterable[Step]) -> list[str]:
    """What a program that wants these steps would apply to the file.

    Raises CannotOpen if an applied one was changed since, or is not known to that program.
    """
    known = {(name, number): checksum for name, number, checksum in wanted}
    applied = {(name, number): checksum for name, number, checksum in connection.execute(STEPS)}
    for (name, number), checksum in applied.items():
        if (name, number) not in known:
            raise CannotOpen(f"the file knows statement {number} of {name!r}: a newer program wrote it; use that one")
        if checksum != known[name, number]:
            raise CannotOpen(f"statement {number} of {name!r} is not the one that was applied to this file")
    return [f"{name} {number}" for name, number in known if (name, number) not in applied]
