"""Any JSON value in any field of any body gets an answer that is not our mistake."""

import json

import pytest

from tests.integration.hardening.input_kit import quiet_api

pytestmark = pytest.mark.slow


@pytest.fixture
async def site(anyio_backend):
    """An API with an operator's token."""
    async with quiet_api() as api:
        _, token = await api.services.records.sign_up("operator", ("watch", "play", "organise", "admin"))
        yield api, token


VALUES = (
    b"null",
    b"true",
    b"-1",
    b"0",
    b"1.5",
    b"-0.0",
    b"01",
    b"NaN",
    b"Infinity",
    b"1e308",
    b"1e400",
    b"-1e400",
    b"5e-324",
    b"2147483648",
    b"9223372036854775807",
    b"9223372036854775808",
    b"18446744073709551616",
    b"1" + b"0" * 400,
    b'""',
    b'"x"',
    b'"\\u0000"',
    b'"\\ud800"',
    b'"\\udfff\\ud800"',
    b'"\xc0\x80"',
    b'"\xed\xa0\x80"',
    b'"\xf8\x88\x80\x80\x80"',
    b'"' + b"x" * 60_000 + b'"',
    b"[]",
    b"{}",
    b"[[[[]]]]",
    b'["a",1,null]',
    b'{"a":{"b":{}}}',
    b'{"0":{}}',
    b"[" * 31 + b"]" * 31,
    b"[" * 200 + b"]" * 200,
)

GAME = b'{"ruleset":"tpoc","seats":["me","me","me"],%b}'
SCENARIO = GAME % b'"scenario":{%b}'
#: Bodies with a hole, by the end of the path.
BODIES = {
    "/v1/players": (b'{"name":@}',),
    "/v1/tokens": (
        b'{"scopes":@}',
        b'{"scopes":[@]}',
        b'{"scopes":["watch"],"label":@}',
        b'{"scopes":["watch"],"game":@}',
        b'{"scopes":["watch"],"seat":@}',
    ),
    "/v1/games": (
        b'{"ruleset":@,"seats":["me","me","me"]}',
        b'{"ruleset":"tpoc","seats":@}',
        b'{"ruleset":"tpoc","seats":["me",@,"me"]}',
        *(
            GAME % field
            for field in (
                b'"options":@',
                b'"options":{"x":@}',
                b'"setup":@',
                b'"seed":@',
                b'"name":@',
                b'"entropy":@',
                b'"clock":@',
                b'"pack":@',
                b'"undo":@',
                b'"visibility":@',
                b'"spectators":@',
                b'"on_timeout":@',
                b'"scenario":@',
                b'"seed":"a","seed":@',
            )
        ),
        *(
            SCENARIO % field
            for field in (
                b'"state":@',
                b'"state":{"turn":@}',
                b'"state":{"agenda":@}',
                b'"state":{"agenda":[@]}',
                b'"dice":@',
                b'"dice":[@]',
                b'"dice":[{"terrain":@}]',
                b'"orders":@',
                b'"orders":{"deck":@}',
                b'"orders":{"deck":[@]}',
                b'"orders":{"deck":[[@]]}',
                b'"orders":{"bag":[[@]]}',
                b'"orders":{"ballot":[[@]]}',
                b'"base":@',
                b'"options":@',
                b'"options":{"x":@}',
                b'"setups":@',
                b'"setups":{"0":@}',
                b'"pack":@',
                b'"seats":@',
            )
        ),
    ),
    "/actions": (
        b'{"seat":@,"action":{"action":"resign"}}',
        b'{"seat":0,"action":@}',
        b'{"seat":0,"action":{"action":@}}',
        b'{"seat":0,"action":{"action":"resign","x":@}}',
        b'{"seat":0,"action":{"action":"resign"},"x":@}',
    ),
    "/check": (
        b'{"seat":@,"action":{"action":"resign"}}',
        b'{"seat":0,"action":@}',
        b'{"seat":0,"action":{"action":@}}',
    ),
    "/repairs": (
        b'{"reason":@,"seat":0,"action":{"action":"x"}}',
        b'{"reason":"x","seat":@,"action":{"action":"x"}}',
        b'{"reason":"x","seat":0,"action":@}',
    ),
    "/messages": (b'{"words":@,"seat":0}', b'{"words":"a","seat":@}'),
    "/undo": (b'{"to":@,"seat":0}', b'{"seat":@}'),
    "/redo": (b'{"to":@,"seat":0}', b'{"seat":@}'),
    "/undo/x/answer": (b'{"accept":@,"seat":0}', b'{"accept":true,"seat":@}'),
    "/fork": (b'{"at":@}', b'{"at":1,"seats":@}', b'{"at":1,"seats":[@]}'),
    "/seats/0": (b'{"entropy":@}', b'{"setup":@}', b'{"bot":@}', b'{"invite":@}'),
    "/start": (b'{"fill":@}',),
}


