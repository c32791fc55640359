"""Who is asking: bearer tokens become callers, and guards say what a route needs."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from server.access import ADMIN, NOBODY, SCOPES, Caller, check_whole
from server.problems import Problem
from server.records import Records

Guard = Callable[[ASGIConnection[Any, Any, Any, Any], BaseRouteHandler], Awaitable[None]]

#: Longer than any token of ours: nothing longer is hashed.
TOKEN_CHARS_MAX: Final = 200

#: Where the caller of a request is kept in its ASGI scope, once known.
CALLER: Final = "turnlog.caller"


async def caller_of(records: Records, authorization: str | None) -> Caller:
    """The caller by an Authorization header; without one, nobody (who may watch what is public).

    Raises:
        Problem: `unauthenticated` for any header that is not `Bearer` with a standing token, whatever is wrong with it.
    """
    if authorization is None:
        return NOBODY
    scheme, _, token = authorization.partition(" ")
    caller = None
    if scheme.lower() == "bearer" and len(token) <= TOKEN_CHARS_MAX:
        caller = await records.caller(token.strip())
    if caller is None:
        raise unauthenticated("This token is unknown or was revoked.")
    return caller


def unauthenticated(sentence: str) -> Problem:
    """The problem `unauthenticated`, with the header that HTTP wants beside it."""
    return Problem("unauthenticated", sentence, headers={"WWW-Authenticate": "Bearer"})


async def caller_in(connection: ASGIConnection[Any, Any, Any, Any]) -> Caller:
    """The caller of a connection, looked up once."""
    scope: dict[str, Any] = connection.scope  # type: ignore[assignment]  # it has keys of our own
    known = scope.get(CALLER)
    if isinstance(known, Caller):
        return known
    records: Records = connection.app.state.services.records
    caller = await caller_of(records, connection.headers.get("authorization"))
    scope[CALLER] = caller
    return caller


def _guard(scope: str | None) -> Guard:
    async def needs(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        caller = await caller_in(connection)
        if caller.player is None:
            raise unauthenticated("This needs a token: sign up with POST /v1/players.")
        if scope is not None:
            caller.need(scope)
        if scope == ADMIN and "game" not in connection.path_params:
            check_whole(caller)  # what operators do for the whole server

    return needs


#: The guard of routes that need a token, by the scope it must have (None: any token).
GUARDS: Final[dict[str | None, Guard]] = {scope: _guard(scope) for scope in (None, *SCOPES)}
