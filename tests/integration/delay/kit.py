"""A game with a delay for its spectators, on a running server whose clock stands until the test moves it."""

import json
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

from server.routes import HANDLERS
from tests.integration.hardening.kit import NEWEST, plainly, site

DELAY_S = 600
#: Left open for the test: nothing runs out while it moves the clock.
CLOCK = {"bank_s": 86_400, "pause_s": 3600, "vacation_s": 3600}
OPERATIONS = {(one.method, one.path) for one in (handler.opt["operation"] for handler in HANDLERS)}
#: So many versions are asked for, more than there will be.
VERSIONS = 50
NDJSON = "application/x-ndjson"


class HeldClock:
    """Stands still until the test moves it."""

    def __init__(self):
        self.moment = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self):
        return self.moment


class Table:
    """A running game of three players; others watch it: a stranger, who has made it, an operator."""

    def __init__(self, at, clock):
        self.at = at
        self.clock = clock
        self.acted = 0
        self.walked = set()

    async def sit(self, **given):
        """Make the game, and seat the players."""
        self.operator = await self.at.operator()
        self.names, self.tokens = zip(*[await self.at.player(f"player {seat}") for seat in range(3)], strict=True)
        self.stranger, self.stranger_token = await self.at.player("stranger")
        _, self.maker = await self.at.player("maker")
        given = {"spectator_delay_s": DELAY_S, "clock": CLOCK, "undo": "fair"} | given
        self.game = await self.at.game(self.maker, ["open"] * 3, **given)
        for seat in range(3):
            await self.join(seat)

    async def join(self, seat):
        await self.at.told("POST", f"/v1/games/{self.game}/seats/{seat}", self.tokens[seat], {})

    def wait(self, seconds):
        """Time passes."""
        self.clock.moment += timedelta(seconds=seconds)

    async def get(self, path="", token=None, **headers):
        return await self.at.told("GET", f"/v1/games/{self.game}{path}", token, **headers)

    async def post(self, path, token, body=None):
        return await self.at.told("POST", f"/v1/games/{self.game}{path}", token, body or {}, **NEWEST)

    async def play(self, count=1):
        """So many actions, each of the first seat that owes one."""
        for _ in range(count):
            decisions = (await self.get("/actions", self.tokens[0]))["decisions"]
            seat = next(one["seat"] for one in decisions if one["owes"])
            self.acted += 1
            await self.at.act(self.game, self.tokens[seat], seat, pick=self.acted % 2)

    async def newest(self):
        return await self.at.version(self.game)

    # what spectators get

    async def ask(self, method, path, token=None, body=None, **headers):
        """What a request gets, to the byte, but for what is the request's own."""
        operation = self.operation(method, path)
        self.walked.add(operation)
        return method, path, headers, plainly(await self.at.send(method, path, token, body, **headers))

    def operation(self, method, path):
        """The operation of an address, as the API declares it."""
        parts = path.partition("?")[0].split("/")
        for declared, pattern in OPERATIONS:
            names = pattern.split("/")
            same = len(names) == len(parts) and all(a == b or a[:1] == "{" for a, b in zip(names, parts, strict=True))
            if declared == method and same:
                return declared, pattern
        raise LookupError(path)

    async def look(self):
        """All that spectators get now, from every operation that has to do with games."""
        await self.at.world.services.runner.catch_up()
        got = []
        for token in (None, self.stranger_token, self.maker, self.operator):
            versions = range(1, VERSIONS, 1 if token == self.stranger_token else 12)
            got += [await self.ask("GET", path, token) for path in self.questions(versions)]
            got.append(await self.ask("GET", f"/v1/games/{self.game}/events", token, Accept=NDJSON))
        for version in range(1, VERSIONS):
            path, tag = f"/v1/games/{self.game}", f'"{version}"'
            got.append(await self.ask("GET", path, self.stranger_token, If_None_Match=tag))
            got.append(await self.ask("DELETE", f"{path}/messages/{version}", self.stranger_token))
        for method, path, body in self.attempts():
            got.append(await self.ask(method, path, self.stranger_token, body, **NEWEST))
        for headers in ({}, {"If-Match": '"7"'}, {"If-Match": '"19"'}):
            body = {"reason": "asked for", "seat": 0, "action": {"action": "resign"}}
            got.append(await self.ask("POST", f"/v1/games/{self.game}/repairs", self.operator, body, **headers))
        return got

    def questions(self, versions):
        """What can be asked without changing anything."""
        base = f"/v1/games/{self.game}"
        for path in ("", "/proof", "/replay", "/view", "/actions", "/events", "/events?proof=true", "/events?until=60"):
            yield base + path
        for reader in ("0", "1", "spectator", "all"):
            for path in ("/view", "/actions", "/events", "/replay", "/proof"):
                yield f"{base}{path}?seat={reader}"
        for version in versions:
            yield f"{base}/view?at={version}"
            yield f"{base}/messages/{version}"
            yield f"{base}/inclusion?version={version}"
        yield f"{base}/events?after=5&limit=50"
        yield f"{base}/inclusion"
        yield "/v1/games"
        for status in ("open", "running", "ended"):
            yield f"/v1/games?status={status}"
        for player in (*self.names, self.stranger):
            yield f"/v1/games?player={player}"
            yield f"/v1/players/{player}/results"
        yield "/v1/games?open_seats=false&ruleset=tpoc"
        yield "/v1/results"
        yield "/v1/me/decisions"

    def attempts(self):
        """What a stranger may try, and is refused."""
        base = f"/v1/games/{self.game}"
        act = {"seat": 0, "action": {"action": "resign"}}
        for seat in range(3):
            yield "POST", f"{base}/seats/{seat}", {}
            yield "DELETE", f"{base}/seats/{seat}", None
            yield "POST", f"{base}/seats/{seat}/offer", {}
            yield "POST", f"{base}/seats/{seat}/substitute", None
        for path, body in (
            ("/actions", act),
            ("/check", act),
            ("/resign", {"seat": 0}),
            ("/undo", {"seat": 0}),
            ("/redo", {"seat": 0}),
            ("/undo/1/answer", {"accept": True}),
            ("/proposals", {"what": "pause"}),
            ("/proposals/1/answer", {"accept": True}),
            ("/vacation", {}),
            ("/vacation/end", {}),
            ("/claims", {"seat": 0}),
            ("/messages", {"words": "Hello."}),
            ("/start", {"fill": "bot:random"}),
            ("/invites", None),
            ("/repairs", {"reason": "mine", **act}),
            ("/fork", {"at": 7}),
            ("/fork", {}),
        ):
            yield "POST", base + path, body
        yield "DELETE", f"{base}/undo/1", None
        yield "DELETE", f"{base}/proposals/1", None


def alike(got, expected):
    """Nothing that was got differs; the first difference is told."""
    for one, other in zip(got, expected, strict=True):
        assert one == other, json.dumps([str(one), str(other)], indent=1)


@asynccontextmanager
async def table(database=":memory:", heads_key="", settings=None, **given):
    """A table on a server of its own, which may have settings of its own."""
    clock = HeldClock()
    quiet = {"heartbeat_s": 0.2, "audit_share": 0.0, "heads_key": heads_key} | (settings or {})
    async with site(database, clock=clock, **quiet) as at:
        made = Table(at, clock)
        await made.sit(**given)
        yield made
