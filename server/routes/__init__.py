"""The routes, one file a resource."""

from typing import Final

from litestar.handlers import HTTPRouteHandler

from server.routes import (
    agreements,
    catalogue,
    docs,
    events,
    games,
    heads,
    health,
    messages,
    metrics,
    play,
    players,
    replays,
    results,
    rewinds,
    seats,
    tickets,
    tokens,
)

#: Every operation of the API.
HANDLERS: Final[list[HTTPRouteHandler]] = [
    handler
    for resource in (
        players,
        tokens,
        tickets,
        catalogue,
        games,
        seats,
        play,
        events,
        rewinds,
        agreements,
        messages,
        replays,
        results,
        heads,
        health,
        metrics,
        docs,
    )
    for handler in resource.HANDLERS
]
