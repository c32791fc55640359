"""Benches `websocket`, `rest` and `fanout`: the server in a process of its own, and this process as its clients."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvloop
from msgspec import json

from server.settings import Settings
from tests.benchmarks.bare import EVENT
from tests.benchmarks.measure import Contest, compete
from tests.benchmarks.recorded import SEATS, Recorded, recorded
from tests.benchmarks.sockets import Caller, Wire

GAMES = (1, 16, 64)
#: Answers taken of each recorded game; one game after another where few are played at a time.
ANSWERS = 60
ANSWERS_IN_ALL = 1200
#: On a busy machine a measurement ends after this time, whatever has been done by then.
PLAY_S = 2.0
#: Games share a player (and its limits) among so many.
GAMES_PER_PLAYER = 16
WATCHERS = 1000
#: The version at which a game of three seats has started: it was created, three seats were taken.
STARTED = 2 + SEATS
BROADCASTS = 20
STARTUP_S = 30.0
STOP_S = 20.0

#: Subscriptions without words.
QUIET: dict[str, Any] = {"labels": False}

#: As in production but for the rates, which keep one client from just what a benchmark does.
RATES = [name for name in Settings.__struct_fields__ if name.startswith("rate_") and name.endswith("_per_min")]
ENVIRON = {f"TURNLOG_{name.upper()}": "0" for name in RATES}


#: So many a second, and so many a second of the server's CPU.
Rates = tuple[float, float]


class Site:
    """A server in a process of its own."""

    def __init__(self, port: int, pid: int) -> None:
        self.port = port
        self.pid = pid
        self._stat = Path(f"/proc/{pid}/stat")

    def cpu(self) -> float:
        """Seconds of CPU that the server has used."""
        times = self._stat.read_text().rpartition(")")[2].split()
        return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")

    async def call(self, token: str = "") -> Caller:
        """A new connection."""
        return Caller(await Wire.connect(self.port), token)

    async def socket(self, path: str = "/v1/stream") -> Caller:
        """A new WebSocket."""
        caller = await self.call()
        await caller.upgrade(path)
        return caller


@contextmanager
def site(*command: str, settings: Mapping[str, str] | None = None) -> Iterator[Site]:
    """Run `python command` with a new database in place of DATABASE and a free port in place of PORT.

    settings: TURNLOG_… variables beside those of all benches.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        known = {"DATABASE": f"{folder}/log.db", "PORT": str(port)}
        told = [sys.executable, *(known.get(word, word) for word in command)]
        log = Path(folder) / "log.txt"
        with log.open("wb") as out:
            process = subprocess.Popen(told, env=os.environ | ENVIRON | dict(settings or {}), stdout=out, stderr=out)
        try:
            _await_port(process, port, log)
            yield Site(port, process.pid)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(STOP_S)


