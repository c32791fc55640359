"""The composition root: every part of the server, made in one place, for the app, command line and tests."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import Self

import structlog

from events.database import Database, Unfit
from events.store import StoreFailed, StoreFull
from projections.deadlines import Deadlines
from projections.lobby import Lobby
from projections.results import Results
from projections.runner import Runner, Turn
from server.audit import Audit
from server.bots import Bots
from server.callers import Believed
from server.catalogue import Catalogue
from server.clocks import Timekeeper
from server.commands import Games
from server.databases import open_database
from server.hub import Hub
from server.importing import Replays
from server.limits.budgets import Limits
from server.nodes import Nodes, nodes_of
from server.places import BoundedPlaces
from server.ports import Clock, Ports, Random, SystemClock, SystemRandom, timestamp
from server.presence import Presence
from server.records import Records
from server.settings import Settings
from server.signing import Parts, Signer

log = structlog.get_logger("turnlog")

#: The topic of the feed on which nodes hear of tokens that stand no more.
REVOKED = "revoked"

#: The lease of who folds the log into the read models. Their shapes are part of its name: each needs somebody.
READ_MODELS = "read models"

#: How often keys of old requests are forgotten.
PRUNE_EVERY_S = 3600.0

#: How long a part that found no database, or tables that are not its own, waits before it begins anew.
DATABASE_AWAY_S = 1.0

#: The database did not answer.
AWAY = (StoreFull, StoreFailed)


class Services:
    """All parts of one server process. `open` makes them, `start` and `stop` run what goes on in the background."""

    def __init__(
        self, settings: Settings, ports: Ports, database: Database, catalogue: Catalogue, nodes: Nodes
    ) -> None:
        self.metrics = nodes.metrics
        self.settings = settings
        self.clock = ports.clock
        self.random = ports.random
        self.store = ports.store
        self.feed = ports.feed
        self.nodes = nodes
        self.database = database
        self.catalogue = catalogue
        self.games = Games(settings, ports, catalogue)
        believed = Believed(settings.callers_cached_max, settings.callers_cached_s)
        self.records = Records(database, ports.clock, ports.random, believed)
        self.replays = Replays(settings, self.games.rulesets(), self.records)
        self.games.imported = self.replays.source
        self.games.fetch_packs = self.fetch_packs
        self.limits = Limits(settings, nodes.limiter, self.metrics)
        self.lobby = Lobby(database)
        self.results = Results(database)
        self.deadlines = Deadlines(database)
        models = (self.lobby, self.results, self.deadlines)
        self.runner = Runner(self.store, database, self.feed, models, batch=settings.projection_batch_events)
        lease = f"{READ_MODELS}: {self.runner.shapes}"
        self.runner.turn = Turn(partial(nodes.leases.hold, lease), settings.lease_s / 4)
        self.games.places = BoundedPlaces(self.store, database, self.runner, settings)
        self.bots = Bots(self.games, self.lobby, leases=nodes.leases)
        self.timekeeper = Timekeeper(self.games, self.deadlines, nodes.leases)
        self.audit = Audit(self.games)
        self.hub = Hub(self.games)
        signing = Parts(self.store, database, ports.clock, ports.random, self.metrics, nodes.leases)
        self.signer = Signer(settings, signing)
        self.presence = Presence(nodes.name, self.hub, self.feed, nodes.redis, settings)
        self.feed.hear(REVOKED, self._revoked)
        database.on_commit = self._committed
        self.failed = False
        self.stopping = False
        self._background: asyncio.Task[None] | None = None

    @classmethod
    def open(
        cls,
        settings: Settings,
        clock: Clock | None = None,
        random: Random | None = None,
        catalogue: Catalogue | None = None,
    ) -> Self:
        """The parts around the database of the settings (a file is made if it is not there).

        Raises:
            CannotOpen: the file is in use or no file of ours, or a setting names nothing that could be opened.
            CatalogueError: a ruleset's folder is broken.
        """
        database, store = open_database(settings)
        clock, random = clock or SystemClock(), random or SystemRandom()
        nodes = nodes_of(settings, clock, random, database, store)
        ports = Ports(clock, random, store, nodes.feed, nodes.metrics)
        return cls(settings, ports, database, catalogue or Catalogue.load(), nodes)

    async def prepare(self) -> None:
        """Open what is not open yet, and put the packs on their shelves. Twice does no harm.

        Raises:
            CannotOpen: the database cannot be used as it is.
        """
        await self.database.open()
        await self.runner.prepare()
        await self._shelve()

    async def fetch_packs(self) -> None:
        """Put packs on the shelves that other nodes were given."""
        if self.database.shared:
            await self._shelve()

    async def _shelve(self) -> None:
        for ruleset, digest in await self.records.packs():
            if ruleset in self.catalogue and digest not in self.catalogue[ruleset].rules.shelf:
                self.catalogue[ruleset].rules.shelf.add(await self.records.pack(digest))

    def checks(self) -> dict[str, bool]:
        """What must be true of a server that gets requests."""
        return {"log": self.store.healthy(), "background": not self.failed, "running": not self.stopping}

    async def start(self) -> None:
        """Start what runs in the background, in one group: if one part dies, the server is no longer ready.

        Raises:
            CannotOpen: the database cannot be used as it is, or its log is not the one whose heads were signed.
        """
        await self.prepare()
        if not self.database.shared:
            await self.runner.tidy()  # no other program uses the file now
        await self.signer.prepare()
        await self.feed.prepare()
        self._background = asyncio.create_task(self._supervise())

    async def background_ended(self) -> None:
        """Wait until what runs in the background has ended, in whatever way."""
        if self._background is not None:
            await asyncio.wait([self._background])

    async def drain(self) -> None:
        """Take no more commands, finish those under way, say goodbye on all sockets; questions are still answered."""
        self.stopping = True
        await _stop(self.games.stop, self.hub.stop)

    async def stop(self) -> None:
        """Drain, end the background, close the log. Twice does nothing."""
        await self.drain()
        await _stop(self._end_background, self.presence.leave, self.nodes.close, self.store.close)

    async def _end_background(self) -> None:
        background, self._background = self._background, None
        if background is not None:
            background.cancel()
            await asyncio.wait([background], timeout=self.settings.stop_grace_s)

    async def _supervise(self) -> None:
        parts: list[Callable[[], Awaitable[None]]] = [
            self.feed.run,
            self.runner.run,
            self.bots.run,
            self.hub.run,
            self.presence.run,
            self._prune,
        ]
        parts += [self.audit.run, self.signer.run, self.timekeeper.run]
        try:
            async with asyncio.TaskGroup() as group:
                for part in parts:
                    group.create_task(self._run(part))
        except* Exception as failures:
            self.failed = True
            log.critical("background_failed", exc_info=failures)

    async def _run(self, part: Callable[[], Awaitable[None]]) -> None:
        """Run a part until it ends; begin it anew when a shared database has been away, or a table was not there."""
        while True:
            try:
                return await part()
            except Exception as error:
                if _is_all(error, Unfit):
                    log.exception("tables_unfit")
                elif self.database.shared and _is_all(error, AWAY):
                    log.warning("database_away", reason=str(error))
                    await self.nodes.leases.close()  # another node may reach what this one does not
                else:
                    raise
            await asyncio.sleep(DATABASE_AWAY_S)

    def _revoked(self, token: bytes) -> None:
        """A token stands no more, wherever it was revoked."""
        self.records.forget_callers()
        self.hub.sockets.revoke(token.decode())

    def _committed(self, writes: int, seconds: float) -> None:
        self.metrics.observe("turnlog_commit_batch_writes", writes)
        self.metrics.observe("turnlog_commit_duration_seconds", seconds)

    async def _prune(self) -> None:
        while True:
            before = timestamp(self.clock.now() - timedelta(days=self.settings.idempotency_days))
            await self.store.prune_commands(before)
            await self.records.prune(before)
            await asyncio.sleep(PRUNE_EVERY_S)


async def _stop(*parts: Callable[[], Awaitable[None]]) -> None:
    """Stop parts in this order, each of them whatever those before it raised."""
    for part in parts:
        try:
            await part()
        except Exception:
            log.exception("stop_failed", part=part.__qualname__)


def _is_all(error: Exception, kinds: type[Exception] | tuple[type[Exception], ...]) -> bool:
    """Whether an error is of these kinds, and nothing else happened."""
    if isinstance(error, ExceptionGroup):
        return error.split(kinds)[1] is None
    return isinstance(error, kinds)
