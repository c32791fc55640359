"""A client of the API that holds every answer to what the operation declares: status, shape, headers, problem codes."""

import re
import secrets

import httpx
import msgspec

from server.operations import JSON
from server.problems import CODES
from server.routes import HANDLERS

OPERATIONS = [handler.opt["operation"] for handler in HANDLERS]
ANYWHERE = {"invalid", "not_acceptable", "unavailable", "unauthenticated", "not_allowed"}
_PATHS = [(re.compile(re.sub(r"\{\w+:\w+\}", "[^/]+", one.path) + r"\Z"), one) for one in OPERATIONS]


class Api:
    """HTTP with checks. `used`: method and path of the operations that have answered with success."""

    def __init__(self, client):
        self.client = client
        self.used = set()

    async def send(self, method, path, *, token=None, body=None, status=None, headers=None, content=None):
        """One request; the response, after all that must be true of it was tested."""
        given = dict(headers or {})
        if token is not None:
            given["Authorization"] = f"Bearer {token}"
        if body is not None:
            content = msgspec.json.encode(body)
        if content is not None:
            given.setdefault("Content-Type", JSON)
        response = await self.client.request(method, path, headers=given, content=content)
        declared = declared_at(method, path)
        check(response, declared)
        if declared is not None and response.is_success:
            self.used.add((declared.method, declared.path))
        expected = status or (declared.status if declared is not None else 200)
        assert response.status_code == expected, (method, path, response.status_code, response.text[:500])
        return response

    async def get(self, path, token=None, **more):
        """The JSON of a GET."""
        return (await self.send("GET", path, token=token, **more)).json()

    async def post(self, path, token=None, body=None, **more):
        """The JSON of a POST."""
        return (await self.send("POST", path, token=token, body=body, **more)).json()

    async def refused(self, code, method, path, token=None, body=None, **more):
        """The problem with this code that the request gets."""
        problem = (await self.send(method, path, token=token, body=body, status=CODES[code][0], **more)).json()
        assert problem["code"] == code, problem
        return problem

    async def player(self, name="Ada"):
        """(id, token) of a new player."""
        told = await self.post("/v1/players", body={"name": name})
        return told["player"], told["token"]

    async def game(self, token, seats=("me", "me", "me"), **more):
        """The id of a new TPOC game."""
        told = await self.post("/v1/games", token, {"ruleset": "tpoc", "seats": list(seats), **more})
        return told["game"]

    async def act(self, game, token, seat=0, *, version="*", status=None, key=None, pick=0):
        """Play one of the seat's legal actions (the first one)."""
        body = {"seat": seat, "action": (await self.legal(game, token, seat))[pick]}
        headers = {"If-Match": version} | ({"Idempotency-Key": key} if key else {})
        return await self.send(
            "POST", f"/v1/games/{game}/actions", token=token, body=body, headers=headers, status=status
        )

    async def legal(self, game, token, seat=0):
        """The seat's legal actions."""
        told = await self.get(f"/v1/games/{game}/actions?seat={seat}", token)
        return [one["action"] for decision in told["decisions"] for one in decision.get("actions", ())]

    async def set_up(self, game, token):
        """Answer the sealed set-up for all seats of a game that one player plays alone."""
        for seat in range(3):
            await self.act(game, token, seat)

    async def end(self, game, token):
        """End a game that one player plays alone: all but the last seat give up."""
        for seat in range(2):
            await self.post(f"/v1/games/{game}/resign", token, {"seat": seat})


def declared_at(method, path):
    """The operation at an address; None if there is none."""
    plain = path.partition("?")[0]
    found = [one for pattern, one in _PATHS if one.method == method and pattern.match(plain)]
    return min(found, key=lambda one: one.path.count("{")) if found else None


def check(response, declared):
    """What is true of every response."""
    assert response.headers["x-request-id"]
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'none'" in response.headers["content-security-policy"]
    if response.status_code >= 400:
        check_problem(response, declared)
    elif declared is not None and response.request.method != "HEAD":
        check_success(response, declared)


def check_problem(response, declared):
    """An error is a problem document, with a code that the operation declares."""
    assert response.headers["content-type"] == "application/problem+json", response.text[:300]
    problem = response.json()
    assert problem["status"] == response.status_code
    assert CODES[problem["code"]] == (problem["status"], problem["title"])
    assert problem["type"] == f"/problems/{problem['code']}"
    assert problem["detail"].endswith((".", '".')) or problem["code"] in ("illegal_action", "not_your_decision")
    assert "Traceback" not in response.text
    if declared is not None:
        declares = ANYWHERE | set(declared.problems)
        declares |= {"payload_too_large", "unsupported_media_type"} if declared.body is not None else set()
        declares |= {"key_reused"} if declared.key else set()
        declares |= {"version_required", "version_conflict"} if declared.version else set()
        assert problem["code"] in declares, f"{declared.method} {declared.path} does not declare {problem['code']}"


def check_success(response, declared):
    """A success is what the operation declares, to the field."""
    if response.status_code == 304:
        assert response.content == b""
        return
    assert response.status_code == declared.status
    if declared.status == 204:
        assert response.content == b""
    elif declared.answer not in (None, dict) and response.headers["content-type"] == JSON:
        msgspec.json.decode(response.content, type=declared.answer)


def fresh_key():
    """An Idempotency-Key."""
    return secrets.token_hex(8)


def client_of(app):
    """An HTTP client of an app in this process."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(app, raise_app_exceptions=False), base_url="http://turnlog")