def _await_port(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    end = time.monotonic() + STARTUP_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(log.read_text()) from None
            time.sleep(0.05)
        else:
            return


def turnlog() -> Any:
    """The server as it is run."""
    return site("-m", "server.cli", "serve", "--database", "DATABASE", "--port", "PORT")


def bare() -> Any:
    """What it is held against."""
    return site("-m", "tests.benchmarks.bare", "DATABASE", "PORT")


async def _sign_up(server: Site) -> str:
    caller = await server.call()
    told = json.decode(await caller.post("/v1/players", b'{"name":"bench"}'))
    caller.wire.close()
    return str(told["token"])


async def _new_game(caller: Caller, game: Recorded) -> str:
    body = json.encode({"ruleset": "tpoc", "seats": ["me"] * SEATS, "seed": game.seed})
    return str(json.decode(await caller.post("/v1/games", body))["game"])


async def _measured(server: Site, work: Iterable[Coroutine[Any, Any, int]]) -> Rates:
    start, used = time.perf_counter(), server.cpu()
    count = sum(await asyncio.gather(*work))
    return count / (time.perf_counter() - start), count / max(server.cpu() - used, 0.001)


def _act(id_: str, game: str, seat: int, action: bytes) -> bytes:
    told = b'{"type":"act","id":"%b","game":"%b","seat":%d,"if_version":"*","action":%b}'
    return told % (id_.encode(), game.encode(), seat, action)


class Runner:
    """Plays recorded games, one connection each, one answer after the other, and waits for what comes of each."""

    def __init__(self, server: Site, *, stream: bool) -> None:
        self._server = server
        self._stream = stream
        self._jobs: list[list[tuple[Caller, str, Recorded]]] = []

    async def prepare(self, at_once: int) -> None:
        """Make the games and connect."""
        per_line = max(1, ANSWERS_IN_ALL // at_once // ANSWERS)
        token = ""
        for number in range(at_once):
            if number % GAMES_PER_PLAYER == 0:
                token = await _sign_up(self._server)
            line = []
            for turn in range(per_line):
                game = recorded(number + at_once * turn)
                maker = await self._server.call(token)
                line.append((maker, await _new_game(maker, game), game))
            self._jobs.append(line)
        await asyncio.gather(*map(self._set_up, self._jobs))
        if self._stream:
            for line in self._jobs:
                for index, (maker, game, script) in enumerate(line):
                    watcher = await self._server.socket()
                    await watcher.say(type="hello", token=maker.token)
                    await watcher.say(type="subscribe", game=game, updates="effects", after=STARTED + SEATS, **QUIET)
                    maker.wire.close()
                    line[index] = (watcher, game, script)

    async def _set_up(self, line: list[tuple[Caller, str, Recorded]]) -> None:
        """Answer the set-up, whose long lists of choices are no turn of a game; not measured."""
        socket = await self._server.socket()
        await socket.say(type="hello", token=line[0][0].token)
        for _, game, script in line:
            for number, (seat, action) in enumerate(script.answers[:SEATS]):
                socket.wire.text(_act(f"{number}.{game}", game, seat, action))
                if b'"type":"accepted"' not in (told := await socket.next()):
                    raise RuntimeError(told.decode())
        socket.wire.close()

    async def play(self) -> Rates:
        """Play all, or until the time is over."""
        lines = [self._line(line, time.perf_counter() + PLAY_S) for line in self._jobs]
        return await _measured(self._server, lines)

    async def _line(self, line: list[tuple[Caller, str, Recorded]], end: float) -> int:
        count = 0
        for caller, game, script in line:
            for number, (seat, action) in enumerate(script.answers[SEATS:ANSWERS], SEATS):
                if time.perf_counter() > end:
                    break
                await (self._act if self._stream else self._post)(caller, game, seat, action, number)
                count += 1
            caller.wire.close()
        return count

    async def _act(self, caller: Caller, game: str, seat: int, action: bytes, number: int) -> None:
        caller.wire.text(_act(f"{number}.{game}", game, seat, action))
        first = await caller.next()
        second = await caller.next()
        if b'"type":"refused"' in first + second:
            raise RuntimeError((first + second).decode())

    async def _post(self, caller: Caller, game: str, seat: int, action: bytes, number: int) -> None:
        body = b'{"seat":%d,"action":%b}' % (seat, action)
        key = b'idempotency-key: %d.%b\r\nif-match: "*"\r\n' % (number, game.encode())
        await caller.post(f"/v1/games/{game}/actions", body, key.replace(b'"*"', b"*"))


async def _echo(server: Site, at_once: int, *, stream: bool) -> Rates:
    callers = [await (server.socket("/") if stream else server.call()) for _ in range(at_once)]
    end = time.perf_counter() + PLAY_S
    message = b"m" * 200

    async def one(caller: Caller) -> int:
        count = 0
        while count < max(ANSWERS, ANSWERS_IN_ALL // at_once) and time.perf_counter() < end:
            if stream:
                caller.wire.text(message)
                await caller.next()
                await caller.next()
            else:
                await caller.post("/", message)
            count += 1
        return count

    rates = await _measured(server, map(one, callers))
    for caller in callers:
        caller.wire.close()
    return rates


async def _play(server: Site, at_once: int, *, stream: bool) -> Rates:
    runner = Runner(server, stream=stream)
    await runner.prepare(at_once)
    return await runner.play()


def _run(work: Coroutine[Any, Any, Rates]) -> Rates:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


#: What is measured of a server, and the aims of its row: ratio and rate.
Measure2 = Callable[[], Rates]
Aims = tuple[float | None, float | None]


def _twice(label: tuple[str, str, str], ours: Measure2, peer: Measure2, aims: Aims) -> list[Contest]:
    """Two rows of the same measurements: by the clock, and by the CPU that the servers used."""
    name, unit, peer_name = label
    of_ours: list[float] = []
    of_peer: list[float] = []

    def wall(measure: Measure2, kept: list[float]) -> float:
        rate, cpu_rate = measure()
        kept.append(cpu_rate)
        return rate

    by_clock = Contest(name, unit, lambda: wall(ours, of_ours), peer_name, lambda: wall(peer, of_peer), *aims)
    cpu_name = "— by the server's CPU time alone"
    by_cpu = Contest(cpu_name, unit, lambda: of_ours[-1], peer_name, lambda: of_peer[-1])
    return [by_clock, by_cpu]


def _acting(rounds: int, *, stream: bool) -> None:
    way = "WebSocket" if stream else "REST"
    with turnlog() as ours, bare() as theirs:
        contests = []
        for at_once in GAMES:
            contests += _twice(
                (
                    f"durable actions, {way}, {at_once} game{'s' * (at_once > 1)}",
                    "actions",
                    "bare ASGI, echo and append",
                ),
                lambda at_once=at_once: _run(_play(ours, at_once, stream=stream)),
                lambda at_once=at_once: _run(_echo(theirs, at_once, stream=stream)),
                (None, 5000 if stream and at_once == max(GAMES) else None),
            )
        compete(contests, rounds)


def bench_websocket(rounds: int) -> None:
    """Durable actions of TPOC over WebSockets, one subscriber a game."""
    _acting(rounds, stream=True)


def bench_rest(rounds: int) -> None:
    """Durable actions of TPOC over HTTP."""
    _acting(rounds, stream=False)


async def _broadcasts(server: Site, watchers: list[Caller], trigger: Callable[[int], None]) -> Rates:
    """Deliveries of messages each of which all have got before the next one is sent."""

    async def all_of_them() -> int:
        for number in range(BROADCASTS):
            waiting = [watcher.next() for watcher in watchers]
            trigger(number)
            await asyncio.gather(*waiting)
        return BROADCASTS * len(watchers)

    rates = await _measured(server, [all_of_them()])
    for watcher in watchers:
        watcher.wire.close()
    return rates


async def _fan_out(server: Site) -> Rates:
    token = await _sign_up(server)
    maker = await server.call(token)
    script = recorded(0)
    game = await _new_game(maker, script)
    player = await server.socket()
    await player.say(type="hello", token=token)
    watchers = []
    for _ in range(WATCHERS):
        watcher = await server.socket()
        await watcher.say(type="subscribe", game=game, updates="effects", after=STARTED, **QUIET)
        watchers.append(watcher)

    def act(number: int) -> None:
        seat, action = script.answers[number]
        player.wire.text(_act(str(number), game, seat, action))

    rates = await _broadcasts(server, watchers, act)
    player.wire.close()
    maker.wire.close()
    return rates


async def _bare_fan_out(server: Site) -> Rates:
    watchers = [await server.socket("/") for _ in range(WATCHERS)]
    return await _broadcasts(server, watchers, lambda _: watchers[0].wire.text(b"b" + EVENT.encode()))


def bench_fanout(rounds: int) -> None:
    """One action to 1,000 spectators."""
    with turnlog() as ours, bare() as theirs:
        contests = _twice(
            ("fan-out to 1,000 sockets", "deliveries", "bare ASGI broadcast"),
            lambda: _run(_fan_out(ours)),
            lambda: _run(_bare_fan_out(theirs)),
            (0.8, None),
        )
        compete(contests, rounds)
