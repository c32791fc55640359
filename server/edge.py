"""The outermost layer: what every response has, whatever made it, and one line in the log for each request."""

import re
import time
from typing import Any, Final, cast

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from server.access import Caller
from server.auth import CALLER
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
_HSTS: Final = (b"strict-transport-security", b"max-age=31536000")


class Edge:
    """Wraps the app: request ids, security headers, HEAD as GET without a body, the access log (without secrets)."""

    def __init__(self, app: ASGIApp, random: Random) -> None:
        self._app = app
        self._random = random

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its response back."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, send, self._request_id(scope))
        with structlog.contextvars.bound_contextvars(request_id=exchange.request_id.decode()):
            try:
                await self._app(exchange.scope, receive, exchange.send)
            finally:
                exchange.log()

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
        if self.scope["scheme"] == "https":
            added.append(_HSTS)
        return added

    def log(self) -> None:
        """One line, without query, headers or body: those may hold secrets."""
        scope = cast("dict[str, Any]", self.scope)
        caller = scope.get(CALLER)
        log.info(
            "request",
            method=self.method,
            path=scope["path"],
            status=self.status,
            duration_ms=round((time.perf_counter() - self._began) * 1000, 2),
            player=caller.player if isinstance(caller, Caller) else None,
        )
