"""`act` over the socket equals POST: the same decisions, refusals and idempotency."""

import pytest

from tests.integration.stream.kit import running

pytestmark = pytest.mark.slow


async def owed(world, game):
    """(player, seat, first legal action) of the pending decision."""
    player, seat, actions = await world.choices(game)
    return player, seat, actions[0]


async def test_an_action_is_accepted_once_it_is_durable_and_told_to_all():
    async with running() as world:
        game = await world.create(await world.players(3))
        player, seat, action = await owed(world, game)
        head = await world.version(game)
        async with world.client(player) as client, world.client() as watcher:
            await watcher.subscribe(game, after=head)
            told = await client.ask("act", id="a-1", game=game, seat=seat, action=action, if_version=head)
            event = (await world.log(game))[head]
            assert told == {
                "type": "accepted",
                "id": "a-1",
                "game": game,
                "version": head + 1,
                "digest": event.digest.hex(),
                "now": event.header.at,
                "clocks": None,
            }
            assert (event.header.kind, event.header.actor, event.header.key) == ("acted", player, "a-1")
            assert (await watcher.until(head + 1))[0]["seat"] == seat


async def test_an_id_sent_again_gets_the_first_answer_and_writes_nothing():
    async with running() as world:
        game = await world.create(await world.players(3))
        player, seat, action = await owed(world, game)
        head = await world.version(game)
        asked = {"id": "again", "game": game, "seat": seat, "action": action}
        async with world.client(player) as client:
            first = await client.ask("act", **asked, if_version=head)
        async with world.client(player) as client:
            assert await client.ask("act", **asked, if_version=head) == first
            assert await client.ask("act", **asked, if_version="*") == first
        assert first["type"] == "accepted"
        assert await world.version(game) == first["version"] == head + 1


async def test_an_answer_that_never_arrived_can_be_asked_for_again():
    async with running() as world:
        game = await world.create(await world.players(3))
        player, seat, action = await owed(world, game)
        head = await world.version(game)
        asked = {"id": "lost", "game": game, "seat": seat, "action": action, "if_version": head}
        async with world.client() as watcher:
            await watcher.subscribe(game, after=head)
            async with world.client(player) as client:
                await client.send("act", **asked)
                await watcher.until(head + 1)
        async with world.client(player) as client:
            told = await client.ask("act", **asked)
            assert (told["type"], told["version"]) == ("accepted", head + 1)


async def test_an_id_for_another_action_is_refused():
    async with running() as world:
        game = await world.create(await world.players(3))
        player, seat, actions = await world.choices(game)
        async with world.client(player) as client:
            asked = {"id": "twice", "game": game, "seat": seat, "if_version": "*"}
            await client.ask("act", **asked, action=actions[0])
            head = await world.version(game)
            told = await client.ask("act", **asked, action={"action": "resign"})
            assert (told["type"], told["problem"]["code"]) == ("refused", "key_reused")
            assert await world.version(game) == head


async def test_a_refusal_carries_the_rule_and_leaves_no_trace():
    async with running() as world:
        game = await world.create(await world.players(3))
        player, seat, _ = await owed(world, game)
        head = await world.version(game)
        async with world.client(player) as client:
            asked = {"game": game, "seat": seat, "if_version": head}
            told = await client.ask("act", id="no", **asked, action={"action": "decline_replacement"})
            problem = told["problem"]
            assert (told["type"], told["id"], told["game"]) == ("refused", "no", game)
            assert (problem["status"], problem["code"]) == (409, "illegal_action")
            assert problem["rule"].startswith("TPOC-")
            assert problem["reason"] == "not_on_menu"
            assert problem["menu"]
            assert "decline_replacement" not in problem["menu"]
            assert await world.version(game) == head


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"if_version": None}, "version_required"),
        ({"if_version": 3}, "version_conflict"),
        ({"if_version": 4000}, "version_conflict"),
        ({"game": "0190-none"}, "not_found"),
        ({"seat": 7}, "not_found"),
        ({"action": {"action": "fly_away"}}, "invalid"),
        ({"action": []}, "invalid"),
        ({"action": {"action": "resign", "loudly": True}}, "invalid"),
    ],
)
async def test_what_is_wrong_with_an_act_is_said_as_on_http(changed, code):
    async with running() as world:
        game = await world.create(await world.players(3))
        await world.play(game, 4)
        player, seat, action = await owed(world, game)
        asked = {"id": "wrong", "game": game, "seat": seat, "action": action, "if_version": "*"} | changed
        async with world.client(player) as client:
            told = await client.ask("act", **{name: value for name, value in asked.items() if value is not None})
            assert (told["type"], told["id"], told["problem"]["code"]) == ("refused", "wrong", code)


async def test_only_the_holder_of_a_seat_acts_for_it():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players)
        _, seat, action = await owed(world, game)
        asked = {"id": "mine", "game": game, "seat": seat, "action": action, "if_version": "*"}
        async with world.client(players[seat - 1]) as other, world.client() as nobody:
            assert (await other.ask("act", **asked))["problem"]["code"] == "not_allowed"
            assert (await nobody.ask("act", **asked))["problem"]["code"] == "unauthenticated"


async def test_a_whole_game_against_bots_is_played_over_one_socket():
    async with running() as world:
        me = await world.player("me")
        game = await world.create([me, "bot:random", "bot:random"])
        async with world.client(me) as client:
            await client.subscribe(game)
            told, acts = await client.first("snapshot"), 0
            while told.get("status") != "ended":
                mine = [d for d in told.get("decisions", ()) if d["seat"] == 0 and d.get("actions")]
                if mine:
                    offered = mine[0]["actions"][world.random.randrange(len(mine[0]["actions"]))]
                    acts += 1
                    action = offered["action"]
                    await client.send(
                        "act", id=f"a{acts}", game=game, seat=0, action=action, if_version=told["version"]
                    )
                told = await client.first("event")
            assert any(m["type"] == "accepted" for m in client.got)
            assert told["outcome"]["reason"]
            events = [m["version"] for m in client.got if m["type"] == "event"]
            assert events == list(range(events[0], events[-1] + 1))
