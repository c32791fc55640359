"""`turnlog schema export`: everything that clients are generated from or checked against, as files.

They are made from the code and committed, so that a change of the interface shows in review, and `--check` fails when
they are out of date.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from cyclopts import App, Parameter

from server.catalogue import Catalogue
from server.cli.common import CommandError, load_catalogue, note, told
from server.openapi import openapi_document
from server.routes import HANDLERS
from server.schemas import replay_schema, ruleset_schemas

#: Where the files are committed.
FOLDER: Final = Path(__file__).parent

app = App(name="schema", help="JSON Schemas and OpenAPI for client developers.", result_action="return_value")


@app.command
def export(
    *,
    directory: Annotated[Path, Parameter(alias="--dir")] = FOLDER,
    check: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Write all schemas, or with --check only compare; exit code 1 if one is missing, out of date or too many.

    Try:

    - `turnlog schema export`
    - `turnlog schema export --check`
    - `turnlog schema export --dir build/schemas`

    Parameters
    ----------
    directory:
        The folder; else api_schema of the checkout.
    check:
        Write nothing; tell which files are not as the code would make them.
    """
    wanted = dict(documents(load_catalogue()))
    there = {str(path.relative_to(directory)): path for path in found(directory)}
    stale = [name for name, text in wanted.items() if name not in there or there[name].read_bytes() != text]
    surplus = sorted(set(there) - set(wanted))
    if check:
        for name in (*stale, *surplus):
            note(f"turnlog: {directory / name} is {'out of date' if name in wanted else 'made by nothing any more'}")
        if stale or surplus:
            raise CommandError("The schemas are out of date: run `turnlog schema export` and commit them.")
        told(f"{len(wanted)} schemas are up to date")
        return 0
    for name in stale:
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(wanted[name])
    for name in surplus:
        there[name].unlink()
    told(f"{len(wanted)} schemas are in {directory}; {len(stale)} written, {len(surplus)} removed")
    return 0


def found(directory: Path) -> list[Path]:
    """The files that an export has written into a folder."""
    return sorted(
        [*directory.rglob("*.schema.json"), *directory.glob("positions/*.json"), *directory.glob("openapi.json")]
    )


def documents(catalogue: Catalogue) -> Iterator[tuple[str, bytes]]:
    """Every file by its name in the folder, with its bytes."""
    for ruleset, entry in catalogue.items():
        for name, schema in ruleset_schemas(entry.rules).items():
            if name == "position":
                yield f"positions/{ruleset}.json", _text(schema)
            elif schema is not None:
                yield f"{ruleset}/{name}.schema.json", _text(schema)
    yield "case.schema.json", _text(_case_schema())
    yield "replay.schema.json", _text(replay_schema())
    yield "openapi.json", _text(openapi_document(HANDLERS))


def _case_schema() -> dict[str, Any]:
    try:
        from server.cases import case_schema  # noqa: PLC0415 - reads YAML with a library that a server does not need
    except ModuleNotFoundError as error:
        raise CommandError(f"Case files need the package {error.name}: pip install 'turnlog[test]'.") from error
    return case_schema()


def _text(document: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"
