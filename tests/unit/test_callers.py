"""Whose a token is: how long that is believed, and of how many tokens it is kept."""

from datetime import UTC, datetime, timedelta

import pytest

from server.access import Caller
from server.callers import Believed, Callers


class Clock:
    def __init__(self):
        self.time = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self):
        return self.time


class Tokens:
    """Where callers are looked up: `asked` has the keys."""

    def __init__(self):
        self.asked = []

    def look_up(self, key):
        async def found():
            self.asked.append(key)
            return Caller(player=key) if key != "revoked" else None

        return found


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def tokens():
    return Tokens()


async def find(callers, tokens, *keys):
    return [await callers.find(key, tokens.look_up(key)) for key in keys]


async def test_who_was_looked_up_is_known_until_all_are_forgotten(clock, tokens):
    callers = Callers(clock, Believed(10, 5.0), shared=False)
    await find(callers, tokens, "ann", "ann")
    clock.time += timedelta(days=1000)
    await find(callers, tokens, "ann")
    assert tokens.asked == ["ann"]
    callers.forget()
    assert await find(callers, tokens, "ann") == [Caller(player="ann")]
    assert tokens.asked == ["ann", "ann"]


async def test_where_other_nodes_may_revoke_it_is_believed_for_a_while(clock, tokens):
    callers = Callers(clock, Believed(10, 5.0), shared=True)
    await find(callers, tokens, "ann")
    clock.time += timedelta(seconds=5)
    await find(callers, tokens, "ann")
    assert tokens.asked == ["ann"]
    clock.time += timedelta(milliseconds=1)
    await find(callers, tokens, "ann")
    assert tokens.asked == ["ann", "ann"]


async def test_who_is_nobody_is_looked_up_every_time(clock, tokens):
    callers = Callers(clock, Believed(10, 5.0), shared=False)
    assert await find(callers, tokens, "revoked", "revoked") == [None, None]
    assert tokens.asked == ["revoked", "revoked"]


async def test_of_no_more_tokens_than_allowed_it_is_kept(clock, tokens):
    callers = Callers(clock, Believed(2, 5.0), shared=False)
    await find(callers, tokens, "ann", "bob", "cid")
    assert len(callers._known) <= 2
    await find(callers, tokens, "cid", "ann")
    assert tokens.asked == ["ann", "bob", "cid", "ann"]


async def test_what_was_read_before_all_were_forgotten_is_not_kept(clock, tokens):
    callers = Callers(clock, Believed(10, 5.0), shared=False)

    async def revoked_meanwhile():
        callers.forget()
        return Caller(player="ann")

    await callers.find("ann", revoked_meanwhile)
    await find(callers, tokens, "ann")
    assert tokens.asked == ["ann"]
