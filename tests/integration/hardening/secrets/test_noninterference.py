"""Two games that differ only in what is hidden from a reader give it the same bytes, over HTTP and socket, and in logs.

The second game's position is the first one's, dealt anew behind the reader's back (`resample`); both have the same
seed, and other seats act in both so that it looks the same to the reader. Everything that the reader gets is compared
after this normalisation, and nothing else:

- an id (UUID) becomes its number in the order in which ids appear in the reader's transcript, a token `<token>`;
- a run of 16 or more hexadecimal digits (digests, salts, commitments, request ids) becomes `<hex>` and its length;
- a time (RFC 3339) becomes `<time>`; of log lines the duration is left out, of response headers `date` and `ratelimit`,
  which go with the clock.
"""

import json
import re
from hashlib import sha256
from random import Random

import pytest

from games.kernel import SPECTATOR
from tests.integration.hardening.kit import NEWEST, OWN, site
from tests.integration.hardening.secrets.twins import SEED, Twins
from tests.integration.stream.kit import CATALOGUE

pytestmark = pytest.mark.slow

POSITIONS = 2
#: What a reader asks for that may not be its own.
ELSEWHERE = ("/view?seat=1", "/view?seat=all", "/view?seat=spectator", "/view?at=5", "/actions?seat=2",
             "/events?seat=spectator&proof=true")  # fmt: skip
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?")
_HEX = re.compile(r"(?<![0-9A-Za-z_])[0-9a-f]{16,}(?![0-9A-Za-z_])")
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TOKEN = re.compile(r"t[li]_[A-Za-z0-9_-]{20,}")


class Transcript:
    """What one reader got in one game, in order."""

    def __init__(self):
        self.lines = []
        self._ids = {}

    def add(self, what, got):
        """Write down what came for what was asked."""
        self.lines.append(f"{self.normal(what)}\n{self.normal(got)}")

    def normal(self, text):
        """The rule of the module's docstring."""
        text = _TOKEN.sub("<token>", text)
        text = _ID.sub(lambda match: f"<id {self._ids.setdefault(match[0], len(self._ids))}>", text)
        text = _TIME.sub("<time>", text)
        return _HEX.sub(lambda match: f"<hex {len(match[0])}>", text)


