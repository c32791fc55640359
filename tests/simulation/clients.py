"""Clients: players and spectators who follow games over sockets, act, resend until they are answered, and come back."""

import asyncio

import msgspec

from games.kernel import encode
from tests.simulation.chance import stream
from tests.simulation.front import UNSETTLED, Reply, Request
from tests.simulation.judge import READERS, Violation
from tests.simulation.node import Unreachable
from tests.simulation.sockets import Gone

#: So long a client waits for an answer before it sends again.
PATIENCE_S = 8.0
#: What makes another request of one.
_OTHER = {"create": {"name": "another"}}
UPDATES = ("view", "patch", "effects")


class Following:
    """A game as one reader follows it: the version it has, and what the newest message said besides."""

    def __init__(self, game, seat, updates, *, labels, whole):
        self.game = game
        self.seat = seat
        self.updates = updates
        self.labels = labels
        self.last = 0 if whole else None
        self.view = None
        self.newest = None
        self.connected = False

    def take(self, told, judge):
        """A message of this subscription: it follows on the one before."""
        kind, version = told["type"], told["version"]
        if kind == "event":
            if version != self.last + 1:
                raise Violation(f"version {version} of {self.game} came to {self.seat} after version {self.last}")
            if self.updates == "patch":
                self.view = judge.patch(self.view, told)
        elif kind == "skipped":
            if (told["from"], told["to"]) != (self.last + 1, version) or version < told["from"]:
                raise Violation(
                    f"{told['from']} to {told['to']} of {self.game} were skipped behind version {self.last}"
                )
        elif self.last is not None:
            raise Violation(f"a snapshot of {self.game} came to who has version {self.last}")
        if "view" in told:
            self.view = told["view"]
        self.last = version
        if "status" in told:
            self.newest = told


