"""Servers as processes of their own, what they say of themselves, and games on them by HTTP and sockets."""

import asyncio
import random
import re
import time
from contextlib import AsyncExitStack, asynccontextmanager

import httpx

from tests.integration.hardening.input_kit import Raw
from tests.integration.hardening.kit import NEWEST, Site
from tests.integration.stream.kit import Client

#: As in production but for rates, which would keep one address from what many clients do, and for waiting times and
#: queues, which are shorter.
SETTINGS = {
    **{
        f"TURNLOG_RATE_{budget}_{by}_PER_MIN": "0"
        for budget in ("READS", "WRITES", "SOCKET_MESSAGES", "SOCKET_CONNECTS")
        for by in ("PLAYER", "TOKEN", "ADDRESS")
    },
    **{f"TURNLOG_RATE_TALK_{by}_PER_MIN": "0" for by in ("TOKEN", "ADDRESS", "PLAYER")},
    "TURNLOG_RATE_SIGN_UPS_ADDRESS_PER_MIN": "0",
    "TURNLOG_SOCKETS_PER_PLAYER_MAX": "2000",
    "TURNLOG_AUDIT_SHARE": "0",
    "TURNLOG_METRICS_OPEN": "true",
    "TURNLOG_HELLO_S": "1.5",
    # Longer than a crowd keeps the test's own loop between connecting and asking: what comes later is refused, rightly.
    "TURNLOG_HEAD_S": "5",
    "TURNLOG_HEARTBEAT_S": "2",
    "TURNLOG_SOCKET_STALL_S": "3",
    "TURNLOG_SOCKET_CLOSE_S": "0.3",
    "TURNLOG_SOCKET_SEND_BUFFER_BYTES": "4096",
    "TURNLOG_SOCKET_QUEUE_BYTES_SOFT": "32768",
    "TURNLOG_SOCKET_QUEUE_BYTES_MAX": "131072",
    "TURNLOG_TICKET_S": "1",
}

#: What a server has for its clients, and gives back when they are gone.
FOR_CLIENTS = (
    "turnlog_stream_sockets",
    "turnlog_stream_games",
    "turnlog_stream_subscriptions",
    "turnlog_stream_queue_bytes",
    "turnlog_tasks",
)
SETTLE_S = 20.0
#: Files that a server may have more of than at its start: its databases' pool, and connections kept alive.
FILES_MORE = 30

_SAMPLE = re.compile(r"^(\w+(?:\{.*\})?) (\S+)$", re.MULTILINE)


class Remote(Site):
    """A server in another process. `node`: its process (tests/cluster), which may be killed and started."""

    def __init__(self, client, node):
        super().__init__(client, None, [])
        self.node = node
        self.port = node.port

    async def player(self, name="somebody", scopes=None):
        """(id, token) of a new player."""
        told = await self.told("POST", "/v1/players", None, {"name": name})
        return told["player"], told["token"]

    async def version(self, game):
        """The newest version, by HTTP."""
        return (await self.told("GET", f"/v1/games/{game}"))["version"]

    async def kinds(self, game, token):
        """The kinds of the game's events."""
        return [event["kind"] for event in await self.events(game, token)]

    async def events(self, game, token):
        """All events of a game, as a holder of seats reads them."""
        found = []
        while True:
            path = f"/v1/games/{game}/events?after={len(found)}&labels=false&limit=1000"
            more = (await self.told("GET", path, token))["events"]
            found += more
            if not more:
                return found

    async def ticket(self, token):
        """A new ticket."""
        return (await self.told("POST", "/v1/tickets", token))["ticket"]

    async def revoke(self, token):
        """Revoke a token by itself."""
        own = (await self.told("GET", "/v1/me", token))["token"]
        await self.told("DELETE", f"/v1/tokens/{own}", token)

    async def deal(self, **given):
        """A new game of one new player who holds all seats."""
        _, token = await self.player()
        return Table(self, await self.game(token, **given), token)

    def socket(self, token=None, **options):
        """A client of the stream, connected on entering. It takes what comes, also while the test does other things."""
        return Client(f"ws://127.0.0.1:{self.port}/v1/stream", token, **({"max_queue": None} | options))

    def raw(self):
        """A bare connection."""
        return Raw(self.port)

    async def figures(self):
        """Samples of /metrics, by name with labels."""
        text = (await self.send("GET", "/metrics")).text
        return {name: float(value) for name, value in _SAMPLE.findall(text)}

    async def figure(self, name):
        return (await self.figures())[name]

    async def until(self, holds, seconds=SETTLE_S):
        """The figures as soon as `holds(figures)`; an AssertionError with them if it does not come to that."""
        end = time.monotonic() + seconds
        while not holds(found := await self.figures()):
            assert time.monotonic() < end, {name: found[name] for name in FOR_CLIENTS}
            await asyncio.sleep(0.02)
        return found

    async def settled(self, start):
        """All that was there for clients is given back: figures are those of the start."""
        await self.until(lambda now: all(now[name] <= start[name] for name in FOR_CLIENTS))
        end = await self.figures()
        assert end["process_open_fds"] <= start["process_open_fds"] + FILES_MORE


