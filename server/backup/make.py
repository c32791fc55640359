"""Making a backup, and looking into one."""

import asyncio
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from msgspec import Struct

from server.backup.archive import FORMAT, BackupError, Batch, Head, Writer, read_backup
from server.backup.chains import Chains
from server.backup.source import Source
from server.backup.tables import EVENTS, LEFT_OUT, SECRETS, TABLES, Table

#: Told how many events have been written.
Progress = Callable[[int], None]


class Made(Struct, frozen=True):
    """What is in a backup: when it was made, how many games, and the rows of each table."""

    made_at: str
    position: int
    games: int
    rows: dict[str, int]


async def make_backup(source: Source, to: Path, at: str, progress: Progress | None = None) -> Made:
    """Write a backup of a database to a new file, which is there only once it is whole; every chain is checked.

    Raises:
        BackupError: the log is damaged, or the file is there already.
    """
    if to.exists():
        raise BackupError(f"{to} is there already: name another file")
    there = await source.tables()
    missing = [table.name for table in TABLES if table.name not in there]
    if missing:
        raise BackupError(f"the database has no table {missing[0]}: bring it up to this version first")
    chains, part = Chains(), to.with_name(f"{to.name}.{uuid4().hex}.part")
    try:
        with part.open("xb") as file:
            os.fchmod(file.fileno(), 0o600)  # it holds the seeds of running games
            position = await _last_position(source)
            writer = Writer(file, Head(FORMAT, at, position))
            for table in TABLES:
                async for rows in source.rows(table):
                    check(chains, table.name, rows)
                    writer.add(table.name, rows)
                    if progress is not None and table == EVENTS:
                        progress(chains.position)
                    await asyncio.sleep(0)
            rows_of = writer.finish()
            file.flush()
            os.fsync(file.fileno())
        part.rename(to)
    finally:
        part.unlink(missing_ok=True)
    return Made(at, chains.position, len(chains.games), rows_of)


def check(chains: Chains, table: str, rows: Sequence[Sequence[Any]]) -> None:
    """Check rows that belong to the log; others are taken as they are."""
    if table == SECRETS.name:
        chains.take_secrets(rows)
    elif table == EVENTS.name:
        chains.take_events(rows)


def check_end(chains: Chains, position: int) -> None:
    """Refuse, by BackupError, a log that does not end where the log ended of which the backup was made."""
    if chains.position != position:
        raise BackupError(f"the log ends at position {chains.position}, but its head was {position}")


def check_backup(path: Path) -> Made:
    """Read a backup through, checking its checksum and every chain.

    Raises:
        BackupError: it is no backup, was damaged, or its log is.
    """
    chains, rows, made_at, expected = Chains(), dict[str, int](), "", 0
    for told in read_backup(path):
        if isinstance(told, Batch):
            check(chains, told.table, told.rows)
            rows[told.table] = rows.get(told.table, 0) + len(told.rows)
        else:
            made_at, expected = told.made_at, told.position
    check_end(chains, expected)
    return Made(made_at, chains.position, len(chains.games), rows)


async def _last_position(source: Source) -> int:
    last = Table("events", ("coalesce(max(position), 0)",), "1")
    return int((await anext(aiter(source.rows(last))))[0][0])


def table_of(name: str) -> Table:
    """The table of this name.

    Raises:
        BackupError: this program carries none of that name.
    """
    for table in TABLES:
        if table.name == name:
            return table
    why = LEFT_OUT.get(name, "a newer program wrote it")
    raise BackupError(f"the backup has a table {name} that is not restored: {why}")