class Follower:
    """Somebody's socket, opened again whenever it breaks, on any node."""

    def __init__(self, world, name, token, followed):
        self.name = name
        self.followed = followed
        self.player = None
        self._world = world
        self._token = token
        self._chance = stream(world.options.seed, "follower", name)
        self._slow = self._chance.random() < world.options.slow_clients
        self._connection = None
        self._acts = {}
        self._last_node = None
        self._asked = {}

    async def run(self):
        """Follow until the run ends."""
        while True:
            node = self._world.any_node(self._chance)
            if node is None:
                await asyncio.sleep(0.2)
                continue
            try:
                await self._session(node)
            except Gone as gone:
                self._world.note("gone", self.name, gone.code)
            self._end_session()
            await asyncio.sleep(self._chance.uniform(0.05, 1.0))

    async def act(self, request, seat):
        """Act over the socket; the reply. Raises Unreachable."""
        if self._connection is None:
            raise Unreachable
        answer = self._acts[request.key] = self._world.loop.create_future()
        members = {"id": request.key, "game": request.game, "action": request.body["action"], "seat": seat}
        self._say("act", **members, if_version=request.if_version)
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await answer
        except TimeoutError:
            raise Unreachable from None
        finally:
            self._acts.pop(request.key, None)

    def read_fast(self):
        """Be slow no more: a new connection is not."""
        if self._slow and self._connection is not None:
            self._connection.drop()

    @property
    def connected(self):
        """Whether it has a socket."""
        return self._connection is not None

    async def _session(self, node):
        world, chance, faults = self._world, self._chance, self._world.faults
        slow = self._slow and faults.slow_clients > 0
        rate = chance.choice((300, 2_000, 20_000)) if slow else 10_000_000
        buffer_bytes = chance.choice((1_000, 30_000)) if slow else 256 * 1024
        self._connection = connection = world.connect(node, chance, rate=rate, buffer_bytes=buffer_bytes)
        process = node.process
        if faults.drop_every_s:
            world.later(chance.expovariate(1 / faults.drop_every_s), self._break, connection)
        self._say("hello", id="hello", token=self._token)
        self._asked = {}
        for n, one in enumerate(self.followed):
            self._subscribe(n, one)
        if self._last_node not in (None, process) and any(one.last for one in self.followed):
            world.sometimes("a socket resumed on another node or another life")
        self._last_node = process
        while True:
            payload = await connection.recv()
            try:
                self._take(world.judge.message(payload), payload)
            except Violation as violation:
                world.fail(f"{self.name} on {process.name}: {violation}", violation)

    def _subscribe(self, n, one):
        members = {"game": one.game, "updates": one.updates, "labels": one.labels}
        if one.seat is not None:
            members["seat"] = one.seat
        if one.last is not None:
            members["after"] = one.last
        self._asked[f"s{n}"] = one
        self._say("subscribe", id=f"s{n}", **members)

    def _say(self, kind, **members):
        self._connection.send(encode({"type": kind, **members}))

    def _break(self, connection):
        if self._connection is connection:
            if self._chance.random() < self._world.faults.half_open:
                self._world.sometimes("a connection was left half open")
                connection.vanish()
            else:
                connection.drop()

    def _end_session(self):
        self._connection = None
        for one in self.followed:
            one.connected = False
        for answer in self._acts.values():
            if not answer.done():
                answer.set_exception(Unreachable())

    def _take(self, told, payload):
        kind = told["type"]
        if kind in ("event", "snapshot", "skipped"):
            self._following(told).take(told, self._world.judge)
        elif kind == "subscribed":
            one = self._asked[told["id"]]
            if one.last is not None and told["after"] != one.last:
                raise Violation(f"asked for what is after {one.last} of {one.game}, told of after {told['after']}")
            one.connected = True
        elif kind in ("accepted", "refused") and told.get("id") in self._acts:
            answer = self._acts[told["id"]]
            if not answer.done():
                code = told["problem"]["code"] if kind == "refused" else ""
                answer.set_result(Reply(code, encode(told["problem"]) if code else payload))
        elif kind == "refused":
            self._refused(told)
        elif kind == "unsubscribed" and self._lost_its_seat(self._following(told)):
            pass
        elif kind == "unsubscribed":
            self._check_problem(told.get("problem", {}))
            self._world.note("unsubscribed", self.name, told.get("problem", {}).get("code"))
            self._world.sometimes("a subscription was ended by the server")
            self._connection.drop()

    def _refused(self, told):
        """What is not understood now is tried again on a new socket."""
        one = self._asked.get(told.get("id"))
        if one is None and told.get("id") != "hello":
            return  # an act whose answer nobody waits for any more
        if one is not None and one in self.followed and self._lost_its_seat(one):
            return
        self._check_problem(told["problem"])
        self._world.sometimes("a subscription was put off")
        self._connection.drop()

    def _lost_its_seat(self, one):
        """Whether it may not follow any more, since a bot has taken over; then it does not."""
        oracle = self._world.judge.oracle(one.game)
        oracle.fold()
        if self.player is None or one.seat in oracle.live.meta.seats_of(self.player.id):
            return False
        self._world.sometimes("a player was told that the seat is a bot's now")
        self.followed.remove(one)
        self.player.left.add(one.game)
        return True

    def _check_problem(self, problem):
        if problem.get("code") not in ("unavailable", None):
            raise Violation(f"{self.name} was told {problem['code']}: {problem['detail']}")

    def _following(self, told):
        reader = READERS.get(told["reader"], told["reader"])
        for one in self.followed:
            if one.game == told["game"] and READERS.get(one.seat, one.seat) == reader:
                return one
        raise Violation(f"a message for {reader} of {told['game']} came, who was not asked for")


