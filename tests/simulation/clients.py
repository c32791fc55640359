"""Followers: players and spectators who follow games over sockets, and come back whenever a socket breaks."""

import asyncio

from games.kernel import encode
from tests.simulation.chance import stream
from tests.simulation.front import Reply
from tests.simulation.judge import READERS, Violation
from tests.simulation.node import Unreachable
from tests.simulation.sockets import Gone

#: So long a client waits for an answer before it sends again.
PATIENCE_S = 8.0
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


def following(chance, game, seat):
    """A game as somebody follows it from now on."""
    whole = chance.random() < 0.7
    return Following(game, seat, chance.choice(UPDATES), labels=chance.random() < 0.2, whole=whole)


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

    def follows(self, game, seat):
        """Whether it follows a game as this seat."""
        return any((one.game, one.seat) == (game, seat) for one in self.followed)

    def follow(self, one):
        """Follow one game more."""
        self.followed.append(one)
        if self._connection is not None:
            self._subscribe(len(self._asked), one)

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
                told = world.judge.message(payload)
                if told["type"] in ("event", "snapshot", "skipped", "subscribed"):
                    world.judge.may_be_told(self.player and self.player.id, told, node.clock)
                self._take(told, payload)
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
            self._check_problem(told.get("problem", {}), self._following(told))
            self._world.note("unsubscribed", self.name, told.get("problem", {}).get("code"))
            self._world.sometimes("a subscription was ended by the server")
            self._connection.drop()

    def _refused(self, told):
        """What is not understood now is tried again: on a new socket, or on this one if its time has yet to come."""
        one = self._asked.get(told.get("id"))
        if one is None and told.get("id") != "hello":
            return  # an act whose answer nobody waits for any more
        if one is not None and one in self.followed and self._lost_its_seat(one):
            return
        self._check_problem(told["problem"], one)
        if one is not None and "version" in told["problem"]:
            self._world.sometimes("a spectator came back where a version was not of age")
            self._world.later(self._chance.uniform(0.5, 2.0), self._ask_again, self._connection, one)
            return
        self._world.sometimes("a subscription was put off")
        self._connection.drop()

    def _ask_again(self, connection, one):
        if self._connection is connection and one in self.followed:
            self._subscribe(len(self._asked), one)

    def _lost_its_seat(self, one):
        """Whether it may not follow any more, since a bot or somebody else has taken over; then it does not."""
        oracle = self._world.judge.oracle(one.game)
        oracle.fold()
        if self.player is None or one.seat in oracle.live.meta.seats_of(self.player.id):
            return False
        self._world.sometimes("a player was told that the seat is another's now")
        self.followed.remove(one)
        self.player.left.add(one.game)
        return True

    def _check_problem(self, problem, one):
        """What was said while the seat was another's may come when it is his again; then he asks again, too."""
        if problem.get("code") == "not_allowed" and one is not None and self._had_lost(one):
            return
        if problem.get("code") not in ("unavailable", None):
            raise Violation(f"{self.name} was told {problem['code']}: {problem['detail']}")

    def _had_lost(self, one):
        oracle = self._world.judge.oracle(one.game)
        return self.player is not None and oracle.had_lost(one.seat, self.player.id)

    def _following(self, told):
        reader = READERS.get(told["reader"], told["reader"])
        for one in self.followed:
            if one.game == told["game"] and READERS.get(one.seat, one.seat) == reader:
                return one
        raise Violation(f"a message for {reader} of {told['game']} came, who was not asked for")
