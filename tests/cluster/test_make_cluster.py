"""`make cluster`, as a person starts and ends it."""

import os
import signal
import subprocess
import sys
import tempfile
import time
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


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGHUP], ids=["interrupted", "its terminal closed"])
def test_it_serves_by_the_proxy_signs_heads_and_leaves_nothing_when_it_is_ended(folder, end):
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
            os.killpg(process.pid, end)  # as a terminal does
            code = process.wait(60)
    assert code == 0
    assert len(started) > NODES
    assert [one for one in started if runs(one)] == []
    assert list(folder.iterdir()) == []


def runs(process):
    """Whether it has not ended; its parent may not have noticed yet that it has."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_node_and_the_proxy_end_with_a_process_that_is_killed(folder):
    code = """
import os, sys, threading
from pathlib import Path
from tests.cluster.cluster import Node, free_port
from tests.cluster.proxy import Proxy
folder = Path(sys.argv[1])
node = Node(1, folder, os.environ | {"TURNLOG_DATABASE": str(folder / "log.db")})
proxy = Proxy(folder, free_port(), [node.port])
node.start()
proxy.start()
print("started", flush=True)
threading.Event().wait()
"""
    # As what a shell has begun in the background, it ignores SIGINT.
    command = ["sh", "-c", "trap '' INT; exec \"$@\"", "sh", sys.executable, "-c", code, str(folder)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        lines_until(process, "started")
        started = psutil.Process(process.pid).children()
        process.kill()
    assert len(started) == 2
    until = time.monotonic() + 20
    while (left := [one for one in started if runs(one)]) and time.monotonic() < until:
        time.sleep(0.05)
    for one in left:
        one.kill()
    assert left == [] or sys.platform != "linux"  # which alone tells them