class World:
    """One of the two games on a server of its own, as the reader meets it."""

    def __init__(self, at, twins, number, guesses):
        self.at = at
        self.reader = twins.reader
        self.guesses = guesses
        self.number = number
        self.entry = twins.entry
        self.position = twins.positions[number]
        self.transcript = Transcript()
        self.acts = 0

    async def begin(self):
        """Make the game and seat the players; the reader follows it from its first version."""
        _, maker = await self.at.player("maker")
        scenario = {"state": self.position}
        new = {"ruleset": self.entry.rules.id, "seats": ["open"] * 3, "undo": "fair"}
        self.game = await self.at.game(maker, new["seats"], ruleset=new["ruleset"], undo="fair", seed=SEED,
                                       scenario=scenario)  # fmt: skip
        self.tokens = [(await self.at.player(f"player {seat}"))[1] for seat in range(3)]
        self.token = self.tokens[self.reader] if self.reader != SPECTATOR else None
        for seat, token in enumerate(self.tokens):
            await self.at.told("POST", f"/v1/games/{self.game}/seats/{seat}", token, {})
        self.at.world.tokens["reader"] = self.token
        self.sockets = []
        for updates in ("view", "patch", "effects"):
            client = await self.at.world.client("reader").__aenter__()
            await client.subscribe(self.game, after=0, updates=updates)
            self.sockets.append(client)

    async def ask(self, method, path, body=None, **headers):
        """A request of the reader's, written down."""
        response = await self.at.send(method, path, self.token, body, **headers)
        head = sorted((name, value) for name, value in response.headers.items() if name not in OWN)
        self.transcript.add(f"{method} {path}", f"{response.status_code} {head}\n{response.text}")

    async def look(self):
        """All that the reader can ask for."""
        base = f"/v1/games/{self.game}"
        await self.at.world.services.runner.catch_up()
        for path in ("", "/view", "/actions", "/events?proof=true", "/replay", "/proof", *ELSEWHERE):
            await self.ask("GET", base + path)
        await self.ask("GET", base + "/events", Accept="application/x-ndjson")
        for path in ("/v1/games", "/v1/me", "/v1/me/decisions", "/v1/results"):
            await self.ask("GET", path)

    async def guess(self):
        """Ask what is legal, and act on an old version: all that is refused."""
        for action in self.guesses:
            for seat in {max(self.reader, 0), 1}:
                body = {"seat": seat, "action": action}
                await self.ask("POST", f"/v1/games/{self.game}/check", body)
                await self.ask("POST", f"/v1/games/{self.game}/actions", body, If_Match='"4"')

    async def act(self, move):
        """A seat acts."""
        self.acts += 1
        body = {"seat": move.seat, "action": move.actions[self.number]}
        path = f"/v1/games/{self.game}/actions"
        if move.seat == self.reader:
            await self.ask("POST", path, body, Idempotency_Key=f"mine-{self.acts}", **NEWEST)
        else:
            await self.at.told(
                "POST", path, self.tokens[move.seat], body, Idempotency_Key=f"theirs-{self.acts}", **NEWEST
            )

    async def undo(self, seat):
        """The seat asks to take its last act back, and all agree."""
        base, token = f"/v1/games/{self.game}", self.tokens[seat]
        told = await self.at.told("POST", base + "/undo", token, {"seat": seat}, **NEWEST)
        await self.look()
        for asked in (told["request"] or {"asked": []})["asked"]:
            path = f"{base}/undo/{told['request']['id']}/answer"
            if asked == self.reader:
                await self.ask("POST", path, {"accept": True})
            else:
                await self.at.told("POST", path, self.tokens[asked], {"accept": True})
        await self.look()

    async def hear(self):
        """What has come over the sockets, up to the newest version."""
        head = await self.at.version(self.game)
        for number, client in enumerate(self.sockets):
            for message in await client.until(head):
                self.transcript.add(f"socket {number}", json.dumps(message))
            await client.send("act", id="old", game=self.game, action=self.guesses[0], if_version=4)
            self.transcript.add(f"socket {number}", json.dumps(await client.first("refused", "accepted")))
            client.drop()

    def logs(self):
        """What the server logged; it is nobody's, but others read it."""
        transcript = Transcript()
        for line in self.at.logs:
            rest = {name: value for name, value in line.items() if not name.startswith("duration")}
            transcript.add("log", json.dumps(rest, default=str))
        return transcript.lines


async def played(twins, number, guesses, moves):
    """(transcript, log) of one of the two games."""
    async with site() as at:
        world = World(at, twins, number, guesses)
        await world.begin()
        await world.look()
        await world.guess()
        for move in moves:
            await world.act(move)
            await world.look()
        if moves:
            await world.undo(moves[-1].seat)
        await world.guess()
        await world.hear()
        return world.transcript.lines, world.logs()


@pytest.mark.parametrize(("ruleset", "reader"), [("tpoc", 0), ("tpoc", SPECTATOR), ("tiny", 2), ("tiny", SPECTATOR)])
async def test_what_is_hidden_from_a_reader_changes_no_byte_that_it_gets(ruleset, reader):
    random = Random(f"{ruleset} {reader}")
    unlike = compared = 0
    for seed in range(1, POSITIONS + 1):
        twins = Twins(CATALOGUE[ruleset], reader, seed, random)
        twins.begin(sha256(b"turnlog seed " + SEED.encode()).digest())
        guesses, moves = twins.guesses(6), twins.moves(3)
        assert twins.differ
        unlike += sum(move.actions[0] != move.actions[1] for move in moves)
        (one, log), (two, other_log) = [await played(twins, number, guesses, moves) for number in (0, 1)]
        for got, expected in zip(two, one, strict=True):
            assert got == expected
        assert log == other_log
        compared += len(one)
    assert compared > 100 * POSITIONS
    assert unlike > 0  # in the two games others did different things


async def test_what_is_a_reader_s_own_does_change_its_bytes():
    random = Random(3)
    twins = Twins(CATALOGUE["tpoc"], 0, 1, random)
    twins.begin(sha256(b"turnlog seed " + SEED.encode()).digest())
    guesses = twins.guesses(2)
    twins.reader = 1  # whose hand is another one in the second game
    (one, _), (two, _) = [await played(twins, number, guesses, []) for number in (0, 1)]
    assert one != two
