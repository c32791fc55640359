"""The stream by the spectators' delay: subscriptions, snapshots, resuming, and what comes of age."""

import asyncio
from contextlib import asynccontextmanager
from datetime import datetime

from server.ports import SystemClock
from server.settings import Settings
from tests.integration.delay.kit import DELAY_S, Table, table
from tests.integration.hardening.kit import site

#: Budgets are reckoned by the same clock: one that is set back finds them empty.
UNLIMITED = {name: 0 for name in Settings.__struct_fields__ if name.endswith("_per_min")}
UPDATES = ("view", "patch", "effects")


@asynccontextmanager
async def clients(at, *tokens):
    """Clients of the stream with these tokens (None: nobody)."""
    world, opened = at.at.world, []
    for number, token in enumerate(tokens):
        world.tokens[f"client {number}"] = token
        opened.append(await world.client(f"client {number}" if token else None).__aenter__())
    try:
        yield opened
    finally:
        for client in opened:
            client.drop()


async def silent(client):
    """Whether nothing comes for a client, though all workers have gone on."""
    await asyncio.sleep(0.3)  # more than a heartbeat, at which workers look at the log by themselves
    await client.send("ping", id="silent")
    return (await client.next())["type"] == "pong"


async def followed(client, game, **wanted):
    """What a new subscription gives at once: the messages up to the newest version that it tells of."""
    begun = len(client.got)
    told = await client.subscribe(game, **wanted)
    while not any(one.get("version") == told["version"] and one["type"] != "subscribed" for one in client.got[begun:]):
        await client.next()
    await client.ask("unsubscribe", game=game)
    return [{name: value for name, value in one.items() if name != "id"} for one in client.got[begun:]]


async def test_a_spectator_is_told_an_event_when_it_is_of_age_and_not_before():
    async with table() as at, clients(at, at.stranger_token, at.tokens[0]) as (stranger, player):
        await at.play(2)
        at.wait(DELAY_S)
        shown = await at.newest()
        assert (await stranger.subscribe(at.game))["version"] == shown
        assert (await stranger.first("snapshot"))["version"] == shown
        await player.subscribe(at.game, seat=0)
        await at.play(1)
        at.wait(100)
        await at.play(2)
        newest = await at.newest()
        await player.until(newest)
        assert await silent(stranger)
        at.wait(DELAY_S - 100)
        assert [one["version"] for one in await stranger.until(shown + 1)] == [shown + 1]
        assert await silent(stranger)
        at.wait(100)
        events = await stranger.until(newest)
        assert [one["version"] for one in events] == list(range(shown + 1, newest + 1))
        live = [one for one in player.got if one["type"] == "event" and one["version"] == newest]
        assert events[-1]["digest"] == live[0]["digest"]


async def test_what_a_new_subscription_gives_does_not_depend_on_what_is_not_of_age():
    async with table() as at, clients(at, at.stranger_token, None, at.maker) as strangers:
        await at.play(3)
        at.wait(DELAY_S)
        shown = await at.newest()

        async def look():
            got = []
            for client in strangers:
                for updates in UPDATES:
                    got += await followed(client, at.game, updates=updates)
                    got += await followed(client, at.game, updates=updates, after=0)
                    got += await followed(client, at.game, updates=updates, after=shown - 1)
                refused = await client.ask("subscribe", game=at.game, after=shown + 1)
                got.append({name: value for name, value in refused.items() if name != "id"})
            return got

        expected = await look()
        problem = expected[-1]["problem"]  # by the clock of another node that version may be of age
        assert (problem["code"], problem["version"]) == ("unavailable", shown)
        await at.play(3)
        for seat in (0, 1):
            await at.post("/resign", at.tokens[seat], {"seat": seat})
        assert await look() == expected
        at.wait(DELAY_S)
        last = (await followed(strangers[0], at.game))[-2]
        assert (last["version"], last["status"]) == (await at.newest(), "ended")


async def test_who_comes_back_where_the_clock_is_behind_is_told_to_come_again_and_then_resumes():
    async with table() as at, clients(at, at.stranger_token) as (stranger,):
        await at.play(2)
        at.wait(DELAY_S)
        shown = await at.newest()
        assert (await stranger.subscribe(at.game, after=0))["version"] == shown
        await stranger.ask("unsubscribe", game=at.game)
        at.wait(-1)  # as on another node, or after a clock was set back
        for after in (shown, shown + 1):  # which of them are there is not told
            refused = (await stranger.subscribe(at.game, after=after))["problem"]
            assert refused["code"] == "unavailable", refused
            assert refused["version"] < shown
            assert refused["retry_after"] > 0
        at.wait(1)
        assert (await stranger.subscribe(at.game, after=shown))["after"] == shown
        await at.play(1)
        at.wait(DELAY_S)
        assert (await stranger.first("event"))["version"] == shown + 1


