"""Search processes that wait at a gate, and a server whose bots search."""

import asyncio
import os
import signal
import socket
import struct
from contextlib import asynccontextmanager

from msgspec import to_builtins
from structlog.testing import capture_logs

from games.kernel import encode, legal, pending
from server.access import PLAY, Caller
from server.asks import Ask
from server.bots import Bots
from server.creating import NewGame, create
from server.playing import Act, act, resign
from server.search.pool import PoolLimits, SearchPool
from server.search.worker import Wanted, load_ruleset, task_of
from server.services import Services
from server.settings import Settings
from tests.properties.playouts import play

GATE = "TURNLOG_TEST_GATE"
LIMITS = PoolLimits(workers=1, waiting_max=2, timeout_s=60)


def load_gated(ruleset):
    """In a search process: tell the test who searches, and go on when it says so."""
    with socket.socket(socket.AF_UNIX) as gate:
        gate.connect(os.environ[GATE])
        gate.sendall(struct.pack("!i", os.getpid()))
        gate.recv(1)
    return load_ruleset(ruleset)


class Held:
    """A search process that waits at the gate."""

    def __init__(self, pid, reader, writer):
        self.pid = pid
        self._reader = reader
        self._writer = writer

    async def closed(self):
        """Wait until its end of the gate is closed: it has ended."""
        assert await self._reader.read() == b""
        self._writer.close()

    def release(self):
        self._writer.close()

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)
        self._writer.close()


class Gate:
    """Where the searches of `load_gated` arrive, one after another."""

    def __init__(self):
        self._held = asyncio.Queue()
        self._writers = []

    async def __call__(self, reader, writer):
        self._writers.append(writer)
        (pid,) = struct.unpack("!i", await reader.readexactly(4))
        self._held.put_nowait(Held(pid, reader, writer))

    async def arrived(self):
        return await self._held.get()

    def close(self):
        for writer in self._writers:
            writer.close()


@asynccontextmanager
async def gate_at(path, monkeypatch):
    """A gate that search processes started from now on find."""
    monkeypatch.setenv(GATE, str(path))
    gate = Gate()
    server = await asyncio.start_unix_server(gate, path)
    try:
        yield gate
    finally:
        gate.close()
        server.close()
        await server.wait_closed()


def pool_of(load=load_ruleset, limits=LIMITS):
    return SearchPool(limits, load)


def some_task(random, iterations=3):
    """A search from the first decision of a game of TPOC."""
    rules = load_ruleset("tpoc")
    state = play(rules, 0).state(0)
    return task_of(rules, state, Wanted(state.pack, pending(state).seats[0], iterations), random)


class World:
    """A server without a network, the games it has, and what its bots log."""

    def __init__(self, services, logs):
        self.services = services
        self.games = services.games
        self.logs = logs

    def logged(self, event):
        return [line for line in self.logs if line["event"] == event]

    def ask(self, player):
        return Ask(Caller(player=player, scopes=frozenset({PLAY})), _game, if_version="*")

    async def create(self, *seats, **given):
        """A game of TPOC that `ann` makes; all its seats are hers or bots'."""
        new = NewGame(ruleset="tpoc", seats=list(seats), **given)
        return (await self.games.run(create(self.games, self.ask("ann"), new))).decode()

    async def act(self, game):
        """Ann takes the first action that she has."""
        async with self.games.game(game) as live:
            seat = live.meta.seats_of("ann")[0]
            action = to_builtins(legal(live.rules, live.state, seat)[0])
        await self.games.run(act(self.games, self.ask("ann"), game, Act(action, seat)))

    async def resign(self, game):
        await self.games.run(resign(self.games, self.ask("ann"), game, None))

    async def until(self, game, condition):
        """Wait until the game is as wanted; its live game."""
        moved = asyncio.Event()
        stop = self.services.feed.listen(lambda told: moved.set() if told.game == game else None)
        try:
            while True:
                async with self.games.game(game) as live:
                    if condition(live):
                        return live
                await moved.wait()
                moved.clear()
        finally:
            stop()

    async def end(self, game):
        return await self.until(game, lambda live: live.meta.status == "ended")

    async def versions_of(self, game, seat):
        """The versions of what a seat did."""
        events = await self.services.store.read(game)
        return [e.header.version for e in events if e.header.seat == seat and e.header.kind == "acted"]


def _game(live, _):
    return live.meta.game.encode()


@asynccontextmanager
async def world_of(pool, database=":memory:", **settings):
    """A running server whose bots search with this pool."""
    with capture_logs() as logs:
        services = Services.open(Settings(database=str(database), **settings))
        services.bots = Bots(services.games, services.lobby, pool)
        await services.start()
        try:
            yield World(services, logs)
        finally:
            await services.stop()


class AnyPool:
    """A pool without processes: `answer(task)` is what a search finds. `most`: as many ran at a time."""

    def __init__(self, answer, workers=1):
        self.limits = PoolLimits(workers=workers, waiting_max=2, timeout_s=60)
        self._answer = answer
        self._running = 0
        self.most = 0
        self.tasks = []

    async def search(self, task):
        self.tasks.append(task)
        self._running += 1
        self.most = max(self.most, self._running)
        await asyncio.sleep(0)
        self._running -= 1
        return self._answer(task)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        pass


def first_legal(task):
    """What a search would answer that finds the first action best."""
    rules = load_ruleset(task.ruleset)
    return encode(legal(rules, rules.state_decoder.decode(task.state), task.seat)[0])
