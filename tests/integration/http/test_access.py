"""Tokens, scopes and what a game shows to whom."""

import pytest


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Bearer tl_none", "Basic YTpi", "tl_x", "Bearer " + "x" * 9000]
)
async def test_any_bad_token_is_unauthenticated_also_where_none_is_needed(api, header):
    for path in ("/v1/me", "/v1/games"):
        response = await api.send("GET", path, headers={"Authorization": header}, status=401)
        assert response.json()["code"] == "unauthenticated"
        assert response.headers["www-authenticate"] == "Bearer"


async def test_a_revoked_token_is_good_for_nothing(api):
    _, ada = await api.player()
    made = await api.post("/v1/tokens", ada, {"label": "lost"})
    await api.get("/v1/me", made["token"])
    await api.send("DELETE", f"/v1/tokens/{made['id']}", token=ada)
    await api.refused("unauthenticated", "GET", "/v1/me", made["token"])
    await api.refused("not_found", "DELETE", f"/v1/tokens/{made['id']}", ada)
    listed = (await api.get("/v1/tokens", ada))["tokens"]
    assert [one["revoked_at"] is None for one in listed] == [True, False]


async def test_a_token_gives_no_more_than_it_has(api, admin):
    _, ada = await api.player()
    await api.refused("not_allowed", "POST", "/v1/tokens", ada, {"scopes": ["admin"]})
    watch = (await api.post("/v1/tokens", ada, {"scopes": ["watch"]}))["token"]
    await api.refused("not_allowed", "POST", "/v1/tokens", watch, {"scopes": ["play"]})
    await api.refused("not_allowed", "POST", "/v1/games", watch, {"ruleset": "tpoc", "seats": ["me", "me", "me"]})
    await api.refused("invalid", "POST", "/v1/tokens", ada, {"scopes": ["root"]})
    await api.refused("invalid", "POST", "/v1/tokens", ada, {"scopes": []})
    assert (await api.post("/v1/tokens", admin, {"scopes": ["play"]}))["scopes"] == ["play"]


async def test_a_lesser_token_revokes_itself_but_no_greater_one(api):
    _, ada = await api.player()
    watch = await api.post("/v1/tokens", ada, {"scopes": ["watch"]})
    first = (await api.get("/v1/me", ada))["token"]
    await api.refused("not_allowed", "DELETE", f"/v1/tokens/{first}", watch["token"])
    await api.send("DELETE", f"/v1/tokens/{watch['id']}", token=watch["token"])
    await api.refused("unauthenticated", "GET", "/v1/me", watch["token"])


async def test_nobody_revokes_the_tokens_of_others(api):
    _, ada = await api.player()
    _, bob = await api.player("Bob")
    token = (await api.get("/v1/me", ada))["token"]
    await api.refused("not_found", "DELETE", f"/v1/tokens/{token}", bob)


async def test_a_token_for_one_seat_reaches_nothing_else(api):
    _, ada = await api.player()
    game, other = await api.game(ada), await api.game(ada)
    token = (await api.post("/v1/tokens", ada, {"game": game, "seat": 1, "scopes": ["play"]}))["token"]
    await api.get(f"/v1/games/{game}/view?seat=1", token)
    await api.refused("not_allowed", "GET", f"/v1/games/{game}/view?seat=0", token)
    await api.refused("not_found", "GET", f"/v1/games/{other}", token)
    await api.refused("not_allowed", "POST", "/v1/games", token, {"ruleset": "tpoc", "seats": ["me", "me", "me"]})
    for method, path in (("POST", "/v1/tokens"), ("GET", "/v1/tokens")):
        await api.refused("not_allowed", method, path, token, {} if method == "POST" else None)
    action = (await api.legal(game, ada, 0))[0]
    body = {"seat": 0, "action": action}
    await api.refused("not_allowed", "POST", f"/v1/games/{game}/actions", token, body, headers={"If-Match": "*"})
    decisions = (await api.get(f"/v1/games/{game}/actions", token))["decisions"]
    assert [one["seat"] for one in decisions if "actions" in one] == [1]


async def test_tokens_are_narrowed_to_games_that_one_may_know(api):
    _, ada = await api.player()
    _, bob = await api.player("Bob")
    private = await api.game(ada, visibility="private")
    await api.refused("not_found", "POST", "/v1/tokens", bob, {"game": private})
    await api.refused("invalid", "POST", "/v1/tokens", ada, {"game": private, "seat": 9})
    await api.refused("invalid", "POST", "/v1/tokens", ada, {"seat": 1})


async def test_secrets_are_not_in_the_database(api, services, tmp_path):
    _, ada = await api.player()
    rows = services.database.read_now("select * from tokens")
    assert rows
    assert not any(
        ada in str(value) or ada.encode() in value for row in rows for value in row if isinstance(value, bytes)
    )
    assert not any(ada in str(value) for row in rows for value in row)


