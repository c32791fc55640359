"""How much of a thing one may have: open games, tokens, invitations."""

import asyncio

import pytest

from events.database import change
from projections.generations import active_generation
from tests.integration.operation.kit import bearing, new_game, served, signed_up

pytestmark = pytest.mark.slow


def refused(response, limit, most):
    problem = response.json()
    assert (response.status_code, problem["code"]) == (429, "rate_limited"), problem
    assert (problem["limit"], problem["most"]) == (limit, most)
    assert "retry-after" not in response.headers  # waiting does not help
    return True


def no_place(response, most):
    return refused(response, "open_games_per_player_max", most)


async def test_a_player_makes_so_many_games_also_all_at_once():
    async with served(open_games_per_player_max=5) as (_, client):
        _, token = await signed_up(client)
        making = [client.post("/v1/games", json=new_game(), headers=bearing(token)) for _ in range(20)]
        answers = await asyncio.gather(*making)
        assert sorted(answer.status_code for answer in answers) == [201] * 5 + [429] * 15
        assert all(no_place(answer, 5) for answer in answers if answer.status_code == 429)
        _, other = await signed_up(client)
        assert (await client.post("/v1/games", json=new_game(), headers=bearing(other))).status_code == 201


async def test_a_game_that_has_ended_makes_room():
    async with served(open_games_per_player_max=1) as (_, client):
        _, token = await signed_up(client)
        game = (await client.post("/v1/games", json=new_game(), headers=bearing(token))).json()["game"]
        assert no_place(await client.post("/v1/games", json=new_game(), headers=bearing(token)), 1)
        for seat in (0, 1):
            await client.post(f"/v1/games/{game}/resign", json={"seat": seat}, headers=bearing(token))
        assert (await client.post("/v1/games", json=new_game(), headers=bearing(token))).status_code == 201


async def test_joining_takes_a_place_unless_one_is_in_the_game_already():
    async with served(open_games_per_player_max=1) as (_, client):
        _, ada = await signed_up(client)
        _, bob = await signed_up(client)
        own = await client.post("/v1/games", json=new_game(("open", "open", "open")), headers=bearing(ada))
        other = await client.post("/v1/games", json=new_game(("open", "open", "open")), headers=bearing(bob))
        own, other = own.json()["game"], other.json()["game"]
        sit = [(f"/v1/games/{game}/seats/{seat}") for game, seat in ((own, 0), (own, 1), (other, 0))]
        assert (await client.post(sit[0], json={}, headers=bearing(ada))).status_code == 201
        assert (await client.post(sit[1], json={}, headers=bearing(ada))).status_code == 201
        assert no_place(await client.post(sit[2], json={}, headers=bearing(ada)), 1)
        _, eve = await signed_up(client)
        assert (await client.post(sit[2], json={}, headers=bearing(eve))).status_code == 201
        assert (await client.request("DELETE", sit[2], headers=bearing(eve))).status_code == 200
        made = await client.post("/v1/games", json=new_game(), headers=bearing(eve))
        assert made.status_code == 201


async def test_forking_takes_a_place():
    async with served(open_games_per_player_max=2) as (_, client):
        _, token = await signed_up(client)
        sandbox = new_game() | {"seed": "a sandbox"}
        game = (await client.post("/v1/games", json=sandbox, headers=bearing(token))).json()["game"]
        forks = [await client.post(f"/v1/games/{game}/fork", json={}, headers=bearing(token)) for _ in range(2)]
        assert forks[0].status_code == 201
        assert no_place(forks[1], 2)


async def test_a_repeated_request_gets_its_answer_also_when_it_took_the_last_place():
    async with served(open_games_per_player_max=1) as (_, client):
        _, token = await signed_up(client)
        headers = bearing(token) | {"Idempotency-Key": "once"}
        making = [client.post("/v1/games", json=new_game(), headers=headers) for _ in range(10)]
        answers = await asyncio.gather(*making)
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.content for answer in answers}) == 1


async def test_a_player_has_so_many_standing_tokens():
    async with served(tokens_per_player_max=3) as (_, client):
        _, token = await signed_up(client)
        making = [client.post("/v1/tokens", json={}, headers=bearing(token)) for _ in range(6)]
        answers = await asyncio.gather(*making)
        assert sorted(answer.status_code for answer in answers) == [201] * 2 + [429] * 4
        assert all(refused(answer, "tokens_per_player_max", 3) for answer in answers if answer.status_code == 429)
        spare = next(answer.json()["id"] for answer in answers if answer.status_code == 201)
        assert (await client.delete(f"/v1/tokens/{spare}", headers=bearing(token))).status_code == 204
        assert (await client.post("/v1/tokens", json={}, headers=bearing(token))).status_code == 201


async def test_a_refused_token_leaves_its_key_free():
    async with served(tokens_per_player_max=1) as (_, client):
        _, token = await signed_up(client)
        headers = bearing(token) | {"Idempotency-Key": "again"}
        for _ in range(2):
            assert refused(await client.post("/v1/tokens", json={}, headers=headers), "tokens_per_player_max", 1)


async def test_a_game_has_so_many_invitations():
    async with served(invites_per_game_max=2) as (_, client):
        _, token = await signed_up(client)
        private = new_game(("me", "open", "open")) | {"visibility": "private"}
        game = (await client.post("/v1/games", json=private, headers=bearing(token))).json()["game"]
        making = [client.post(f"/v1/games/{game}/invites", headers=bearing(token)) for _ in range(5)]
        answers = await asyncio.gather(*making)
        assert sorted(answer.status_code for answer in answers) == [201] * 2 + [429] * 3
        assert all(refused(answer, "invites_per_game_max", 2) for answer in answers if answer.status_code == 429)


async def test_while_the_lists_are_made_anew_no_request_folds_the_whole_log():
    async with served(open_games_per_player_max=2, places_behind_events_max=4) as (world, client):
        _, token = await signed_up(client)
        assert (await client.post("/v1/games", json=new_game(), headers=bearing(token))).status_code == 201
        await world.services.runner.catch_up()
        await change(world.services.database, "update checkpoints set position = 0 where name = 'lobby'")
        assert await world.services.store.head() > 4
        told = await client.post("/v1/games", json=new_game(), headers=bearing(token))
        assert (told.status_code, told.json()["code"]) == (503, "unavailable")
        assert told.headers["retry-after"] == "10"


async def test_tables_of_another_read_model_that_are_damaged_stop_nobody_who_makes_a_game(expected_errors):
    expected_errors.add("tables_unfit")  # by the runner that follows the log, and by the list that is asked for
    async with served(open_games_per_player_max=2) as (world, client):
        _, token = await signed_up(client)
        await world.services.runner.catch_up()
        generation = await active_generation(world.services.database, world.services.results)
        await change(world.services.database, f"drop table results_{generation}")
        answers = [await client.post("/v1/games", json=new_game(), headers=bearing(token)) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        lists = await client.get("/v1/results")
        assert (lists.status_code, lists.json()["code"]) == (503, "unavailable")
