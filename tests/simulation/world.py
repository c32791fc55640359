"""One run: the nodes, what they share, the clients, the faults, and the end, when everything must come together."""

import asyncio
from collections import deque
from contextvars import Context
from hashlib import sha256

import msgspec
from msgspec import Struct

from games.kernel import decisions
from projections.clock import SECOND, microseconds
from projections.settlement import next_due
from server.callers import Believed
from server.creating import ME
from server.ports import timestamp
from server.records import Records
from tests.simulation.bus import SimBus
from tests.simulation.chance import SimClock, SimRandom, Told, stream
from tests.simulation.clients import PATIENCE_S, UPDATES, Follower, Following
from tests.simulation.database import SharedDatabase
from tests.simulation.front import Request, serve
from tests.simulation.judge import Judge, Violation
from tests.simulation.loop import Process, SimLoop
from tests.simulation.models import Models
from tests.simulation.node import Node, Unreachable
from tests.simulation.players import Player
from tests.simulation.reached import reached
from tests.simulation.rulesets import canaries, catalogue
from tests.simulation.sockets import Connection
from tests.simulation.store import Truth
from tests.simulation.trouble import Trouble
from tests.simulation.watcher import Watcher

#: A run with faults ends after so long at the latest, and then has so long to come together.
VIRTUAL_S_MAX = 60.0
CONVERGED_S = 60.0
SETTLED_S = 90.0

TRACE_LINES = 40

#: Time may stand still for so long after something was due.
OVERDUE_S = 5

#: So long after it came of age a version may be on its way to spectators.
AGED_S = 1


class Failure(Exception):
    """What a run found."""


