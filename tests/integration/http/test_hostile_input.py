"""Whatever a client sends, it gets a problem that says so, never a 500."""

import pytest

from server.operations import NDJSON
from tests.integration.http.kit import OPERATIONS

HUGE = b"9" * 5000
BODIES = {
    "null": b"null",
    "a list": b"[]",
    "a number": b"1",
    "cut off": b'{"seat": 0, "action": {',
    "not UTF-8": b'{"words": "\xff\xfe", "name": "\xff", "ruleset": "\xff"}',
    "a lone surrogate": b'{"words": "\\ud800", "name": "\\ud800", "ruleset": "\\ud800", "seats": []}',
    "an unknown field": b'{"no_such_field": 1}',
    "a huge number": b'{"seat": %b, "at": %b, "to": %b}' % (HUGE, HUGE, HUGE),
    "a number beyond 64 bits": b'{"seat": 99999999999999999999, "action": {"action": "resign"}}',
    "a float for a number": b'{"seat": 1e999, "action": {}}',
    "deep lists": b"[" * 60_000,
    "deep objects": b'{"action":' * 5000,
    "deep and whole": b'{"action": {"action": ' + b"[" * 40 + b"]" * 40 + b"}}",
    "quotes without end": b'"\\"' * 20_000 + b"[" * 40,
    "no JSON": b"\x00\x01\x02",
    "NaN": b'{"seat": NaN}',
}
WRITING = [one for one in OPERATIONS if one.body is not None]


def address(declared, **values):
    """The path with values in it."""
    path = declared.path
    for name, value in {"version": "3", "seat": "1", **values}.items():
        path = path.replace(f"{{{name}:str}}", value)
    return path.replace("{request_id:str}", "x").replace("{code:str}", "x")


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
async def test_no_body_makes_a_server_error(api, admin, body):
    game = await api.game(admin)
    for declared in WRITING:
        path = address(declared, game=game, ruleset="tpoc", pack="x", replay="x", player="x", token="x")
        headers = {"If-Match": "*"} | ({"Content-Type": NDJSON} if "ndjson" in declared.body_media else {})
        response = await api.client.request(
            declared.method, path, content=body, headers={"Authorization": f"Bearer {admin}"} | headers
        )
        assert 400 <= response.status_code < 500, (declared.path, response.text)
        assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "name", ["\x00", "%00", "..%2f..", "\u00fc", "9" * 30, "-1", "1e3", "'; drop table", "x" * 3000]
)
async def test_no_path_makes_a_server_error(api, admin, name):
    for declared in OPERATIONS:
        if "{" not in declared.path:
            continue
        names = dict.fromkeys(("game", "ruleset", "pack", "replay", "player", "token", "version", "seat"), name)
        response = await api.client.request(
            declared.method,
            address(declared, **names).replace("\x00", "%00"),
            content=b"{}" if declared.body is not None else None,
            headers={"Authorization": f"Bearer {admin}", "If-Match": "*"},
        )
        assert response.status_code < 500, (declared.path, response.text)


@pytest.mark.parametrize("value", ["", "-1", "99999999999999999999", "9" * 400, "%00", "NaN", "1.5", "x", "%ff%fe"])
async def test_no_query_makes_a_server_error(api, admin, value):
    game = await api.game(admin)
    for declared in OPERATIONS:
        if declared.query is None:
            continue
        path = address(declared, game=game, ruleset="tpoc", replay="x", player="x")
        for name in declared.query.__struct_fields__:
            response = await api.client.get(f"{path}?{name}={value}", headers={"Authorization": f"Bearer {admin}"})
            assert response.status_code < 500, (path, name, response.text)


@pytest.mark.parametrize("query", ["seat=0&seat=1", "sea=0", "&".join(f"a{n}=1" for n in range(40))])
async def test_unknown_and_repeated_parameters_are_refused(api, admin, query):
    game = await api.game(admin)
    await api.refused("invalid", "GET", f"/v1/games/{game}/view?{query}", admin)


