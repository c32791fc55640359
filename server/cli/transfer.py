"""`turnlog export` and `import`: games from a database into files and back."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from events.digest import salt_key
from events.store import Append, Conflict, EventStore
from games.kernel import SPECTATOR
from projections.history import UnknownGameError, UnknownRulesError, open_game
from projections.verify import check_chain
from server.cli.common import CommandError, Database, Json, UsageError, load_catalogue, note, print_json, services_of
from server.cli.log import All, game_ids, read_file
from server.redacted import export_redacted
from server.replays import Replay, ReplayError, check, export
from server.services import Services


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


async def _export_all(services: Services, folder: Path, reader: int | None) -> None:
    count = 0
    async for game in game_ids(services.store):
        events = await services.store.read(game)
        if reader is not None or any(event.header.kind == "ended" for event in events):
            write_file(folder / f"{game}.ndjson", await _exported(services, game, reader))
            count += 1
    note(f"turnlog: {count} replays are in {folder}")


async def _exported(services: Services, game: str, reader: int | None) -> bytes:
    store, rulesets = services.store, services.games.rulesets()
    try:
        live = await open_game(store, rulesets, game)
    except UnknownGameError as error:
        raise CommandError(f"There is no game {game} in this database.") from error
    except UnknownRulesError as error:
        raise CommandError(f"The ruleset {error} of game {game} is not here.") from error
    events = await store.read(game)
    if reader is None:
        return b"".join(export(events))
    if reader != SPECTATOR and not 0 <= reader < live.meta.created.seats:
        raise UsageError(f"--seat: the game has seats 0 to {live.meta.created.seats - 1}.")
    seed = await store.secret(game) or b""
    return b"".join(export_redacted(live.rules, events, reader, salt_key(seed)))


async def import_command(*files: Path, database: Database = None, json: Json = False) -> None:
    """Put full replays into the log of a database as they are, once they are verified.

    They count like games that were played there: import only what you trust. A game that is there already stays.

    Try:

    - `turnlog import replays/*.ndjson --database copy.db`
    """
    if not files:
        raise UsageError("Name the replay files to import.")
    rulesets = {name: entry.rules for name, entry in load_catalogue().items()}
    checked = []
    for file in files:
        try:
            checked.append(check(rulesets, read_file(file))[0])
        except ReplayError as error:
            raise CommandError(f"{file}: {error}") from error
    async with services_of(database, make=True) as services:
        told = [{"game": replay.game, "imported": await _append(services.store, replay)} for replay in checked]
        await services.runner.catch_up()
    if json:
        print_json(told)
    else:
        print("\n".join(f"{one['game']}: {'imported' if one['imported'] else 'was here already'}" for one in told))


async def _append(store: EventStore, replay: Replay) -> bool:
    """Append a whole game; False if the same one is there."""
    seed = check_chain(replay.events)
    try:
        await store.append(Append(replay.game, 0, replay.events, secret=seed))
    except Conflict:
        if await store.game_head(replay.game) == (len(replay.events), replay.events[-1].digest):
            return False
        raise CommandError(f"Another game {replay.game} is in this database: nothing was written.") from None
    return True


def write_file(file: Path, source: bytes) -> None:
    """Write a file, and make its folder if need be."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(source)
