"""Rates over HTTP: who is limited, by what, and what is told."""

import pytest

from server.limits.budgets import BUDGETS, setting_of
from tests.integration.operation.kit import FORWARDED, bearing, new_game, served, signed_up, statuses, token_of

pytestmark = pytest.mark.slow


def beyond(response, budget, by):
    """The response refuses for this budget, in all the ways that are told."""
    problem = response.json()
    assert response.status_code == 429
    assert response.headers["content-type"] == "application/problem+json"
    assert (problem["code"], problem["budget"], problem["by"]) == ("rate_limited", budget, by)
    assert 1 <= int(response.headers["retry-after"]) <= 60
    assert f'"{budget}-{by}";r=0' in response.headers["ratelimit"]
    return True


async def test_reads_of_an_address_are_limited_also_where_nothing_is():
    async with served(rate_reads_address_per_min=3) as (_, client):
        assert await statuses(client, "GET", "/nowhere", 2) == [404, 404]
        last = await client.get("/v1/games")
        assert last.headers["ratelimit-policy"].split(", ")[0] == '"reads-address";q=3;w=60'
        assert last.headers["ratelimit"].startswith('"reads-address";r=0;t=')
        assert beyond(await client.get("/v1/games"), "reads", "address")
        assert beyond(await client.get("/nowhere"), "reads", "address")
        assert beyond(await client.get("/v1/me", headers=bearing("tl_wrong")), "reads", "address")
        assert (await client.head("/v1/games")).status_code == 429
        assert (await client.post("/v1/players", json={})).status_code == 201  # another budget


async def test_health_and_metrics_are_answered_whatever_was_used_up():
    async with served(rate_reads_address_per_min=1, metrics_open=True) as (_, client):
        assert await statuses(client, "GET", "/v1/games", 2) == [200, 429]
        for path in ("/health/live", "/health/ready", "/metrics"):
            assert await statuses(client, "GET", path, 3) == [200] * 3


async def test_a_player_and_a_token_have_budgets_of_their_own():
    async with served(rate_writes_player_per_min=4, rate_writes_token_per_min=2) as (_, client):
        _, first = await signed_up(client)
        made = await client.post("/v1/tokens", json={}, headers=bearing(first))
        second = made.json()["token"]
        assert '"writes-token";r=1' in made.headers["ratelimit"]
        assert (await client.post("/v1/tokens", json={}, headers=bearing(first))).status_code == 201
        assert beyond(await client.post("/v1/tokens", json={}, headers=bearing(first)), "writes", "token")
        assert await statuses(client, "POST", "/v1/tokens", 2, json={}, headers=bearing(second)) == [201, 201]
        third = made.json()["id"]
        response = await client.delete(f"/v1/tokens/{third}", headers=bearing(second))
        assert response.status_code == 429
        assert (await client.get("/v1/me", headers=bearing(first))).status_code == 200
        _, other = await signed_up(client)
        assert (await client.post("/v1/tokens", json={}, headers=bearing(other))).status_code == 201


async def test_sign_ups_are_limited_by_address():
    async with served(rate_sign_ups_address_per_min=2) as (_, client):
        assert await statuses(client, "POST", "/v1/players", 2, json={}) == [201, 201]
        assert beyond(await client.post("/v1/players", json={}), "sign_ups", "address")


async def test_table_talk_has_a_budget_of_its_own():
    async with served(rate_talk_player_per_min=2) as (_, client):
        _, token = await signed_up(client)
        game = (await client.post("/v1/games", json=new_game(), headers=bearing(token))).json()["game"]
        talk = {"url": f"/v1/games/{game}/messages", "json": {"words": "Hello.", "seat": 0}, "headers": bearing(token)}
        assert [(await client.post(**talk)).status_code for _ in range(2)] == [201, 201]
        before = (await client.get(f"/v1/games/{game}")).json()["version"]
        assert beyond(await client.post(**talk), "talk", "player")
        assert (await client.get(f"/v1/games/{game}")).json()["version"] == before
        resigned = await client.post(f"/v1/games/{game}/resign", json={"seat": 0}, headers=bearing(token))
        assert resigned.status_code == 201


async def test_no_header_of_a_client_gives_it_another_address():
    async with served(rate_reads_address_per_min=2) as (_, client):
        answers = [
            (await client.get("/v1/games", headers={FORWARDED: f"192.0.2.{n}", "Forwarded": f"for=192.0.2.{n}"}))
            for n in range(3)
        ]
        assert [answer.status_code for answer in answers] == [200, 200, 429]


async def test_behind_a_proxy_each_client_has_its_own_budget():
    async with served(rate_reads_address_per_min=1, trusted_proxies=1) as (_, client):
        for address in ("192.0.2.1", "192.0.2.2"):
            for claimed, status in (("", 200), ("198.51.100.7, ", 429)):
                response = await client.get("/v1/games", headers={FORWARDED: f"{claimed}{address}"})
                assert response.status_code == status


async def test_pages_of_other_origins_can_read_that_they_were_refused():
    async with served(rate_reads_address_per_min=1) as (_, client):
        origin = {"Origin": "https://client.example"}
        assert await statuses(client, "GET", "/v1/games", 2, headers=origin) == [200, 429]
        refused = await client.get("/v1/games", headers=origin)
        assert refused.headers["access-control-allow-origin"] in ("*", origin["Origin"])
        assert {"ratelimit", "ratelimit-policy", "retry-after"} <= set(
            refused.headers["access-control-expose-headers"].lower().split(", ")
        )
        assert refused.headers["x-request-id"]


async def test_a_rate_of_zero_tells_nothing_and_limits_nothing():
    rates = {setting_of(budget, by): 0 for budget, whose in BUDGETS.items() for by in whose}
    async with served(**rates) as (world, client):
        token = await token_of(world)
        response = await client.get("/v1/me", headers=bearing(token))
        assert response.status_code == 200
        assert "ratelimit" not in response.headers


async def test_the_bots_of_the_server_are_not_limited():
    async with served(rate_writes_player_per_min=2, rate_writes_address_per_min=2) as (world, client):
        token = await token_of(world)
        seats = ("bot:random", "bot:random", "bot:random")
        game = (await client.post("/v1/games", json=new_game(seats), headers=bearing(token))).json()["game"]
        async with world.client() as watcher:
            await watcher.subscribe(game, after=0)
            while (await watcher.first("event"))["kind"] != "ended":
                pass