async def test_a_private_game_is_there_for_nobody_else(api):
    _, ada = await api.player()
    _, bob = await api.player("Bob")
    game = await api.game(ada, ["me", "open", "open"], visibility="private")
    reads = ("", "/view", "/actions", "/events", "/proof", "/replay", "/messages/1")
    unknown = await api.refused("not_found", "GET", "/v1/games/01890000-0000-7000-8000-000000000000", bob)
    for path in reads:
        for token in (bob, None):
            problem = await api.refused("not_found", "GET", f"/v1/games/{game}{path}", token)
            if path == "":
                assert problem == unknown
    writes = (("seats/1", {}), ("start", {}), ("fork", {}), ("resign", {}), ("messages", {"words": "x"}), ("undo", {}),
              ("redo", {}), ("undo/x/answer", {"accept": True}), ("check", {"action": {"action": "resign"}}),
              ("actions", {"action": {"action": "resign"}}), ("invites", None))  # fmt: skip
    for path, body in writes:
        await api.refused("not_found", "POST", f"/v1/games/{game}/{path}", bob, body, headers={"If-Match": "*"})
    for path in ("seats/0", "undo/x"):
        await api.refused("not_found", "DELETE", f"/v1/games/{game}/{path}", bob)
    assert (await api.get("/v1/games", bob))["games"] == []


async def test_an_invitation_lets_its_holder_see_and_join_and_only_that_game(api):
    _, ada = await api.player()
    _, bob = await api.player("Bob")
    game = await api.game(ada, ["me", "open", "open"], visibility="private")
    other = await api.game(ada, ["me", "open", "open"], visibility="private")
    await api.refused("not_found", "POST", f"/v1/games/{game}/invites", bob)
    code = (await api.post(f"/v1/games/{game}/invites", ada))["code"]
    header = {"Turnlog-Invite": code}
    await api.refused("not_found", "GET", f"/v1/games/{other}", bob, headers=header)
    await api.refused("not_found", "POST", f"/v1/games/{other}/seats/1", bob, {"invite": code})
    await api.get(f"/v1/games/{game}", bob, headers=header)
    await api.post(f"/v1/games/{game}/seats/1", bob, {}, headers=header)
    await api.get(f"/v1/games/{game}", bob)
    events = await api.get(f"/v1/games/{game}/events", ada)
    assert code not in str(events)


async def test_only_who_made_the_game_invites_and_not_after_the_start(api):
    _, ada = await api.player()
    _, bob = await api.player("Bob")
    game = await api.game(ada, ["me", "open", "open"])
    await api.refused("not_allowed", "POST", f"/v1/games/{game}/invites", bob)
    await api.post(f"/v1/games/{game}/start", ada, {"fill": "bot:random"})
    await api.refused("already_started", "POST", f"/v1/games/{game}/invites", ada)


async def test_a_seat_sees_its_own_view_until_the_end_and_then_all(api):
    _, ada = await api.player()
    _, bob = await api.player("Bob")
    game = await api.game(ada)
    await api.refused("not_allowed", "GET", f"/v1/games/{game}/view?seat=0", bob)
    await api.refused("not_allowed", "GET", f"/v1/games/{game}/view?seat=all", ada)
    await api.refused("not_found", "GET", f"/v1/games/{game}/view?seat=7", ada)
    await api.refused("invalid", "GET", f"/v1/games/{game}/view?seat=me", ada)
    assert (await api.get(f"/v1/games/{game}/view", bob))["reader"] == "spectator"
    await api.end(game, ada)
    assert (await api.get(f"/v1/games/{game}/view?seat=all", bob))["reader"] == "all"
    assert (await api.get(f"/v1/games/{game}/view?seat=1", bob))["reader"] == 1


async def test_a_game_without_spectators_is_seen_by_its_players_alone(api):
    _, ada = await api.player()
    _, bob = await api.player("Bob")
    game = await api.game(ada, spectators=False)
    for path in ("view", "actions", "events", "replay"):
        await api.refused("not_allowed", "GET", f"/v1/games/{game}/{path}", bob)


async def test_only_its_speaker_or_an_operator_erases_a_message(api, admin):
    _, ada = await api.player()
    _, bob = await api.player("Bob")
    game = await api.game(ada)
    said = [await api.post(f"/v1/games/{game}/messages", ada, {"words": w, "seat": 0}) for w in ("one", "two")]
    first, second = (f"/v1/games/{game}/messages/{one['version']}" for one in said)
    await api.refused("not_allowed", "DELETE", first, bob)
    await api.send("DELETE", first, token=ada)
    await api.send("DELETE", second, token=admin)
    await api.refused("not_found", "GET", first, ada)
    await api.refused("not_found", "DELETE", second, admin)
    assert (await api.get(f"/v1/games/{game}"))["version"] == said[1]["version"]


@pytest.mark.parametrize("path", ["repairs", None])
async def test_what_operators_do_takes_the_scope_admin(api, path):
    _, ada = await api.player()
    game = await api.game(ada)
    if path is None:
        await api.refused("not_allowed", "PUT", "/v1/rulesets/tpoc/content/x", ada, {})
    else:
        body = {"reason": "x", "seat": 0, "action": {"action": "resign"}}
        await api.refused("not_allowed", "POST", f"/v1/games/{game}/{path}", ada, body, headers={"If-Match": "*"})
