"""The delay as an option of a game, what it does not hold back, commands of those who are no seat, and the end."""

import json

from server.replays import parse
from tests.integration.delay.kit import DELAY_S, table
from tests.integration.hardening.kit import problem_of


async def test_the_delay_is_an_option_with_bounds_that_all_are_told_of():
    async with table() as at:
        new = {"ruleset": "tpoc", "seats": ["open"] * 3}
        for wrong in (-1, 86_401):
            response = await at.at.send("POST", "/v1/games", at.maker, new | {"spectator_delay_s": wrong})
            assert (response.status_code, problem_of(response)) == (400, "invalid")
        for token in (None, at.tokens[0]):
            assert (await at.get("", token))["spectator_delay_s"] == DELAY_S
        created = (await at.get("/events", None))["events"][0]
        assert created["details"]["spectator_delay_s"] == DELAY_S
        await at.at.world.services.runner.catch_up()
        assert (await at.at.told("GET", "/v1/games"))["games"][0]["spectator_delay_s"] == DELAY_S
        plain = await at.at.game(at.maker, ["open"] * 3)
        assert (await at.at.told("GET", f"/v1/games/{plain}"))["spectator_delay_s"] == 0


async def test_without_a_delay_a_spectator_sees_the_game_as_it_is():
    async with table(spectator_delay_s=0) as at:
        await at.play(2)
        for token in (None, at.stranger_token, at.maker):
            assert (await at.get("/view", token))["version"] == await at.newest()


async def test_until_the_start_nothing_is_held_back():
    async with table() as at:
        at.game = await at.at.game(at.maker, ["open"] * 3, spectator_delay_s=DELAY_S)
        for seat in range(3):
            seen = await at.get("", at.stranger_token)
            assert [one["player"] for one in seen["seats"]] == [*at.names[:seat], *[None] * (3 - seat)]
            await at.join(seat)
        seen = await at.get("", at.stranger_token)
        assert (seen["status"], seen["deciding"], seen["started_version"]) == ("open", [], None)
        assert [one["player"] for one in seen["seats"]] == [*at.names]
        assert seen["version"] == (await at.get("", at.tokens[0]))["started_version"] - 1
        assert (await at.get("/view", None))["view"] is None
        at.wait(DELAY_S)
        assert (await at.get("", at.stranger_token))["status"] == "running"


async def test_after_the_end_all_is_open_when_the_end_is_of_age():
    async with table() as at:
        await at.play(2)
        for seat in (0, 1):
            await at.post("/resign", at.tokens[seat], {"seat": seat})
        base, fork = f"/v1/games/{at.game}", {"seats": ["me", "me", "me"], "at": 8}
        assert (await at.get("/view?seat=all", at.tokens[0]))["reader"] == "all"
        for path in (f"{base}/view?seat=all", f"{base}/view?seat=0", f"{base}/replay?seat=1"):
            response = await at.at.send("GET", path, at.stranger_token)
            assert problem_of(response) == "not_allowed"
        for token in (at.stranger_token, at.tokens[0]):  # others would see a player's fork, too
            assert problem_of(await at.at.send("POST", f"{base}/fork", token, fork)) == "not_allowed"
        at.wait(DELAY_S)
        assert (await at.get("/view?seat=all", at.stranger_token))["reader"] == "all"
        whole = await at.at.send("GET", f"{base}/replay")
        assert len(parse(whole.content).events) == await at.newest()
        forked = await at.at.told("POST", f"{base}/fork", at.stranger_token, fork)
        assert forked["origin"]["version"] == 8