class Attempt(Struct, kw_only=True):
    """A request on its way through one node. known, repeated: it had been carried out, or acknowledged, before."""

    player: str
    request: Request
    seat: int
    process: Process
    clock: SimClock
    known: bool
    repeated: bool
    judged: bool
    done: bool = False


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

    # requests

    async def call(self, player, request, attempts, seat, *, judged=True):
        """Send a request to some node, over a network that loses, repeats and is slow. Raises Unreachable."""
        node = self.any_node(self.chance)
        if node is None:
            raise Unreachable
        await asyncio.sleep(self._latency())
        if not node.ready or self.chance.random() < self.faults.net_lost:
            raise Unreachable
        served = self._serve(node, player, request, attempts, seat, judged=judged)
        if request.key is not None and self.chance.random() < self.faults.net_repeated:
            other = self.any_node(self.chance)
            if other is not None:
                self.sometimes("a request arrived twice")
                self._serve(other, player, request, attempts, seat, judged=judged)
        try:
            async with asyncio.timeout(PATIENCE_S):
                reply = await asyncio.shield(served)
        except TimeoutError:
            raise Unreachable from None
        await asyncio.sleep(self._latency())
        if self.chance.random() < self.faults.net_lost:
            self.sometimes("an answer was lost")
            raise Unreachable
        return reply

    def _serve(self, node, player, request, attempts, seat, *, judged):
        """Have a node serve a request; a future of its reply, which fails if the process dies before."""
        once, reply = (player.id, request.key), self.loop.create_future()
        attempt = Attempt(
            player=player.id,
            request=request,
            seat=seat,
            process=node.process,
            clock=node.clock,
            known=once in self.truth.commands(),
            repeated=self.judge.is_acknowledged(once),
            judged=judged,
        )
        attempts.append(attempt)
        node.process.on_death.append(lambda: self.later(0.01, _break, reply))
        task = node.spawn(serve(node.services, request))
        task.add_done_callback(lambda ended: self._served(ended, reply, attempt, attempts))
        return reply

    def _served(self, task, reply, attempt, attempts):
        request = attempt.request
        if task.cancelled():
            _break(reply)
            return
        if task.exception() is not None:
            self.fail(f"{request.do} failed in the server: {task.exception()!r}", task.exception())
            return
        attempt.done = True
        answer = task.result()
        self.note("answered", request.key, request.do, attempt.process.name, answer.code or "done")
        if attempt.judged:
            try:
                self.judge.answered(
                    attempt.player, request, answer, attempt.seat, repeated=attempt.repeated, clock=attempt.clock
                )
            except Violation as violation:
                self.fail(f"{attempt.process.name}: {violation}", violation)
                return
            if not answer.code and attempt.known and request.key is not None:
                self._resent(attempts)
        if not reply.done():
            reply.set_result(answer)

    def _resent(self, attempts):
        self.sometimes("a resent command got the first answer again")
        if any(not one.done and not one.process.alive for one in attempts):
            self.sometimes("a resent command had met a crash between commit and answer")

    def _latency(self):
        return self.chance.expovariate(1 / self.faults.net_latency_s)

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
        await self._sign_up()
        for node in self.nodes:
            node.start()
        await self._create_games()
        self.trouble.start()
        followers = [self.task(follower.run()) for follower in (*self.followers, self.watcher)]
        playing = [self.task(player.play()) for player in self.players]
        while self.more():  # noqa: ASYNC110 - a run knows no event for that
            await asyncio.sleep(0.25)
        self._stop_faults()
        await self._settle(playing)
        await self._converge()  # if the bus stays away, without it
        await self.trouble.over()
        await self._converge()
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

    async def _sign_up(self):
        """Tokens, before anything goes wrong."""
        database = _Quiet(self.tables)
        records = Records(
            database, SimClock(self.loop), SimRandom(stream(self.options.seed, "tokens")), Believed(10, 1.0)
        )
        for number in range(self.options.players):
            player, token = await records.sign_up(f"player {number}", ("watch", "play"))
            self.players.append(Player(self, number, player.id, token))
        stranger, token = await records.sign_up("stranger", ("watch",))
        self.watcher = Watcher(self, stranger.id, token)

    async def _create_games(self):
        """Games, made by the players themselves while nothing goes wrong yet."""
        self.faults = self.options.calm()
        for number in range(self.options.games):
            await self._create_game(number)
        self.faults = self.options
        for number, player in enumerate(self.players):
            followed = [self.following(game, player.seats[game]) for game in sorted(player.seats)]
            player.follower = Follower(self, f"player {number}", player.token, followed)
            player.follower.player = player
            self.followers.append(player.follower)
        watched = [self.following(game, "spectator") for game in self.judge.games]
        self.followers.append(Follower(self, "spectator", None, watched))

    def following(self, game, seat):
        """A game as somebody follows it from now on."""
        chance = self.chance
        whole = chance.random() < 0.7
        return Following(game, seat, chance.choice(UPDATES), labels=chance.random() < 0.2, whole=whole)

    async def _create_game(self, number):
        chance = self.chance
        tiny = chance.random() < 0.7
        seats = chance.randint(2, 3) if tiny else 3
        bots = 1 if chance.random() < 0.35 else 0
        people = chance.sample(self.players, seats - bots)
        creator = people[0]
        plans = [ME] + ["open"] * (len(people) - 1) + ["bot:random"] * bots
        body = {"ruleset": "tiny" if tiny else "tpoc", "seats": plans, "undo": chance.choice(("free", "fair", "fair"))}
        if chance.random() < self.options.clocks:
            body |= self._clock()
        table = stream(self.options.seed, "table", number)
        if table.random() < self.options.delays:
            body["spectator_delay_s"] = table.choice((1, 2, 5))
        if tiny:
            body |= {"pack": canaries(), "options": {"rounds": 3}}
        while self.any_node(chance) is None:  # noqa: ASYNC110 - as a client does
            await asyncio.sleep(0.05)
        reply = await creator.submit(Request(do="create", token=creator.token, body=body))
        if reply.code:
            raise Failure(f"a game could not be made: {reply.body!r}")
        game = reply.told["game"]
        creator.seats[game] = 0
        for seat, player in enumerate(people[1:], 1):
            reply = await player.submit(Request(do="join", token=player.token, game=game, body={"seat": seat}))
            if reply.code:
                raise Failure(f"a seat could not be taken: {reply.body!r}")
            player.seats[game] = seat

    def _clock(self):
        """A clock with which seats do run out of time."""
        chance = self.chance
        bank = {"bank_s": chance.choice((1, 5, 20)), "increment_s": chance.choice((0, 1))}
        turn = {"move_s": chance.choice((1, 3))}
        policies = ("default", "resign", "remind", "bot", "substitute")
        policy = {"policy": chance.choice(policies), "grace_s": chance.choice((0, 1))}
        rests = {"answer_s": 3, "pause_s": 10, "vacation_s": 5}
        return {"clock": chance.choice((bank, turn)) | rests, "on_timeout": policy}

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

    # the end

    async def _settle(self, playing):
        """Every request is answered in the end."""
        _, waiting = await asyncio.wait(playing, timeout=SETTLED_S)
        if waiting:
            told = [f"{player.id} waits for {player.waits_for}" for player in self.players if player.waits_for]
            raise Violation(f"{SETTLED_S} s after the last fault not every request was answered: {told}")
        for task in playing:
            task.result()

    async def _converge(self):
        """Everybody comes to know everything."""
        until = self.loop.time() + CONVERGED_S
        while behind := self._behind():
            if self.loop.time() > until:
                raise Violation(f"{CONVERGED_S} s after the last fault: {'; '.join(behind)}")
            await asyncio.sleep(0.25)

    def _behind(self):
        behind = []
        for follower in self.followers:
            for one in follower.followed:
                oracle = self.judge.oracle(one.game)
                delayed = one.seat == "spectator" and oracle.delay_us > 0
                least = oracle.aged(self._now_us() - AGED_S * SECOND) if delayed else oracle.head
                if one.last is None or one.last < least:
                    behind.append(f"{follower.name} has version {one.last} of {least} of {one.game}")
        position, head = self.models.check(), len(self.truth.all_rows())
        if position != head:
            behind.append(f"a read model is at {position} of {head}")
        for game in self.judge.games:
            self.judge.oracle(game).fold()
            due_us = next_due(self.judge.oracle(game).live)
            if due_us is not None and due_us < self._now_us() - OVERDUE_S * SECOND:
                behind.append(f"what is due in {game} has not happened")
            bot = self._owing_bot(game)
            if bot is not None:
                behind.append(f"{bot} has not answered in {game}")
        return behind

    def _now_us(self):
        return microseconds(timestamp(self.nodes[0].clock.now()))

    def _owing_bot(self, game):
        oracle = self.judge.oracle(game)
        meta, state = oracle.live.meta, oracle.live.moment.state
        if meta.status != "running" or meta.request is not None or meta.paused:
            return None
        owing = [meta.seats[one.seat].player for one in decisions(state) if one.owes]
        return next((player for player in owing if player.startswith("bot:")), None)


class _Quiet:
    """The shared tables without a link, for what is done before a run begins."""

    shared = True

    def __init__(self, tables):
        self._tables = tables

    def migrate(self, name, statements):
        self._tables.migrate(name, statements)

    async def write(self, work):
        return self._tables.write(work)


def _break(reply):
    if not reply.done():
        reply.set_exception(Unreachable())
        reply.exception()  # nobody may be waiting any more
