"""`turnlog case`, `rules` and `rulesets`: rulebooks and the cases that show them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from cyclopts import App, Parameter

from server.catalogue import UnknownRulesetError
from server.cli.common import CommandError, Json, UsageError, entry_of, load_catalogue, print_json

if TYPE_CHECKING:
    import types

#: Where our own cases are, in a checkout.
OUR_CASES = Path(__file__).parents[2] / "tests" / "rulebook"


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


def case_command(
    *paths: Path,
    ruleset: str | None = None,
    verbose: Annotated[bool, Parameter(alias="-v", negative="")] = False,
    json: Json = False,
) -> int:
    """Run case files, or all in a folder; exit code 1 if one fails, with what was expected and what there was.

    Try:

    - `turnlog case tests/rulebook/tpoc`
    - `turnlog case my_question.yaml --ruleset tpoc`

    Parameters
    ----------
    paths:
        Files (.yaml, .yml, .json) and folders.
    ruleset:
        The ruleset; else the folder's name or the rules that the cases name tell it.
    verbose:
        Tell the cases that pass, too.
    """
    if not paths:
        raise UsageError("Name case files or folders.")
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise UsageError(f"There is no {missing[0]}.")
    cases = _cases()
    try:
        suites = cases.suites(load_catalogue(), cases.find_files(paths), ruleset)
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
