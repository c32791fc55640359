"""Versions, refusals and repeats of actions."""

from tests.integration.http.kit import fresh_key

NEWEST = {"If-Match": "*"}


async def test_an_action_must_say_what_it_was_decided_on(api):
    _, ada = await api.player()
    game = await api.game(ada)
    version = (await api.get(f"/v1/games/{game}"))["version"]
    body = {"seat": 0, "action": (await api.legal(game, ada))[0]}
    for path in ("actions", "undo", "redo"):
        wanted = body if path == "actions" else {"seat": 0}
        problem = await api.refused("version_required", "POST", f"/v1/games/{game}/{path}", ada, wanted)
        assert problem["version"] == version


async def test_quoted_and_plain_versions_and_the_newest_state_will_do(api):
    _, ada = await api.player()
    game = await api.game(ada)
    version = (await api.get(f"/v1/games/{game}"))["version"]
    first = await api.act(game, ada, 0, version=f'"{version}"')
    assert first.headers["etag"] == f'"{version + 1}"'
    await api.act(game, ada, 1, version=str(version + 1))
    await api.act(game, ada, 2)


async def test_a_stale_action_is_refused_with_the_events_missed_and_writes_nothing(api):
    _, ada = await api.player()
    game = await api.game(ada)
    await api.set_up(game, ada)
    stale = (await api.get(f"/v1/games/{game}"))["version"]
    owing = (await api.get(f"/v1/games/{game}"))["deciding"][0]
    await api.act(game, ada, owing)
    newest = (await api.get(f"/v1/games/{game}"))["version"]
    body = {"seat": owing, "action": {"action": "resign"}}
    headers = {"If-Match": f'"{stale}"'}
    problem = await api.refused("version_conflict", "POST", f"/v1/games/{game}/actions", ada, body, headers=headers)
    assert problem["version"] == newest
    assert [event["version"] for event in problem["missed"]] == list(range(stale + 1, newest + 1))
    assert (await api.get(f"/v1/games/{game}"))["version"] == newest


async def test_a_version_of_the_future_is_a_conflict(api):
    _, ada = await api.player()
    game = await api.game(ada)
    body = {"seat": 0, "action": {"action": "resign"}}
    headers = {"If-Match": "999999999999999"}
    await api.refused("version_conflict", "POST", f"/v1/games/{game}/actions", ada, body, headers=headers)


async def test_others_sealed_answers_and_talk_do_not_make_an_action_stale(api):
    _, ada = await api.player()
    game = await api.game(ada)
    version = (await api.get(f"/v1/games/{game}"))["version"]
    await api.act(game, ada, 1)
    await api.post(f"/v1/games/{game}/messages", ada, {"words": "Ready.", "seat": 2})
    await api.act(game, ada, 0, version=str(version))


async def test_a_refused_action_names_its_rule_and_writes_nothing(api):
    _, ada = await api.player()
    game = await api.game(ada)
    await api.set_up(game, ada)
    before = await api.get(f"/v1/games/{game}")
    owing = before["deciding"][0]
    idle = next(seat for seat in range(3) if seat != owing)
    told = await api.get(f"/v1/games/{game}/actions?seat={owing}", ada)
    decision = next(one for one in told["decisions"] if one["seat"] == owing)
    action = decision["actions"][0]["action"]
    tag = next(tag for tag in ("choose_setup", "vote") if tag not in decision["menu"])
    wrong = {"action": "choose_setup", "platform": [], "tiles": []} if tag == "choose_setup" else action
    for path in ("actions", "check"):
        problem = await api.refused(
            "not_your_decision",
            "POST",
            f"/v1/games/{game}/{path}",
            ada,
            {"seat": idle, "action": action},
            headers=NEWEST,
        )
        assert problem["rule"].startswith("TPOC-")
        problem = await api.refused(
            "illegal_action", "POST", f"/v1/games/{game}/{path}", ada, {"seat": owing, "action": wrong}, headers=NEWEST
        )
        assert problem["rule"].startswith("TPOC-")
        assert problem["menu"] == decision["menu"]
    assert await api.get(f"/v1/games/{game}") == before


async def test_only_its_holder_plays_a_seat(api):
    _, ada = await api.player()
    _, bob = await api.player("Bob")
    game = await api.game(ada)
    action = (await api.legal(game, ada))[0]
    for seat, code in ((0, "not_allowed"), (9, "not_found"), (-1, "not_found"), (None, "not_allowed")):
        body = {"seat": seat, "action": action}
        await api.refused(code, "POST", f"/v1/games/{game}/actions", bob, body, headers=NEWEST)
    await api.refused("invalid", "POST", f"/v1/games/{game}/actions", ada, {"action": action}, headers=NEWEST)
    await api.refused("unauthenticated", "POST", f"/v1/games/{game}/actions", None, {"action": action}, headers=NEWEST)


