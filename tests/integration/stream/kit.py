"""A real server on a port of its own, in the test's loop; its players; and a client of the stream."""

import asyncio
import json
import random
import socket
from contextlib import asynccontextmanager

import httpx
import msgspec
from msgspec.structs import replace
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from games.kernel import encode, legal, pending
from projections.game import decode_effects
from projections.history import moment_at, open_game
from projections.views import effective, event_of, view_of
from server.access import PLAY, Caller
from server.app import create_app
from server.asks import Ask
from server.catalogue import Catalogue, Entry
from server.creating import NewGame, create
from server.playing import Act, act, resign
from server.rewinding import RewindWish, rewind
from server.running import make_server
from server.seating import Join, join, leave
from server.services import Services
from server.settings import Settings
from tests import tiny

#: TPOC, and a tiny ruleset that keeps its secrets to the last.
TINY = Entry(tiny.RULES, {"en": {}}, ())
CATALOGUE = Catalogue([*Catalogue.load().values(), TINY])


def answer_version(live, _):
    """The answer to commands of the tests: the version alone."""
    return encode(live.meta.version)


class World:
    """A running server, and what tests do to it beside the socket."""

    def __init__(self, services, port):
        self.services = services
        self.games = services.games
        self.url = f"ws://127.0.0.1:{port}/v1/stream"
        self.http = f"http://127.0.0.1:{port}/v1"
        self.tokens = {}
        self.random = random.Random(7)

    async def player(self, name):
        """A new player: its id."""
        player, secret = await self.services.records.sign_up(name, ("watch", "play"))
        self.tokens[player.id] = secret
        return player.id

    async def players(self, count):
        return [await self.player(f"player {n}") for n in range(count)]

    def ask(self, player, if_version="*"):
        return Ask(Caller(player=player, scopes=frozenset({PLAY})), answer_version, None, if_version)

    async def create(self, players, **given):
        """A TPOC game: ids take their seats in order, `bot:random` is one."""
        seats = [player if player.startswith("bot:") else "open" for player in players]
        game = await self.open_game(players[0], seats, **given)
        for seat, player in enumerate(players):
            if not player.startswith("bot:"):
                await self.join(game, seat, player)
        return game

    async def open_game(self, creator, seats=("open", "open", "open"), **given):
        """A game whose open seats are still free."""
        given.setdefault("ruleset", "tpoc")
        made = []

        def answer(live, _):
            made.append(live.meta.game)
            return b"{}"

        ask = Ask(Caller(player=creator, scopes=frozenset({PLAY})), answer)
        await self.games.run(create(self.games, ask, NewGame(seats=list(seats), **given)))
        return made[0]

    async def join(self, game, seat, player):
        ask = replace(self.ask(player), invited=True)
        await self.games.run(join(self.games, ask, game, seat, Join()))

    async def leave(self, game, seat, player):
        await self.games.run(leave(self.games, self.ask(player), game, seat))

    async def choices(self, game):
        """(player, seat, legal actions as builtins) of the first seat that owes a decision; None at the end."""
        async with self.games.game(game) as live:
            step = pending(live.state)
            if step is None:
                return None
            seat = step.seats[0]
            actions = [msgspec.to_builtins(action) for action in legal(live.rules, live.state, seat)]
            return live.meta.seats[seat].player, seat, actions

    async def play(self, game, count=100_000):
        """Play so many random actions, or to the end; how many were played."""
        for played in range(count):
            owed = await self.choices(game)
            if owed is None:
                return played
            player, seat, actions = owed
            action = Act(self.random.choice(actions), seat)
            await self.games.run(act(self.games, self.ask(player), game, action))
        return count

    async def undo(self, game, player, to=None, *, redo=False):
        async with self.games.game(game) as live:
            seat = live.meta.seats_of(player)[0]
        wish = RewindWish(seat=seat, to=to)
        await self.games.run(rewind(self.games, self.ask(player), game, wish, redo=redo))

    async def resign(self, game, player):
        await self.games.run(resign(self.games, self.ask(player), game, None))

    async def revoke(self, player):
        records = self.services.records
        for token in await records.tokens(player, "", 10):
            await records.revoke(player, token.id)

    async def until(self, condition):
        """Let the server go on until the condition holds (the test's timeout is the limit)."""
        while not condition():  # noqa: ASYNC110 - the server knows nothing of tests
            await asyncio.sleep(0)

    async def log(self, game):
        return await self.services.store.read(game)

    async def version(self, game):
        return (await self.services.store.game_head(game))[0]

    async def oracle(self, game):
        """What is in the log, read anew."""
        store = self.services.store
        return Oracle(store, await open_game(store, self.games.rulesets(), game), await store.read(game))

    async def views(self, game, seat, player=None):
        """The view of every version, by GET."""
        headers = {"Authorization": f"Bearer {self.tokens[player]}"} if player is not None else {}
        async with httpx.AsyncClient(headers=headers, trust_env=False) as client:
            found = {}
            for at in range(1, await self.version(game) + 1):
                answer = await client.get(f"{self.http}/games/{game}/view", params={"seat": seat, "at": at})
                found[at] = answer.json()["view"]
            return found

    def client(self, player=None, **options):
        """A client that is connected on entering."""
        return Client(self.url, self.tokens.get(player), **options)


