"""Five hundred clients that follow a game and never read: bounded memory, a documented end, and nobody else notices."""

import asyncio
import re
import resource
import socket
import statistics
import time
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.integration.hardening.input_kit import TEXT, Raw, frame, port_of
from tests.integration.stream.kit import running

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

CROWD = 500
MEASURED = 30
#: What a transport takes beyond the message that fills it.
TRANSPORT_BYTES = 64 * 1024
#: Memory a socket that never reads may cost: its outbox, its transport, and what Python needs for it.
RSS_BYTES_A_SOCKET = 256 * 1024
#: A view of this game with what goes with it is smaller.
MESSAGE_BYTES = 64 * 1024


@pytest.fixture
def many_files():
    """Both ends of all connections are in this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4 * CROWD)), hard))


def rss():
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024


class Deaf(Raw):
    """A client that asks for every view of a game, and whose kernel takes next to nothing."""

    async def join(self, game):
        end = socket.socket()
        end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        end.setblocking(False)
        await asyncio.get_running_loop().sock_connect(end, ("127.0.0.1", self._port))
        self.reader, self.writer = await asyncio.open_connection(sock=end, limit=1024)
        await self.handshake()
        self.writer.transport.pause_reading()
        asked = b'{"type":"subscribe","game":"%b","updates":"view"}' % game.encode()
        await self.send(frame(TEXT, asked))


async def latency(world, game, quick, count):
    """Seconds from an act to its event at a client that reads, of so many acts."""
    took = []
    for _ in range(count):
        began = time.perf_counter()
        await world.play(game, 1)
        version = await world.version(game)
        await quick.until(version)
        took.append(time.perf_counter() - began)
    return took


async def test_a_crowd_that_never_reads_costs_little_and_hurts_nobody(many_files):
    bounds = {"socket_queue_bytes_soft": 32 * 1024, "socket_send_buffer_bytes": 4096}
    async with running(**bounds, socket_stall_s=10.0, socket_close_s=0.2) as world, AsyncExitStack() as ends:
        players = await world.players(3)
        alone, watched = await world.create(players), await world.create(players)
        hub = world.services.hub
        async with world.client() as quick:
            await quick.subscribe(alone, after=0)
            before = await latency(world, alone, quick, MEASURED)
            quick.got.clear()
            await quick.subscribe(watched, after=0)
            base = rss()
            crowd = [Deaf(port_of(world)) for _ in range(CROWD)]
            for deaf in crowd:
                await deaf.join(watched)
                ends.callback(deaf.writer.transport.abort)
            await world.until(lambda: len(hub.sockets._sockets) == CROWD + 1)
            sessions = [session for session in hub.sockets._sockets if session._secret is None][1:]
            await full(world, watched, sessions)
            during = await latency(world, watched, quick, MEASURED)
            check_bounds(world, sessions)
            grown = rss() - base
            assert grown < CROWD * RSS_BYTES_A_SOCKET
            await world.until(lambda: len(hub.sockets._sockets) == 1)
            assert {session._over.result().code for session in sessions} == {4008}
            after = await latency(world, watched, quick, 5)
            versions = [m["version"] for m in quick.got if m["type"] == "event" and m["game"] == watched]
            assert versions == list(range(1, await world.version(watched) + 1))
    medians = [statistics.median(times) * 1000 for times in (before, during, after)]
    print(  # noqa: T201 - shown with -s
        f"{CROWD} deaf clients: {grown / CROWD / 1024:.0f} KiB each; "
        "ms from act to event before, with them, after: " + ", ".join(f"{ms:.1f}" for ms in medians)
    )
    # Not a matter of time but of kind: one who waited for the crowd would wait for their ten seconds.
    assert max(during) < 10.0


async def full(world, game, sessions):
    """Play until nobody of the crowd is sent anything more."""
    while any(subscription.live for one in sessions for subscription in one._conversation.subscriptions._made.values()):
        assert await world.play(game, 1) == 1
        await asyncio.sleep(0)


def check_bounds(world, sessions):
    settings = world.services.settings
    for session in sessions:
        assert session.outbox._bytes <= settings.socket_queue_bytes_soft + MESSAGE_BYTES
        assert session.outbox._bytes <= settings.socket_queue_bytes_max
        protocol = session._wire._protocol
        assert protocol.transport.get_write_buffer_size() <= TRANSPORT_BYTES + MESSAGE_BYTES