async def test_nothing_is_played_before_the_start_or_after_the_end(api):
    _, ada = await api.player()
    game = await api.game(ada, ["me", "open", "open"])
    body = {"seat": 0, "action": {"action": "resign"}}
    await api.refused("not_started", "POST", f"/v1/games/{game}/actions", ada, body, headers=NEWEST)
    ended = await api.game(ada)
    await api.end(ended, ada)
    for path, wanted in (("actions", body), ("check", body), ("resign", {"seat": 0}), ("undo", {"seat": 0})):
        await api.refused("game_over", "POST", f"/v1/games/{ended}/{path}", ada, wanted, headers=NEWEST)


async def test_nothing_moves_while_a_request_to_rewind_is_open(api):
    _, ada = await api.player()
    _, bob = await api.player("Bob")
    game = await api.game(ada, ["me", "open", "bot:random"])
    await api.post(f"/v1/games/{game}/seats/1", bob)
    await api.act(game, ada)
    await api.act(game, bob, 1)
    asked = await api.post(f"/v1/games/{game}/undo", ada, {}, headers=NEWEST)
    assert asked["request"]["asked"] == [1]
    assert [one["request"]["id"] for one in (await api.get("/v1/me/decisions", bob))["requests"]] == [
        asked["request"]["id"]
    ]
    body = {"action": {"action": "resign"}}
    problem = await api.refused("undo_open", "POST", f"/v1/games/{game}/actions", bob, body, headers=NEWEST)
    assert problem["request"] == asked["request"]["id"]
    answer = f"/v1/games/{game}/undo/{asked['request']['id']}"
    await api.refused("not_allowed", "POST", f"{answer}/answer", ada, {"accept": True})
    await api.refused("not_allowed", "DELETE", answer, bob)
    await api.refused("not_found", "POST", f"/v1/games/{game}/undo/none/answer", bob, {"accept": True})
    refused = await api.post(f"{answer}/answer", bob, {"accept": False})
    assert refused["request"] is None
    await api.refused("not_found", "POST", f"{answer}/answer", bob, {"accept": True})


async def test_a_rewind_that_cannot_be_is_refused_with_a_reason(api):
    _, ada = await api.player()
    game = await api.game(ada, undo="off")
    problem = await api.refused("undo_refused", "POST", f"/v1/games/{game}/undo", ada, {"seat": 0}, headers=NEWEST)
    assert problem["reason"] == "off"
    free = await api.game(ada)
    for wish, reason in (({"seat": 0}, "nothing_to_undo"), ({"seat": 0, "to": 1}, "bad_version")):
        problem = await api.refused("undo_refused", "POST", f"/v1/games/{free}/undo", ada, wish, headers=NEWEST)
        assert problem["reason"] == reason


async def test_a_repeat_gets_the_first_answer_byte_for_byte_and_does_nothing(api):
    _, ada = await api.player()
    key = fresh_key()
    game = await api.game(ada)
    action = (await api.legal(game, ada))[0]
    body, headers = {"seat": 0, "action": action}, {"If-Match": "*", "Idempotency-Key": key}
    first = await api.send("POST", f"/v1/games/{game}/actions", token=ada, body=body, headers=headers)
    await api.act(game, ada, 1)
    second = await api.send("POST", f"/v1/games/{game}/actions", token=ada, body=body, headers=headers)
    assert second.content == first.content
    assert (second.status_code, second.headers["etag"]) == (201, first.headers["etag"])


async def test_a_repeat_of_making_a_game_makes_no_second_one(api):
    _, ada = await api.player()
    body, headers = {"ruleset": "tpoc", "seats": ["me", "open", "open"]}, {"Idempotency-Key": fresh_key()}
    first = await api.send("POST", "/v1/games", token=ada, body=body, headers=headers)
    second = await api.send("POST", "/v1/games", token=ada, body=body, headers=headers)
    assert second.content == first.content
    assert second.headers["location"] == first.headers["location"]


