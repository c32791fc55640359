"""All routes together: guards, methods, documents, headers, the page."""

import json

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from server.app import create_app
from server.auth import GUARDS
from server.openapi import openapi_document
from server.problems import CODES
from server.routes import HANDLERS
from server.routes.web import FOLDER
from tests.integration.http.kit import OPERATIONS


def test_every_route_has_a_guard_or_is_explicitly_public(services):
    guards = set(GUARDS.values())
    walked = 0
    for route in create_app(services).routes:
        for handler in getattr(route, "route_handlers", [getattr(route, "route_handler", None)]):
            if handler.fn.__name__ == "options_handler" or str(route.path) == "/v1/stream":
                continue  # tells methods alone; the socket has its own handshake
            walked += 1
            guarded = bool(guards & set(handler.guards or ()))
            assert guarded != (handler.opt.get("public") is True), f"{route.path} is neither guarded nor public"
    assert walked >= len(HANDLERS)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "POST", "GET", "BREW"])
async def test_a_wrong_method_is_told_the_right_ones(api, method):
    paths = {one.path for one in OPERATIONS}
    for path in paths:
        taken = {one.method for one in OPERATIONS if one.path == path}
        if method in taken:
            continue
        response = await api.client.request(method, path.replace(":str", ""))
        assert (response.status_code, response.json()["code"]) == (405, "method_not_allowed")
        assert taken <= set(response.headers["allow"].split(", "))


async def test_the_openapi_document_is_valid_and_whole(api):
    document = await api.get("/schema/openapi.json")
    OpenAPIV31SpecValidator(document).validate()
    told = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert told == {(one.method, one.path.replace(":str", "")) for one in OPERATIONS}
    names = [told["operationId"] for methods in document["paths"].values() for told in methods.values()]
    assert len(names) == len(set(names))
    assert all(told["summary"] for methods in document["paths"].values() for told in methods.values())


def test_the_openapi_document_is_the_same_every_time():
    assert json.dumps(openapi_document(HANDLERS)) == json.dumps(openapi_document(HANDLERS))


async def test_head_is_get_without_a_body(api):
    got = await api.send("GET", "/v1/rulesets/tpoc")
    head = await api.client.head("/v1/rulesets/tpoc", headers={"Accept-Encoding": "identity"})
    assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", got.headers["etag"])
    assert (await api.client.head("/v1/games/x")).status_code == 404


async def test_every_response_has_a_request_id_and_keeps_a_harmless_one(api, logged):
    given = await api.send("GET", "/health/live", headers={"X-Request-ID": "abc-1.2_3"})
    assert given.headers["x-request-id"] == "abc-1.2_3"
    for bad in ("a b", "x" * 65, "é".encode(), "a\tb"):
        made = await api.send("GET", "/health/live", headers={"X-Request-ID": bad})
        assert len(made.headers["x-request-id"]) == 24
    assert "abc-1.2_3" in [line.get("request_id") for line in logged]


async def test_the_log_has_no_secrets(api, logged):
    _, ada = await api.player()
    await api.get("/v1/me", ada)
    await api.send("GET", "/v1/games?text=hidden-words", token=ada)
    assert ada not in str(logged)
    assert "hidden-words" not in str(logged)
    assert [line["path"] for line in logged if line["event"] == "request"] == ["/v1/players", "/v1/me", "/v1/games"]


async def test_browsers_of_other_origins_may_call_and_read_what_they_need(api):
    origin = {"Origin": "https://client.example"}
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization, if-match"}
    preflight = await api.client.options("/v1/games/x/actions", headers=origin | asked)
    assert preflight.status_code == 204
    assert preflight.headers["access-control-allow-origin"] in ("*", origin["Origin"])
    assert "if-match" in preflight.headers["access-control-allow-headers"]
    for path in ("/v1/games", "/v1/games/none"):  # errors too
        response = await api.client.get(path, headers=origin)
        exposed = response.headers["access-control-expose-headers"].lower()
        assert all(name in exposed for name in ("etag", "link", "location", "x-request-id", "retry-after", "ratelimit"))


async def test_long_answers_are_compressed_for_who_takes_it(api):
    packed = await api.send("GET", "/v1/rulesets/tpoc", headers={"Accept-Encoding": "gzip"})
    plain = await api.send("GET", "/v1/rulesets/tpoc", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content
    short = await api.send("GET", "/health/live", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in short.headers


async def test_the_page_is_served_with_a_policy_without_inline_script(api):
    page = await api.client.get("/", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert page.status_code == 200
    policy = page.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert page.headers["x-content-type-options"] == "nosniff"
    script = next(FOLDER.rglob("*.js")).relative_to(FOLDER).as_posix()
    response = await api.client.get(f"/{script}")
    assert response.headers["content-type"].partition(";")[0] in ("text/javascript", "application/javascript")
    again = await api.client.get(f"/{script}", headers={"If-None-Match": response.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("path", ["/../server/app.py", "/%2e%2e/app.py", "/web/index.html", "/.gitignore", "/js/"])
async def test_the_page_gives_no_other_files(api, path):
    assert (await api.client.get(path)).status_code == 404


async def test_every_problem_has_a_page(api):
    for code in CODES:
        assert code in (await api.send("GET", f"/problems/{code}")).text
    await api.refused("not_found", "GET", "/problems/none")


@pytest.mark.parametrize(("language", "is_english"), [("en-GB, de;q=0.5", True), ("xx", True), ("*", True)])
async def test_texts_come_in_a_language_that_is_there(api, language, is_english):
    _, ada = await api.player()
    game = await api.game(ada)
    told = await api.get(f"/v1/games/{game}/actions?seat=0", ada, headers={"Accept-Language": language})
    assert (told["decisions"][0]["text"] != told["decisions"][0]["label"]["key"]) is is_english
