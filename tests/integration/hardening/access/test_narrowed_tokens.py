"""Tokens for one game or seat: each mended fault has its test here."""

import json

import pytest

from server.access import ADMIN, PLAY
from tests.integration.hardening.kit import NEWEST, problem_of, site

pytestmark = pytest.mark.slow


async def test_a_kept_answer_is_not_given_to_a_token_that_sees_less():
    async with site() as at:
        _, ada = await at.player()
        game = await at.game(ada)
        lesser = await at.narrowed(ada, game=game, seat=0, scopes=["play"])
        action = (await at.legal(game, ada, 0))[0]
        body, headers = {"seat": 0, "action": action}, NEWEST | {"Idempotency-Key": "one"}
        path = f"/v1/games/{game}/actions"
        first = await at.send("POST", path, ada, body, **headers)
        assert {one["seat"] for one in first.json()["decisions"] if "actions" in one} == {1, 2}
        again = await at.send("POST", path, lesser, body, **headers)
        assert (again.status_code, problem_of(again)) == (422, "key_reused")
        assert (await at.send("POST", path, ada, body, **headers)).content == first.content


async def test_a_kept_answer_without_a_seat_is_not_given_to_a_token_of_another_seat():
    async with site() as at:
        _, ada = await at.player()
        game = await at.game(ada)
        one, two = [await at.narrowed(ada, game=game, seat=seat, scopes=["play"]) for seat in (0, 1)]
        body, headers = {"action": (await at.legal(game, one, 0))[0]}, NEWEST | {"Idempotency-Key": "one"}
        first = await at.send("POST", f"/v1/games/{game}/actions", one, body, **headers)
        assert first.json()["view"]["seats"][0]["hand"]
        again = await at.send("POST", f"/v1/games/{game}/actions", two, body, **headers)
        assert problem_of(again) == "key_reused"


async def test_over_the_socket_too_a_key_stands_for_one_token_s_view():
    async with site() as at:
        _, ada = await at.player()
        game = await at.game(ada)
        one, two = [await at.narrowed(ada, game=game, seat=seat, scopes=["play"]) for seat in (0, 1)]
        action = (await at.legal(game, one, 0))[0]
        answers = []
        for name, token in (("one", one), ("two", two)):
            at.world.tokens[name] = token
            async with at.world.client(name) as client:
                answers.append(await client.ask("act", id="k", game=game, action=action, if_version="*"))
        assert answers[0]["type"] == "accepted"
        assert answers[1]["problem"]["code"] == "key_reused"


async def test_a_token_for_one_seat_does_not_leave_take_start_or_invite():
    async with site() as at:
        _, ada = await at.player()
        game = await at.game(ada, ["me", "me", "open"])
        lesser = await at.narrowed(ada, game=game, seat=1, scopes=["play"])
        before = await at.version(game)
        for method, path, body in (
            ("DELETE", "seats/0", None),
            ("POST", "seats/2", {}),
            ("POST", "seats/2", {"bot": "random"}),
            ("POST", "start", {"fill": "bot:random"}),
            ("POST", "invites", None),
        ):
            answer = await at.send(method, f"/v1/games/{game}/{path}", lesser, body)
            assert (answer.status_code, problem_of(answer)) == (403, "not_allowed"), path
        assert await at.version(game) == before
        await at.told("DELETE", f"/v1/games/{game}/seats/1", lesser)
        await at.told("POST", f"/v1/games/{game}/seats/1", lesser, {})


async def test_an_operator_s_token_for_one_game_adds_no_pack_and_no_replay():
    async with site() as at:
        operator = await at.operator()
        game = await at.game(operator)
        lesser = await at.narrowed(operator, game=game, scopes=[ADMIN, PLAY])
        for method, path in (("PUT", "/v1/rulesets/tpoc/content/x"), ("POST", "/v1/replays")):
            answer = await at.send(method, path, lesser, {})
            assert (answer.status_code, problem_of(answer)) == (403, "not_allowed"), path


async def test_what_is_owed_is_told_within_the_token_s_bounds():
    async with site() as at:
        _, ada = await at.player()
        games = [await at.game(ada) for _ in range(2)]
        lesser = await at.narrowed(ada, game=games[0], seat=2)
        await at.world.services.runner.catch_up()
        owed = await at.told("GET", "/v1/me/decisions", lesser)
        assert [(one["game"], one["decision"]["seat"]) for one in owed["decisions"]] == [(games[0], 2)]
        assert len((await at.told("GET", "/v1/me/decisions", ada))["decisions"]) == 6


async def test_the_stream_keeps_a_token_s_bounds():
    async with site() as at:
        _, ada = await at.player()
        game, other = await at.game(ada), await at.game(ada)
        at.world.tokens["lesser"] = await at.narrowed(ada, game=game, seat=1, scopes=["watch"])
        async with at.world.client("lesser") as client:
            assert (await client.subscribe(game))["reader"] == 1
            for seat, code in ((0, "not_allowed"), ("all", "not_allowed"), (9, "not_found")):
                assert (await client.subscribe(game, seat=seat))["problem"]["code"] == code
            hidden, missing = await client.subscribe(other), await client.subscribe("0189-none")
            assert hidden["problem"] == missing["problem"]
            answer = await client.ask("act", id="a", game=game, seat=1, action={"action": "resign"}, if_version="*")
            assert answer["problem"]["code"] == "not_allowed"


async def test_a_revoked_token_subscribes_to_nothing_more():
    async with site(heartbeat_s=600.0) as at:
        ada_id, ada = await at.player()
        game, other = await at.game(ada), await at.game(ada)
        at.world.tokens["ada"] = ada
        async with at.world.client("ada") as client:
            assert (await client.subscribe(game, seat=0))["reader"] == 0
            await at.world.revoke(ada_id)
            await client.send("subscribe", id="late", game=other, seat=0)
            assert await client.closed() == 4401
            assert not any(message.get("game") == other for message in client.got if message["type"] != "refused")


async def test_revoking_a_token_closes_its_sockets_at_once_and_no_others():
    async with site(heartbeat_s=600.0) as at:
        _, ada = await at.player()
        game = await at.game(ada)
        made = await at.told("POST", "/v1/tokens", ada, {"scopes": ["watch"]})
        at.world.tokens |= {"ada": ada, "lost": made["token"]}
        async with at.world.client("lost") as lost, at.world.client("ada") as kept:
            await lost.subscribe(game)
            await at.told("DELETE", f"/v1/tokens/{made['id']}", ada)
            assert await lost.closed() == 4401
            assert (await kept.ask("ping"))["type"] == "pong"


async def test_who_left_a_private_game_can_repeat_that_and_learns_nothing_else():
    async with site() as at:
        (_, ada), (_, bob) = await at.player(), await at.player()
        game = await at.game(ada, ["me", "open", "open"], visibility="private")
        code = (await at.told("POST", f"/v1/games/{game}/invites", ada))["code"]
        await at.told("POST", f"/v1/games/{game}/seats/1", bob, {"invite": code})
        path, key = f"/v1/games/{game}/seats/1", {"Idempotency-Key": "leave"}
        first = await at.send("DELETE", path, bob, **key)
        assert first.status_code == 200
        again = await at.send("DELETE", path, bob, **key)
        assert (again.status_code, again.content) == (200, first.content)
        anew = await at.send("DELETE", path, bob)
        assert (anew.status_code, problem_of(anew)) == (404, "not_found")
        assert "left" in await at.kinds(game)
        assert json.loads(first.content)["seats"][1]["player"] is None