async def test_a_query_where_there_is_none_is_refused(api):
    await api.refused("invalid", "GET", "/v1/rulesets?limit=1")


@pytest.mark.parametrize("path", ["/v1/players", "/v1/nothing", "/v1/games/x/nothing", "//", "/v1/games/x/seats/1/2"])
async def test_an_unknown_address_is_a_problem(api, path):
    problem = (await api.client.get(path + "/none")).json()
    assert problem["code"] == "not_found"


async def test_two_hundred_kilobytes_of_brackets_are_too_large(api):
    await api.refused("payload_too_large", "POST", "/v1/players", content=b"[" * 200_000)


async def test_a_body_that_grows_is_cut_at_the_limit(api):
    async def parts():
        for _ in range(200):
            yield b"[" * 1024

    response = await api.client.post("/v1/players", content=parts())
    assert (response.status_code, response.json()["code"]) == (413, "payload_too_large")


async def test_a_pack_may_be_larger_than_other_bodies(api, admin):
    problem = await api.refused(
        "invalid", "PUT", "/v1/rulesets/tpoc/content/x", admin, content=b'"' + b"x" * 200_000 + b'"'
    )
    assert "SHA-256" in problem["detail"]


async def test_nesting_within_the_limit_is_decoded(api, admin):
    game = await api.game(admin)
    action = {"action": "resign", "x": [[[[1]]]]}
    problem = await api.refused("invalid", "POST", f"/v1/games/{game}/check", admin, {"seat": 0, "action": action})
    assert "x" in problem["detail"]


async def test_brackets_in_strings_are_not_nesting(api):
    await api.post("/v1/players", body={"name": '[{"\\' * 15})


@pytest.mark.parametrize(("name", "works"), [("Zoë 王", True), ("a\x00b", False), ("a\nb", False), ("x" * 81, False)])
async def test_names_are_short_and_printable(api, name, works):
    if works:
        assert (await api.post("/v1/players", body={"name": name}))["name"] == name
    else:
        await api.refused("invalid", "POST", "/v1/players", body={"name": name})


async def test_table_talk_takes_no_nul_and_is_limited(api, admin):
    game = await api.game(admin)
    for words in ("a\x00b", "", "   ", "x" * 501):
        await api.refused("invalid", "POST", f"/v1/games/{game}/messages", admin, {"words": words, "seat": 0})


@pytest.mark.parametrize("value", ['W/"3"', '"3", "4"', '"x"', "-1", '"3', "9" * 20, ""])
async def test_if_match_is_one_version(api, admin, value):
    game = await api.game(admin)
    body = {"seat": 0, "action": {"action": "resign"}}
    await api.refused("invalid", "POST", f"/v1/games/{game}/actions", admin, body, headers={"If-Match": value})


@pytest.mark.parametrize("key", ["", "a b", "x" * 129, "caf\xe9"])
async def test_an_idempotency_key_is_printable_ascii(api, key):
    await api.refused("invalid", "POST", "/v1/players", body={}, headers={"Idempotency-Key": key.encode("latin-1")})


async def test_a_form_is_no_json(api):
    problem = await api.refused(
        "unsupported_media_type", "POST", "/v1/players", content=b"name=Ada",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )  # fmt: skip
    assert "Content-Type: application/json" in problem["detail"]


@pytest.mark.parametrize("accept", ["text/html", "image/*", "application/json;q=0"])
async def test_what_nobody_can_make_is_not_acceptable(api, accept):
    assert (await api.refused("not_acceptable", "GET", "/v1/games", headers={"Accept": accept}))["offers"]


@pytest.mark.parametrize("accept", ["*/*", "application/*", "text/html, */*;q=0.1", "application/json; charset=utf-8"])
async def test_what_includes_json_gets_json(api, accept):
    await api.get("/v1/games", headers={"Accept": accept})
