"""Idempotency keys: first answers byte for byte, for each player apart, across restarts, at once, and not for ever."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from games import tpoc
from server.ports import timestamp
from tests.integration.hardening.kit import NEWEST, problem_of, site
from tests.integration.http.kit import OPERATIONS

pytestmark = pytest.mark.slow

AT_ONCE = 20
RESIGN = {"seat": 0, "action": {"action": "resign"}}


def kept(response):
    """What must be the same when a request is repeated."""
    headers = {name: response.headers.get(name) for name in ("etag", "location", "content-type")}
    return response.status_code, headers, response.content


async def requests_with_keys(at, ada, bob):
    """(method, path, body, token, headers) of a request that succeeds, for every operation that takes a key."""
    free = await at.game(ada, ["me", "open", "open"])
    start = await at.game(ada, ["me", "open", "open"])
    ended = await at.game(ada)
    for seat in range(2):
        await at.told("POST", f"/v1/games/{ended}/resign", ada, {"seat": seat})
    replay = (await at.send("GET", f"/v1/games/{ended}/replay")).content
    media = {"Content-Type": "application/vnd.turnlog.replay+ndjson"}
    imported = (await at.told("POST", "/v1/replays", ada, replay, Content_Type="application/x-ndjson"))["replay"]
    running = await at.game(ada)
    action = (await at.legal(running, ada, 0))[0]
    undoing, asked = await open_request(at, ada, bob)
    taken, withdrawn = await open_request(at, ada, bob)
    redone = await at.game(ada, ["me", "bot:random", "bot:random"])
    await at.act(redone, ada, 0)
    fair = await at.table([ada, bob], ruleset="tiny", undo="fair")
    ours, there = await timed(at, ada, bob)
    at_version = (await at.told("GET", f"/v1/games/{ended}"))["version"] - 2
    del media
    return {
        ("POST", "/v1/games"): ("/v1/games", {"ruleset": "tpoc", "seats": ["me"] * 3}, ada, {}),
        ("POST", "/v1/games/{game:str}/fork"): (f"/v1/games/{ended}/fork", {"at": at_version}, ada, {}),
        ("POST", "/v1/games/{game:str}/seats/{seat:str}"): (f"/v1/games/{free}/seats/1", {}, bob, {}),
        ("DELETE", "/v1/games/{game:str}/seats/{seat:str}"): (f"/v1/games/{free}/seats/0", None, ada, {}),
        ("POST", "/v1/games/{game:str}/start"): (f"/v1/games/{start}/start", {"fill": "bot:random"}, ada, {}),
        ("POST", "/v1/games/{game:str}/actions"): (
            f"/v1/games/{running}/actions", {"seat": 0, "action": action}, ada, NEWEST
        ),
        ("POST", "/v1/games/{game:str}/messages"): (
            f"/v1/games/{running}/messages", {"seat": 1, "words": "Hello."}, ada, {}
        ),
        ("POST", "/v1/games/{game:str}/resign"): (f"/v1/games/{running}/resign", {"seat": 2}, ada, {}),
        ("POST", "/v1/games/{game:str}/repairs"): (
            f"/v1/games/{fair}/repairs", {"reason": "A test.", **RESIGN}, await at.operator(), NEWEST
        ),
        ("POST", "/v1/games/{game:str}/undo"): (f"/v1/games/{redone}/undo", {}, ada, NEWEST),
        ("POST", "/v1/games/{game:str}/redo"): (f"/v1/games/{redone}/redo", {}, ada, NEWEST),
        ("POST", "/v1/games/{game:str}/undo/{request_id:str}/answer"): (
            f"/v1/games/{undoing}/undo/{asked}/answer", {"accept": True}, bob, {}
        ),
        ("DELETE", "/v1/games/{game:str}/undo/{request_id:str}"): (
            f"/v1/games/{taken}/undo/{withdrawn}", None, ada, {}
        ),
        **there,
        ("POST", "/v1/games/{game:str}/proposals"): (f"/v1/games/{ours}/proposals", {"what": "pause"}, ada, {}),
        ("POST", "/v1/games/{game:str}/vacation"): (f"/v1/games/{ours}/vacation", {}, ada, {}),
        ("POST", "/v1/games/{game:str}/vacation/end"): (f"/v1/games/{ours}/vacation/end", {}, ada, {}),
        ("POST", "/v1/games/{game:str}/claims"): (f"/v1/games/{ours}/claims", {"seat": 1}, ada, {}),
        ("POST", "/v1/games/{game:str}/seats/{seat:str}/offer"): (f"/v1/games/{ours}/seats/0/offer", {}, ada, {}),
        ("POST", "/v1/replays"): ("/v1/replays", replay, ada, {"Content-Type": "application/x-ndjson"}),
        ("POST", "/v1/replays/{replay:str}/fork"): (f"/v1/replays/{imported}/fork", {"at": at_version}, ada, {}),
    }  # fmt: skip


async def timed(at, ada, bob):
    """A game in which Bob is out of time; and answers and withdrawals of proposals, and a seat to take over."""
    clock = {"bank_s": 600, "pause_s": 60, "vacation_s": 60, "seats": {"1": {"bank_s": 1}}}
    ours = await at.table([ada, bob], ruleset="tiny", clock=clock, on_timeout="remind")
    left = await at.table([ada, bob], ruleset="tiny")
    await at.told("POST", f"/v1/games/{left}/seats/1/offer", bob, {})
    yes, no = [await at.table([ada, bob], ruleset="tiny") for _ in range(2)]
    asked, back = [
        (await at.told("POST", f"/v1/games/{game}/proposals", ada, {"what": "abandon"}))["proposal"]["id"]
        for game in (yes, no)
    ]
    await asyncio.sleep(1.1)  # Bob's time runs out
    return ours, {
        ("POST", "/v1/games/{game:str}/proposals/{proposal_id:str}/answer"): (
            f"/v1/games/{yes}/proposals/{asked}/answer", {"accept": True}, bob, {}
        ),
        ("DELETE", "/v1/games/{game:str}/proposals/{proposal_id:str}"): (
            f"/v1/games/{no}/proposals/{back}", None, ada, {}
        ),
        ("POST", "/v1/games/{game:str}/seats/{seat:str}/substitute"): (
            f"/v1/games/{left}/seats/1/substitute", None, (await at.player())[1], {}
        ),
    }  # fmt: skip


async def open_request(at, ada, bob):
    """A game, and the request of Ada's in it to take back an action since which Bob has acted."""
    game = await at.table([ada, bob], ruleset="tiny", undo="fair")
    await at.act(game, ada, 0)
    version = await at.version(game)
    await at.act(game, bob, 1)
    told = await at.told("POST", f"/v1/games/{game}/undo", ada, {"to": version - 1}, **NEWEST)
    return game, told["request"]["id"]


