"""One run: the nodes, what they share, the clients, the faults, and what has happened so far."""

import asyncio
from collections import deque
from contextvars import Context
from hashlib import sha256

import msgspec

from tests.simulation.beginning import create_games, sign_up
from tests.simulation.bus import SimBus
from tests.simulation.chance import Told, stream
from tests.simulation.database import SharedDatabase
from tests.simulation.ending import converge, settle
from tests.simulation.judge import Judge, Violation
from tests.simulation.loop import SimLoop
from tests.simulation.models import Models
from tests.simulation.network import Network
from tests.simulation.node import Node
from tests.simulation.reached import reached
from tests.simulation.rulesets import catalogue
from tests.simulation.sockets import Connection
from tests.simulation.store import Truth
from tests.simulation.trouble import Trouble

#: A run with faults ends after so long at the latest.
VIRTUAL_S_MAX = 60.0

TRACE_LINES = 40


class Failure(Exception):
    """What a run found."""


class World:
    """Everything in one run."""

    def __init__(self, options):
        self.options = self.faults = options
        self.chance = stream(options.seed, "world")
        self.loop = SimLoop(stream(options.seed, "order"), shuffle=options.shuffle)
        self.context = Context()
        self.catalogue = catalogue()
        self.reached = Told()
        self.sometimes = self.reached.sometimes
        self.truth = Truth()
        self.tables = SharedDatabase()
        self.judge = Judge(self.truth, self.catalogue, self.sometimes)
        self.models = Models(self.truth, self.tables)
        self.tables.on_write = self._written
        self.bus = SimBus(self)
        self.leases = {}
        self.database_away = False
        self.nodes = [Node(self, number) for number in range(options.nodes)]
        self.players = []
        self.followers = []
        self.watcher = None
        #: Seats that are offered, and to whom: the newest last.
        self.offered = {}
        self.acted_count = 0
        self.accepted_count = 0
        self.failure = None
        self.calm = False
        self._trace = sha256()
        self._last = deque(maxlen=TRACE_LINES)
        self.network = Network(self)
        self.trouble = Trouble(self)

    # what the parts use

    def later(self, seconds, call, *args):
        """Call it after so long, as nobody's code."""
        return self.loop.call_later(seconds, call, *args, context=self.context)

    def note(self, *what):
        """Something happened: a line of the trace."""
        line = f"{self.loop.time():.6f} {' '.join(map(str, what))}"
        self._trace.update(line.encode())
        self._last.append(line)

    @property
    def trace(self):
        """The digest of all that has happened."""
        return self._trace.hexdigest()

    def fail(self, what, error=None):
        """The run has found something: it ends here."""
        if self.failure is None:
            self.failure = Failure(what)
            self.failure.__cause__ = error
            self.note("FAILED", what)
        self.loop.stop()

    def more(self):
        """Whether clients go on acting."""
        return not self.calm and self.acted_count < self.options.actions and self.loop.time() < VIRTUAL_S_MAX

    def acted(self, request, reply):
        """A request of a client is settled."""
        self.acted_count += 1
        self.accepted_count += not reply.code
        self.note("settled", request.key, request.do, reply.code or "done")

    def any_node(self, chance):
        """A node that takes requests, or None."""
        ready = [node for node in self.nodes if node.ready]
        return chance.choice(ready) if ready else None

    def connect(self, node, chance, *, rate, buffer_bytes):
        """Open a socket to a node."""
        connection = Connection(self, node.process, chance, rate=rate, buffer_bytes=buffer_bytes)
        node.connect(connection)
        return connection

    def background_failed(self, node, why):
        """What runs in a node's background ended by itself: its supervisor starts it anew."""
        self.note("background failed", node.process.name, why)
        self.sometimes("a node's background failed")

    def died(self, node):
        """A node's process has ended; another one is started on its machine."""
        self.note("died", node.process.name)
        self.sometimes("a node died")
        pause = self.chance.expovariate(1 / self.options.restart_s)
        self.later(min(pause, 1.0) if self.calm else pause, node.start)

    # the run

    def run(self):
        """Run to the end. Raises Failure."""
        task = self.loop.create_task(self._guarded(), context=self.context)
        task.add_done_callback(lambda _: self.loop.stop())
        self.loop.set_exception_handler(self._loop_failed)
        try:
            self.loop.run_forever()
        except Exception as error:  # noqa: BLE001 - a deadlock, say
            self.fail(f"{type(error).__name__}: {error}", error)
        finally:
            self.loop.call_soon(self._end)
            self.loop.run_forever()
            self.loop.close()
        if self.failure is not None:
            raise self.failure

    @property
    def last(self):
        """The last lines of the trace."""
        return list(self._last)

    def _end(self):
        self.loop.end_tasks()
        self.loop.stop()

    def _loop_failed(self, loop, context):
        if "was never retrieved" not in context["message"]:  # whose process died before it heard of it
            self.fail(context["message"], context.get("exception"))

    async def _guarded(self):
        try:
            await self._run()
        except Violation as violation:
            self.fail(str(violation), violation)
        except Exception as error:  # noqa: BLE001 - a fault of the simulation itself, or of the server
            self.fail(f"{type(error).__name__}: {error}", error)

    async def _run(self):
        truth_append = self.judge.appended
        self.truth.on_append = lambda append, appended: self._appended(truth_append, append, appended)
        await sign_up(self)
        for node in self.nodes:
            node.start()
        await create_games(self)
        self.trouble.start()
        followers = [self.task(follower.run()) for follower in (*self.followers, self.watcher)]
        playing = [self.task(player.play()) for player in self.players]
        while self.more():  # noqa: ASYNC110 - a run knows no event for that
            await asyncio.sleep(0.25)
        self._stop_faults()
        await settle(self, playing)
        await converge(self)  # if the bus stays away, without it
        await self.trouble.over()
        await converge(self)
        for task in followers:
            task.cancel()
        self.judge.log()
        self.models.check()

    def task(self, work):
        """Do it beside all else, as nobody's code."""
        return self.loop.create_task(work, context=self.context.copy())

    def _appended(self, check, append, appended):
        self.note("append", append.game, append.events[-1].header.version, append.events[-1].digest.hex()[:8])
        for event in append.events:
            name = reached(event)
            if name is not None:
                self.sometimes(name)
            self._note_offer(event)
        if append.events[0].header.actor.startswith("bot:"):
            self.sometimes("a bot acted")
        try:
            check(append, appended)
        except Violation as violation:
            self.fail(str(violation), violation)

    def _written(self):
        try:
            self.models.check_moved()
        except Violation as violation:
            self.fail(str(violation), violation)

    def _note_offer(self, event):
        game, kind = event.header.game, event.header.kind
        if kind == "seat_offered":
            told = msgspec.json.decode(event.details)
            self.offered[game, told["seat"]] = told.get("to") or ""
        elif kind == "replaced":
            self.offered.pop((game, msgspec.json.decode(event.details)["seat"]), None)
        elif kind == "ended":
            self.offered = {at: to for at, to in self.offered.items() if at[0] != game}

    # faults

    def _stop_faults(self):
        self.trouble.stop()
        self.note("calm")
        self.calm = True
        self.faults = msgspec.structs.replace(self.options.calm(), drop_every_s=0.0)
        for follower in self.followers:
            follower.read_fast()
        for node in self.nodes:
            node.clock.wrong_s = 0.0
            if node.process.alive and node.process.fuse is not None:
                node.process.fuse = None
            node.start()
