"""What the README shows works as it stands: its lines with curl are run, one after the other, against a server."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def curl_session():
    """The lines of the section with curl, in order."""
    section = (ROOT / "README.md").read_text().split("## A first game with curl")[1].split("\n## ")[0]
    return "\n".join(re.findall(r"```bash\n(.*?)```", section, re.DOTALL))


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture
def server(tmp_path):
    port = free_port()
    command = [sys.executable, "-m", "server.cli", "serve", "--port", str(port), "--database", str(tmp_path / "t.db")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        url = f"http://127.0.0.1:{port}"
        _until_healthy(url, process)
        yield url
        process.terminate()
        assert process.wait(timeout=20) == 0


def _until_healthy(url, process):
    for _ in range(300):
        assert process.poll() is None
        try:
            with urllib.request.urlopen(f"{url}/health/ready", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server does not get healthy")


@pytest.mark.slow
def test_the_first_game_with_curl_works_as_written(server, tmp_path):
    assert shutil.which("curl"), "the README's first game needs curl"
    script = curl_session().replace("URL=http://127.0.0.1:8000", f"URL={server}")
    commands = {"python": sys.executable, "turnlog": f"{sys.executable} -m server.cli"}
    script = re.sub(r"\.venv/bin/(python|turnlog)", lambda match: commands[match[1]], script)
    script = script.replace("data/first.ndjson", str(tmp_path / "first.ndjson"))
    ran = subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-2000:]
    for shown in ('"decisions"', '"rule": "TPOC-', '"reader": 0', '"code": "', "event 21 ", "ended"):
        assert shown in ran.stdout, f"{shown} is not in\n{ran.stdout[-3000:]}{ran.stderr[-1000:]}"
