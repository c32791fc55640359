"""Lobby and results of games with a delay: only who holds a seat is told, and finds, more than what is of age."""

import pytest

from tests.integration.delay.kit import DELAY_S, table


@pytest.fixture(params=["sqlite", "postgres"])
def database(request):
    """Of each kind one."""
    return ":memory:" if request.param == "sqlite" else request.getfixturevalue("postgres_database")


async def test_lists_show_to_each_what_it_may_know(database):
    async with table(database) as at:
        await at.play(2)
        at.wait(DELAY_S)
        shown, others = await at.newest(), [None, at.stranger_token, at.maker, at.operator]
        name, substitute = await at.at.player("substitute")
        await at.post("/seats/2/offer", at.tokens[2], {"to": name})
        await at.post("/seats/2/substitute", substitute)
        at.wait(10)
        for seat in (0, 1):
            await at.post("/resign", at.tokens[seat], {"seat": seat})
        await at.at.world.services.runner.catch_up()

        async def rows(token, query=""):
            found = await at.at.told("GET", f"/v1/games?{query}", token)
            return [(one["version"], one["status"], one["seats"][2]["player"]) for one in found["games"]]

        async def results(token, player=None):
            path = "/v1/results" if player is None else f"/v1/players/{player}/results"
            return len((await at.at.told("GET", path, token))["results"])

        newest = await at.newest()
        old, half, now = ((shown, "running", at.names[2]), (shown + 2, "running", name), (newest, "ended", name))
        for token in others:
            assert await rows(token) == await rows(token, "status=running") == [old]
            assert await rows(token, f"player={at.names[2]}") == [old]
            assert await rows(token, f"player={name}") == await rows(token, "status=ended") == []
            assert await results(token) == await results(token, name) == await results(token, at.names[0]) == 0
        for token in (at.tokens[0], substitute):
            assert (
                await rows(token) == await rows(token, "status=ended") == await rows(token, f"player={name}") == [now]
            )
            assert await results(token) == await results(token, name) == 1
        assert await rows(at.tokens[2]) == [old]
        at.wait(DELAY_S - 10)
        assert await rows(None) == await rows(None, f"player={name}") == [half]
        assert await rows(None, f"player={at.names[2]}") == []
        assert await results(None) == 0
        at.wait(10)
        assert await rows(None) == await rows(None, "status=ended") == [now]
        assert await results(None) == await results(None, name) == 1
        assert await at.at.told("GET", "/v1/games?status=running") == {"games": [], "next": None}


async def test_lists_with_and_without_delays_are_one_list(database):
    async with table(database) as at:
        made = [at.game]
        for number in range(6):
            at.wait(1)
            made.append(await at.at.game(at.maker, ["open"] * 3, spectator_delay_s=DELAY_S * (number % 2)))
        await at.at.world.services.runner.catch_up()
        found, path = [], "/v1/games?limit=2"
        while path is not None:
            page = await at.at.told("GET", path)
            found += [one["game"] for one in page["games"]]
            path = page["next"] and f"/v1/games?limit=2&cursor={page['next']}"
        assert found == made[::-1]
