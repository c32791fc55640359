"""The server's log, listened to: an error that no simulated fault explains is something that a run has found."""

import logging
import sys
from contextlib import contextmanager

import structlog

from events.bus import BusAway
from events.store import StoreFailed, StoreFull
from server.problems import Problem

#: What the server may meet while the database or the bus is simulated to fail.
EXPLAINED = (StoreFailed, StoreFull, BusAway, Problem)


@contextmanager
def listening(world):
    """Send what the server logs to a world."""

    def hear(logger, method, said):
        error = said.get("exc_info")
        if error is True:
            error = sys.exc_info()[1]
        world.note("log", said["event"], *leaves(error))
        if isinstance(error, BaseException) and not explained(error):
            world.fail(f"the server logged {said['event']}: {error!r}", error)
        elif method in ("error", "critical") and error is None:
            world.fail(f"the server logged {said}")
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(processors=[hear], wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    try:
        yield
    finally:
        structlog.configure(**before)


def leaves(error):
    """The errors in a group, or the error, or none."""
    if isinstance(error, BaseExceptionGroup):
        return [leaf for one in error.exceptions for leaf in leaves(one)]
    return [] if error is None else [repr(error)]


def explained(error):
    """Whether it, or all that it is a group of, comes of a simulated fault."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(explained, error.exceptions))
    return isinstance(error, EXPLAINED)
