"""The operator's documents say what is so: settings, figures, and that a backup of a running server is whole."""

import re
import sqlite3
from pathlib import Path

import msgspec
import pytest

from server.cli.log import verify_command
from server.limits.budgets import BUDGETS, setting_of
from server.metrics import METRICS
from server.settings import Settings
from tests.integration.operation.kit import bearing, new_game, served, signed_up

DOCS = Path(__file__).parents[3] / "docs"


def rows(page, first):
    """The cells of every row whose first cell begins like this."""
    lines = (DOCS / page).read_text().splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith(f"| {first}")]


def written(default):
    """A default as one would set it."""
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, tuple):
        return ",".join(default)
    return f"{default:g}" if isinstance(default, float) else str(default)


def test_the_table_of_settings_is_that_of_the_program():
    expected = [
        (f"`TURNLOG_{one.name.upper()}`", f"`{written(one.default)}`") for one in msgspec.structs.fields(Settings)
    ]
    told = rows("operation.md", "`TURNLOG_")
    assert [(row[0], row[1]) for row in told] == expected
    assert all(len(row) == 3 and row[2] for row in told)


def test_the_table_of_figures_is_that_of_the_program():
    expected = [
        [f"`{one.name}`", one.kind, ", ".join(f"`{label}`" for label in one.labels) or "–", one.tells]
        for one in METRICS
    ]
    assert rows("operation.md", "`turnlog_") == expected


def test_the_table_of_rates_is_that_of_the_program():
    for budget, whose in BUDGETS.items():
        ((_, _, *told),) = rows("limits.md", f"`{budget}`")
        defaults = Settings()
        expected = {by: str(getattr(defaults, setting_of(budget, by))) for by in whose}
        assert told == [expected.get(by, "–") for by in ("player", "token", "address")]


def test_the_options_of_the_tests_that_contributors_are_told_are_taken(pytestconfig):
    text = (DOCS.parent / "CONTRIBUTING.md").read_text()
    told = re.findall(r"`(--[a-z]+)(?: ([^`]+))?`", text.split("Some tests do more")[1].split("\n\n")[0])
    for option, value in told:
        given = pytestconfig._parser.parse([option, value]) if value else pytestconfig.option
        found = getattr(given, option.removeprefix("--"))
        assert not value or found == int(value)
    assert ("--seeds", "20000") in told


def test_one_and_the_same_is_said_of_pgbouncer():
    """It was allowed in one mode here and forbidden there."""
    pages = [page.read_text() for page in (DOCS / "operation.md", *(DOCS / "adr").glob("0010-*"))]
    assert all("PgBouncer cannot stand before" in page for page in pages)


def test_a_failover_stops_the_old_database_before_it_fences_it_and_starts_no_node_before_the_end():
    """A fence stops neither nodes that start later nor what is no append; and two pages told of it in two ways."""
    runbook = (DOCS.parent / "deploy" / "RUNBOOK.md").read_text()
    told = runbook.split("## Failing over")[1].split("\n## ")[0]
    steps = re.findall(r"^(\d)\. (.*?)(?=^\d\. |\n\n)", told, re.DOTALL | re.MULTILINE)
    last = steps[-1][0]
    assert steps[0][1].startswith("Stop the old PostgreSQL")
    assert [number for number, step in steps if "log.fence()" in step] == ["2", "4"]
    assert [number for number, step in steps if "restart" in step] == [last]
    assert re.search(rf"`log: false`.*?leave it\s+stopped until step {last} there", runbook, re.DOTALL)


def test_every_variable_that_the_documents_name_is_a_setting():
    known = {f"TURNLOG_{name.upper()}" for name in Settings.__struct_fields__}
    for page in ("operation.md", "limits.md", "stream.md"):
        assert set(re.findall(r"TURNLOG_[A-Z_]+[A-Z]", (DOCS / page).read_text())) <= known


@pytest.mark.slow
async def test_a_backup_of_a_running_server_is_whole_and_its_games_are_sound(tmp_path, capsys):
    database, backup = tmp_path / "turnlog.db", tmp_path / "backup.db"
    async with served(database=database) as (world, client):
        _, token = await signed_up(client)
        seats = ("me", "bot:random", "bot:random")
        for _ in range(3):
            await client.post("/v1/games", json=new_game(seats), headers=bearing(token))
        game = await world.create(await world.players(3))
        await world.play(game, 10)
        source, copy = sqlite3.connect(database), sqlite3.connect(backup)
        source.backup(copy)
        source.close()
        copy.close()
        before = await world.version(game)
        await world.play(game, 5)  # the server goes on
        assert await world.version(game) > before
    assert await verify_command(every=True, database=backup) == 0
    assert capsys.readouterr().out.count(": sound: ") == 4
    async with served(database=backup) as (world, client):
        assert (await client.get("/v1/me", headers=bearing(token))).status_code == 200
        assert await world.version(game) == before
        await world.play(game, 5)
