"""The kit for those who write clients: a client of a few lines passes it, and a careless one does not."""

import json

import jsonpatch
import pytest

from tests.integration.stream.kit_for_clients import FOLDER, deliveries, record

FAULTS = json.loads((FOLDER / "faults.json").read_text())


def lines(name):
    return [json.loads(line) for line in (FOLDER / name).read_text().splitlines()]


SESSION, VIEWS = lines("session.ndjson"), {line["version"]: line["view"] for line in lines("views.ndjson")}


class Follower:
    """All that a client has to do."""

    def __init__(self):
        self.version, self.view, self.shown = 0, None, {}
        self.gap, self.repeats = None, []

    def take(self, event):
        """Take an event; False: something is missing, come back."""
        if event["version"] <= self.version:
            self.repeats.append(event["version"])
            return True
        if event["version"] != self.version + 1:
            self.gap = self.gap or self.version + 1
            return False
        self.version = event["version"]
        self.view = jsonpatch.apply_patch(self.view, event["patch"])
        self.shown[self.version] = self.view
        return True


class CarelessFollower(Follower):
    """Takes whatever comes."""

    def take(self, event):
        self.version = event["version"] - 1
        return super().take(event)


def run(client, connections):
    asks = []
    for connection in connections:
        asks.append(client.version)
        for line in connection["lines"]:
            if not client.take(SESSION[line]):
                break
    return {"asks": asks, "gap": client.gap, "repeats": client.repeats, "version": client.version}


@pytest.mark.parametrize("fault", FAULTS, ids=[fault["name"] for fault in FAULTS])
def test_a_client_of_a_few_lines_passes(fault):
    client = Follower()
    assert run(client, fault["connections"]) == fault["expect"]
    assert client.shown == {version: VIEWS[version] for version in range(1, client.version + 1)}


def test_a_careless_client_fails():
    failed = []
    for fault in FAULTS:
        client = CarelessFollower()
        try:
            passed = run(client, fault["connections"]) == fault["expect"]
        except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException):
            passed = False
        failed.append(not passed)
    assert any(failed)


def test_the_session_has_what_clients_stumble_over():
    kinds = [message["kind"] for message in SESSION]
    assert {"started", "acted", "rewound", "resigned", "ended"} <= set(kinds)
    assert [message["version"] for message in SESSION] == list(range(1, len(SESSION) + 1))
    assert deliveries(len(SESSION)) == FAULTS


@pytest.mark.slow
async def test_a_server_of_today_sends_messages_of_the_same_shape():
    messages, _ = await record()
    shape = {message["kind"]: set(message) for message in messages}
    assert shape == {message["kind"]: set(message) for message in SESSION}
