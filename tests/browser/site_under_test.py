"""A server in a process of its own, as `make run` starts it, and its API for what a test needs before a page opens."""

import json
import os
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
START_S = 60.0
STOP_S = 20.0
ASK_S = 30.0


class Site:
    """A server on a free port and a database of its own. `kill` ends it without notice, `start` brings it back."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._database = folder / "turnlog.db"
        self._log = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it is ready."""
        command = [sys.executable, "-m", "server.cli", "serve", "--port", str(self.port), "--database"]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TURNLOG_")}
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, str(self._database)], cwd=ROOT, env=environment, stdout=log, stderr=log
            )
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            if self._is_ready():
                return
            try:
                self._process.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
            break
        raise AssertionError(f"the server did not start:\n{self._log.read_text()[-2000:]}")

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(gently=False)

    def stop(self) -> None:
        """End it as `Ctrl-C` would."""
        self._end(gently=True)

    def _end(self, *, gently: bool) -> None:
        process, self._process = self._process, None
        if process is not None:
            (process.terminate if gently else process.kill)()
            process.wait(STOP_S)

    def _is_ready(self) -> bool:
        try:
            return self._ask("GET", "/health/ready")[0] == 200
        except OSError:
            return False

    def _ask(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=ASK_S)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def api(self, method: str, path: str, token: str, body: Any = None, version: str | None = None) -> bytes:
        """Ask the API as a player; the answer's bytes."""
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        if version is not None:
            headers["If-Match"] = version
        status, answer = self._ask(method, path, None if body is None else json.dumps(body).encode(), headers)
        assert status < 300, f"{method} {path}: {status} {answer.decode()}"
        return answer

    def told(self, method: str, path: str, token: str, body: Any = None, version: str | None = None) -> Any:
        """Ask the API as a player; the answer as JSON."""
        return json.loads(self.api(method, path, token, body, version))

    def sign_up(self) -> str:
        """The token of a new player."""
        _, answer = self._ask("POST", "/v1/players", b"{}", {"Content-Type": "application/json"})
        return str(json.loads(answer)["token"])
