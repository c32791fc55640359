"""Stale: old versions, versions from the future, and what belongs to another game."""

import pytest

from tests.sockets.kit import got_all, problem, versions


@pytest.fixture
async def table(site):
    return await site.deal()


async def test_a_version_from_the_future_is_refused_and_the_socket_goes_on(table):
    head = await table.version()
    async with table.site.socket(table.token) as client:
        for beyond in (head + 1, head + 1_000_000, 2**53, 2**63 - 1):
            assert problem(await client.subscribe(table.game, after=beyond)) == "invalid"
        assert (await client.subscribe(table.game, after=head, seat="spectator"))["type"] == "subscribed"
        assert await got_all(client, table.game, await table.act()) == [head + 1]


async def test_a_version_of_another_longer_game_is_refused(table):
    other = await table.site.deal()
    await other.say(5)
    async with other.site.socket(other.token) as client:
        assert problem(await client.subscribe(table.game, after=await other.version())) == "invalid"
        assert (await client.subscribe(other.game, after=await other.version(), seat="spectator"))[
            "type"
        ] == "subscribed"


async def test_an_act_on_an_old_version_is_refused_with_what_was_missed(table):
    seat, action = await table.owed()
    old = await table.version()
    head = await table.act(3)
    async with table.site.socket(table.token) as client:
        told = await client.ask("act", game=table.game, seat=seat, action=action, if_version=old)
        assert problem(told) == "version_conflict"
        assert [event["version"] for event in told["problem"]["missed"]] == list(range(old + 1, head + 1))
        seat, action = await table.owed()
        again = await client.ask("act", id="again", game=table.game, seat=seat, action=action, if_version=head)
        assert (again["type"], again["version"]) == ("accepted", head + 1)


async def test_an_act_on_a_version_from_the_future_is_refused_and_writes_nothing(table):
    seat, action = await table.owed()
    head = await table.version()
    async with table.site.socket(table.token) as client:
        for beyond in (head + 1, 2**53):
            told = await client.ask(
                "act", id=f"b{beyond}", game=table.game, seat=seat, action=action, if_version=beyond
            )
            assert problem(told) in ("version_conflict", "invalid")
    assert await table.version() == head


async def test_the_id_of_an_act_of_another_game_is_refused_and_writes_nothing(table):
    async with table.site.socket(table.token) as client:
        other = type(table)(table.site, await table.site.game(table.token), table.token)
        for at, outcome in ((table, "accepted"), (other, "key_reused")):
            seat, action = await at.owed()
            head = await at.version()
            told = await client.ask("act", id="one-id", game=at.game, seat=seat, action=action, if_version="*")
            assert (told["type"] if outcome == "accepted" else problem(told)) == outcome
        assert await other.version() == head


async def test_another_game_s_token_reads_and_plays_nothing_here(table):
    other = await table.site.deal(visibility="private")
    narrow = await table.site.narrowed(table.token, game=table.game)
    seat, action = await other.owed()
    async with table.site.socket(narrow) as client:
        assert problem(await client.subscribe(other.game, after=0)) == "not_found"
        told = await client.ask("act", id="n", game=other.game, seat=seat, action=action, if_version="*")
        assert problem(told) == "not_found"
        assert (await client.subscribe(table.game, seat="spectator"))["type"] == "subscribed"


async def test_who_resumes_from_before_an_undo_gets_the_way_there_and_back(site):
    table = await site.deal(undo="free")
    async with table.follower(updates="patch") as live:
        before = await table.version()
        seat, _ = await table.owed()
        await table.act()
        assert (await table.undo(seat)).is_success
        head = await table.version()
        async with table.follower(after=before, updates="patch") as late:
            assert await got_all(late, table.game, head) == list(range(before + 1, head + 1))
        await got_all(live, table.game, head)
        again = {told["version"]: told["patch"] for told in late.got if told["type"] == "event"}
        assert again == {
            told["version"]: told["patch"]
            for told in live.got
            if told.get("version", 0) > before and told["type"] == "event"
        }


async def test_a_client_that_has_all_is_told_nothing_twice(table):
    head = await table.act(2)
    for _ in range(3):
        async with table.follower(after=head) as client:
            assert (await client.ask("ping"))["type"] == "pong"
            assert versions(client, table.game) == []
