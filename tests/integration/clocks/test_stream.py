"""Clocks on the stream: the server's time in every message, and clocks by it in those of the newest version."""

from datetime import UTC, datetime, timedelta

import httpx
import pytest

from projections.time_control import Clock
from tests.integration.stream.kit import running

pytestmark = pytest.mark.slow

#: What a message about the newest version has, and no other.
CLOCKS = {"now", "running", "paused", "pause_left_ms", "on_timeout", "seats"}


class Ahead:
    """The server's clock, far from the client's."""

    def __init__(self):
        self.moment = datetime(2031, 5, 1, 12, tzinfo=UTC)

    def now(self):
        return self.moment

    def wait(self, seconds):
        self.moment += timedelta(seconds=seconds)


def told(clock, seconds=0):
    """A time as messages have it."""
    return (clock.moment + timedelta(seconds=seconds)).isoformat(timespec="microseconds").replace("+00:00", "Z")


async def test_every_message_has_the_servers_time_and_the_newest_the_clocks():
    async with running() as world:
        clock = world.games.clock = Ahead()
        players = await world.players(3)
        game = await world.create(players, clock=Clock(bank_s=60, increment_s=5))
        async with world.client(players[0]) as client:
            assert client.welcome["now"] == told(clock)
            assert (await client.subscribe(game))["now"] == told(clock)
            first = await client.first("snapshot")
            assert first["now"] == first["clocks"]["now"] == told(clock)
            assert set(first["clocks"]) == CLOCKS
            assert [seat["deadline"] for seat in first["clocks"]["seats"]] == [told(clock, 60)] * 3
            assert {one["deadline"] for one in first["decisions"]} == {told(clock, 60)}
            clock.wait(10)
            await world.play(game, 1)
            event = await client.first("event")
            assert event["now"] == event["clocks"]["now"] == told(clock)
            assert [seat["left_ms"] for seat in event["clocks"]["seats"]] == [55_000, 50_000, 50_000]
            clock.wait(7)
            async with world.client(players[1]) as late:
                await late.subscribe(game)
                snapshot = await late.first("snapshot")
                assert snapshot["now"] == told(clock)
                assert [seat["left_ms"] for seat in snapshot["clocks"]["seats"]] == [55_000, 43_000, 43_000]
                again = await late.subscribe(game)
                clock.wait(1)
                assert again["now"] == told(clock, -1)


async def test_a_message_made_before_is_sent_with_the_time_at_which_it_is_sent():
    async with running() as world:
        clock = world.games.clock = Ahead()
        players = await world.players(3)
        game = await world.create(players, clock=Clock(bank_s=60))
        found = []
        for _ in range(3):
            async with world.client(players[0]) as client:
                await client.subscribe(game)
                found.append(await client.first("snapshot"))
            clock.wait(3)
        assert [one["clocks"]["seats"][0]["left_ms"] for one in found] == [60_000, 57_000, 54_000]
        assert len({one["now"] for one in found}) == 3
        assert len({one["clocks"]["seats"][0]["deadline"] for one in found}) == 1
        assert [one["view"] for one in found] == [found[0]["view"]] * 3


async def test_what_is_read_from_the_log_has_the_time_and_only_its_end_the_clocks():
    async with running() as world:
        world.games.clock = Ahead()
        players = await world.players(3)
        game = await world.create(players, clock=Clock(bank_s=60))
        async with world.client() as client:
            await client.subscribe(game, after=0)
            events = await client.until(await world.version(game))
        assert all(event["now"] for event in events)
        assert ["clocks" in event for event in events] == [False] * (len(events) - 1) + [True]


async def test_a_game_without_clocks_has_the_time_and_no_clocks():
    async with running() as world:
        game = await world.create(await world.players(3))
        async with world.client() as client:
            await client.subscribe(game)
            snapshot = await client.first("snapshot")
        assert snapshot["clocks"] is None
        assert snapshot["now"]


async def test_who_has_left_the_seat_sees_no_more_with_its_eyes():
    async with running() as world:
        players = await world.players(4)
        game = await world.create(players[:3])
        headers = {"Authorization": f"Bearer {world.tokens[players[0]]}"}
        async with world.client(players[0]) as client:
            await client.subscribe(game)
            async with httpx.AsyncClient() as http:
                offered = await http.post(f"{world.http}/games/{game}/seats/0/offer", json={}, headers=headers)
                assert offered.status_code == 201
                taking = {"Authorization": f"Bearer {world.tokens[players[3]]}"}
                taken = await http.post(f"{world.http}/games/{game}/seats/0/substitute", headers=taking)
                assert taken.status_code == 201, taken.text
            gone = await client.first("unsubscribed")
            assert gone["problem"]["code"] == "not_allowed"
