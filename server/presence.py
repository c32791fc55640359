"""Presence: which seats of a game, and how many spectators, follow it on sockets, over all nodes.

A seat is there if somebody who holds it has a socket that follows the game, as whomever. Each node keeps what its own
sockets come to in Redis, under the game, for a while, and says so again before that is over; what a node that died has
kept goes by itself. A message tells other nodes that there is something new. Without Redis a node knows its own alone.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final

import msgspec
import structlog
from msgspec import Struct
from structlog.typing import FilteringBoundLogger

from events.feed import Feed
from events.redis_link import RedisAway, RedisLink, Script
from server.access import seats_of
from server.frames import Frame
from server.hub import Hub
from server.settings import Settings
from server.stream_messages import Present, frame
from server.worker import Worker

log: FilteringBoundLogger = structlog.get_logger("turnlog")

#: The topic of the feed on which nodes tell that who follows a game has changed: the game's id.
TOPIC: Final = "presence"

#: Changes within so many seconds are told together: a thousand who come at once are no thousand messages to each.
PAUSE_S: Final = 0.25

#: Each node says so often within the time for which it is believed that its sockets are still there.
REFRESHES: Final = 3

#: Keeps (or, if it is empty, drops) what a node says of a game, and tells what the others that are believed still say.
#: A field is `<until, in ms of Redis's clock> <what the node says>`.
_EXCHANGE: Final = Script(
    """
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local node, said, good = ARGV[1], ARGV[2], tonumber(ARGV[3])
    if said == '' then
      redis.call('HDEL', KEYS[1], node)
    else
      redis.call('HSET', KEYS[1], node, string.format('%.0f', now + good) .. ' ' .. said)
      redis.call('PEXPIRE', KEYS[1], good)
    end
    local others, all = {}, redis.call('HGETALL', KEYS[1])
    for n = 1, #all, 2 do
      local till, other = string.match(all[n + 1], '^(%d+) (.*)$')
      if not till or tonumber(till) <= now then
        redis.call('HDEL', KEYS[1], all[n])
      elseif all[n] ~= node then
        others[#others + 1] = other
      end
    end
    return others
    """
)


class Attendance(Struct, frozen=True, array_like=True):
    """Who follows a game: the seats, the number of sockets of those who hold none, and that of all sockets."""

    seats: frozenset[int] = frozenset()
    spectators: int = 0
    sockets: int = 0

    def without_seats(self) -> "Attendance":
        """The same for who sees the game late: who has a seat now, he hears only when that is of age."""
        return Attendance(spectators=self.sockets, sockets=self.sockets)


NOBODY: Final = Attendance()


class Presence:
    """Knows who follows the games that sockets of this node follow, and tells those who want to know."""

    def __init__(self, node: str, hub: Hub, feed: Feed, redis: RedisLink | None, settings: Settings) -> None:
        self._node = node
        self._hub = hub
        self._feed = feed
        self._redis = redis
        self._good_s = settings.presence_s
        self._games_max = settings.presence_games_max
        self._here: dict[str, Attendance] = {}
        #: What other nodes said, and until when it is believed if they cannot be asked.
        self._others: dict[str, tuple[Attendance, float]] = {}
        self._changed: dict[str, None] = {}
        self._wake = asyncio.Event()
        hub.on_attendance = self._touch

    async def run(self) -> None:
        """Tell of changes, and now and then that all is as it was, until cancelled."""
        unlisten = self._feed.hear(TOPIC, self._heard)
        loop = asyncio.get_running_loop()
        refresh_at = loop.time()
        try:
            while True:
                if loop.time() >= refresh_at:
                    refresh_at = loop.time() + self._good_s / REFRESHES
                    self._changed.update(dict.fromkeys(self._here))
                changed, self._changed = self._changed, {}
                self._wake.clear()
                await self._each(changed, self._look_safely)
                await asyncio.sleep(PAUSE_S)
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(refresh_at):
                        await self._wake.wait()
        finally:
            unlisten()

    async def leave(self) -> None:
        """Let other nodes know that nobody is here any more."""
        if self._redis is not None:
            await self._each(self._here, self._gone)

    def _touch(self, game: str) -> None:
        self._changed[game] = None
        self._wake.set()

    def _heard(self, game: bytes) -> None:
        name = game.decode(errors="replace")
        if name in self._here:
            self._touch(name)

    async def _each(self, games: Iterable[str], work: Callable[[str], Awaitable[None]]) -> None:
        """Do something for games in their order, for a bounded number of them at a time."""
        waiting = iter(tuple(games))
        while some := tuple(islice(waiting, self._games_max)):
            await asyncio.gather(*map(work, some))

    async def _gone(self, game: str) -> None:
        await self._exchange(game, NOBODY)

    async def _look_safely(self, game: str) -> None:
        try:
            await self._look(game)
        except Exception:  # whatever it is, games go on
            log.exception("presence_failed", game=game)

    async def _look(self, game: str) -> None:
        """Count who is here, exchange that with the other nodes, and tell those who follow the game."""
        workers = self._hub.workers(game)
        here = attendance_of(workers) if workers else NOBODY
        before = self._here.get(game, NOBODY)
        if workers:
            self._here[game] = here
        else:
            self._here.pop(game, None)
        others = await self._exchange(game, here)
        if game not in self._here:
            self._others.pop(game, None)  # also if Redis is away: nobody asks for it any more
        if here != before:
            self._feed.tell(TOPIC, game.encode())
        for worker in workers:
            self._tell(worker, together((here, others)))

    async def _exchange(self, game: str, here: Attendance) -> Attendance:
        """What the other nodes say."""
        if self._redis is None:
            return NOBODY
        now = asyncio.get_running_loop().time()
        said = "" if here == NOBODY else msgspec.json.encode(here)
        arguments = (self._node, said, round(1000 * self._good_s))
        try:
            answer = await self._redis.run(_EXCHANGE, [self._redis.name("presence", game)], arguments)
        except RedisAway:
            others, until = self._others.get(game, (NOBODY, 0.0))
            return others if now < until else NOBODY
        others = together(map(_decoded, answer))
        self._others[game] = (others, now + self._good_s)
        return others

    @staticmethod
    def _tell(worker: Worker, all_: Attendance) -> None:
        shown = all_.without_seats() if worker.delay_s else all_
        told: Frame | None = None
        for follower in tuple(worker.followers):
            if not follower.wants_presence or follower.present == shown or follower.socket.outbox.full:
                continue  # who reads slowly is told with the next refresh
            follower.present = shown
            told = told or _message(worker, shown)
            follower.socket.outbox.put(told)


def _message(worker: Worker, all_: Attendance) -> Frame:
    present = Present(game=worker.game, seats=sorted(all_.seats), spectators=all_.spectators)
    return frame(present, worker.games.now())


def _decoded(said: bytes) -> Attendance:
    """What another node says; nobody, if that cannot be understood: it may be of another version."""
    try:
        return msgspec.json.decode(said, type=Attendance)
    except msgspec.DecodeError:
        return NOBODY


def attendance_of(workers: Sequence[Worker]) -> Attendance:
    """Who follows a game on this node, as its first worker knows: a socket counts once, however it follows."""
    seats: set[int] = set()
    spectators = 0
    sockets = {follower.socket for worker in workers for follower in worker.followers}
    for socket in sockets:
        own = seats_of(socket.caller, workers[0].live.meta)
        seats.update(own)
        spectators += not own
    return Attendance(frozenset(seats), spectators, len(sockets))


def together(attendances: Iterable[Attendance]) -> Attendance:
    """Who follows a game here or there."""
    known = list(attendances)
    seats: frozenset[int] = frozenset().union(*(one.seats for one in known))
    return Attendance(seats, sum(one.spectators for one in known), sum(one.sockets for one in known))
