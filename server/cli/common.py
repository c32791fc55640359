"""What commands share: errors, output, the catalogue, options, and the database of a server that is not running."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from cyclopts import Parameter

from events.database import CannotOpen, Unfit
from events.event import Undecodable
from events.store import StoreFailed, StoreFull
from projections.unsound import UnsoundError
from server.catalogue import Catalogue, CatalogueError, Entry, UnknownRulesetError
from server.problems import Problem
from server.replays import ReplayError, RunningError
from server.settings import Settings, SettingsError, is_postgres, load_settings
from server.simulate import StuckError

if TYPE_CHECKING:
    from server.services import Services


class UsageError(Exception):
    """The command cannot be carried out as it was given: one sentence."""


class CommandError(Exception):
    """What was asked is not so, or cannot be: one sentence."""


#: Errors with a sentence for the person at the terminal.
EXPECTED = (
    CannotOpen,
    CatalogueError,
    CommandError,
    OSError,
    Problem,
    ReplayError,
    RunningError,
    SettingsError,
    StoreFailed,
    StoreFull,
    StuckError,
    Undecodable,
    Unfit,
    UnsoundError,
)

Json = Annotated[bool, Parameter(negative="", help="Print JSON for programs.")]
Database = Annotated[
    str | None,
    Parameter(help="The server's SQLite file or PostgreSQL URL; else TURNLOG_DATABASE, else data/turnlog.db."),
]


def print_json(told: Any) -> None:
    """Print a value as JSON, indented."""
    print(msgspec.json.format(msgspec.json.encode(told), indent=2).decode())


def told(text: str) -> None:
    """Print a line of output, for commands that are defined outside the command line's package."""
    print(text)


def sentence_of(error: object) -> str:
    """An error as one sentence on one line."""
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.filename}: {error.strerror.lower()}"
    return " ".join(str(error).split())


def note(text: str) -> None:
    """Tell the person something that is no part of the output."""
    print(text, file=sys.stderr)


def load_catalogue() -> Catalogue:
    """The rulesets of this installation."""
    return Catalogue.load()


def entry_of(catalogue: Catalogue, ruleset: str) -> Entry:
    """The entry of a ruleset.

    Raises:
        UsageError: there is none.
    """
    try:
        return catalogue[ruleset]
    except UnknownRulesetError as error:
        raise UsageError(f"{error}.") from error


def parse_options(text: str | None) -> dict[str, Any]:
    """Options of a ruleset: a JSON object, or `name=value,name=value`.

    Raises:
        UsageError: it is neither.
    """
    if not text:
        return {}
    try:
        if text.lstrip().startswith("{"):
            return msgspec.json.decode(text, type=dict[str, Any])
        return {name.strip(): _value(value.strip()) for name, value in (part.split("=", 1) for part in text.split(","))}
    except (msgspec.DecodeError, ValueError) as error:
        raise UsageError(f"--options: {text!r} is neither a JSON object nor name=value,name=value.") from error


def _value(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


def settings_of(database: str | Path | None) -> Settings:
    """The settings of the environment, with this database if one is named."""
    settings = load_settings()
    return settings if database is None else msgspec.structs.replace(settings, database=str(database))


def check_there(settings: Settings) -> None:
    """Refuse a file that is not there.

    Raises:
        CommandError: naming the file.
    """
    if not is_postgres(settings.database) and not Path(settings.database).exists():
        raise CommandError(f"There is no database {settings.database}; name it with --database.")


@asynccontextmanager
async def services_of(database: str | Path | None, *, make: bool = False) -> AsyncIterator["Services"]:
    """The parts of a server on its database; a file, which no server may be using now, is made if `make`.

    Raises:
        CommandError: there is no such file.
        CannotOpen: the file is in use, or is none of ours.
    """
    settings = settings_of(database)
    if not make:
        check_there(settings)
    from server.services import Services  # noqa: PLC0415 - what needs no database starts without the web framework

    services = Services.open(settings)
    try:
        await services.prepare()
        yield services
    finally:
        await services.stop()
