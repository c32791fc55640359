"""Lists: pages, links, cursors, NDJSON and CSV; and the log in pieces."""

import csv
import io
import json
import re

import pytest

from server.operations import CSV, NDJSON


async def settle(services):
    """Bring the read models to the head of the log."""
    await services.runner.catch_up()


def following(response):
    """Where the Link header leads."""
    match = re.fullmatch(r'<(.+)>; rel="next"', response.headers.get("link", ""))
    return match[1] if match else None


async def test_pages_lead_to_each_other_without_gap_or_repeat(api, services):
    _, ada = await api.player()
    made = [await api.game(ada, ["me", "open", "open"], name=f"game {n}") for n in range(5)]
    await settle(services)
    path, found, sizes = "/v1/games?limit=2&text=game", [], []
    while path is not None:
        response = await api.send("GET", path, token=ada)
        page = response.json()
        found += [game["game"] for game in page["games"]]
        sizes.append(len(page["games"]))
        path = following(response)
        assert (page["next"] is None) == (path is None)
    assert (found, sizes) == (made[::-1], [2, 2, 1])


@pytest.mark.parametrize("cursor", ["%", "a b", "_", "_w", "\u00fc"])
async def test_a_made_up_cursor_is_refused(api, cursor):
    await api.refused("invalid", "GET", f"/v1/games?cursor={cursor}")


async def test_games_are_found_by_every_condition(api, services):
    ada_id, ada = await api.player()
    bob_id, bob = await api.player("Bob")
    open_game = await api.game(ada, ["me", "open", "open"], name="Evening")
    running = await api.game(bob, ["me", "me", "me"], name="Morning")
    private = await api.game(bob, ["me", "open", "open"], visibility="private")
    await settle(services)

    async def found(query, token=None):
        return [game["game"] for game in (await api.get(f"/v1/games?{query}", token))["games"]]

    assert await found("status=open") == [open_game]
    assert await found("status=running") == [running]
    assert await found("status=ended") == []
    assert await found(f"player={ada_id}") == [open_game]
    assert await found("open_seats=true") == [open_game]
    assert await found("open_seats=false") == [running]
    assert await found("text=mORN") == [running]
    assert await found("ruleset=none") == []
    assert await found(f"player={bob_id}", bob) == [private, running]
    assert await found(f"player={bob_id}", ada) == [running]
    await api.refused("invalid", "GET", "/v1/games?status=lost")


async def test_a_page_has_a_largest_size(api, services):
    _, ada = await api.player()
    await api.game(ada, ["me", "open", "open"])
    await settle(services)
    assert len((await api.get("/v1/games?limit=100000000"))["games"]) == 1
    await api.refused("invalid", "GET", "/v1/games?limit=0")


async def test_the_log_comes_in_pieces_or_as_lines(api):
    _, ada = await api.player()
    game = await api.game(ada)
    await api.set_up(game, ada)
    whole = (await api.get(f"/v1/games/{game}/events?seat=0", ada))["events"]
    path, pieces = f"/v1/games/{game}/events?seat=0&limit=2", []
    while path is not None:
        response = await api.send("GET", path, token=ada)
        pieces += response.json()["events"]
        path = following(response)
    assert pieces == whole
    lines = await api.send("GET", f"/v1/games/{game}/events?seat=0", token=ada, headers={"Accept": NDJSON})
    assert lines.headers["content-type"] == NDJSON
    assert [json.loads(line) for line in lines.text.splitlines()] == whole
    some = await api.get(f"/v1/games/{game}/events?seat=0&after=2&until=4", ada)
    assert ([event["version"] for event in some["events"]], some["next"]) == ([3, 4], None)
    few = await api.send("GET", f"/v1/games/{game}/events?limit=3", token=ada, headers={"Accept": NDJSON})
    assert len(few.text.splitlines()) == 3
    bare = await api.get(f"/v1/games/{game}/events?labels=false", ada)
    assert not any("labels" in event or "label" in event for event in bare["events"])


async def test_results_are_json_lines_or_a_table(api, services):
    ada_id, ada = await api.player()
    game = await api.game(ada)
    await api.end(game, ada)
    sandbox = await api.game(ada, seed="x")
    await api.end(sandbox, ada)
    await settle(services)
    (result,) = (await api.get("/v1/results"))["results"]
    assert (result["game"], result["winners"], result["reason"]) == (game, [2], "last_seat")
    for path in ("/v1/results?ruleset=tpoc", f"/v1/players/{ada_id}/results", f"/v1/results?player={ada_id}"):
        lines = await api.send("GET", path, headers={"Accept": NDJSON})
        assert [json.loads(line) for line in lines.text.splitlines()] == [result]
        table = await api.send("GET", path, headers={"Accept": CSV})
        assert table.headers["content-type"] == "text/csv; charset=utf-8"
        (row,) = csv.DictReader(io.StringIO(table.text))
        assert (row["game"], row["players"], row["places"]) == (game, " ".join([ada_id] * 3), "2 2 1")
    assert (await api.get("/v1/results?ruleset=none"))["results"] == []


async def test_what_the_caller_owes_comes_oldest_first(api, services):
    _, ada = await api.player()
    games = [await api.game(ada, ["me", "bot:random", "bot:random"], name=str(n)) for n in range(3)]
    await settle(services)
    owed = await api.get("/v1/me/decisions", ada)
    assert [one["game"] for one in owed["decisions"]] == games
    assert all("actions" not in one["decision"] and one["decision"]["total"] > 0 for one in owed["decisions"])
    few = await api.get("/v1/me/decisions?limit=1", ada)
    assert ([one["game"] for one in few["decisions"]], few["total"]) == (games[:1], 3)
    await api.act(games[0], ada)
    assert games[0] not in [one["game"] for one in (await api.get("/v1/me/decisions?limit=2", ada))["decisions"][:1]]


async def test_what_the_caller_owes_with_a_token_for_one_game_is_that_games(api, services):
    _, ada = await api.player()
    games = [await api.game(ada, ["me", "bot:random", "bot:random"]) for _ in range(2)]
    await settle(services)
    token = (await api.post("/v1/tokens", ada, {"game": games[0], "scopes": ["play"]}))["token"]
    assert [one["game"] for one in (await api.get("/v1/me/decisions", token))["decisions"]] == [games[0]]
