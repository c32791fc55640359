"""Figures that are how things stand when they are asked for: what this process knows first, then the database."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog
from structlog.typing import FilteringBoundLogger

from events.shared_feed import SharedFeed
from server.metrics import Samples
from server.services import Services

log: FilteringBoundLogger = structlog.get_logger("turnlog")


async def read_gauges(services: Services) -> None:
    """Set every gauge of the server's metrics. Those of a database that is away are absent then, and not old."""
    _set_own(services)
    await asyncio.gather(*(_ask(services, name, figure) for name, figure in _OF_THE_DATABASE.items()))


def _set_own(services: Services) -> None:
    state, games, bots, hub = services.metrics.state, services.games, services.bots, services.hub
    for check, holds in services.checks().items():
        state("turnlog_ready", holds, check)
    state("turnlog_stream_sockets", len(hub.sockets))
    state("turnlog_stream_games", hub.games)
    state("turnlog_stream_subscriptions", hub.subscriptions)
    state("turnlog_stream_queue_bytes", hub.sockets.waiting_bytes)
    state("turnlog_tasks", len(asyncio.all_tasks()))
    state("turnlog_commit_queue_writes", services.database.waiting)
    state("turnlog_games_cached", games.cached)
    state("turnlog_bot_queue_games", bots.waiting)
    state("turnlog_searches_running", bots.searching)
    state("turnlog_replay_queue_games", services.audit.waiting)
    redis, feed = services.nodes.redis, services.feed
    state("turnlog_redis_up", redis is None or redis.up)
    state("turnlog_feed_connected", redis is None or (isinstance(feed, SharedFeed) and feed.connected))
    state("turnlog_feed_behind_events", feed.behind if isinstance(feed, SharedFeed) else 0)


async def _ask(services: Services, name: str, figure: Callable[[Services], Awaitable[Samples]]) -> None:
    """Set one gauge from the database, which has so long for it: whoever scrapes does not wait for ever."""
    try:
        async with asyncio.timeout(services.settings.metrics_database_s):
            services.metrics.states(name, await figure(services))
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one figure, the others are told
        services.metrics.states(name, {})
        log.warning("figure_unknown", figure=name, reason=str(error) or type(error).__name__)


async def _signed(services: Services) -> Samples:
    latest = await services.signer.heads.latest()
    return {(): 0 if latest is None else latest.size}


async def _games(services: Services) -> Samples:
    return {(status,): count for status, count in (await services.lobby.counts()).items()}


async def _lags(services: Services) -> Samples:
    return {(row.name,): row.head - row.position for row in await services.runner.status()}


_OF_THE_DATABASE: Final = {
    "turnlog_signed_head_events": _signed,
    "turnlog_games": _games,
    "turnlog_projection_lag_events": _lags,
}
