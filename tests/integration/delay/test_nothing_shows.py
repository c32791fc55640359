"""What a spectator gets at a time is the same to the byte whatever was played since the delay began."""

import pytest

from tests.integration.delay.kit import DELAY_S, OPERATIONS, VERSIONS, alike, table

pytestmark = pytest.mark.slow

#: Operations that are not about what goes on in games: no path to one may be missing in this list by mistake.
BESIDE = {
    ("POST", "/v1/players"),
    ("GET", "/v1/players/{player:str}"),
    ("GET", "/v1/me"),
    ("POST", "/v1/tokens"),  # may name a game: its number of seats is looked at
    ("GET", "/v1/tokens"),
    ("DELETE", "/v1/tokens/{token:str}"),
    ("POST", "/v1/tickets"),
    ("GET", "/v1/rulesets"),
    ("GET", "/v1/rulesets/{ruleset:str}"),
    ("GET", "/v1/rulesets/{ruleset:str}/content/{pack:str}"),
    ("PUT", "/v1/rulesets/{ruleset:str}/content/{pack:str}"),
    ("POST", "/v1/games"),
    ("POST", "/v1/replays"),
    ("GET", "/v1/replays/{replay:str}"),
    ("GET", "/v1/replays/{replay:str}/view"),
    ("GET", "/v1/replays/{replay:str}/events"),
    ("POST", "/v1/replays/{replay:str}/fork"),
    ("GET", "/v1/heads"),  # how long the log of all games is
    ("GET", "/v1/heads/{size:str}"),
    ("GET", "/v1/heads/{size:str}/consistency"),
    ("GET", "/health/live"),
    ("GET", "/health/ready"),
    ("GET", "/metrics"),  # counts of the whole server, for operators
    ("GET", "/schema"),
    ("GET", "/schema/openapi.json"),
    ("GET", "/problems/{code:str}"),
}


async def test_nothing_that_is_played_within_the_delay_changes_a_byte():
    async with table() as at:
        await at.play(3)
        await at.post("/messages", at.tokens[1], {"words": "Of age."})
        at.wait(DELAY_S)
        seen = await at.get("", at.stranger_token)
        assert seen["version"] == await at.newest()
        expected = await at.look()
        for played in (moves, talk, undo, pause, substitute, end):
            before = await at.newest()
            await played(at)
            assert await at.newest() > before
            alike(await at.look(), expected)
        assert (await at.get("", at.tokens[0]))["status"] == "ended"
        assert await at.newest() < VERSIONS
        assert at.walked | BESIDE == OPERATIONS
        at.wait(DELAY_S - 1)
        assert (await at.get("", at.stranger_token))["version"] == seen["version"]
        at.wait(1)
        after = await at.get("", at.stranger_token)
        assert (after["version"], after["status"]) == (await at.newest(), "ended")
        assert (await at.look()) != expected


async def moves(at):
    await at.play(4)


async def talk(at):
    await at.post("/messages", at.tokens[0], {"words": "Not of age."})


async def undo(at):
    asked = (await at.post("/undo", at.tokens[0], {"seat": 0, "to": 6}))["request"]
    for seat in asked["asked"]:
        await at.post(f"/undo/{asked['id']}/answer", at.tokens[seat], {"accept": True})


async def pause(at):
    for what in ("pause", "resume"):
        asked = (await at.post("/proposals", at.tokens[0], {"what": what}))["proposal"]
        for seat in asked["asked"]:
            await at.post(f"/proposals/{asked['id']}/answer", at.tokens[seat], {"accept": True})
    await at.post("/vacation", at.tokens[1], {"seat": 1})


async def substitute(at):
    """Seat 2 changes hands, and is offered again."""
    name, token = await at.at.player("substitute")
    await at.post("/seats/2/offer", at.tokens[2], {"to": name})
    await at.post("/seats/2/substitute", token)
    await at.post("/seats/2/offer", token)
    at.tokens = (*at.tokens[:2], token)


async def end(at):
    for seat in (0, 1):
        await at.post("/resign", at.tokens[seat], {"seat": seat})