class Oracle:
    """Views and events straight from the log and the projector: no hub, no course, no cache."""

    def __init__(self, store, live, events):
        self.store, self.live, self.events = store, live, events
        self.head = events[-1].header.version

    def reader(self, reader, version):
        return effective(reader, ended=0 < self.live.meta.ended <= version)

    async def view(self, reader, version):
        moment = await moment_at(self.store, self.live, version)
        if moment.state is None:
            return None
        return plain(view_of(self.live.rules, moment.state, self.reader(reader, version)))

    def event(self, reader, version):
        return plain(event_of(self.live.rules, self.events[version - 1], self.reader(reader, version)))

    def effects(self, version):
        return decode_effects(self.live.rules, self.events[version - 1])


def plain(told):
    """As JSON has it."""
    return json.loads(encode(told))


def without_texts(told):
    """A message without what texts add to the projector's event."""
    if isinstance(told, dict):
        return {name: without_texts(part) for name, part in told.items() if name != "text"}
    return [without_texts(part) for part in told] if isinstance(told, list) else told


class Client:
    """A client of the stream: what it got is in `got`, in order."""

    def __init__(self, url, token=None, *, hello=True, **options):
        self._url, self._token, self._hello, self._options = url, token, hello, options
        self.got = []

    async def __aenter__(self):
        options = {"compression": None, "proxy": None, "max_size": None} | self._options
        self.socket = await connect(self._url, **options)
        if self._hello:
            await self.send("hello", **({"token": self._token} if self._token else {}))
            self.welcome = await self.next()
        return self

    async def __aexit__(self, *_):
        self.drop()

    def drop(self):
        """Break the connection off, as a network does."""
        self.socket.transport.abort()

    async def send(self, kind, **members):
        await self.socket.send(json.dumps({"type": kind, **members}))

    async def next(self):
        """The next message."""
        message = json.loads(await self.socket.recv())
        self.got.append(message)
        return message

    async def first(self, *kinds):
        """The next message of one of these types; those before it are in `got`."""
        while (message := await self.next())["type"] not in kinds:
            pass
        return message

    async def ask(self, kind, **members):
        """Send, and give the answer of this id."""
        members.setdefault("id", f"m{len(self.got)}")
        await self.send(kind, **members)
        while (message := await self.next()).get("id") != members["id"]:
            pass
        return message

    async def subscribe(self, game, **members):
        return await self.ask("subscribe", game=game, **members)

    async def until(self, version, kind="event"):
        """Read up to the message of this version."""
        while not any(message["type"] == kind and message["version"] >= version for message in self.got):
            await self.next()
        return [message for message in self.got if message["type"] == kind]

    async def closed(self):
        """Read to the end; the close code."""
        try:
            while True:
                await self.next()
        except ConnectionClosed as gone:
            self.reason = gone.rcvd.reason if gone.rcvd is not None else ""
            return gone.rcvd.code if gone.rcvd is not None else 1006


@asynccontextmanager
async def running(database=":memory:", clock=None, **settings):
    """A server that runs until the end of the block, by the machine's clock or another."""
    services = Services.open(Settings(database=str(database), **settings), clock, catalogue=CATALOGUE)
    async with served(services) as world:
        yield world


@asynccontextmanager
async def served(services):
    """A server around these parts, on a port of loopback until the end of the block."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        server = make_server(create_app(services), services)
        serving = asyncio.create_task(server._serve(sockets=[listener]))
        while not server.started and not serving.done():  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0.01)
        world = World(services, listener.getsockname()[1])
        world.server, world.serving = server, serving
        try:
            yield world
        finally:
            server.should_exit = True
            await serving