async def test_answers_to_commands_of_those_without_a_seat_are_delayed_too():
    async with table() as at:
        await at.play(2)
        at.wait(DELAY_S)
        shown = await at.newest()
        await at.play(1)
        repair = {"reason": "The player asked for it.", "seat": 0, "action": {"action": "resign"}}
        repaired = await at.post("/repairs", at.operator, repair)
        assert (repaired["version"], await at.newest()) == (shown, shown + 2)
        path = f"/v1/games/{at.game}/repairs"
        refused = await at.at.send("POST", path, at.operator, repair, If_Match=f'"{shown + 2}"')
        assert refused.json()["missed"] == []
        assert "version" not in refused.json()
        made = await at.at.told("POST", "/v1/games", at.maker, {
            "ruleset": "tpoc", "seats": ["bot:random"] * 3, "spectator_delay_s": DELAY_S})  # fmt: skip
        assert (made["status"], made["deciding"]) == ("open", [])
        at.game = made["game"]
        assert (await at.get("", at.maker))["version"] == made["version"]


async def test_a_seat_offered_to_all_is_there_for_who_may_see_the_offer():
    async with table() as at:
        _, other = await at.at.player("other")
        await at.post("/seats/1/offer", at.tokens[1])
        path = f"/v1/games/{at.game}/seats/1/substitute"
        assert problem_of(await at.at.send("POST", path, at.stranger_token)) == "not_allowed"
        at.wait(DELAY_S)
        assert (await at.get("", at.stranger_token))["seats"][1]["offered"]
        taken = await at.at.told("POST", path, at.stranger_token)
        assert (taken["seats"][1]["player"], taken["version"]) == (at.stranger, await at.newest())
        assert problem_of(await at.at.send("POST", path, other)) == "not_allowed"
        assert (await at.get("/view", at.stranger_token))["reader"] == 1
        assert (await at.get("/view", at.tokens[1]))["version"] < await at.newest()  # who has left is a spectator
        assert (await at.get("", at.tokens[1]))["seats"][1]["player"] == at.names[1]


async def test_a_seat_offered_by_name_is_there_at_once():
    async with table() as at:
        await at.post("/seats/1/offer", at.tokens[1], {"to": at.stranger})
        taken = await at.post("/seats/1/substitute", at.stranger_token)
        assert taken["seats"][1]["player"] == at.stranger


async def test_an_operator_erases_words_before_spectators_see_them():
    async with table() as at:
        said = await at.post("/messages", at.tokens[0], {"words": "Something bad."})
        path = f"/v1/games/{at.game}/messages/{said['version']}"
        assert problem_of(await at.at.send("GET", path, at.operator)) == "not_found"
        assert (await at.at.send("DELETE", path, at.operator)).status_code == 204
        at.wait(DELAY_S)
        assert problem_of(await at.at.send("GET", path, at.stranger_token)) == "not_found"


async def test_a_token_for_one_seat_reads_that_seat_as_it_is():
    async with table() as at:
        lesser = await at.at.narrowed(at.tokens[0], scopes=["watch"], game=at.game, seat=0)
        at.wait(DELAY_S)
        await at.play(1)
        assert (await at.get("/view", lesser))["version"] == await at.newest()
        assert (await at.get("/view?seat=spectator", lesser))["version"] < await at.newest()


async def test_proofs_from_the_signed_log_reach_as_far_as_the_reader_sees(tmp_path):
    async with table(heads_key=str(tmp_path / "heads.key")) as at:
        await at.play(2)
        at.wait(DELAY_S)
        shown = await at.newest()
        await at.play(2)
        newest = await at.newest()
        await at.at.world.services.signer.sign()
        for token, reached in ((at.stranger_token, shown), (at.operator, shown), (at.tokens[0], newest)):
            assert (await at.get("/inclusion", token))["version"] == reached
            assert (await at.get(f"/inclusion?version={reached}", token))["version"] == reached
            beyond = f"/v1/games/{at.game}/inclusion?version={reached + 1}"
            assert problem_of(await at.at.send("GET", beyond, token)) == "not_found"
            replay = await at.at.send("GET", f"/v1/games/{at.game}/replay", token)
            trailer = json.loads(replay.text.splitlines()[-1])["trailer"]
            assert trailer["events"] == reached
            assert f'"version":{reached + 1}' not in replay.text
