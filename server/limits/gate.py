"""What a request spends before anything is done for it: by its address at the door, by player and token once known."""

from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from games.kernel import encode
from server.access import NOBODY, Caller
from server.auth import caller_in
from server.limits.address import ADDRESS
from server.limits.budgets import READS, SOCKET_CONNECTS, WRITES, Limits, Spent, rate_limit_fields
from server.meter import Meter, count_problem
from server.problems import Problem

#: Where the standings of a request's budgets are kept in its ASGI scope, for the headers of the answer.
STANDINGS: Final = "turnlog.standings"
#: Where the code of the problem that a request got is kept in its ASGI scope, for the log.
PROBLEM: Final = "turnlog.problem"

#: Whoever watches the server may always ask how it is.
_FREE: Final = ("/health/", "/metrics")

PROBLEM_JSON: Final = b"application/problem+json"


class Gate:
    """Stands before the router, so that also what is at no address costs: one of the address's budget."""

    def __init__(self, app: ASGIApp, limits: Limits, meter: Meter) -> None:
        self._app = app
        self._limits = limits
        self._meter = meter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer that it came too soon."""
        given: dict[str, Any] = scope  # type: ignore[assignment]  # it has keys of our own
        socket = scope["type"] == ScopeType.WEBSOCKET
        if scope["type"] not in (ScopeType.HTTP, ScopeType.WEBSOCKET) or given["path"].startswith(_FREE):
            await self._app(scope, receive, send)
            return
        budget = SOCKET_CONNECTS if socket else budget_of(given["method"])
        spent = await self._limits.spend(budget, address=given.get(ADDRESS))
        note(given, spent)
        if spent.problem is None:
            await self._app(scope, receive, send)
        else:
            count_problem(self._meter, spent.problem.document(), "stream" if socket else "http")
            await _refuse(given, send, spent)


def budget_of(method: str) -> str:
    """The budget of requests with this method, unless their operation has one of its own."""
    return READS if method in ("GET", "HEAD", "OPTIONS") else WRITES


def note(scope: dict[str, Any], spent: Spent) -> None:
    """Keep how it stands with the request, for the headers of its answer."""
    scope[STANDINGS] = (*scope.get(STANDINGS, ()), *spent.standings)
    if spent.problem is not None:
        scope[PROBLEM] = spent.problem.code


async def charge(connection: ASGIConnection[Any, Any, Any, Any], limits: Limits, own: str | None) -> None:
    """Take one of the caller's budgets; `own`: the operation's own budget, which counts for the address too.

    Raises:
        Problem: `rate_limited`.
    """
    scope: dict[str, Any] = connection.scope  # type: ignore[assignment]  # as above
    caller = await _caller(connection)
    address = scope.get(ADDRESS) if own is not None else None
    budget = own or budget_of(scope["method"])
    spent = await limits.spend(budget, player=caller.player, token=caller.token, address=address)
    note(scope, spent)
    if spent.problem is not None:
        raise spent.problem


async def _caller(connection: ASGIConnection[Any, Any, Any, Any]) -> Caller:
    """Who asks; a token that is none is refused further in, where a token matters."""
    try:
        return await caller_in(connection)
    except Problem:
        return NOBODY


async def _refuse(scope: dict[str, Any], send: Send, spent: Spent) -> None:
    problem = spent.problem
    if problem is None:
        raise RuntimeError("only what came too soon is refused")
    kind = "http" if scope["type"] == ScopeType.HTTP else "websocket.http"
    if kind == "websocket.http" and "websocket.http.response" not in (scope.get("extensions") or {}):
        close: Any = {"type": "websocket.close", "code": 1008, "reason": ""}
        await send(close)
        return
    body = encode(problem.document())
    headers = [(b"content-type", PROBLEM_JSON), (b"content-length", str(len(body)).encode())]
    headers += [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
    headers += rate_limit_fields(spent.standings) if kind == "websocket.http" else []  # else the edge adds them
    start: Any = {"type": f"{kind}.response.start", "status": problem.status, "headers": headers}
    rest: Any = {"type": f"{kind}.response.body", "body": body, "more_body": False}
    await send(start)
    await send(rest)