class Player:
    """A person with a token, seats, a socket, and a will."""

    def __init__(self, world, number, player, token):
        self.id = player
        self.token = token
        self.seats = {}
        self.left = set()
        self.follower = None
        self.waits_for = None
        self._world = world
        self._chance = stream(world.options.seed, "player", number)
        self._keys = 0
        self._number = number

    def key(self):
        """A new key."""
        self._keys += 1
        return f"p{self._number}-{self._keys}"

    async def play(self):
        """Act until the run has had its actions."""
        while self._world.more():
            await asyncio.sleep(self._chance.expovariate(1 / self._world.options.think_s))
            if self.left < self.seats.keys():
                await self.move(self._game())

    def _game(self):
        """A game to do something in: as a rule one that waits for this player."""
        games = sorted(self.seats.keys() - self.left)
        waiting = [game for game in games if self._asked(game)]
        return self._chance.choice(waiting if waiting and self._chance.random() < 0.9 else games)

    def _asked(self, game):
        one = self._followed(game)
        if one is None or one.newest is None:
            return False
        request, seat = one.newest["request"], self.seats[game]
        if request is not None:
            return seat in request["asked"] or seat == request["seat"]
        return any(decision["seat"] == seat and decision["owes"] for decision in one.newest["decisions"])

    async def move(self, game):
        """Do something in a game."""
        seat = self.seats[game]
        seen = await self._look(game, seat)
        if seen is None or seen["status"] != "running":
            return
        request = seen["request"]
        if request is not None:
            await self._about_request(game, seat, request)
            return
        drawn = self._chance.random()
        if drawn < 0.05:
            await self.submit(Request(do="say", token=self.token, game=game, body={"seat": seat, "words": "well"}))
        elif drawn < 0.10:
            do = "redo" if drawn < 0.06 else "undo"
            wish = {"seat": seat}
            await self.submit(Request(do=do, token=self.token, game=game, body=wish, if_version="*"))
        elif drawn < 0.103:
            await self.submit(Request(do="resign", token=self.token, game=game, body={"seat": seat}))
        else:
            await self._act(game, seat, seen)

    async def _about_request(self, game, seat, request):
        if seat in request["asked"]:
            body = {"accept": self._chance.random() < 0.75, "seat": seat}
            await self.submit(Request(do="answer", token=self.token, game=game, of=request["id"], body=body))
        elif seat == request["seat"] and self._chance.random() < 0.3:
            await self.submit(Request(do="withdraw", token=self.token, game=game, of=request["id"]))
        elif self._chance.random() < 0.1:
            await self._act(game, seat, {"version": request["version"], "decisions": []})

    async def _act(self, game, seat, seen):
        mine = [one for one in seen["decisions"] if one["seat"] == seat and one.get("actions")]
        owed = [one for one in mine if one["owes"]] or (mine if self._chance.random() < 0.1 else [])
        if owed:
            action = self._chance.choice(owed[0]["actions"])["action"]
            if self._chance.random() < 0.04:
                action = action | {"place": "nowhere"}
        elif self._chance.random() < 0.05:
            action = {"action": "end_turn"}
        else:
            return
        drawn, version = self._chance.random(), seen["version"]
        if drawn < 0.1:
            version = "*"
        elif drawn < 0.16:
            version = max(1, version - self._chance.randint(1, 4))
        await self.submit(
            Request(do="act", token=self.token, game=game, if_version=version, body={"action": action, "seat": seat})
        )

    async def submit(self, request):
        """Send a request, again and again until it is settled; the reply."""
        request = msgspec.structs.replace(request, key=self.key())
        over_socket = request.do == "act" and self._chance.random() < 0.4
        reply = await self._settled(request, over_socket=over_socket)
        self._world.acted(request, reply)
        if not reply.code and not over_socket:
            await self._again(request)
        return reply

    async def _again(self, request):
        """Now and then the same again, or another request under the same key."""
        drawn = self._chance.random()
        if drawn < 0.04:
            await self._settled(request, over_socket=False)
            self._world.sometimes("a key was used again for the same")
        elif drawn < 0.06:
            other = msgspec.structs.replace(request, body=request.body | _OTHER.get(request.do, {"seat": 77}))
            reply = await self._settled(other, over_socket=False, judged=False)
            if reply.code not in ("key_reused", "not_found"):
                self._world.fail(f"another request under a used key was answered {reply.code or 'as done'}")
            self._world.sometimes("a key was used again for something else")

    async def _settled(self, request, *, over_socket, judged=True):
        attempts, pause = [], 0.1
        self.waits_for = request
        while True:
            try:
                reply = await self._sent(request, attempts, over_socket=over_socket, judged=judged)
            except Unreachable:
                reply = None
            if reply is not None and reply.code not in UNSETTLED:
                self.waits_for = None
                return reply
            await asyncio.sleep(pause * self._chance.uniform(0.5, 1.5))
            pause = min(2 * pause, 2.0)

    async def _sent(self, request, attempts, *, over_socket, judged):
        seat = self.seats.get(request.game, request.body.get("seat", -1))
        if over_socket:
            while not self.follower.connected:  # noqa: ASYNC110 - as a client does
                await asyncio.sleep(0.1)
            repeated = self._world.judge.is_acknowledged((self.id, request.key))
            reply = await self.follower.act(request, seat)
            self._judge(request, reply, seat, repeated)
            return reply
        return await self._world.call(self, request, attempts, seat, judged=judged)

    def _judge(self, request, reply, seat, repeated):
        try:
            self._world.judge.answered(self.id, request, reply, seat, repeated=repeated)
        except Violation as violation:
            self._world.fail(f"over the stream: {violation}", violation)

    def _followed(self, game):
        return next((one for one in self.follower.followed if one.game == game), None)

    async def _look(self, game, seat):
        """What it sees of a game: as its socket has told it, or asked for."""
        one = self._followed(game)
        if one is not None and one.newest is not None and self._chance.random() < 0.93:
            return one.newest
        request = Request(do="look", token=self.token, game=game, body={"seat": seat})
        try:
            reply = await self._world.call(self, request, [], seat)
        except Unreachable:
            return None
        return None if reply.code else reply.told
