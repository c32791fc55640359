"""The WebSocket /v1/stream: one socket, many games. docs/stream.md says how clients use it."""

from typing import Any, Final
from urllib.parse import urlsplit

from litestar import WebSocket, websocket
from litestar.handlers import WebsocketRouteHandler

from server.auth import TOKEN_CHARS_MAX
from server.conversation import Parts
from server.services import Services
from server.session import Session

PATH: Final = "/v1/stream"


def websocket_routes(services: Services) -> list[WebsocketRouteHandler]:
    """The handler of the stream, for the app."""
    parts = Parts(
        services.settings, services.games, services.records, services.nodes.tickets, services.hub, services.limits
    )

    @websocket(PATH)
    async def stream(socket: WebSocket[Any, Any, Any]) -> None:
        if not origin_allowed(socket.headers.get("origin"), socket.headers.get("host"), parts.settings.cors_origins):
            await socket.close(1008, "This origin is not allowed.")  # before `accept`: the handshake gets a 403
            return
        secret = token_of(socket.headers.get("authorization"))
        await socket.accept()
        await Session(parts, socket, secret, socket.headers.get("accept-language")).run()

    return [stream]


def origin_allowed(origin: str | None, host: str | None, allowed: tuple[str, ...]) -> bool:
    """Whether a page of this origin may open a socket: none named (no browser), our own page, or a configured one."""
    if origin is None or "*" in allowed or origin in allowed:
        return True
    return host is not None and urlsplit(origin).netloc == host


def token_of(authorization: str | None) -> str | None:
    """The token in an Authorization header; "" (which is nobody's) for any header that is not `Bearer` with a token."""
    if authorization is None:
        return None
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" and len(token) <= TOKEN_CHARS_MAX else ""
