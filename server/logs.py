"""Logging: events with keys, one line each, as JSON or for people; the standard library's go the same way."""

import logging
import sys
from typing import Any

import structlog
from structlog.tracebacks import ExceptionDictTransformer

from games.kernel import encode
from server.settings import Settings


def configure_logging(settings: Settings) -> None:
    """Send all events to standard error: ours and uvicorn's from `info` on, those of other libraries from `warning`."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    # Tracebacks without the variables of their frames: those are seeds, tokens and hands.
    traces = structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False))
    last: list[structlog.typing.Processor] = (
        [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
        if settings.log_format == "console"
        else [traces, structlog.processors.JSONRenderer(_json)]
    )
    structlog.configure(
        processors=[*shared, *last],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last]
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("uvicorn").setLevel(logging.INFO)
    logging.getLogger("uvicorn.error").addFilter(_without_queries)


def _without_queries(record: logging.LogRecord) -> bool:
    """Cut what uvicorn logs of an address at its query: clients that err put tokens there."""
    if isinstance(record.args, tuple):
        record.args = tuple(arg.partition("?")[0] if isinstance(arg, str) else arg for arg in record.args)
    return True


def _json(event: Any, **_: Any) -> str:
    return encode(event).decode()
