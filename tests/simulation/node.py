"""A node: the real server's parts on simulated ports, as a process that may die at any await and starts anew."""

from events.shared_feed import SharedFeed
from server.conversation import Parts
from server.limits.gcra import LocalLimiter
from server.meter import Meter
from server.nodes import FeedWatcher, Nodes, _pace
from server.ports import Ports
from server.services import Services
from server.session import Session
from server.settings import Settings
from server.tickets import DatabaseShelf, Tickets
from tests.simulation.bus import BusLink, SimLeases
from tests.simulation.chance import SimClock, SimRandom, stream
from tests.simulation.database import SimDatabase
from tests.simulation.link import Link
from tests.simulation.loop import Process
from tests.simulation.store import SimStore

#: What is counted by the server, and what of it a run wants to reach: name, and labels if they matter.
REACHED = {
    ("turnlog_commands_overtaken_total",): "a conflict was decided again",
    ("turnlog_stream_skips_total",): "a slow reader was given the newest view",
    ("turnlog_stream_closes_total", "4008"): "a slow reader was cut off",
    ("turnlog_stream_closes_total", "1012"): "a socket was told that its node stops",
    ("turnlog_feed_caught_up_total",): "the feed found in the log what the bus had lost",
}


class Unreachable(Exception):
    """No connection, or it broke before an answer came."""


class SimMeter(Meter):
    """Counts what runs want to reach."""

    def __init__(self, sometimes):
        self._sometimes = sometimes

    def count(self, name, *labels, by=1):
        """As Meter has it."""
        reached = REACHED.get((name, *labels)) or REACHED.get((name,))
        if reached is not None and by:
            self._sometimes(reached)

    def observe(self, name, value, *labels):
        """Nothing."""


class Node:
    """A machine with a clock of its own, on which one process after the other serves."""

    def __init__(self, world, number):
        self.number = number
        self.clock = SimClock(world.loop)
        self.process = None
        self.services = None
        self.ready = False
        self.lives = 0
        self._world = world
        self._sessions = set()

    def start(self):
        """Start a process, unless one runs."""
        if self.process is not None and self.process.alive:
            return
        self.lives += 1
        self.ready = False
        self.process = Process(f"node {self.number}, life {self.lives}")
        self.process.on_death.append(self._died)
        self.process.context.run(self._build)
        self._world.note("start", self.process.name)
        self.spawn(self._run()).add_done_callback(self._run_ended)

    def spawn(self, work):
        """Run something in the process."""
        return self._world.loop.create_task(work, context=self.process.context.copy())

    def kill(self, after_callbacks=0):
        """Have it die at one of its next awaits."""
        if self.process is not None and self.process.alive:
            if after_callbacks:
                self.process.fuse = after_callbacks
            else:
                self.process.die()

    async def stop(self):
        """Stop it in good order, then its process ends."""
        process = self.process
        if process is not None and process.alive and self.ready:
            self._world.sometimes("a node was stopped in good order")
            self._world.note("stop", process.name)
            self.ready = False
            self.spawn(self._stop(process))

    def connect(self, connection, secret=None):
        """Serve a socket."""

        async def serve():
            await Session(self.parts, connection.server, secret, None).run()

        task = self.spawn(serve())
        task.add_done_callback(self._session_ended)

    async def _stop(self, process):
        await self.services.stop()
        process.die()

    async def _run(self):
        process, services = self.process, self.services
        try:
            await services.start()
        except Exception as error:  # noqa: BLE001 - a supervisor starts it again
            self._world.note("start failed", process.name, repr(error))
            self._world.sometimes("a node could not start")
            process.die()
            return
        self.ready = True
        await services.background_ended()
        if self.ready:
            self._world.background_failed(self, "by itself")
            process.die()

    def _session_ended(self, task):
        self._check("a session", task)

    def _run_ended(self, task):
        self._check("a node", task)

    def _check(self, what, task):
        if not task.cancelled() and task.exception() is not None:
            self._world.fail(f"{what} ended with {task.exception()!r}", task.exception())

    def _died(self):
        self.ready = False
        self._world.died(self)

    def _build(self):
        world, process = self._world, self.process
        options = world.options
        settings = settings_of(options)
        random = SimRandom(stream(options.seed, process.name))
        meter = SimMeter(world.sometimes)
        link = Link(world, process, process.name)
        store = SimStore(world.truth, link)
        database = SimDatabase(world, world.tables, link, process)
        feed = SharedFeed(random.bytes(8), store, BusLink(world.bus, process), _pace(settings), FeedWatcher(meter))
        nodes = Nodes(
            metrics=meter,
            feed=feed,
            limiter=LocalLimiter(self.clock, settings.rate_keys_max),
            leases=SimLeases(world, process, world.leases, settings.lease_s),
            tickets=Tickets(DatabaseShelf(database, self.clock, settings.ticket_s), random),
            redis=None,
        )
        ports = Ports(self.clock, random, store, feed, meter)
        self.services = Services(settings, ports, database, world.catalogue, nodes)
        parts = (self.services.games, self.services.records, nodes.tickets, self.services.hub, self.services.limits)
        self.parts = Parts(settings, *parts)


def settings_of(options):
    """The settings of a run: some far smaller than in earnest, so that what happens at a bound happens."""
    return Settings(
        database="simulated",
        audit_share=0.0,
        snapshot_events=options.snapshot_events,
        games_cached_max=options.games_cached_max,
        stream_batch_events=options.stream_batch_events,
        feed_event_bytes_max=options.feed_event_bytes_max,
        socket_queue_bytes_soft=options.queue_bytes_soft,
        socket_queue_bytes_max=8 * options.queue_bytes_soft,
        callers_cached_s=options.callers_cached_s,
        **dict.fromkeys(
            (name for name in Settings.__struct_fields__ if name.startswith("rate_") and name.endswith("_min")), 0
        ),
    )
