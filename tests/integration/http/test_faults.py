"""Our own mistakes and a failing disk: told without detail, logged with all of it."""

import pytest

from events.store import StoreFailed, StoreFull
from server.services import REVOKED


async def test_a_bug_is_logged_and_not_told(api, services, logged, expected_errors, monkeypatch):
    async def broken(*_, **__):
        message = "the secret of the bug"
        raise KeyError(message)

    monkeypatch.setattr(services.lobby, "search", broken)
    response = await api.client.get("/v1/games")
    assert response.status_code == 500
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["code"] == "internal"
    assert "secret" not in response.text
    (line,) = [line for line in logged if line["event"] == "request_failed"]
    assert "the secret of the bug" in repr(line["exc_info"])
    expected_errors.add("request_failed")


@pytest.mark.parametrize("failure", [StoreFull("queue"), StoreFailed("disk")])
async def test_a_store_that_cannot_write_is_unavailable(api, services, failure, monkeypatch):
    async def failing(_):
        raise failure

    monkeypatch.setattr(services.database, "write", failing)
    response = await api.send("POST", "/v1/players", body={}, status=503)
    assert response.json()["code"] == "unavailable"
    assert response.headers["retry-after"]


async def test_a_revocation_whose_outcome_is_unknown_and_its_repeat_are_told_to_all_nodes(api, services, monkeypatch):
    """It was written, and the answer was lost: sockets of the token would go on until the next heartbeat."""
    _, ada = await api.player()
    token = (await api.post("/v1/tokens", ada, {"label": "wall screen"}))["id"]
    written, told = services.database.write, []

    async def write_and_lose_the_answer(work):
        await written(work)
        raise StoreFailed("nobody knows whether this was written")

    services.feed.hear(REVOKED, told.append)
    with monkeypatch.context() as patched:
        patched.setattr(services.database, "write", write_and_lose_the_answer)
        await api.refused("unavailable", "DELETE", f"/v1/tokens/{token}", ada)
    assert told == [token.encode()]
    await api.refused("not_found", "DELETE", f"/v1/tokens/{token}", ada)
    assert told == [token.encode()] * 2


async def test_nobody_is_told_of_a_token_that_is_not_the_callers(api, services):
    (_, ada), (_, bob) = await api.player(), await api.player()
    token = (await api.post("/v1/tokens", ada, {}))["id"]
    told = []
    services.feed.hear(REVOKED, told.append)
    await api.refused("not_found", "DELETE", f"/v1/tokens/{token}", bob)
    assert told == []


async def test_a_stopping_server_takes_no_commands_and_is_not_ready(api, services):
    _, ada = await api.player()
    game = await api.game(ada)
    await services.drain()
    response = await api.send("POST", f"/v1/games/{game}/resign", token=ada, body={"seat": 0}, status=503)
    assert response.headers["retry-after"]
    problem = await api.refused("unavailable", "GET", "/health/ready")
    assert problem["checks"] == {"log": True, "background": True, "running": False}
    await api.get(f"/v1/games/{game}")
    await api.get("/health/live")


async def test_a_dead_part_in_the_background_makes_the_server_not_ready(services, expected_errors, monkeypatch):
    async def dying():
        message = "dead"
        raise OSError(message)

    monkeypatch.setattr(services.runner, "run", dying)
    await services.start()
    await services.background_ended()
    assert services.checks() == {"log": True, "background": False, "running": True}
    await services.stop()
    expected_errors.add("background_failed")


async def test_a_server_that_stops_closes_all_its_parts_whatever_one_of_them_raises(
    services, logged, expected_errors, monkeypatch
):
    async def broken():
        raise LookupError

    await services.start()
    assert services.store.healthy()
    for part, way in ((services.games, "stop"), (services.hub, "stop"), (services.presence, "leave")):
        monkeypatch.setattr(part, way, broken)
    await services.stop()
    await services.background_ended()
    assert not services.store.healthy()
    assert [line["event"] for line in logged].count("stop_failed") == 3
    expected_errors.add("stop_failed")


async def test_a_replay_that_is_not_sound_is_refused_by_its_line(api):
    _, ada = await api.player()
    game = await api.game(ada)
    await api.end(game, ada)
    sound = (await api.send("GET", f"/v1/games/{game}/replay")).content
    lines = sound.splitlines(keepends=True)
    headers = {"Content-Type": "application/x-ndjson"}
    changed = {
        "a byte": sound.replace(b'"kind":"joined"', b'"kind":"joinee"', 1),
        "a line less": b"".join(lines[:3] + lines[4:]),
        "two lines swapped": b"".join([*lines[:2], lines[3], lines[2], *lines[4:]]),
        "a cut tail": sound[:-20],
        "nothing": b"",
        "no replay": b"{}\n{}\n{}\n",
    }
    for what, content in changed.items():
        problem = await api.refused("corrupt_replay", "POST", "/v1/replays", ada, content=content, headers=headers)
        assert problem["line"] > 0, what
    await api.refused("invalid", "POST", "/v1/replays", ada, content=b"[" * 40 + b"\n", headers=headers)
    await api.refused("unsupported_media_type", "POST", "/v1/replays", ada, content=sound)
    await api.post("/v1/replays", ada, content=sound, headers=headers)


async def test_a_running_game_is_exported_as_its_reader_may_see_it(api):
    _, ada = await api.player()
    game = await api.game(ada)
    await api.act(game, ada)
    own = (await api.send("GET", f"/v1/games/{game}/replay?seat=0", token=ada)).text
    watched = (await api.send("GET", f"/v1/games/{game}/replay?seat=spectator", token=ada)).text
    assert '"redacted":true' in own.splitlines()[0]
    assert own != watched
    _, bob = await api.player("Bob")
    await api.refused("not_allowed", "GET", f"/v1/games/{game}/replay?seat=0", bob)


async def test_a_content_pack_is_checked_and_put_under_its_own_name(api, admin):
    for body in (b"{}", b"[]", b"nonsense"):
        problem = await api.refused("invalid", "PUT", "/v1/rulesets/tpoc/content/x", admin, content=body)
        name = problem["detail"].split("SHA-256 ")[1].split(":")[0]
        problem = await api.refused("invalid", "PUT", f"/v1/rulesets/tpoc/content/{name}", admin, content=body)
        assert "no content pack of tpoc" in problem["detail"]
    await api.refused("not_found", "GET", "/v1/rulesets/none")
    await api.refused("not_found", "GET", "/v1/rulesets/tpoc/content/none")
