"""`turnlog content`: content packs that anyone has made."""

from pathlib import Path

import msgspec
from cyclopts import App

from server.catalogue import Catalogue, UnknownRulesetError
from server.cli.common import CommandError, Json, UsageError, load_catalogue, note, print_json
from server.decoding import check_nesting
from server.packs import BadPackError, Checked, add_pack, check_pack
from server.problems import Problem
from server.settings import load_settings


def add_to(app: App) -> None:
    """Add the commands."""
    content = App(
        name="content", help="Content packs: the data that a ruleset plays with.", result_action="return_value"
    )
    content.command(check_command, name="check")
    app.command(content)


def check_command(file: Path, /, *, ruleset: str | None = None, json: Json = False) -> int:
    """Decode and check a content pack; exit code 1 with the field and the rule of the first thing that is wrong.

    Nothing is added anywhere: a server gets a pack from its administrator over HTTP, `turnlog case` by --pack.

    Try:

    - `turnlog content check my_map.json`
    - `turnlog content check my_map.json --ruleset world_war_zed --json`

    Parameters
    ----------
    file:
        The pack, a JSON file; `-` is standard input.
    ruleset:
        The ruleset; else the one whose packs have the most of the file's fields.
    """
    try:
        checked = check_pack(load_catalogue(), read_pack(file), ruleset)
    except UnknownRulesetError as error:
        raise UsageError(f"{error}.") from error
    except BadPackError as error:
        if json:
            fault = {"field": error.field, "sentence": error.sentence, "rule": error.rule}
            print_json({"file": str(file), "good": False, "fault": fault})
        raise CommandError(f"{file}: {error}") from error
    if json:
        print_json({"file": str(file), "good": True, **msgspec.to_builtins(checked)})
    else:
        print(f"{file}: good\nname: {checked.name}\nsha256: {checked.sha256}\nruleset: {checked.ruleset}")
    _remark(checked)
    return 0


def _remark(checked: Checked) -> None:
    if checked.known:
        note("turnlog: this very pack is in this installation already")
    elif checked.taken:
        note(f"turnlog: another pack is named {checked.name} here, so games name this one by its SHA-256")


def add_packs(catalogue: Catalogue, files: list[Path], ruleset: str | None) -> None:
    """Put packs on the shelves of this process.

    Raises:
        CommandError: one is not good, with its file, field and rule.
        UsageError: there is no such ruleset.
    """
    for file in files:
        try:
            add_pack(catalogue, read_pack(file), ruleset)
        except UnknownRulesetError as error:
            raise UsageError(f"{error}.") from error
        except BadPackError as error:
            raise CommandError(f"{file}: {error}") from error


def read_pack(file: Path) -> bytes:
    """The bytes of a pack, no more of it and no deeper than a server takes.

    Raises:
        CommandError: it is larger or deeper.
    """
    settings = load_settings()
    limit = settings.pack_bytes_max
    with file.open("rb") as stream:
        source = stream.read(limit + 1)
    if len(source) > limit:
        raise CommandError(f"{file}: it is larger than {limit} bytes, the most that a server takes (pack_bytes_max).")
    try:
        check_nesting(source, settings.nesting_max)
    except Problem as error:
        told = f"it is nested deeper than {settings.nesting_max}, the most that a server takes (nesting_max)"
        raise CommandError(f"{file}: {told}.") from error
    return source
