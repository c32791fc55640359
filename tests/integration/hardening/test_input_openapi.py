"""Requests made up from the OpenAPI document that a running server gives: each answer is one that the document tells.

Schemathesis makes the requests up, right ones and wrong ones; ids, tokens and versions are real ones most of the time.
"""

import asyncio
import json
import math
import random
from collections import Counter
from hashlib import sha256

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.generation.modes import GenerationMode

from server.operations import JSON
from server.replays import MEDIA_TYPE
from server.services import Services
from server.settings import Settings
from tests.integration.hardening.crash_child import Servers
from tests.integration.http.kit import Api, declared_at
from tests.integration.http.test_every_operation import (
    after_the_end,
    agreeing,
    claiming,
    everything_beside_games,
    playing,
    rewinding,
    seats_and_invites,
    signed_log,
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

SEED = 20261130
NO_RATES = {name: 0 for name in Settings.__struct_fields__ if name.startswith("rate_")}
HELD_TO = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)

WRONG_SHARE = 0.3
REAL_SHARE = 0.75
#: How often a request that was made up is sent, each time with other ids and tokens: making it up is the costly part.
SENT = 8

schemathesis.serializer.alias(MEDIA_TYPE, "application/json")
load_all_checks()
CHECKED = [CHECKS.get_one(name) for name in HELD_TO]


class Pools:
    """What is real: ids, by the name that paths have for them, and tokens."""

    def __init__(self):
        self.chance = random.Random(SEED)
        names = ("game", "player", "replay", "ruleset", "pack", "request_id", "proposal_id", "token")
        self.values = {name: [] for name in names} | {"seat": [0, 1, 2], "version": [1, 2, 8], "code": ["not_found"]}
        self.values["size"] = ["latest", 1, 9]
        self.tokens = []

    def take(self, path, told):
        """Learn from an answer."""
        if isinstance(told, list):
            for part in told:
                self.take(path, part)
        if not isinstance(told, dict):
            return
        for name, value in told.items():
            if name in ("game", "player", "replay", "ruleset", "pack") and isinstance(value, str):
                self.values[name].append(value)
            self.take(path, value)
        if path.startswith("/v1/heads") and "note" in told:
            self.values["size"].append(told["size"])
        if path == "/v1/tokens" and "token" in told:
            self.values["token"].append(told["id"])
        if isinstance(told.get("request"), dict):
            self.values["request_id"].append(told["request"]["id"])
        if isinstance(told.get("proposal"), dict):
            self.values["proposal_id"].append(told["proposal"]["id"])

    def fill(self, case, path_parameters, headers):
        """Put real things into a request, most of the time."""
        case.path_parameters = {
            name: self.chance.choice(self.values[name]) if self.chance.random() < REAL_SHARE else value
            for name, value in path_parameters.items()
        }
        case.headers = dict(headers)
        if "If-Match" in headers and self.chance.random() < REAL_SHARE:
            case.headers["If-Match"] = "*"
        if self.chance.random() < REAL_SHARE:
            case.headers["Authorization"] = f"Bearer {self.chance.choice(self.tokens)}"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server in a process of its own: (address, an operator's token)."""
    servers = Servers(tmp_path_factory.mktemp("site"), **NO_RATES, head_interval_s=0.2)
    admin = asyncio.run(operator(servers.settings))
    servers.start()
    yield f"http://127.0.0.1:{servers.port}", admin
    assert servers.stop() == 0
    lines = [json.loads(line) for line in servers.log.read_text().split("\n") if line.startswith("{")]
    assert [line for line in lines if line["level"] in ("error", "critical")] == []


async def operator(given_settings):
    services = Services.open(given_settings)
    _, token = await services.records.sign_up("operator", ("watch", "play", "organise", "admin"))
    await services.store.close()
    return token


def test_the_document_tells_of_every_answer(site, request):
    address, admin = site
    document = schemathesis.openapi.from_url(f"{address}/schema/openapi.json", wait_for_schema=30)
    found = [result.ok() for result in document.get_all_operations()]
    operations = {(operation.method.upper(), operation.path): operation for operation in found}
    pools, statuses = Pools(), Counter()
    asyncio.run(walk(address, admin, operations, pools, statuses))
    wanted = request.config.getoption("--requests")
    with requests.Session() as session:
        session.trust_env = False
        made_up = MadeUp(address, session, pools, statuses)
        # Of some operations there are few requests that differ: the others then get more.
        while (left := wanted - statuses.total()) > 0:
            for operation in operations.values():
                made_up.ask(operation, math.ceil(left / len(operations)))
    succeeded = {place for place, status in statuses if 200 <= status < 300}
    assert succeeded == set(operations)
    assert not [status for _, status in statuses if status >= 500]
    told = Counter(status for _, status in statuses.elements())
    print(f"{statuses.total()} requests, {len(operations)} operations: {dict(sorted(told.items()))}")  # noqa: T201


async def walk(address, admin, operations, pools, statuses):
    """Games from their making to their end: every operation with success, each answer held to the document."""

    async def check(response):
        await response.aread()
        declared = declared_at(response.request.method, response.request.url.path)
        place = (declared.method, declared.path.replace(":str}", "}")) if declared is not None else None
        if place not in operations or response.status_code == 304:
            return
        operations[place].validate_response(response)
        statuses[place, response.status_code] += 1
        if response.headers.get("content-type") == JSON:
            pools.take(place[1], response.json())

    async with httpx.AsyncClient(base_url=address, trust_env=False, event_hooks={"response": [check]}) as client:
        api = Api(client)
        player, ada = await api.player()
        _, bob = await api.player("Bob")
        await everything_beside_games(api, player, ada, admin)
        await seats_and_invites(api, ada, bob)
        await playing(api, ada, admin)
        await rewinding(api, ada, bob)
        await agreeing(api, ada, bob)
        await claiming(api, ada, bob, asyncio.sleep)
        await after_the_end(api, player, ada)
        await signed_log(api, ada, newer_heads(api))
    pools.tokens += [ada, bob, admin]
    pools.values["pack"].append(sha256(b"none").hexdigest())


def newer_heads(api):
    """Waits for a head that the server signs after the last one that this gave; its size."""
    seen = 0

    async def signed():
        nonlocal seen
        last, latest = seen, None
        while latest is None or latest["size"] <= last:
            await asyncio.sleep(0.05)
            latest = (await api.get("/v1/heads"))["latest"]
        seen = latest["size"]
        return seen

    return signed


class MadeUp:
    """Requests to the operations of a server, each answer held to the document."""

    def __init__(self, address, session, pools, statuses):
        self.address, self.session, self.pools, self.statuses = address, session, pools, statuses
        self._seed = SEED

    def ask(self, operation, count):
        """So many requests to one operation; where nothing can be wrong in one, all of them are right."""
        wrong = round(count * WRONG_SHARE) if operation.body or operation.query else 0
        if wrong:
            self._ask(operation, GenerationMode.NEGATIVE, wrong)
        self._ask(operation, GenerationMode.POSITIVE, count - wrong)

    def _ask(self, operation, mode, count):
        self._seed += 1

        @seeded(self._seed)
        @settings(
            max_examples=max(1, round(count / SENT)),
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def one(case):
            made = (dict(case.path_parameters or {}), dict(case.headers or {}))
            for _ in range(SENT):
                self.pools.fill(case, *made)
                response = case.call(base_url=self.address, session=self.session)
                self.statuses[(operation.method.upper(), operation.path), response.status_code] += 1
                case.validate_response(response, checks=CHECKED)

        one()
