"""Raw requests to a running server, and what every test here needs of players and games."""

import json
from contextlib import asynccontextmanager

import httpx
import msgspec
import structlog
from structlog.testing import capture_logs

from server.access import ADMIN, ORGANISE, PLAY, WATCH
from tests.integration.stream.kit import running

#: An id that no game, player or replay has.
NOBODY = "01890000-0000-7000-8000-000000000000"
NEWEST = {"If-Match": "*"}
#: Headers that tell one request from the same one again.
OWN = ("x-request-id", "date", "ratelimit")


class Site:
    """A running server over HTTP; `world` is what the tests of the stream do to it; `logs` is what it logs."""

    def __init__(self, client, world, logs):
        self.client = client
        self.world = world
        self.logs = logs

    async def send(self, method, path, token=None, body=None, **headers):
        """A request, uncompressed; the response as it came."""
        given = {"Accept-Encoding": "identity"} | {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            given["Authorization"] = f"Bearer {token}"
        content = None
        if isinstance(body, bytes):
            content = body
        elif body is not None:
            content = msgspec.json.encode(body)
            given.setdefault("Content-Type", "application/json")
        return await self.client.request(method, path, headers=given, content=content)

    async def told(self, method, path, token=None, body=None, **headers):
        """The JSON of a request that must succeed."""
        response = await self.send(method, path, token, body, **headers)
        assert response.is_success, (method, path, response.status_code, response.text[:500])
        return response.json() if response.content else None

    async def player(self, name="somebody", scopes=(WATCH, PLAY, ORGANISE)):
        """(id, token) of a new player."""
        player, token = await self.world.services.records.sign_up(name, scopes)
        return player.id, token

    async def operator(self):
        """The token of an operator."""
        return (await self.player("operator", (WATCH, PLAY, ORGANISE, ADMIN)))[1]

    async def narrowed(self, token, **wish):
        """A lesser token of the same player."""
        return (await self.told("POST", "/v1/tokens", token, wish))["token"]

    async def game(self, token, seats=("me", "me", "me"), **given):
        """The id of a new game."""
        given.setdefault("ruleset", "tpoc")
        return (await self.told("POST", "/v1/games", token, {"seats": list(seats), **given}))["game"]

    async def table(self, tokens, **given):
        """The id of a running game with a player on each seat; the first one made it."""
        game = await self.game(tokens[0], ["open"] * len(tokens), **given)
        headers = {}
        if given.get("visibility") == "private":
            headers = {"Turnlog-Invite": (await self.told("POST", f"/v1/games/{game}/invites", tokens[0]))["code"]}
        for seat, token in enumerate(tokens):
            await self.told("POST", f"/v1/games/{game}/seats/{seat}", token, {}, **headers)
        return game

    async def legal(self, game, token, seat):
        """The legal actions of a seat."""
        told = await self.told("GET", f"/v1/games/{game}/actions?seat={seat}&labels=false", token)
        return [one["action"] for decision in told["decisions"] for one in decision.get("actions", ())]

    async def act(self, game, token, seat, pick=0, **headers):
        """Play a legal action of the seat."""
        body = {"seat": seat, "action": (await self.legal(game, token, seat))[pick]}
        return await self.told("POST", f"/v1/games/{game}/actions", token, body, **(NEWEST | headers))

    async def version(self, game):
        """The newest version, straight from the log."""
        return (await self.world.services.store.game_head(game))[0]

    async def kinds(self, game):
        """The kinds of the game's events, straight from the log."""
        return [event.header.kind for event in await self.world.services.store.read(game)]


@asynccontextmanager
async def site(database=":memory:", **settings):
    """A running server."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=64)
    async with running(database, **settings) as world:
        base = world.http.removesuffix("/v1")
        async with httpx.AsyncClient(base_url=base, trust_env=False, timeout=60, limits=limits) as client:
            with capture_logs(processors=[structlog.contextvars.merge_contextvars]) as logs:
                yield Site(client, world, logs)


def problem_of(response):
    """The code of a refusal."""
    return json.loads(response.content)["code"]


def plainly(response):
    """All of a response but what is a request's own: its id and what the clock says."""
    headers = sorted((k, v) for k, v in response.headers.items() if k not in OWN)
    return response.status_code, headers, response.content
