"""`turnlog export` and `import`: games from a database into files and back."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import App, Parameter

from events.digest import salt_key
from games.kernel import SPECTATOR, Ruleset
from projections.history import UnknownGameError, UnknownRulesError, open_game
from server.cli.common import CommandError, Database, Json, UsageError, load_catalogue, note, print_json, services_of
from server.cli.log import All, game_ids, read_file
from server.log_proofs import proof_for_replay
from server.records import Replay as Kept
from server.redacted import export_redacted
from server.replays import ReplayError, check, export

if TYPE_CHECKING:
    from server.services import Services

#: Who brought in what came by the command line.
IMPORTER: Final = "operator"


def add_to(app: App) -> None:
    """Add the commands."""
    app.command(export_command, name="export")
    app.command(import_command, name="import")


async def export_command(  # noqa: PLR0913 - a command's options
    game: str | None = None,
    /,
    *,
    every: All = False,
    to: Path | None = None,
    seat: int | None = None,
    spectator: Annotated[bool, Parameter(negative="")] = False,
    database: Database = None,
) -> None:
    """Write replays of games in the database; of a running game only what a seat or a spectator may see.

    Try:

    - `turnlog export 0198c0de-… > game.ndjson`
    - `turnlog export --all --to replays/`

    Parameters
    ----------
    game:
        The game's id.
    every:
        All games that have ended, one file each, into the folder --to.
    to:
        A file, or with --all a folder; without it standard output.
    seat:
        Only what this seat may see, with proofs.
    spectator:
        Only what a spectator may see, with proofs.
    """
    if (game is None) != every or (every and to is None):
        raise UsageError("Name a game, or --all with a folder --to.")
    if seat is not None and spectator:
        raise UsageError("A reader is a seat or a spectator, not both.")
    reader = SPECTATOR if spectator else seat
    async with services_of(database) as services:
        if every and to is not None:
            await _export_all(services, to, reader)
            return
        source = await _exported(services, str(game), reader)
    if to is None:
        sys.stdout.buffer.write(source)
    else:
        write_file(to, source)


async def _export_all(services: "Services", folder: Path, reader: int | None) -> None:
    count = 0
    async for game in game_ids(services.store):
        events = await services.store.read(game)
        if reader is not None or any(event.header.kind == "ended" for event in events):
            write_file(folder / f"{game}.ndjson", await _exported(services, game, reader))
            count += 1
    note(f"turnlog: {count} replays are in {folder}")


async def _exported(services: "Services", game: str, reader: int | None) -> bytes:
    store, rulesets = services.store, services.games.rulesets()
    try:
        live = await open_game(store, rulesets, game)
    except UnknownGameError as error:
        raise CommandError(f"There is no game {game} in this database.") from error
    except UnknownRulesError as error:
        raise CommandError(f"The ruleset {error} of game {game} is not here.") from error
    events = await store.read(game)
    proof = await proof_for_replay(services.signer, game, len(events))
    if reader is None:
        return b"".join(export(events, proof))
    if reader != SPECTATOR and not 0 <= reader < live.meta.created.seats:
        raise UsageError(f"--seat: the game has seats 0 to {live.meta.created.seats - 1}.")
    seed = await store.secret(game) or b""
    return b"".join(export_redacted(live.rules, events, reader, salt_key(seed), proof))


async def import_command(*files: Path, database: Database = None, json: Json = False) -> None:
    """Bring full replays into a server's database, once they are verified in full.

    They are kept beside the log, each under an id of its own, and count in no lobby or result: a file does not prove
    who played (docs/adr/0008).

    Try:

    - `turnlog import game.ndjson --database data/turnlog.db`
    """
    if not files:
        raise UsageError("Name the replay files to import.")
    rulesets = {name: entry.rules for name, entry in load_catalogue().items()}
    sources = [read_file(file) for file in files]
    games = [_checked(rulesets, file, source) for file, source in zip(files, sources, strict=True)]
    told = []
    async with services_of(database, make=True) as services:
        for file, game, source in zip(files, games, sources, strict=True):
            made = services.games.new_id()
            await services.records.add_replay(Kept(made, IMPORTER, source), b"")
            told.append({"file": str(file), "game": game, "replay": made})
    if json:
        print_json(told)
    else:
        print("\n".join(f"{one['file']}: /v1/replays/{one['replay']}" for one in told))


def _checked(rulesets: dict[str, Ruleset[Any]], file: Path, source: bytes) -> str:
    try:
        return check(rulesets, source)[0].game
    except ReplayError as error:
        raise CommandError(f"{file}: {error}") from error


def write_file(file: Path, source: bytes) -> None:
    """Write a file, and make its folder if need be."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(source)
