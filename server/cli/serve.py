"""`turnlog serve`: the server."""

from typing import Annotated

import msgspec
from cyclopts import App, Parameter
from cyclopts.validators import Number

from server.cli.common import CommandError, Database, settings_of


def add_to(app: App) -> None:
    """Add the command."""
    app.command(run, name="serve")


def run(
    *,
    host: str | None = None,
    port: Annotated[int | None, Parameter(validator=Number(gte=0, lte=65535))] = None,
    database: Database = None,
) -> None:
    """Run the server until it is interrupted. It finishes what is under way before it stops.

    Try:

    - `turnlog serve --port 9000 --database data/turnlog.db`
    - `TURNLOG_CORS_ORIGINS=https://example.org turnlog serve`

    Parameters
    ----------
    host:
        The address to listen on; else TURNLOG_HOST, else 127.0.0.1.
    port:
        The port to listen on; else TURNLOG_PORT, else 8000.
    """
    settings = settings_of(database)
    changes = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    from server.app import AddressError, serve  # noqa: PLC0415 - the other commands start without the web framework

    try:
        serve(msgspec.structs.replace(settings, **changes))
    except AddressError as error:
        raise CommandError(str(error)) from error