#: Operations with a key whose answers hold a secret, which is not kept.
SECRET = {
    ("POST", "/v1/players"),
    ("POST", "/v1/tokens"),
    ("POST", "/v1/tickets"),
    ("POST", "/v1/games/{game:str}/invites"),
}


async def test_every_operation_with_a_key_gives_its_first_answer_again_also_after_a_restart(tmp_path):
    sent, first = [], {}
    database = tmp_path / "turnlog.db"
    async with site(database) as at:
        (_, ada), (_, bob) = await at.player(), await at.player()
        wanted = await requests_with_keys(at, ada, bob)
        assert set(wanted) | SECRET == {(one.method, one.path) for one in OPERATIONS if one.key}
        for number, ((method, _), (path, body, token, headers)) in enumerate(wanted.items()):
            sent.append((method, path, token, body, headers | {"Idempotency-Key": f"key-{number}"}))
        for number, (method, path, token, body, headers) in enumerate(sent):
            response = await at.send(method, path, token, body, **headers)
            assert response.is_success, (path, response.text)
            first[number] = kept(response)
        head = await at.world.services.store.head()
        await repeat(at, sent, first, range(len(sent)))
        assert await settled(at) >= head  # bots may have gone on
    async with site(database) as at:
        before = await settled(at)
        await repeat(at, sent, first, reversed(range(len(sent))))
        assert await settled(at) == before


async def settled(at):
    """The position of the newest event once the bots have nothing more to do."""
    while True:
        head = await at.world.services.store.head()
        for _ in range(20):
            await at.send("GET", "/health/live")
        if head == await at.world.services.store.head():
            return head


async def repeat(at, sent, first, order):
    for number in order:
        method, path, token, body, headers = sent[number]
        assert kept(await at.send(method, path, token, body, **headers)) == first[number], path
        changed = path + "?x=1" if body is None else path
        other = b"{}" if isinstance(body, bytes) else None if body is None else {**body, "more": 1}
        answer = await at.send(method, changed, token, other, **headers)
        assert answer.status_code in (400, 422), path


