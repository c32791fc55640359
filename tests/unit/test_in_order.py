"""What is done for many is done in the order in which they came, so that a run can be repeated to the byte."""

import asyncio
from contextlib import suppress
from types import SimpleNamespace

from events.feed import LocalFeed
from server.presence import Presence
from server.problems import Problem
from server.settings import Settings
from server.worker import Worker

NAMES = [f"game {n}" for n in range(50)]


def fail(error):
    raise AssertionError("a listener failed") from error


class Hub:
    """Asked for workers, it notes of which game."""

    def __init__(self):
        self.asked = []
        self.on_attendance = None

    def workers(self, game):
        self.asked.append(game)
        return []


async def test_presence_is_looked_at_in_the_order_in_which_it_changed():
    hub = Hub()
    presence = Presence("node", hub, LocalFeed(fail), None, Settings())
    for name in (*NAMES, *reversed(NAMES)):
        hub.on_attendance(name)
    with suppress(TimeoutError):
        async with asyncio.timeout(0.01):
            await presence.run()
    assert hub.asked == NAMES


async def test_followers_of_a_game_are_told_in_the_order_in_which_they_came():
    told = []
    worker = Worker("game", SimpleNamespace(), lambda _: None, lambda _: None)
    followers = [SimpleNamespace(number=n, end=lambda _, n=n: told.append(n)) for n in range(50)]
    for follower in followers:
        worker.follow(Hashed(follower))
    worker._fail(Problem("unavailable", "Try again."))
    assert told == list(range(50))


class Hashed:
    """A follower whose hash is against the order in which it came."""

    def __init__(self, follower):
        self.number = follower.number
        self.end = follower.end

    def __hash__(self):
        return -self.number
