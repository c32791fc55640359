"""How presence asks Redis: for a bounded number of games at a time, and what it keeps of what was answered."""

import asyncio
from types import SimpleNamespace

from events.feed import LocalFeed
from events.redis_link import RedisAway
from server.presence import Attendance, Presence
from server.settings import Settings

ALL = tuple(f"game {n}" for n in range(10))


class Hub:
    """Follows these games, each by nobody who could be told."""

    def __init__(self, games):
        self.games = set(games)

    def workers(self, game):
        return [SimpleNamespace(game=game, followers={}, delay_s=0)] if game in self.games else []


class Redis:
    """Answers when it is let; `most`: of so many games it was asked at a time."""

    def __init__(self):
        self.asked, self.now, self.most = [], 0, 0
        self.away = False
        self.answer = [b"[[1],2]"]
        self.all_asked = asyncio.Event()

    def name(self, *parts):
        return ":".join(parts)

    async def run(self, script, keys, arguments):
        if self.away:
            raise RedisAway("away")
        self.asked.append(keys[0].removeprefix("presence:"))
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(5):  # turns of the loop, in which others could ask
            await asyncio.sleep(0)
        self.now -= 1
        if len(self.asked) == len(ALL):
            self.all_asked.set()
        return self.answer


def presence_of(hub, redis, **settings):
    def raised(error):
        raise error

    return Presence("node", hub, LocalFeed(raised), redis, Settings(**settings))


async def test_of_many_games_that_change_together_so_many_are_asked_for_at_a_time_and_all_in_order():
    hub, redis = Hub(ALL), Redis()
    presence = presence_of(hub, redis, presence_games_max=3)
    for game in ALL:
        hub.on_attendance(game)
    running = asyncio.create_task(presence.run())
    await redis.all_asked.wait()
    running.cancel()
    await asyncio.wait([running])
    assert redis.asked == list(ALL)
    assert redis.most == 3


async def test_a_node_that_leaves_tells_of_so_many_games_at_a_time():
    hub, redis = Hub(ALL), Redis()
    presence = presence_of(hub, redis, presence_games_max=3)
    for game in ALL:
        await presence._look(game)
    redis.asked, redis.most = [], 0
    await presence.leave()
    assert redis.asked == list(ALL)
    assert redis.most == 3


async def test_of_a_game_that_is_left_while_redis_is_away_nothing_is_kept():
    hub, redis = Hub(ALL[:1]), Redis()
    presence = presence_of(hub, redis)
    await presence._look(ALL[0])
    assert list(presence._others) == [ALL[0]]
    redis.away, hub.games = True, set()
    await presence._look(ALL[0])
    assert presence._others == {}


async def test_what_another_node_says_and_cannot_be_understood_counts_as_nobody_and_lets_this_one_leave():
    hub, redis = Hub(ALL[:1]), Redis()
    presence = presence_of(hub, redis)
    redis.answer = [b'[[0],1,1,{"more":1}]x', b"[[1],2,3]", b"\xff", b"", b'{"seats":[0]}', b'[["ann"]]']
    await presence._look(ALL[0])
    others, _ = presence._others[ALL[0]]
    assert others == Attendance(frozenset({1}), 2, 3)
    await presence.leave()