class Table:
    """A game of one player who holds all seats. `random` chooses what is played."""

    def __init__(self, site, game, token):
        self.site, self.game, self.token = site, game, token
        self.random = random.Random(game)

    def on(self, site):
        """The same table on another node."""
        return Table(site, self.game, self.token)

    async def owed(self):
        """(seat, a legal action) of a seat that owes a decision."""
        seat = (await self.site.told("GET", f"/v1/games/{self.game}", self.token))["deciding"][0]
        return seat, self.random.choice(await self.site.legal(self.game, self.token, seat))

    async def act(self, count=1):
        """Play random legal actions by HTTP; the version then."""
        for _ in range(count):
            seat, action = await self.owed()
            body = {"seat": seat, "action": action}
            told = await self.site.told("POST", f"/v1/games/{self.game}/actions", self.token, body, **NEWEST)
        return told["version"]

    async def say(self, count=1, words="Well?"):
        """Say something: an event that needs no rules; the version then."""
        for _ in range(count):
            version = await self._say(words)
        return version

    async def _say(self, words):
        body = {"words": words, "seat": 0}
        return (await self.site.told("POST", f"/v1/games/{self.game}/messages", self.token, body))["version"]

    async def chatter(self, count):
        """Say something so many times at once; the newest version."""
        return max(await asyncio.gather(*(self._say("Hm.") for _ in range(count))))

    async def undo(self, seat):
        """Take back; the response."""
        return await self.site.send("POST", f"/v1/games/{self.game}/undo", self.token, {"seat": seat}, **NEWEST)

    async def version(self):
        return await self.site.version(self.game)

    @asynccontextmanager
    async def follower(self, **subscribe):
        """A client that follows the game as a spectator, from its first version."""
        async with self.site.socket(self.token) as client:
            await client.subscribe(self.game, **({"after": 0, "seat": "spectator"} | subscribe))
            yield client


async def start(server):
    """Start a database (tests/services.py) while the test's sockets go on answering pings."""
    ready, server.ready = server.ready, lambda: True
    server.start()
    server.ready = ready
    async with asyncio.timeout(60):
        while not server.ready():  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.02)


def versions(client, game):
    """Versions of the events that a client got, in order."""
    return [told["version"] for told in client.got if told["type"] == "event" and told["game"] == game]


async def got_all(client, game, head):
    """Read up to a version; every version of the game came, once and in order."""
    while not (found := versions(client, game)) or found[-1] < head:
        told = await client.next()
        assert told["type"] != "unsubscribed", told
    assert found == list(range(found[0], found[-1] + 1))
    return found


def problem(told):
    """The code of a refusal."""
    assert told["type"] == "refused", told
    return told["problem"]["code"]


@asynccontextmanager
async def remote(*nodes):
    """Sites of these nodes, one or several."""
    # Idle connections are given up well before the server closes them, or a request would cross with that.
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=8, keepalive_expiry=1)
    async with AsyncExitStack() as parts:
        sites = []
        for node in nodes:
            client = httpx.AsyncClient(base_url=node.address, trust_env=False, verify=False, timeout=60, limits=limits)
            sites.append(Remote(await parts.enter_async_context(client), node))
        yield sites


@asynccontextmanager
async def crowd(make, count):
    """`count` clients that `make()` makes, connected 50 at a time."""
    async with AsyncExitStack() as parts:
        found, gate = [], asyncio.Semaphore(50)

        async def enter():
            async with gate:
                found.append(await parts.enter_async_context(make()))

        await asyncio.gather(*(enter() for _ in range(count)))
        yield found
