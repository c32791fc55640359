"""The app: routes, errors, limits, cross-origin rules and compression around the services, and its server."""

import asyncio
import gc
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from copy import copy
from typing import Any, Final

from litestar import Litestar, Request
from litestar.config.compression import CompressionConfig
from litestar.config.cors import CORSConfig
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler

from server.edge import Edge
from server.faults import fault
from server.http import Call
from server.limits.gate import Gate, charge
from server.logs import configure_logging
from server.negotiation import best_media
from server.operations import Operation
from server.problems import Problem
from server.routes import HANDLERS
from server.routes.metrics import METRICS_TAG
from server.routes.web import web_handlers
from server.running import GracefulServer, make_server
from server.services import Services
from server.settings import Settings
from server.stream import websocket_routes

#: Answers smaller than this are not worth compressing.
COMPRESSED_BYTES_MIN: Final = 1024
#: Fast rather than small: the answer to an action is compressed while its player waits.
COMPRESSION_LEVEL: Final = 1

#: Operations that cost nothing of a budget: whoever watches the server may always ask.
FREE_TAGS: Final = ("operations", METRICS_TAG)

_EXPOSED: Final = ["ETag", "Link", "Location", "X-Request-ID", "Retry-After", "RateLimit", "RateLimit-Policy"]
_TAKEN: Final = [
    "Accept",
    "Accept-Language",
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Turnlog-Invite",
    "X-Request-ID",
]
_METHODS: Final = ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"]


def create_app(services: Services) -> Litestar:
    """The app around these services; its lifespan starts and stops them."""

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        await services.start()
        try:
            yield
        finally:
            await services.stop()

    handlers = [_limited(services.settings, handler) for handler in (*HANDLERS, *web_handlers())]
    origins = list(services.settings.cors_origins)
    app = Litestar(
        [*handlers, *websocket_routes(services)],
        request_class=Call,
        before_request=_check_call,
        exception_handlers={Exception: fault},
        cors_config=CORSConfig(
            allow_origins=origins,
            allow_methods=_METHODS,  # type: ignore[arg-type]  # the names of methods
            allow_headers=_TAKEN,
            expose_headers=_EXPOSED,
        ),
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=COMPRESSED_BYTES_MIN, gzip_compress_level=COMPRESSION_LEVEL
        ),
        state=State({"services": services}),
        lifespan=[lifespan],
        openapi_config=None,
        logging_config=None,
    )
    # Inside the layer that tells browsers of other origins what they may read, so that they can read refusals too.
    router: Any = app.asgi_handler
    router.app = Gate(router.app, services.limits, services.metrics)
    app.asgi_handler = Edge(app.asgi_handler, services.random, services.metrics, services.settings.trusted_proxies)
    return app


class AddressError(Exception):
    """The server cannot listen where it is told to: one sentence."""


def check_free(host: str, port: int) -> None:
    """Refuse an address that is in use, before anything is opened.

    Raises:
        AddressError: it cannot be listened on.
    """
    try:
        with socket.create_server((host, port), reuse_port=False):
            pass
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else str(error)
        raise AddressError(f"Cannot listen on {host}:{port}: {reason}. Choose another with --port.") from error


def serve(settings: Settings) -> None:
    """Run a server until it is told to stop by SIGINT or SIGTERM; what is under way is finished first.

    Raises:
        AddressError, CannotOpen, CatalogueError: it cannot start.
    """
    configure_logging(settings)
    for number in (signal.SIGINT, signal.SIGTERM):
        # uvicorn raises the signal again when it has ended in good order: that is an end without error.
        signal.signal(number, lambda *_: sys.exit(0))
    check_free(settings.host, settings.port)
    services = Services.open(settings)
    server = make_server(create_app(services), services)
    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(_serve(server, services))


async def _serve(server: GracefulServer, services: Services) -> None:
    await services.prepare()  # what cannot be opened is told before anything listens
    await services.signer.prepare()
    # What is there now stays: the collector need not look through all modules again and again. It also looks less
    # often, since requests and sockets leave hardly any cycles behind; but soon at young objects, before they are old.
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 2, 50)
    await server.serve()


def _limited(settings: Settings, handler: HTTPRouteHandler) -> HTTPRouteHandler:
    """A copy of the handler for one app, with the largest body that it takes; open metrics have no guard."""
    declared: Operation = handler.opt["operation"]
    limited = copy(handler)
    limited.request_max_body_size = getattr(settings, declared.body_limit)
    if declared.tag == METRICS_TAG and settings.metrics_open:
        limited.guards = None
        limited.opt = handler.opt | {"public": True}
    return limited


async def _check_call(request: Request[Any, Any, Any]) -> None:
    """Refuse what no handler should have to think of: too many calls, a form nobody offers, a query where none is."""
    declared = request.route_handler.opt.get("operation")
    if not isinstance(declared, Operation):  # OPTIONS
        return
    if declared.tag not in FREE_TAGS:
        services: Services = request.app.state.services
        await charge(request, services.limits, declared.budget)
    best_media(request.headers.get("accept"), declared.media)
    if declared.query is None and request.scope["query_string"] and declared.tag != "page":
        raise Problem("invalid", "This address takes no query parameters.")