async def test_a_key_for_another_request_is_key_reused_over_http_and_socket():
    async with site() as at:
        _, ada = await at.player()
        at.world.tokens["ada"] = ada
        game = await at.game(ada)
        actions, path = await at.legal(game, ada, 0), f"/v1/games/{game}/actions"
        headers = NEWEST | {"Idempotency-Key": "http"}
        await at.told("POST", path, ada, {"seat": 0, "action": actions[0]}, **headers)
        for where, body in ((path, {"seat": 0, "action": actions[1]}), (f"/v1/games/{game}/resign", {"seat": 0})):
            answer = await at.send("POST", where, ada, body, **headers)
            assert (answer.status_code, problem_of(answer)) == (422, "key_reused")
        for where in ("/v1/tokens", "/v1/players", "/v1/replays"):
            answer = await at.send("POST", where, ada, {} if where != "/v1/replays" else None, **headers)
            assert (answer.status_code, problem_of(answer)) == (422, "key_reused"), where
        async with at.world.client("ada") as client:
            told = await client.ask("act", id="http", game=game, seat=0, action=actions[0], if_version="*")
            assert told["problem"]["code"] == "key_reused"
            legal = await at.legal(game, ada, 1)
            act = {"id": "socket", "game": game, "seat": 1, "if_version": "*"}
            accepted = await client.ask("act", action=legal[0], **act)
            assert await client.ask("act", action=legal[0], **act) == accepted
            assert (await client.ask("act", action=legal[1], **act))["problem"]["code"] == "key_reused"
        body = {"seat": 1, "action": legal[0]}
        answer = await at.send("POST", path, ada, body, **(NEWEST | {"Idempotency-Key": "socket"}))
        assert problem_of(answer) == "key_reused"
        async with at.world.client("ada") as client:  # another connection
            assert await client.ask("act", action=legal[0], **act) == accepted
        assert (await at.kinds(game)).count("acted") == 2


async def test_a_secret_is_told_once_and_its_repeat_is_already_done():
    async with site() as at:
        _, ada = await at.player()
        game = await at.game(ada, ["me", "open", "open"], visibility="private")
        for path, token in (("/v1/players", None), ("/v1/tokens", ada), (f"/v1/games/{game}/invites", ada)):
            key = {"Idempotency-Key": "secret-" + path}
            body = None if path.endswith("invites") else {}
            answers = await asyncio.gather(*(at.send("POST", path, token, body, **key) for _ in range(AT_ONCE)))
            done = [one for one in answers if one.status_code == 201]
            assert len(done) == 1, path
            secret = done[0].json().get("token") or done[0].json()["code"]
            again = await at.send("POST", path, token, body, **key)
            for answer in (*(one for one in answers if one.status_code != 201), again):
                assert (answer.status_code, problem_of(answer)) == (409, "already_done"), path
                assert secret not in answer.text
        assert (await at.kinds(game)).count("invited") == 1
        assert len((await at.told("GET", "/v1/tokens", ada))["tokens"]) == 2


async def test_a_refusal_is_decided_anew():
    async with site() as at:
        _, ada = await at.player()
        game = await at.game(ada, ["me", "me", "open"])
        path, headers = f"/v1/games/{game}/resign", {"Idempotency-Key": "again"}
        for _ in range(2):
            assert problem_of(await at.send("POST", path, ada, {"seat": 0}, **headers)) == "not_started"
        await at.told("POST", f"/v1/games/{game}/seats/2", ada, {})
        first = await at.send("POST", path, ada, {"seat": 0}, **headers)
        assert first.status_code == 201
        assert kept(await at.send("POST", path, ada, {"seat": 0}, **headers)) == kept(first)
        assert (await at.kinds(game)).count("resigned") == 1


