"""Restoring a backup: every row is written and every chain checked, or nothing is there."""

from pathlib import Path

from server.backup.archive import Batch, read_backup
from server.backup.chains import Chains
from server.backup.make import Made, Progress, check, check_end, table_of
from server.backup.tables import EVENTS
from server.backup.target import Target


async def restore_backup(path: Path, target: Target, progress: Progress | None = None) -> Made:
    """Write all of a backup to an empty database, checking its checksum and every chain on the way.

    What goes wrong goes wrong before the target keeps anything.

    Raises:
        BackupError: the backup is none, is damaged or cut off, or its log is not what was written.
    """
    chains, rows, made_at, expected = Chains(), dict[str, int](), "", 0
    for told in read_backup(path):
        if not isinstance(told, Batch):
            made_at, expected = told.made_at, told.position
            continue
        table = table_of(told.table)
        check(chains, told.table, told.rows)
        await target.add(table, told.rows)
        rows[told.table] = rows.get(told.table, 0) + len(told.rows)
        if progress is not None and table == EVENTS:
            progress(chains.position)
    check_end(chains, expected)
    await target.finish(chains)
    return Made(made_at, chains.position, len(chains.games), rows)
