"""Two audiences of a game never see each other's secrets, though messages are made once and shared."""

import pytest

from tests.integration.stream.kit import running, without_texts

pytestmark = pytest.mark.slow

READERS = (0, 1, 2, "spectator")


async def test_every_reader_gets_exactly_its_own_events_and_views():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players, ruleset="tiny")
        clients = {}
        for reader in READERS:
            clients[reader] = await world.client(players[reader] if reader != "spectator" else None).__aenter__()
            await clients[reader].subscribe(game, after=0, updates="view")
        await world.play(game, 40)
        oracle = await world.oracle(game)
        apart = 0
        got = {reader: await client.until(oracle.head) for reader, client in clients.items()}
        for version in range(1, oracle.head + 1):
            for reader in READERS:
                number = -1 if reader == "spectator" else reader
                told = without_texts(got[reader][version - 1])
                expected = oracle.event(number, version)
                assert {name: told[name] for name in expected} == expected
                assert told["view"] == await oracle.view(number, version)
            apart += len({str(got[reader][version - 1]["effects"]) for reader in READERS}) > 1
        assert apart >= 10


async def test_a_hidden_card_is_in_no_byte_that_others_get():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players, ruleset="tiny")
        clients = [await world.client(player).__aenter__() for player in players]
        for client in clients:
            await client.subscribe(game, after=0, updates="patch")
        await world.play(game, 12)
        oracle = await world.oracle(game)
        taken = 0
        got = [await client.until(oracle.head) for client in clients]
        for version in range(1, oracle.head + 1):
            for number, effect in enumerate(oracle.effects(version)):
                if type(effect).__name__ != "CardTaken":
                    continue
                taken += 1
                shown = [messages[version - 1]["effects"][number] for messages in got]
                assert [told.get("card") for told in shown] == [
                    effect.card if seat == effect.seat else None for seat in range(3)
                ]
        assert taken >= 9


async def test_decisions_come_with_their_actions_for_the_own_seat_alone():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players)
        _, seat, actions = await world.choices(game)
        for reader in READERS:
            async with world.client(players[reader] if reader != "spectator" else None) as client:
                await client.subscribe(game)
                decision = (await client.next())["decisions"][0]
                assert decision["seat"] == seat
                if reader == seat:
                    assert decision["total"] == len(actions)
                else:
                    assert not {"actions", "menu", "default", "total"} & decision.keys()


async def test_nobody_reads_with_another_seats_eyes():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players)
        for player, seat, code in [
            (players[0], 1, "not_allowed"),
            (None, 0, "not_allowed"),
            (players[0], "all", "not_allowed"),
            (players[0], 3, "not_found"),
        ]:
            async with world.client(player) as client:
                assert (await client.subscribe(game, seat=seat))["problem"]["code"] == code


async def test_a_private_game_does_not_exist_for_others():
    async with running() as world:
        *players, stranger = await world.players(4)
        game = await world.create(players, visibility="private")
        for who in (stranger, None):
            async with world.client(who) as client:
                private = (await client.subscribe(game))["problem"]
                unknown = (await client.subscribe("0190-none"))["problem"]
                assert private == unknown
                assert private["code"] == "not_found"


async def test_who_leaves_a_seat_reads_no_longer_as_that_seat():
    async with running() as world:
        first, second, third = await world.players(3)
        game = await world.open_game(first)
        await world.join(game, 0, first)
        await world.join(game, 1, second)
        async with world.client(second) as client:
            assert (await client.subscribe(game))["reader"] == 1
            await world.leave(game, 1, second)
            told = await client.first("unsubscribed")
            assert (told["reader"], told["problem"]["code"]) == (1, "not_allowed")
            await world.join(game, 1, third)
            assert (await client.ask("ping"))["type"] == "pong"
            assert not [m for m in client.got if m["type"] == "event" and m["kind"] == "joined" and m["seat"] == 1]
