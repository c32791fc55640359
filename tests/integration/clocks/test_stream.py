"""Clocks on the stream: the server's time in every message, and clocks by it in those of the newest version."""

from datetime import UTC, datetime, timedelta
from functools import partial

import httpx
import pytest

from projections.time_control import Clock
from server.problems import Problem
from server.stream_messages import FromServer
from tests.integration.stream.kit import running
from tests.integration.stream.test_slow import TIGHT, fill, lazy

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


async def test_no_type_of_message_is_without_the_servers_time():
    async with running(heartbeat_s=1.0) as world:  # at which the socket of a revoked token is closed
        clock = world.games.clock = Ahead()
        players = await world.players(3)
        game = await world.create(players, clock=Clock(bank_s=60))
        player, seat, actions = await world.choices(game)
        wish = {"game": game, "seat": seat, "action": actions[0], "if_version": "*"}
        async with world.client(player) as client, world.client() as damaged:
            await client.subscribe(game, presence=True)
            await client.first("presence")
            await client.ask("ping")
            await client.ask("act", **wish)
            await client.until(await world.version(game))
            await client.ask("act", **wish | {"if_version": 1})
            await client.ask("unsubscribe", game=game)
            await damaged.subscribe(game)
            worker = world.services.hub.workers(game)[0]
            next(iter(worker.followers)).end(Problem("internal", "As if it could not be followed any more."))
            await damaged.first("unsubscribed")
            await world.revoke(player)
            await client.closed()
            got = client.got + damaged.got
        assert {one["type"]: one["now"] for one in got} == dict.fromkeys(_types() - {"skipped"}, told(clock))
        assert {one["now"] for one in got} == {told(clock)}
        assert next(one["at"] for one in got if one["type"] == "pong") == told(clock)


def _types():
    """Of all messages that the server sends."""
    return {one.__struct_config__.tag for one in FromServer.__subclasses__()} | {"event", "snapshot", "skipped"}


async def test_what_was_skipped_to_has_the_time_and_the_clocks_of_when_it_is_sent():
    async with running(**TIGHT, socket_stall_s=60.0) as world:
        clock = world.games.clock = Ahead()
        world.create = partial(world.create, clock=Clock(bank_s=60))
        async with lazy(world) as slow:
            await fill(world, await world.players(3), slow, updates="view")
            clock.wait(7)
            skipped = await slow.first("skipped")
        assert skipped["now"] == skipped["clocks"]["now"] == told(clock)
        assert set(skipped["clocks"]) == CLOCKS
        assert {seat["left_ms"] for seat in skipped["clocks"]["seats"] if seat["owes"]} == {53_000}


async def test_who_resumes_is_told_the_clocks_at_once_though_nothing_is_new():
    async with running() as world:
        clock = world.games.clock = Ahead()
        game = await world.create(await world.players(3), clock=Clock(bank_s=60))
        clock.wait(9)
        async with world.client() as client:
            subscribed = await client.subscribe(game, after=await world.version(game))
        assert subscribed["now"] == subscribed["clocks"]["now"] == told(clock)
        assert [seat["left_ms"] for seat in subscribed["clocks"]["seats"]] == [51_000] * 3


async def test_who_acts_is_told_the_clocks_as_they_stood_then_and_the_same_if_asked_again():
    async with running() as world:
        clock = world.games.clock = Ahead()
        game = await world.create(await world.players(3), clock=Clock(bank_s=60, increment_s=5))
        player, seat, actions = await world.choices(game)
        clock.wait(10)
        wish = {"id": "once", "game": game, "seat": seat, "action": actions[0], "if_version": "*"}
        async with world.client(player) as client:
            accepted = await client.ask("act", **wish)
            assert accepted["now"] == accepted["clocks"]["now"] == told(clock)
            assert [one["left_ms"] for one in accepted["clocks"]["seats"]] == [55_000, 50_000, 50_000]
            clock.wait(3)
            assert await client.ask("act", **wish) == accepted


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
            subscribed = client.got[1]
        assert snapshot["clocks"] is subscribed["clocks"] is None
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