async def test_twenty_at_once_with_one_key_are_one_event_and_one_answer():
    async with site() as at:
        _, ada = await at.player()
        game, free = await at.game(ada), await at.game(ada, ["me", "open", "open"])
        ended = await at.game(ada)
        for seat in range(2):
            await at.told("POST", f"/v1/games/{ended}/resign", ada, {"seat": seat})
        replay = (await at.send("GET", f"/v1/games/{ended}/replay")).content
        action = (await at.legal(game, ada, 0))[0]
        wanted = [
            (f"/v1/games/{game}/actions", {"seat": 0, "action": action}),
            (f"/v1/games/{game}/messages", {"seat": 0, "words": "Hello."}),
            (f"/v1/games/{free}/seats/1", {}),
            ("/v1/games", {"ruleset": "tpoc", "seats": ["me", "me", "me"]}),
            (f"/v1/games/{ended}/fork", {"at": await at.version(ended) - 2, "seats": ["me", "me", "me"]}),
            ("/v1/replays", replay),
        ]
        for number, (path, body) in enumerate(wanted):
            headers = {"Content-Type": "application/x-ndjson"} if isinstance(body, bytes) else {}
            headers |= {"Idempotency-Key": f"k{number}", "If-Match": f'"{await at.version(game)}"'}
            before = await heads(at)
            answers = await asyncio.gather(*(at.send("POST", path, ada, body, **headers) for _ in range(AT_ONCE)))
            assert answers[0].status_code == 201, answers[0].text
            assert len({answer.content for answer in answers}) == 1, path
            after = await heads(at)
            grown = {name: after[name] - before.get(name, 0) for name in after if after[name] != before.get(name)}
            assert len(grown) == (0 if path == "/v1/replays" else 1), path
            if path.startswith((f"/v1/games/{game}", f"/v1/games/{free}")):
                assert list(grown.values()) == [1], path
        assert len(at.world.services.database.read_now("select * from replays")) == 1


async def test_a_creation_repeated_at_once_leaves_no_phantom_game_in_memory():
    async with site() as at:
        _, ada = await at.player()
        body = {"ruleset": "tpoc", "seats": ["me", "me", "me"]}
        made = await asyncio.gather(
            *(at.send("POST", "/v1/games", ada, body, Idempotency_Key="k") for _ in range(AT_ONCE))
        )
        assert {one.status_code for one in made} == {201}
        live = [name for name, slot in at.world.games._slots.items() if slot.live is not None]
        assert set(live) == set(await heads(at))


async def heads(at):
    return dict(at.world.services.database.read_now("select game, version from games"))


async def test_a_key_is_its_player_s_alone():
    async with site() as at:
        (_, ada), (_, bob) = await at.player(), await at.player()
        body = {"ruleset": "tpoc", "seats": ["me", "me", "me"]}
        made = [await at.told("POST", "/v1/games", token, body, Idempotency_Key="same") for token in (ada, bob)]
        assert made[0]["game"] != made[1]["game"]
        game = made[0]["game"]
        action = {"seat": 0, "action": (await at.legal(game, ada, 0))[0]}
        headers = NEWEST | {"Idempotency-Key": "act"}
        first = await at.send("POST", f"/v1/games/{game}/actions", ada, action, **headers)
        stolen = await at.send("POST", f"/v1/games/{game}/actions", bob, action, **headers)
        assert (stolen.status_code, problem_of(stolen)) == (403, "not_allowed")
        assert first.json()["view"]["seats"][0]["hand"]
        assert 'hand":{' not in stolen.text


async def test_keys_are_forgotten_after_their_days_and_not_before():
    async with site() as at:
        services = at.world.services
        _, ada = await at.player()
        body = {"ruleset": "tpoc", "seats": ["me", "me", "me"]}
        first = await at.told("POST", "/v1/games", ada, body, Idempotency_Key="game")
        await at.told("POST", "/v1/tokens", ada, {}, Idempotency_Key="token")
        days = services.settings.idempotency_days
        assert days >= 7
        now = datetime.now(UTC)
        for before, forgotten in ((now - timedelta(seconds=60), 0), (now + timedelta(seconds=60), 1)):
            assert await services.store.prune_commands(timestamp(before)) == forgotten
            assert await services.records.prune(timestamp(before)) == forgotten
            if not forgotten:
                again = await at.told("POST", "/v1/games", ada, body, Idempotency_Key="game")
                assert again == first
        anew = await at.told("POST", "/v1/games", ada, body, Idempotency_Key="game")
        assert anew["game"] != first["game"]
        await at.told("POST", "/v1/tokens", ada, {}, Idempotency_Key="token")


async def test_a_pack_put_twice_is_one_pack():
    house = (Path(tpoc.__file__).parent / "content" / "tpoc-house-1.json").read_bytes()
    async with site() as at:
        operator = await at.operator()
        digest = next(p["digest"] for p in (await at.told("GET", "/v1/rulesets/tpoc"))["packs"])
        path = f"/v1/rulesets/tpoc/content/{digest}"
        answers = [await at.send("PUT", path, operator, house, Content_Type="application/json") for _ in range(3)]
        assert {(one.status_code, one.content) for one in answers} == {(201, answers[0].content)}
        assert len(at.world.services.database.read_now("select * from packs")) == 1