async def post(api, token, path, body):
    headers = {"Authorization": f"Bearer {token}", "If-Match": "*", "Content-Type": "application/json"}
    return await api.client.post(path, content=body, headers=headers)


@pytest.mark.parametrize("end", BODIES)
async def test_no_value_in_any_field_is_our_mistake(site, end):
    api, admin = site
    game = await api.game(admin)
    path = end if end.startswith("/v1") else f"/v1/games/{game}{end}"
    refused = 0
    for body in BODIES[end]:
        for value in VALUES:
            response = await post(api, admin, path, body.replace(b"@", value))
            assert response.status_code < 500, (body, value[:50], response.text)
            refused += response.status_code >= 400
    assert refused > len(VALUES) / 2
    assert (await api.get(f"/v1/games/{game}", admin))["status"] == "running"


async def test_no_value_in_any_field_of_an_action_is_our_mistake(site):
    api, admin = site
    game = await api.game(admin)
    while True:
        (decision, *_) = (await api.get(f"/v1/games/{game}/actions", admin))["decisions"]
        seat = decision["seat"]
        action = max(await api.legal(game, admin, seat), key=len)
        if len(action) > 2 or (await api.get(f"/v1/games/{game}"))["version"] > 12:
            break
        await api.act(game, admin, seat)
    for field in action:
        body = json.dumps({"seat": seat, "action": action | {field: "@"}}).encode().replace(b'"@"', b"@")
        for value in VALUES:
            response = await post(api, admin, f"/v1/games/{game}/check", body.replace(b"@", value))
            assert response.status_code < 500, (body, value[:50], response.text)


@pytest.mark.parametrize("setups", [b'{"0": {"deck": []}}', b'{"0": 1}', b'{"x": null}', b'{"9": {}}'])
async def test_setups_of_a_scenario_that_cannot_be_are_refused(site, setups):
    api, admin = site
    problem = (await post(api, admin, "/v1/games", SCENARIO % (b'"setups":%b' % setups))).json()
    assert (problem["code"], problem["detail"][:9]) == ("invalid", "scenario:")


async def test_of_two_fields_with_one_name_the_last_counts(site):
    api, _ = site
    assert (await api.post("/v1/players", content=b'{"name": "Ada", "name": "Bob"}'))["name"] == "Bob"


async def test_deep_json_is_refused_before_it_is_decoded_wherever_json_is_taken(site, monkeypatch):
    api, admin = site

    def decoding(*_):
        raise AssertionError("it was decoded")

    monkeypatch.setattr("server.http.decode", decoding)
    for end in BODIES:
        path = end if end.startswith("/v1") else f"/v1/games/g{end}"
        for body in (b"[" * 65_000, b'{"a":' * 13_000, b"[" * 33 + b"]" * 33):
            response = await post(api, admin, path, body)
            assert response.status_code == 400, (path, response.text)
            assert "nested deeper than 32" in response.json()["detail"]
        response = await post(api, admin, path, b"[" * 200_000)
        assert response.status_code == 413
