"""`turnlog case`, `rules` and `rulesets`: rulebooks and the cases that show them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from cyclopts import App, Parameter
from cyclopts.validators import Number

from server.catalogue import Catalogue, UnknownRulesetError
from server.cli.common import CommandError, Database, Json, UsageError, entry_of, load_catalogue, print_json
from server.cli.content import add_packs
from server.cli.recording import LINES_MAX, Source, Wish, record_case

if TYPE_CHECKING:
    import types

#: Where our own cases are, in a checkout.
OUR_CASES = Path(__file__).parents[2] / "tests" / "rulebook"

#: Options that are for recording alone, together in the help.
RECORDING = Parameter(group="Recording a case from a game")


def add_to(app: App) -> None:
    """Add the commands."""
    app.command(case_command, name="case")
    app.command(rules_command, name="rules")
    app.command(rulesets_command, name="rulesets")


def _cases() -> "types.ModuleType":
    """What runs cases; it reads YAML with a library that a server does not need."""
    try:
        from server import cases  # noqa: PLC0415 - see above
    except ModuleNotFoundError as error:
        raise CommandError(f"Case files need the package {error.name}: pip install 'turnlog[test]'.") from error
    return cases


async def case_command(  # noqa: PLR0913 - a command's options
    *paths: Path,
    ruleset: str | None = None,
    verbose: Annotated[bool, Parameter(alias="-v", negative="")] = False,
    pack: Annotated[list[Path], Parameter(negative="")] = [],  # noqa: B006 - never changed
    record: Annotated[str | None, RECORDING] = None,
    at: Annotated[int | None, RECORDING] = None,
    lines: Annotated[int, RECORDING, Parameter(validator=Number(gte=0, lte=LINES_MAX))] = 1,
    replay: Annotated[Path | None, RECORDING] = None,
    database: Annotated[Database, RECORDING] = None,
    out: Annotated[Path | None, RECORDING] = None,
    json: Json = False,
) -> int:
    """Run case files, or all in a folder; exit code 1 if one fails, with what was expected and what there was.

    With --at a case is written instead, from a real game: the position at that version is what is given, the actions
    that followed are done again with the same chance, and what came of them is expected. So a bug report becomes a
    test. The case holds all of the position, what is hidden from players too: one from a game that still runs gives
    its secrets away.

    Try:

    - `turnlog case tests/rulebook/tpoc`
    - `turnlog case my_question.yaml --ruleset tpoc`
    - `turnlog case my_map.yaml --pack my_map.json`
    - `turnlog case --replay game.ndjson --at 40 --lines 2 > bug.yaml`
    - `turnlog case --record 0198c0de-… --at 40 --database data/turnlog.db --out bug.yaml`

    Parameters
    ----------
    paths:
        Files (.yaml, .yml, .json) and folders.
    ruleset:
        The ruleset; else the folder's name or the rules that the cases name tell it.
    verbose:
        Tell the cases that pass, too.
    pack:
        Content packs of third parties that cases or the replay are played with; for several name it again.
    record:
        The id of the game to record from, in the database, which no server may be using now.
    at:
        The version to record the position of, from the start of the game on; abandoned lines too.
    lines:
        How many of the actions that followed to record; 0: only the position, and who owes what in it.
    replay:
        Record from this full replay, not from the database; `-` is standard input.
    out:
        The file to write; without it standard output.
    """
    catalogue = load_catalogue()
    add_packs(catalogue, pack, ruleset)
    if at is None:
        if (record, replay, out) != (None, None, None):
            raise UsageError("To record a case name the version with --at.")
        return _run(catalogue, paths, ruleset, verbose=verbose, json=json)
    if paths or (record is None and replay is None):
        raise UsageError("To record a case name a game of the database with --record, or a file with --replay.")
    await record_case(catalogue, _cases(), Source(record, replay, database), Wish(at, lines, out, json))
    return 0


def _run(catalogue: Catalogue, paths: Sequence[Path], ruleset: str | None, *, verbose: bool, json: bool) -> int:
    if not paths:
        raise UsageError("Name case files or folders.")
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise UsageError(f"There is no {missing[0]}.")
    cases = _cases()
    try:
        suites = cases.suites(catalogue, cases.find_files(paths), ruleset)
    except UnknownRulesetError as error:
        raise UsageError(f"{error}.") from error
    except cases.CaseFileError as error:
        raise CommandError(str(error)) from error
    reports = [report for suite in suites for report in cases.run_suite(suite)]
    if json:
        print_json([{**msgspec.to_builtins(report), "passes": report.passes} for report in reports])
    else:
        for report in reports:
            if verbose or not report.passes:
                print(cases.render(report))
        print(cases.summary(reports))
    return int(not reports or not all(report.passes for report in reports))


def rules_command(ruleset: str, /, *, cases: Path | None = None, json: Json = False) -> int:
    """List every rule of a rulebook with the cases that show it; exit code 1 if a rule that needs a case has none.

    Try:

    - `turnlog rules tpoc`
    - `turnlog rules tpoc --json`

    Parameters
    ----------
    ruleset:
        The ruleset.
    cases:
        A folder of case files; else tests/rulebook/RULESET of the checkout.
    """
    entry = entry_of(load_catalogue(), ruleset)
    folder = OUR_CASES / ruleset if cases is None else cases
    if not folder.exists():
        raise CommandError(f"There are no cases in {folder}; name their folder with --cases.")
    found = _cases()
    try:
        located = [one for file in found.find_files([folder]) for one in found.load_cases(file)]
    except found.CaseFileError as error:
        raise CommandError(str(error)) from error
    rows = found.coverage(entry, located)
    bare = found.without_case(rows)
    if json:
        print_json([{"id": row.id, "kind": row.kind, "text": row.text, "cases": row.cases} for row in rows])
        return int(bool(bare))
    width = max((len(row.id) for row in rows), default=0)
    for row in rows:
        print(f"{row.id:<{width}}  {_shown(row):<9}  {row.text}")
    print(f"{len(rows)} rules; {len(bare)} of them need a case and have none")
    return int(bool(bare))


def _shown(row: object) -> str:
    cases, kind = len(getattr(row, "cases", ())), str(getattr(row, "kind", ""))
    if kind != "case":
        return kind
    return f"{cases} case{'s' * (cases != 1)}" if cases else "NO CASE"


def rulesets_command(*, json: Json = False) -> None:
    """List the rulesets of this installation.

    Try:

    - `turnlog rulesets --json`
    """
    rows: list[dict[str, Any]] = [
        {
            "id": name,
            "title": entry.rules.title,
            "rules": entry.rules.rules,
            "seats": [entry.rules.seats[0], entry.rules.seats[-1]],
            "packs": dict(entry.rules.shelf.names),
            "languages": sorted(entry.texts),
        }
        for name, entry in load_catalogue().items()
    ]
    if json:
        print_json(rows)
        return
    for row in rows:
        seats = row["seats"]
        print(f"{row['id']}  {row['title']}, {seats[0]} to {seats[1]} seats, packs: {', '.join(row['packs'])}")
