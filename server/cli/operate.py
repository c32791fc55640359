"""`turnlog projections` and `token`: for who runs a server, while it is not running."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter
from rich.console import Console
from rich.progress import Progress

from server.access import SCOPES
from server.cli.common import CommandError, Database, Json, UsageError, print_json, services_of
from server.records import Grant

if TYPE_CHECKING:
    from projections.runner import Status
    from server.services import Services

#: Tokens and rows listed at a time.
PAGE_ROWS = 200


def add_to(app: App) -> None:
    """Add the commands."""
    projections = App(
        name="projections", help="Read models: lobby, results and deadlines.", result_action="return_value"
    )
    projections.command(projections_status, name="status")
    projections.command(projections_catch_up, name="catch-up")
    projections.command(projections_rebuild, name="rebuild")
    projections.command(projections_tidy, name="tidy")
    token = App(name="token", help="Bearer tokens of players.", result_action="return_value")
    token.command(token_create, name="create")
    token.command(token_list, name="list")
    token.command(token_revoke, name="revoke")
    for group in (projections, token):
        app.command(group)


async def projections_status(*, database: Database = None, json: Json = False) -> int:
    """How far each read model is; exit code 1 if one is behind the log or has left out an event.

    Tables of another shape, which another program uses or used, are listed and count for nothing.

    Try:

    - `turnlog projections status --json`
    """
    async with services_of(database) as services:
        rows = await services.runner.status()
        others = await services.runner.others()
        left_out = await services.store.quarantined()
    if json:
        print_json({"projections": rows, "others": others, "quarantined": left_out})
    else:
        for row in rows:
            print(f"{row.name}: at {row.position} of {row.head}, shape {row.shape}, generation {row.generation}")
        for row in others:
            print(f"{_named(row)}, of another program: at {row.position} of {row.head}")
        for item in left_out:
            print(f"{item.consumer}: went past position {item.position}: {item.error}")
    return int(bool(left_out) or any(row.position < row.head for row in rows))


async def projections_catch_up(*, database: Database = None) -> None:
    """Fold what read models lack, up to the head of the log; those that have no tables of this program get them.

    To be run before servers of a new version are started, so that their lists are whole from the first moment on.

    Try:

    - `turnlog projections catch-up`
    """
    async with services_of(database) as services:
        rows = await services.runner.status()
        with _bars() as bars:
            for row in rows:
                await services.runner.catch_up_with(row.name, _bar_of(bars, row.name))
                print(f"{row.name}: at the head of the log")


async def projections_rebuild(*names: str, database: Database = None) -> None:
    """Fold read models anew from the first event; all of them if none is named.

    Try:

    - `turnlog projections rebuild`
    - `turnlog projections rebuild results --database data/turnlog.db`
    """
    async with services_of(database) as services:
        known = [row.name for row in await services.runner.status()]
        unknown = [name for name in names if name not in known]
        if unknown:
            raise UsageError(f"There is no read model {unknown[0]}; there is {', '.join(known)}.")
        with _bars() as bars:
            for name in names or known:
                await services.runner.rebuild(name, _bar_of(bars, name))
                print(f"{name}: rebuilt")


async def projections_tidy(*, database: Database = None) -> None:
    """Drop the tables of read models that are of other programs than this one.

    To be run when no server of another version is left: one that is would lose no more than the time to fold them anew.

    Try:

    - `turnlog projections tidy`
    """
    async with services_of(database) as services:
        dropped = await services.runner.tidy()
    for row in dropped:
        print(f"{_named(row)}: dropped")
    if not dropped:
        print("There is nothing to drop.")


def _bars() -> Progress:
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)


def _bar_of(bars: Progress, name: str) -> Callable[[int, int], None]:
    """A bar for a read model; it is told position and head."""
    task = bars.add_task(name, total=None)
    return lambda position, head: bars.update(task, completed=position, total=head)


def _named(row: "Status") -> str:
    return f"{row.name}, shape {row.shape}, generation {row.generation}"


async def token_create(  # noqa: PLR0913 - a command's options
    *,
    player: str | None = None,
    name: str | None = None,
    scope: Annotated[list[str], Parameter(negative="", consume_multiple=True)] = ["play", "watch"],  # noqa: B006
    game: str | None = None,
    seat: int | None = None,
    label: str = "command line",
    database: Database = None,
    json: Json = False,
) -> None:
    """Make a token, for a player that there is (--player) or a new one (--name), and print its secret this once.

    The database is made if it is not there, so that a new server can be given its first administrator.

    Try:

    - `turnlog token create --name Ada --scope admin --scope play`
    - `turnlog token create --player 0198c0de-… --scope watch --game 0198beef-…`

    Parameters
    ----------
    player:
        The id of a player.
    name:
        The name of a new player.
    scope:
        What it allows: watch, play, organise, admin.
    game:
        Only for this game.
    seat:
        Only for this seat of it.
    label:
        What it is for, to find it again.
    """
    if (player is None) == (name is None):
        raise UsageError("Name a player that there is with --player, or a new one with --name.")
    wrong = [one for one in scope if one not in SCOPES]
    if wrong:
        raise UsageError(f"--scope: {wrong[0]!r} is none of {', '.join(SCOPES)}.")
    if seat is not None and game is None:
        raise UsageError("--seat is for a seat of a --game.")
    grant = Grant(tuple(scope), game, seat, label)
    async with services_of(database, make=True) as services:
        holder, secret = await _granted(services, player, name, grant)
    if json:
        print_json({"player": holder, "token": secret, "scopes": scope, "game": game, "seat": seat})
    else:
        print(secret)


async def _granted(services: "Services", player: str | None, name: str | None, grant: Grant) -> tuple[str, str]:
    records = services.records
    if player is None:
        made, first = await records.sign_up(str(name), grant.scopes)
        if grant.game is None:
            return made.id, first
        player = made.id
    elif await records.player(player) is None:
        raise CommandError(f"There is no player {player}.")
    _, secret = await records.add_token(player, grant)
    return player, secret


async def token_list(player: str, /, *, database: Database = None, json: Json = False) -> None:
    """List the tokens of a player, without their secrets.

    Try:

    - `turnlog token list 0198c0de-…`
    """
    async with services_of(database) as services:
        tokens, after = [], ""
        while page := await services.records.tokens(player, after, PAGE_ROWS):
            tokens += page
            after = page[-1].id
    if json:
        print_json(tokens)
    for token in () if json else tokens:
        state = "revoked" if token.revoked_at else "valid"
        print(f"{token.id}  {state}  {', '.join(token.scopes)}  {token.label}")


async def token_revoke(player: str, token: str, /, *, database: Database = None) -> None:
    """Revoke a token of a player by the token's id.

    Try:

    - `turnlog token revoke 0198c0de-… 0198feed-…`
    """
    async with services_of(database) as services:
        if not await services.records.revoke(player, token):
            raise CommandError(f"Player {player} has no valid token {token}.")
    print(f"{token}: revoked")
