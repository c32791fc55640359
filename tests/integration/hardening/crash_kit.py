"""Clients that play on while their server is killed again and again, and a ledger of all that they were told."""

import asyncio
import json
import random
from collections import defaultdict
from contextlib import suppress
from typing import NamedTuple

import httpx
import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

#: How a client finds out that its server is gone.
GONE = (OSError, EOFError, WebSocketException, httpx.TransportError)
#: Seconds between two attempts to reach it.
AGAIN_S = 0.04
#: What a server that stops, or a proxy that has lost it, answers: nobody knows what became of the request.
UNKNOWN = {502, 503, 504}
#: Problems after which a client looks at the game again and decides anew.
MOVED_ON = {"version_conflict", "not_your_decision", "game_over"}


class Acked(NamedTuple):
    """An answer that said that something is durable. `request`: client, method, path, body (None: over a socket)."""

    player: str
    key: str
    game: str
    version: int
    digest: str | None
    request: tuple | None = None
    response: bytes = b""


class Ledger:
    """What clients were told."""

    def __init__(self):
        self.acked = []
        self.told = defaultdict(set)
        self.games = []
        self.webs = []
        self.keys = 0
        self._more = asyncio.Event()

    def ack(self, acked):
        self.acked.append(acked)
        self._more.set()

    def tell(self, game, version, digest):
        self.told[game, version].add(digest)

    def key(self):
        self.keys += 1
        return f"k{self.keys}"

    async def acks(self, count):
        """Wait until so many more answers were given."""
        wanted = len(self.acked) + count
        while len(self.acked) < wanted:
            self._more.clear()
            await self._more.wait()


class Web:
    """A player over HTTP. A request whose answer does not come is sent again, as it was."""

    def __init__(self, port, ledger):
        self.url, self.ledger, self.token = f"http://127.0.0.1:{port}", ledger, None
        self.resent = 0
        ledger.webs.append(self)

    async def __aenter__(self):
        self._client = httpx.AsyncClient(base_url=self.url, trust_env=False, timeout=60)
        return self

    async def __aexit__(self, *_):
        await self._client.aclose()

    async def call(self, method, path, body=None, key=None):
        """The response, as soon as there is one that says what became of the request."""
        headers = {"If-Match": "*"} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        headers |= {"Idempotency-Key": key} if key else {}
        content = None if body is None else msgspec.json.encode(body)
        while True:
            try:
                response = await self._client.request(method, path, content=content, headers=headers)
            except GONE:
                self.resent += 1
                await asyncio.sleep(AGAIN_S)
                continue
            if response.status_code not in UNKNOWN:
                return response
            await asyncio.sleep(AGAIN_S)

    async def command(self, method, path, body):
        """A request with a key; its answer is noted, if it is a success."""
        key = self.ledger.key()
        response = await self.call(method, path, body, key)
        assert response.is_success or response.json()["code"] in MOVED_ON, (path, body, response.text)
        if response.is_success:
            told = response.json()
            request = (self, method, path, body)
            self.ledger.ack(
                Acked(self.player, key, told["game"], told["version"], told["digest"], request, response.content)
            )
        return response

    async def repeat(self, acked):
        """The answer to the very request again."""
        _, method, path, body = acked.request
        return (await self.call(method, path, body, acked.key)).content

    async def sign_up(self):
        told = (await self.call("POST", "/v1/players", {})).json()
        self.player, self.token = told["player"], told["token"]

    async def play(self, game, seat, chance):
        """Play a seat to the end of the game, and talk now and then."""
        while True:
            response = await self.call("GET", f"/v1/games/{game}/actions?seat={seat}&labels=false")
            told = response.json()
            actions = [one["action"] for decision in told["decisions"] for one in decision.get("actions") or ()]
            if actions:
                body = {"seat": seat, "action": chance.choice(actions)}
                await self.command("POST", f"/v1/games/{game}/actions", body)
            elif (await self.call("GET", f"/v1/games/{game}")).json()["status"] == "ended":
                return
            elif chance.random() < 0.02:
                await self.command("POST", f"/v1/games/{game}/messages", {"words": "Still there?", "seat": seat})
            else:
                await asyncio.sleep(AGAIN_S)


class Streamer:
    """A client of the stream that comes back whenever it is cut off, and holds every message to what it had before.

    With a token it plays one seat of the games it follows, else it looks on.
    """

    def __init__(self, port, ledger, player=None, token=None, seed=0, *, seat=1):
        self._url, self._token, self._ledger = f"ws://127.0.0.1:{port}/v1/stream", token, ledger
        self.player, self.seat = player, seat
        self._chance = random.Random(seed)
        self.versions = {}
        self._owed = {}
        self._pending = {}
        self.resumed = self.resent = 0
        self._socket = None

    async def run(self):
        while True:
            try:
                async with connect(self._url, compression=None, proxy=None, max_size=None) as self._socket:
                    await self._session()
            except GONE:
                pass
            self._socket = None
            await asyncio.sleep(AGAIN_S)

    async def follow(self, game):
        self.versions[game] = 0
        if self._socket is not None:
            with suppress(GONE):  # the next session does it
                await self._subscribe(game)

    async def _session(self):
        self.resumed += 1
        await self._send("hello", **({"token": self._token} if self._token else {}))
        for game in tuple(self.versions):
            await self._subscribe(game)
        for act in tuple(self._pending.values()):
            self.resent += 1
            await self._send("act", **act)
        for game in tuple(self._owed):
            await self._act(game)
        async for text in self._socket:
            await self._take(json.loads(text))

    async def _subscribe(self, game):
        await self._send("subscribe", game=game, after=self.versions[game])

    async def _send(self, kind, **members):
        await self._socket.send(json.dumps({"type": kind, **members}))

    async def _take(self, message):
        match message["type"]:
            case "event":
                await self._event(message)
            case "accepted":
                game, version = message["game"], message["version"]
                if self._pending.get(game, {}).get("id") == message["id"]:
                    del self._pending[game]
                    self._ledger.ack(Acked(self.player, message["id"], game, version, message["digest"]))
                    await self._act(game)
            case "refused":
                await self._refused(message)
            case kind:
                assert kind in ("welcome", "subscribed", "closing"), message

    async def _event(self, message):
        game, version = message["game"], message["version"]
        had = self.versions[game]
        assert version == had + 1, f"{game}: version {version} came after {had}"
        self.versions[game] = version
        self._ledger.tell(game, version, message["digest"])
        actions = [
            one["action"]
            for decision in message.get("decisions", ())
            if self._token and decision["seat"] == self.seat and decision["owes"]
            for one in decision["actions"]
        ]
        self._owed.pop(game, None)
        if actions:
            self._owed[game] = (version, self._chance.choice(actions))
            await self._act(game)

    async def _act(self, game):
        if game in self._owed and game not in self._pending:
            version, action = self._owed[game]
            act = {"id": self._ledger.key(), "game": game, "seat": self.seat, "action": action, "if_version": version}
            self._pending[game] = act
            await self._send("act", **act)

    async def _refused(self, message):
        code, game = message["problem"]["code"], message.get("game")
        if code == "unavailable":
            await asyncio.sleep(AGAIN_S)
            await (self._send("act", **self._pending[game]) if "id" in message else self._subscribe(game))
            return
        assert code in MOVED_ON, message
        act = self._pending.pop(game)
        if self._owed.get(game, (0,))[0] == act["if_version"]:
            del self._owed[game]
        await self._act(game)
