"""`turnlog case --at`: a case from a real game."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from msgspec import Struct

from projections.game import ENDED
from projections.history import Log, open_game
from projections.verify import created_of
from server.catalogue import Catalogue
from server.cli.common import CommandError, note, services_of
from server.cli.log import read_file
from server.cli.transfer import write_file
from server.replays import ReplayLog, check, parse

#: More actions than these are a replay, not a case.
LINES_MAX: Final = 200


class Source(Struct, frozen=True):
    """Where the game is: in a replay file, or else the game with this id in the database."""

    game: str | None
    replay: Path | None
    database: str | None


class Wish(Struct, frozen=True):
    """What to record: the version, how many actions; the file to write it to, as JSON or as YAML."""

    at: int
    lines: int
    out: Path | None
    json: bool


class Opened(Struct, frozen=True):
    """A game's log. `seed`: that of its dice if it is kept beside the log; the log of an ended game holds it itself."""

    log: Log
    game: str
    seed: bytes | None


async def record_case(catalogue: Catalogue, cases: ModuleType, source: Source, wish: Wish) -> None:
    """Record a case and print or write it.

    Raises:
        CommandError: there is no such game or version, its ruleset or pack is not here, or it cannot be recorded.
        ReplayError: the file is no sound replay.
    """
    async with _opened(catalogue, source) as found:
        events = await found.log.read(found.game)
        if not events:
            raise CommandError(f"There is no game {found.game} in this database.")
        created = created_of(events)
        _check_here(catalogue, created.ruleset, created.pack)
        entry = catalogue[created.ruleset]
        live = await open_game(found.log, {created.ruleset: entry.rules}, found.game)
        seed = bytes.fromhex(live.meta.seed) or found.seed or b""
        try:
            recording = await cases.record(entry, found.log, live, seed, cases.Span(wish.at, wish.lines))
        except cases.RecordError as error:
            raise CommandError(f"{error}.") from error
    _tell(recording, wish)
    if live.meta.status != ENDED:
        note("turnlog: this game still runs, and the case holds its secrets")
    if entry.rules.shelf.find(None) != created.pack:
        note("turnlog: to run the case elsewhere, `turnlog case` needs the game's content pack: --pack FILE")


@asynccontextmanager
async def _opened(catalogue: Catalogue, source: Source) -> AsyncIterator[Opened]:
    if source.replay is None:
        async with services_of(source.database) as services:
            game = str(source.game)
            yield Opened(services.store, game, await services.store.secret(game))
        return
    content = read_file(source.replay)
    header = parse(content).header
    if source.game not in (None, header.game):
        raise CommandError(f"{source.replay} is a replay of game {header.game}, not of {source.game}.")
    _check_here(catalogue, header.ruleset, header.pack)
    replay, _ = check({name: entry.rules for name, entry in catalogue.items()}, content)
    yield Opened(ReplayLog(replay), replay.game, None)


def _check_here(catalogue: Catalogue, ruleset: str, pack: str) -> None:
    if ruleset not in catalogue:
        raise CommandError(f"The game's ruleset {ruleset} is not here.")
    if catalogue[ruleset].rules.shelf.find(pack) is None:
        raise CommandError(f"The game's content pack {pack} is not here; add it with --pack FILE.")


def _tell(recording: Any, wish: Wish) -> None:
    text = recording.json if wish.json else recording.text
    if wish.out is None:
        print(text, end="")
    else:
        write_file(wish.out, text.encode())
        note(f"turnlog: the case is in {wish.out}")
