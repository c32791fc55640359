"""The audit: in the background, a share of the games that move is decided anew from the log and compared with memory.

It goes on in a process of its own that gives way to the server, one game at a time and not more often than the settings
say. What it finds is a fault of the program or of the disk: it is logged and counted, and the game in memory and its
snapshot are dropped, so that the next use folds the log.
"""

import asyncio
import time
import zlib
from hashlib import sha256
from typing import Final

import msgspec
import structlog
from structlog.typing import FilteringBoundLogger

from events.event import Event, Undecodable
from events.feed import Moved
from projections.history import image
from server.auditing import Audited, Task, audit
from server.commands import Games
from server.search.pool import PoolLimits, SearchPool
from server.search.worker import Load, load_ruleset

log: FilteringBoundLogger = structlog.get_logger("turnlog")

#: Events read from the log between two turns of the loop.
PAGE_EVENTS: Final = 200

#: What can differ: the log from what the rules make of it, memory or the stored snapshot from the log.
LOG, LIVE, SNAPSHOT = "log", "live", "snapshot"

_decode = msgspec.json.Decoder(Audited).decode


class Audit:
    """Follows the feed and audits a share of the games in it; `load`: how its process finds the rules."""

    def __init__(self, games: Games, load: Load = load_ruleset) -> None:
        self._games = games
        self._waiting: dict[str, None] = {}
        self._wake = asyncio.Event()
        self._pool = SearchPool(PoolLimits(1, 1, games.settings.audit_timeout_s), load, audit)

    @property
    def waiting(self) -> int:
        """How many games wait for their audit."""
        return len(self._waiting)

    async def run(self) -> None:
        """Audit until cancelled."""
        stop = self._games.feed.listen(self._moved)
        try:
            async with self._pool:
                while True:
                    await asyncio.sleep(self._games.settings.audit_interval_s)
                    await self._wake.wait()
                    game = next(iter(self._waiting))
                    del self._waiting[game]
                    if not self._waiting:
                        self._wake.clear()
                    await self.check(game)
        finally:
            stop()

    async def check(self, game: str) -> list[str]:
        """Audit a game now: what differs, of LOG, LIVE and SNAPSHOT; nothing if all is as it should be."""
        meter, began = self._games.meter, time.perf_counter()
        try:
            found = await self._find(game)
        except Exception as error:
            log.warning("replay_check_failed", game=game, exc_info=error)
            meter.count("turnlog_replay_checks_total", "failed")
            return []
        if found is None:
            meter.count("turnlog_replay_checks_total", "too_long")
            return []
        meter.count("turnlog_replay_checks_total", "mismatch" if found else "sound")
        meter.observe("turnlog_replay_check_duration_seconds", time.perf_counter() - began)
        if found:
            await self._drop(game)
        return found

    def _moved(self, moved: Moved) -> None:
        # By the version and not by chance, so that the audit takes no part in the server's randomness.
        drawn = zlib.crc32(f"{moved.game} {moved.version}".encode()) / 2**32
        settings = self._games.settings
        if moved.here and drawn < settings.audit_share and len(self._waiting) < settings.audit_queue_max:
            self._waiting[moved.game] = None
            self._wake.set()

    async def _find(self, game: str) -> list[str] | None:
        """What differs; None if the game is too long to be audited beside running games."""
        async with self._games.game(game) as live:
            version, seen = live.meta.version, sha256(image(live)).hexdigest()
            rules, pack = live.rules, live.meta.created.pack
        if version > self._games.settings.audit_events_max:
            return None
        store = self._games.store
        try:
            events = await self._events(game, version)
        except Undecodable as error:
            return [self._differs(game, LOG, error.version, "undecodable")]
        snapshot = await store.load_snapshot(game)
        task = Task(
            ruleset=rules.id,
            pack=rules.shelf.source(pack),
            rows=tuple((event.data, event.digest) for event in events),
            seed=await store.secret(game),
            snapshot=snapshot if snapshot is not None and snapshot.version <= version else None,
        )
        audited = _decode(await self._pool.search(task))
        if audited.unsound is not None:
            return [self._differs(game, LOG, *audited.unsound)]
        found = []
        if audited.image != seen:
            found.append(self._differs(game, LIVE, version))
        if audited.snapshot is False and task.snapshot is not None:
            found.append(self._differs(game, SNAPSHOT, task.snapshot.version))
        return found

    async def _events(self, game: str, version: int) -> list[Event]:
        events: list[Event] = []
        while len(events) < version:
            page = await self._games.store.read(game, len(events), min(version, len(events) + PAGE_EVENTS))
            if not page:
                break
            events += page
            await asyncio.sleep(0)
        return events

    def _differs(self, game: str, part: str, version: int, what: str | None = None) -> str:
        """Tell that something differs, but not how: that may be what a hand of cards holds."""
        log.error("replay_mismatch", game=game, part=part, version=version, what=what)
        self._games.meter.count("turnlog_replay_mismatches_total", part)
        return part

    async def _drop(self, game: str) -> None:
        await self._games.store.drop_snapshots(game)
        async with self._games.game(game):
            self._games.forget(game)
