"""Players: they act in their games, and send again until they are answered."""

import asyncio

import msgspec

from tests.simulation.besides import Besides
from tests.simulation.chance import stream
from tests.simulation.clients import following
from tests.simulation.front import UNSETTLED, Request
from tests.simulation.judge import Violation
from tests.simulation.node import Unreachable

#: What makes another request of one.
_OTHER = {"create": {"name": "another"}}


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
        self._besides = Besides(world, self, number)
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
            await self._besides.sit_down()
            if self.left < self.seats.keys():
                await self.move(self._game())

    def sit(self, game, seat):
        """A seat is this player's from now on."""
        self.seats[game] = seat
        self.left.discard(game)
        if not self.follower.follows(game, seat):  # it was not told yet that it had lost the seat
            self.follower.follow(following(self._world.chance, game, seat))

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
        if self._besides.is_asked(seat, one.newest):
            return True
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
        if await self._besides.at_table(game, seat, seen):
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
        seat = self.seats.get(request.game, -1 if request.do == "take_over" else request.body.get("seat", -1))
        if over_socket:
            while not self.follower.connected:  # noqa: ASYNC110 - as a client does
                await asyncio.sleep(0.1)
            repeated = self._world.judge.is_acknowledged((self.id, request.key))
            reply = await self.follower.act(request, seat)
            self._judge(request, reply, seat, repeated)
            return reply
        return await self._world.network.call(self, request, attempts, seat, judged=judged)

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
            reply = await self._world.network.call(self, request, [], seat)
        except Unreachable:
            return None
        return None if reply.code else reply.told
