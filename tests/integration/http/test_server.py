"""The real server in a process of its own: from a fresh file through kill -9 to a graceful end."""

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest

from tests.integration.http.kit import Api

pytestmark = pytest.mark.slow

PROGRAM = """
import sys
from server.app import serve
from server.settings import Settings
serve(Settings(database=sys.argv[1], port=0))
"""
READY = re.compile(r"running on (http://[0-9.:]+)")


@contextmanager
def running(database):
    """A server process on a port of its own; (process, address)."""
    command = [sys.executable, "-c", PROGRAM, str(database)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=dict(os.environ)) as process:
        try:
            yield process, address_of(process)
        finally:
            process.kill()


def address_of(process):
    """Where the process says that it listens."""
    said = ""
    for line in process.stderr:
        if match := READY.search(line):
            return match[1]
        said += line
    raise AssertionError(said)


async def test_after_kill_9_and_a_restart_all_is_there_and_goes_on(tmp_path, anyio_backend):
    database = tmp_path / "turnlog.db"
    with running(database) as (process, address):
        async with httpx.AsyncClient(base_url=address) as client:
            api = Api(client)
            _, ada = await api.player()
            game = await api.game(ada)
            action, key = (await api.legal(game, ada))[0], {"If-Match": "*", "Idempotency-Key": "k1"}
            body = {"seat": 0, "action": action}
            first = await api.send("POST", f"/v1/games/{game}/actions", token=ada, body=body, headers=key)
            events = await api.get(f"/v1/games/{game}/events?seat=0&proof=true", ada)
        process.kill()
        process.wait()
    with running(database) as (process, address):
        async with httpx.AsyncClient(base_url=address) as client:
            api = Api(client)
            assert await api.get(f"/v1/games/{game}/events?seat=0&proof=true", ada) == events
            again = await api.send("POST", f"/v1/games/{game}/actions", token=ada, body=body, headers=key)
            assert again.content == first.content
            await api.act(game, ada, 1)
            await api.act(game, ada, 2)
            assert (await api.get(f"/v1/games/{game}"))["deciding"] != []
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_a_clean_end(tmp_path, number):
    with running(tmp_path / "turnlog.db") as (process, address):
        assert httpx.get(f"{address}/health/ready").json()["status"] == "ready"
        process.send_signal(number)
        rest = process.stderr.read()
        assert process.wait() == 0
        assert "Traceback" not in rest


def test_hostile_http_is_refused_and_hurts_nobody(tmp_path):
    with running(tmp_path / "turnlog.db") as (_, address), httpx.Client(base_url=address) as client:
        deep = client.post("/v1/players", content=b"[" * 200_000, headers={"Content-Type": "application/json"})
        assert (deep.status_code, deep.json()["code"]) == (413, "payload_too_large")
        within = client.post("/v1/players", content=b"[" * 60_000, headers={"Content-Type": "application/json"})
        assert (within.status_code, within.json()["code"]) == (400, "invalid")
        chunked = client.post("/v1/players", content=(b"[" * 1024 for _ in range(200)))
        assert (chunked.status_code, chunked.json()["code"]) == (413, "payload_too_large")
        assert client.head("/v1/games").content == b""
        assert client.get("/health/ready").status_code == 200
        assert "server" not in client.get("/health/ready").headers


def test_a_second_server_on_the_same_file_does_not_start(tmp_path):
    database = tmp_path / "turnlog.db"
    with running(database):
        second = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(database)], capture_output=True, text=True, check=False
        )
        assert second.returncode != 0
        assert "is in use by process" in second.stderr
