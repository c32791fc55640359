"""The outermost layer: what every response has, whatever made it, and one line in the log for each request."""

import re
import time
from typing import Any, Final, cast
from urllib.parse import quote

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from server.access import Caller
from server.auth import CALLER
from server.limits.address import ADDRESS, client_address, client_scheme
from server.limits.budgets import rate_limit_fields
from server.limits.gate import PROBLEM, STANDINGS
from server.meter import Meter
from server.operations import Operation
from server.ports import Random

log = structlog.get_logger("turnlog.http")

_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")

_COMMON: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
)
_DEFAULTS: Final = (
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
)
#: Methods that are told apart in figures; a client can invent others.
_METHODS: Final = frozenset(("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"))
_HSTS: Final = (b"strict-transport-security", b"max-age=31536000")


class Edge:
    """Wraps the app: who asks from where, request ids, security headers, HEAD as GET without a body, log and figures.

    proxies: behind so many reverse proxies of ours the server stands.
    """

    def __init__(self, app: ASGIApp, random: Random, meter: Meter, proxies: int) -> None:
        self._app = app
        self._random = random
        self._meter = meter
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its response back."""
        if scope["type"] not in (ScopeType.HTTP, ScopeType.WEBSOCKET):
            await self._app(scope, receive, send)
            return
        given: dict[str, Any] = scope  # type: ignore[assignment]  # it has keys of our own
        given[ADDRESS] = client_address(given, self._proxies)
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        given["scheme"] = client_scheme(given, self._proxies)
        exchange = _Exchange(scope, send, self._request_id(scope))
        with structlog.contextvars.bound_contextvars(request_id=exchange.request_id.decode()):
            try:
                await self._app(exchange.scope, receive, exchange.send)
            finally:
                exchange.tell(self._meter)

    def _request_id(self, scope: Scope) -> bytes:
        """The client's own, if it is harmless, else a new one."""
        given = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
        return given if _REQUEST_ID.fullmatch(given) else self._random.bytes(12).hex().encode()


class _Exchange:
    """One request and its response."""

    def __init__(self, scope: HTTPScope, send: Send, request_id: bytes) -> None:
        self.request_id = request_id
        self.method = scope["method"]
        self.scope = scope | {"method": "GET"} if self.method == "HEAD" else scope
        self.status = 0
        self._send = send
        self._began = time.perf_counter()

    async def send(self, message: Message) -> None:
        """Add what every response has."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message["headers"], *self._headers(dict(message["headers"]))]
        elif message["type"] == "http.response.body" and self.method == "HEAD":
            if message.get("more_body"):
                return
            message["body"] = b""
        await self._send(message)

    def _headers(self, given: dict[bytes, bytes]) -> list[tuple[bytes, bytes]]:
        added = [(b"x-request-id", self.request_id), *_COMMON]
        added += [header for header in _DEFAULTS if header[0] not in given]
        added += rate_limit_fields(cast("dict[str, Any]", self.scope).get(STANDINGS, ()))
        if self.scope["scheme"] == "https":
            added.append(_HSTS)
        return added

    def tell(self, meter: Meter) -> None:
        """Figures, and one line in the log without query, headers or body: those may hold secrets."""
        scope = cast("dict[str, Any]", self.scope)
        caller, route = scope.get(CALLER), _route_of(scope)
        method = self.method if self.method in _METHODS else "other"
        duration_s = time.perf_counter() - self._began
        meter.count("turnlog_http_requests_total", method, route, str(self.status))
        meter.observe("turnlog_http_request_duration_seconds", duration_s, method, route)
        log.info(
            "request",
            method=self.method,
            route=route,
            path=quote(scope["path"]),
            status=self.status,
            code=scope.get(PROBLEM),
            duration_seconds=round(duration_s, 6),
            player=caller.player if isinstance(caller, Caller) else None,
        )


def _route_of(scope: dict[str, Any]) -> str:
    """The template of the address, as OpenAPI has it; `page` for all files of the page, `none` where nothing is."""
    handler = scope.get("route_handler")
    declared = None if handler is None else handler.opt.get("operation")
    if isinstance(declared, Operation):
        return "page" if declared.tag == "page" else declared.path.replace(":str}", "}")
    return "none" if handler is None else "options"
