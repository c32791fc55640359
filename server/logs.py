"""Logging: events with keys, one line each, as JSON or for people."""

import logging
import sys
from typing import Any

import structlog

from games.kernel import encode
from server.settings import Settings


def configure_logging(settings: Settings) -> None:
    """Send structlog's events, and the standard library's warnings, to standard error."""
    console = settings.log_format == "console"
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *(
                [structlog.dev.ConsoleRenderer()]
                if console
                else [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer(_json)]
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr)
        if console
        else structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s %(message)s", stream=sys.stderr)


def _json(event: Any, **_: Any) -> bytes:
    return encode(event)
