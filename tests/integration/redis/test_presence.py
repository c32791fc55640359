"""What nodes keep of presence in Redis, and what else may lie there."""

from types import SimpleNamespace

import pytest

from events.feed import LocalFeed
from server.presence import NOBODY, Attendance, Presence
from server.settings import Settings

pytestmark = pytest.mark.anyio


def fail(error):
    raise AssertionError("a listener failed") from error


async def test_an_entry_that_is_none_is_removed_and_those_of_other_nodes_are_told(link):
    key = link.name("presence", "game")
    await link.call("HSET", key, "garbage", "no entry", "another", "9999999999999 [[1],2,3]")
    presence = Presence("node", SimpleNamespace(), LocalFeed(fail), link, Settings())
    assert await presence._exchange("game", NOBODY) == Attendance(frozenset({1}), 2, 3)
    assert await link.call("HKEYS", key) == [b"another"]