async def test_a_node_whose_clock_was_ahead_and_was_set_back_shows_what_is_of_age_and_lets_spectators_resume():
    async with table(settings=UNLIMITED) as at, clients(at, at.stranger_token) as (stranger,):
        started = await at.newest()
        at.wait(DELAY_S)
        assert (await at.get("", at.stranger_token))["version"] == started
        await at.play(2)
        at.wait(10 * DELAY_S)
        assert (await at.get("", at.stranger_token))["version"] == started + 2
        at.wait(-10 * DELAY_S)
        assert (await at.get("", at.stranger_token))["version"] == started
        told = await stranger.subscribe(at.game, after=started - 1)
        assert (told["after"], told["version"]) == (started - 1, started)
        assert [one["version"] for one in await stranger.until(started)] == [started]
        at.wait(DELAY_S)
        versions = [one["version"] for one in await stranger.until(started + 2)]
        assert versions == [started, started + 1, started + 2]


async def test_the_own_seat_is_not_delayed_but_a_spectator_s_eyes_are():
    async with table() as at, clients(at, at.tokens[0]) as (player,):
        await at.play(2)
        at.wait(DELAY_S)
        shown = await at.newest()
        await at.play(2)
        newest = await at.newest()
        assert (await player.subscribe(at.game))["version"] == newest
        assert (await player.subscribe(at.game, seat="spectator"))["version"] == shown
        await at.play(1)
        events = await player.until(newest + 1)
        assert [(one["reader"], one["version"]) for one in events] == [(0, newest + 1)]
        assert (await at.get("/view", at.tokens[0]))["version"] == newest + 1
        assert (await at.get("/view?seat=spectator", at.tokens[0]))["version"] == shown


async def test_who_holds_several_seats_loses_the_live_game_with_the_last_of_them():
    async with table() as at:
        _, token = await at.at.player("of two seats")
        game = await at.at.game(token, ["me", "me", "open"], spectator_delay_s=DELAY_S)
        await at.at.told("POST", f"/v1/games/{game}/seats/2", at.tokens[0], {})
        at.game, (other, other_token) = game, await at.at.player("substitute")
        async with clients(at, token) as (player,):
            told = await player.subscribe(game)
            assert (told["reader"], told["version"]) == ("spectator", await at.newest())
            await at.post("/seats/0/offer", token, {"to": other})
            await at.post("/seats/0/substitute", other_token)
            third, third_token = await at.at.player("another")
            await at.post("/seats/1/offer", token, {"to": third})
            newest = await at.newest()
            await player.until(newest)
            await at.post("/seats/1/substitute", third_token)
            ended = await player.first("unsubscribed")
            assert ended["problem"]["code"] == "not_allowed"
            assert (await player.subscribe(game))["version"] < newest


async def test_clocks_are_shown_as_they_stood():
    async with table() as at, clients(at, None) as (stranger,):
        await at.play(1)
        at.wait(50)
        told = await at.get("", at.tokens[0])
        at.wait(DELAY_S)
        await at.play(1)
        later = await at.get("", at.stranger_token)
        assert later["clocks"] == told["clocks"]
        assert later["deciding"] == told["deciding"]
        subscribed = await stranger.subscribe(at.game)
        snapshot = await stranger.first("snapshot")
        assert subscribed["clocks"] == snapshot["clocks"] == told["clocks"]
        assert snapshot["now"] > snapshot["clocks"]["now"]


async def test_by_the_machine_s_clock_events_come_when_they_are_of_age():
    async with site(audit_share=0.0) as site_:
        at = Table(site_, SystemClock())
        await at.sit(spectator_delay_s=1, clock=None)
        async with clients(at, None) as (stranger,):
            await stranger.subscribe(at.game, after=0)
            await at.play(2)
            newest = await at.newest()
            began = asyncio.get_running_loop().time()
            events = await stranger.until(newest)
            assert asyncio.get_running_loop().time() - began > 0.5
            assert [one["version"] for one in events] == list(range(1, newest + 1))
            for one in events:
                assert one["at"] < one["now"]
                if one["version"] > 4:
                    assert _seconds(one["now"]) - _seconds(one["at"]) >= 1.0


def _seconds(at):
    return datetime.fromisoformat(at).timestamp()


async def test_presence_tells_who_sees_the_game_late_of_sockets_and_not_of_seats():
    async with table() as at, clients(at, at.stranger_token, at.tokens[1]) as (stranger, player):
        await at.play(1)
        await stranger.subscribe(at.game, presence=True)
        await player.subscribe(at.game, presence=True)
        for client, seats, spectators in ((stranger, [], 2), (player, [1], 1)):
            while (told := await client.first("presence")) and told["spectators"] != spectators:
                pass
            assert told["seats"] == seats
        assert not any(one["seats"] for one in stranger.got if one["type"] == "presence")
