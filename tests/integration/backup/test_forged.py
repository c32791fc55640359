"""Backups whose checksum is right and whose log is not: whoever can change the rows can make the checksum too."""

import re

import pytest

from server.backup import archive
from server.backup.archive import read_backup
from tests.integration.backup.kit import turnlog
from tests.integration.store_kit import PostgresKit

pytestmark = pytest.mark.anyio


def swapped(rows, at, column, value):
    return [[*row[:column], value, *row[column + 1 :]] if n == at else row for n, row in enumerate(rows)]


#: What somebody does to the rows of a table of a backup, and what is said of it.
FORGED = {
    "an event is changed": (
        "events",
        lambda rows: swapped(rows, 1, 4, rows[1][4].replace(b"ann", b"bob")),
        "the event at position 2 .* was changed: its content does not give its digest",
    ),
    "an event is taken out": (
        "events",
        lambda rows: rows[:4] + rows[5:],
        "the log has no event at position 5, but one at 6",
    ),
    "the last event is taken out": ("events", lambda rows: rows[:-1], "the log ends at position .*, but its head was"),
    "a digest is another": (
        "events",
        lambda rows: swapped(rows, 1, 5, bytes(32)),
        "the event at position 2 .* changed",
    ),
    "a seed is another": ("secrets", lambda rows: swapped(rows, 0, 1, bytes(32)), "was changed"),
    "a seed is gone": ("secrets", lambda rows: rows[1:], "has no seed"),
}


def forge(backup, to, table, change):
    """The backup with the rows of a table changed, and a checksum that is right."""
    head, *batches = read_backup(backup)
    rows = {one.table: [] for one in batches}
    for one in batches:
        rows[one.table] += one.rows
    changed = change(rows[table])
    assert changed != rows[table]
    with to.open("wb") as file:
        writer = archive.Writer(file, head)
        for name, found in (rows | {table: changed}).items():
            writer.add(name, found)
        writer.finish()
    list(read_backup(to))  # by its checksum it is whole


@pytest.mark.parametrize("forged_as", FORGED)
async def test_a_backup_with_a_right_checksum_and_a_log_that_was_not_written_so_is_not_restored(
    forged_as, filled, tmp_path, postgres_database, capsys
):
    table, change, why = FORGED[forged_as]
    backup, forged, again = tmp_path / "one.turnlog", tmp_path / "forged.turnlog", tmp_path / "again.db"
    assert await turnlog("db", "backup", backup, "--database", filled) == 0
    forge(backup, forged, table, change)
    capsys.readouterr()
    for command in (
        ("check", forged),
        ("restore", forged, "--database", again),
        ("restore", forged, "--database", postgres_database),
    ):
        assert await turnlog("db", *command) == 1
        assert re.search(why, capsys.readouterr().err)
    assert list(tmp_path.glob("again*")) == []
    assert await turnlog("db", "restore", backup, "--database", postgres_database) == 0  # it is as empty as it was


async def test_a_damaged_log_in_postgresql_is_not_backed_up(filled, tmp_path, postgres_database, capsys):
    backup, again = tmp_path / "one.turnlog", tmp_path / "two.turnlog"
    assert await turnlog("db", "backup", backup, "--database", filled) == 0
    assert await turnlog("db", "restore", backup, "--database", postgres_database) == 0
    kit = PostgresKit(postgres_database)
    async with kit.owner() as owner:
        data = await owner.fetchval("select data from log.events where position = 2")
    await kit.damage_event(2, data.replace(b"ann", b"bob"))
    assert await turnlog("db", "backup", again, "--database", postgres_database) == 1
    assert "the event at position 2" in capsys.readouterr().err
    assert list(tmp_path.glob("two*")) == []