async def test_a_key_is_for_one_request(api):
    _, ada = await api.player()
    game = await api.game(ada, ["me", "open", "open"])
    headers = {"Idempotency-Key": fresh_key()}
    say = f"/v1/games/{game}/messages"
    await api.post(say, ada, {"words": "one"}, headers=headers)
    await api.refused("key_reused", "POST", say, ada, {"words": "two"}, headers=headers)
    await api.refused("key_reused", "POST", f"/v1/games/{game}/fork", ada, {}, headers=headers)


async def test_keys_of_two_players_do_not_meet(api):
    _, ada = await api.player()
    _, bob = await api.player("Bob")
    body, headers = {"ruleset": "tpoc", "seats": ["me", "open", "open"]}, {"Idempotency-Key": fresh_key()}
    games = [(await api.post("/v1/games", token, body, headers=headers))["game"] for token in (ada, bob)]
    assert games[0] != games[1]


async def test_a_refusal_is_decided_anew_under_the_same_key(api):
    _, ada = await api.player()
    game = await api.game(ada, ["me", "open", "open"])
    body, headers = {"seat": 0}, {"Idempotency-Key": fresh_key()}
    await api.refused("not_started", "POST", f"/v1/games/{game}/resign", ada, body, headers=headers)
    await api.post(f"/v1/games/{game}/start", ada, {"fill": "bot:random"})
    await api.post(f"/v1/games/{game}/resign", ada, body, headers=headers)


async def test_a_secret_is_told_once_and_its_repeat_says_so(api):
    _, ada = await api.player()
    game = await api.game(ada, ["me", "open", "open"])
    for path, body in (("/v1/players", {"name": "X"}), ("/v1/tokens", {}), (f"/v1/games/{game}/invites", None)):
        headers = {"Idempotency-Key": fresh_key()}
        await api.post(path, ada, body, headers=headers)
        await api.refused("already_done", "POST", path, ada, body, headers=headers)


async def test_one_key_for_a_token_and_a_game_is_one_key(api):
    _, ada = await api.player()
    game = {"ruleset": "tpoc", "seats": ["me", "open", "open"]}
    headers = {"Idempotency-Key": fresh_key()}
    await api.post("/v1/tokens", ada, {}, headers=headers)
    await api.refused("key_reused", "POST", "/v1/games", ada, game, headers=headers)
    headers = {"Idempotency-Key": fresh_key()}
    await api.post("/v1/games", ada, game, headers=headers)
    await api.refused("key_reused", "POST", "/v1/tokens", ada, {}, headers=headers)


async def test_reading_again_what_has_not_changed_costs_nothing(api):
    _, ada = await api.player()
    game = await api.game(ada)
    for path in ("", "/view?seat=0", "/actions?seat=0", "/proof"):
        first = await api.send("GET", f"/v1/games/{game}{path}", token=ada)
        same = {"If-None-Match": first.headers["etag"]}
        again = await api.send("GET", f"/v1/games/{game}{path}", token=ada, headers=same, status=304)
        assert again.headers["etag"] == first.headers["etag"]
    await api.act(game, ada)
    await api.send("GET", f"/v1/games/{game}/view?seat=0", token=ada, headers=same, status=200)


async def test_the_view_at_every_version_is_the_one_that_was(api):
    _, ada = await api.player()
    game = await api.game(ada, seed="at")
    seen = {}
    for seat in range(3):
        answer = (await api.act(game, ada, seat)).json()
        seen[answer["version"]] = (seat, answer["view"])
    for version, (seat, view) in seen.items():
        assert (await api.get(f"/v1/games/{game}/view?seat={seat}&at={version}", ada))["view"] == view
    assert (await api.get(f"/v1/games/{game}/view?at=1", ada))["view"] is None
    newest = max(seen)
    for at in (0, newest + 50):
        await api.refused("not_found", "GET", f"/v1/games/{game}/view?at={at}", ada)


async def test_legal_actions_can_be_narrowed_and_left_bare(api):
    _, ada = await api.player()
    game = await api.game(ada)
    whole = await api.get(f"/v1/games/{game}/actions?seat=0", ada)
    decision = next(one for one in whole["decisions"] if one["seat"] == 0)
    assert decision["total"] == len(decision["actions"]) > 0
    assert all(one["label"]["text"] for one in decision["actions"])
    none = await api.get(f"/v1/games/{game}/actions?seat=0&types=walk,fly", ada)
    assert next(one for one in none["decisions"] if one["seat"] == 0)["actions"] == []
    bare = await api.get(f"/v1/games/{game}/actions?seat=0&labels=false", ada)
    assert all("label" not in one for one in next(o for o in bare["decisions"] if o["seat"] == 0)["actions"])
