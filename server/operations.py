"""What a route is declared with: one declaration for routing, guard, decoding and documentation."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from server.auth import GUARDS

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
CSV: Final = "text/csv"

#: For `needs`: anybody may call this, with or without a token.
PUBLIC: Final = "public"
#: For `needs`: any token will do.
SIGNED_UP: Final = "signed_up"


class Operation(Struct, frozen=True, kw_only=True):
    """An operation of the API.

    needs: PUBLIC, SIGNED_UP or a scope. query, body, answer: their types (None: there is none). body_limit: the name of
    the setting that says how many bytes. media: what it can answer with, the first by default. key: an
    Idempotency-Key counts. version: If-Match is wanted. invite: the header Turnlog-Invite counts. problems: codes
    beside those that any operation can give. example: a body. budget: the one it is counted in, if not reads or writes.
    """

    method: str
    path: str
    needs: str
    tag: str
    query: type[Struct] | None = None
    body: Any = None
    body_limit: str = "body_bytes_max"
    body_media: str = JSON
    answer: Any = None
    status: int = 200
    media: tuple[str, ...] = (JSON,)
    key: bool = False
    version: bool = False
    invite: bool = False
    problems: tuple[str, ...] = ()
    example: Any = None
    budget: str | None = None


def operation(declared: Operation) -> Callable[[Callable[..., Awaitable[Any]]], HTTPRouteHandler]:
    """Make a route handler of `async def handler(request: Call) -> Answer`; its docstring documents the operation."""
    public = declared.needs == PUBLIC
    scope = None if declared.needs == SIGNED_UP else declared.needs
    return HTTPRouteHandler(
        declared.path,
        http_method=declared.method,  # type: ignore[arg-type]  # one of Litestar's method names
        guards=None if public else [GUARDS[scope]],
        opt={"operation": declared, "public": public},
        status_code=200,
        include_in_schema=False,
    )
