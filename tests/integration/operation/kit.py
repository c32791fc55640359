"""A running server over HTTP and WebSocket, and the figures that it tells."""

from contextlib import asynccontextmanager

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.integration.stream.kit import running

FORWARDED = "X-Forwarded-For"


@asynccontextmanager
async def served(**settings):
    """The server's world, and an HTTP client of it."""
    async with running(**settings) as world, httpx.AsyncClient(base_url=root(world), trust_env=False) as client:
        yield world, client


def root(world):
    return world.http.removesuffix("/v1")


def bearing(token):
    return {"Authorization": f"Bearer {token}"}


async def signed_up(client, **headers):
    """(id, token) of a new player."""
    told = (await client.post("/v1/players", json={}, headers=headers)).json()
    return told["player"], told["token"]


async def token_of(world, scopes=("watch", "play")):
    """The token of a new player, made beside HTTP."""
    _, token = await world.services.records.sign_up("somebody", scopes)
    return token


def new_game(seats=("me", "me", "me")):
    return {"ruleset": "tpoc", "seats": list(seats)}


async def statuses(client, method, path, count, **more):
    return [(await client.request(method, path, **more)).status_code for _ in range(count)]


async def figures(client, token=None):
    """Every sample by name and labels."""
    response = await client.get("/metrics", headers=bearing(token) if token else {})
    assert response.status_code == 200, response.text
    return Figures(response.text)


class Figures:
    """What /metrics told once."""

    def __init__(self, text):
        self.text = text
        self.families = list(text_string_to_metric_families(text))
        self._samples = {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in self.families
            for sample in family.samples
        }

    def __call__(self, name, **labels):
        return self._samples.get((name, frozenset(labels.items())), 0)
