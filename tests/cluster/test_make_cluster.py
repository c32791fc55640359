"""`make cluster`, as a person starts and ends it."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx
import psutil
import pytest

from tests.cluster.cluster import ROOT, free_port

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

NODES = 2


@pytest.fixture
def folder():
    """Where it keeps its things: servers that are not root get in, and their sockets have short names."""
    with tempfile.TemporaryDirectory(prefix="make-") as made:
        Path(made).chmod(0o755)
        yield Path(made)


def lines_until(process, last):
    """What it has said up to the line that begins so."""
    told = []
    for line in process.stdout:
        told.append(line)
        if line.startswith(last):
            return told
    raise AssertionError("".join(told))


def test_it_serves_by_the_proxy_signs_heads_and_leaves_nothing_when_it_is_interrupted(folder):
    port = free_port()
    command = [sys.executable, "-m", "tests.cluster", "--nodes", str(NODES), "--port", str(port)]
    environment = os.environ | {"TMPDIR": str(folder), "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            told = lines_until(process, "turnlog: Ctrl-C ends all")
            started = psutil.Process(process.pid).children(recursive=True)
            assert len([line for line in told if line.startswith("turnlog: node ")]) == NODES
            assert f"turnlog: http://127.0.0.1:{port}/ (the proxy)\n" in told
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
                assert client.get("/health/ready").status_code == 200
                assert client.get("/v1/heads").json()["signing"] is True
            assert list(folder.iterdir()) != []
        finally:
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            code = process.wait(60)
    assert code == 0
    assert len(started) > NODES
    assert [one for one in started if one.is_running() and one.status() != psutil.STATUS_ZOMBIE] == []
    assert list(folder.iterdir()) == []
