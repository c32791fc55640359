"""What the nodes of one server share, by the settings: Redis, if there is one, and what is done without it.

Redis holds hints, counts and tickets, never truth: whatever becomes of it, nothing that was acknowledged is lost.
"""

import structlog
from msgspec import Struct
from structlog.typing import FilteringBoundLogger

from events.database import CannotOpen, Database
from events.feed import Feed, LocalFeed
from events.postgres_link import ESCAPED
from events.redis_link import RedisBus, RedisLink, RedisOptions
from events.shared_feed import Pace, SharedFeed, Watcher
from events.store import EventStore
from server.leases import EverybodyHolds, Leases, RedisLeases
from server.limits.gcra import Limiter, LocalLimiter
from server.limits.redis_limiter import RedisLimiter
from server.meter import Meter
from server.metrics import Metrics
from server.ports import Clock, Random
from server.settings import Settings
from server.tickets import DatabaseShelf, RedisShelf, Tickets

log: FilteringBoundLogger = structlog.get_logger("turnlog")

#: A bus that brings nothing for so many beats is taken to be dead.
SILENT_BEATS = 5


class Nodes(Struct, frozen=True, kw_only=True):
    """The parts by which a node and its siblings act as one server. `name`: of this process, which nobody can guess."""

    name: str = ""
    metrics: Metrics
    feed: Feed
    limiter: Limiter
    leases: Leases
    tickets: Tickets
    redis: RedisLink | None

    async def close(self) -> None:
        """Give leases back and let go of Redis."""
        try:
            await self.leases.close()
        finally:
            if self.redis is not None:
                await self.redis.close()


def nodes_of(settings: Settings, clock: Clock, random: Random, database: Database, store: EventStore) -> Nodes:
    """The parts, none of which has asked for anything yet.

    Raises:
        CannotOpen: `redis` is no URL of a Redis.
    """
    metrics = Metrics()
    link = _link(settings) if settings.redis else None
    alone = LocalLimiter(clock, settings.rate_keys_max)
    shelf = DatabaseShelf(database, clock, settings.ticket_s)
    feed: Feed = LocalFeed(_listener_failed)
    if link is not None or database.shared:
        bus = RedisBus(link) if link is not None else None
        feed = SharedFeed(random.bytes(8), store, bus, _pace(settings), FeedWatcher(metrics))
    name = random.bytes(16).hex() if link is not None else ""
    if link is None:
        tickets = Tickets(shelf, random)
        return Nodes(metrics=metrics, feed=feed, limiter=alone, leases=EverybodyHolds(), tickets=tickets, redis=None)
    return Nodes(
        name=name,
        metrics=metrics,
        feed=feed,
        limiter=RedisLimiter(link, alone, metrics),
        leases=RedisLeases(link, name, settings.lease_s, metrics, store.healthy),
        tickets=Tickets(RedisShelf(link, shelf, settings.ticket_s, metrics), random),
        redis=link,
    )


def _link(settings: Settings) -> RedisLink:
    options = RedisOptions(
        url=settings.redis,
        prefix=settings.redis_prefix,
        timeout_s=settings.redis_timeout_s,
        retry_s=settings.redis_retry_s,
        batch_max=settings.redis_batch_max,
        waiting_max=settings.redis_waiting_max,
    )
    try:
        return RedisLink(options, _redis_changed)
    except ValueError as error:
        raise CannotOpen(f"TURNLOG_REDIS: no URL of a Redis, as redis://host:6379/0 is. {ESCAPED}") from error


def _pace(settings: Settings) -> Pace:
    return Pace(
        poll_s=settings.feed_poll_s,
        away_poll_s=settings.feed_away_poll_s,
        silence_s=SILENT_BEATS * settings.feed_poll_s,
        waiting_max=settings.feed_waiting_max,
        rows_bytes_max=settings.feed_event_bytes_max,
        read_events=settings.feed_read_events,
    )


class FeedWatcher(Watcher):
    """Passes on how the feed fares to figures and log."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter

    def count(self, name: str, *labels: str, by: float = 1) -> None:
        """As Watcher has it."""
        self._meter.count(name, *labels, by=by)

    def observe(self, name: str, value: float, *labels: str) -> None:
        """As Watcher has it."""
        self._meter.observe(name, value, *labels)

    def failed(self, error: Exception) -> None:
        """As Watcher has it."""
        _listener_failed(error)

    def bus_changed(self, error: Exception | None) -> None:
        """As Watcher has it."""
        if error is None:
            log.info("feed_connected")
        else:
            log.warning("feed_disconnected", reason=str(error))


def _redis_changed(error: Exception | None) -> None:
    if error is None:
        log.info("redis_back")
    else:
        log.warning("redis_away", reason=str(error))


def _listener_failed(error: Exception) -> None:
    log.error("feed_failed", exc_info=error)
