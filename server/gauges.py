"""Figures that are how things stand when they are asked for."""

import asyncio

from events.shared_feed import SharedFeed
from server.services import Services


async def read_gauges(services: Services) -> None:
    """Set every gauge of the server's metrics."""
    state, games, bots, hub = services.metrics.state, services.games, services.bots, services.hub
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
    latest = await services.signer.heads.latest()
    state("turnlog_signed_head_events", 0 if latest is None else latest.size)
    feed = services.feed
    state("turnlog_redis_up", services.nodes.redis is None or services.nodes.redis.up)
    state("turnlog_feed_connected", isinstance(feed, SharedFeed) and feed.connected)
    state("turnlog_feed_behind_events", feed.behind if isinstance(feed, SharedFeed) else 0)
    for status, count in (await services.lobby.counts()).items():
        state("turnlog_games", count, status)
    for row in await services.runner.status():
        state("turnlog_projection_lag_events", row.head - row.position, row.name)
    for check, holds in services.checks().items():
        state("turnlog_ready", holds, check)
