"""Nodes of one server as processes, each of which can be killed and started again, and a proxy before them."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Self

from tests.cluster.heads import shared_key
from tests.cluster.proxy import Proxy
from tests.services import end_with_us

ROOT = Path(__file__).parents[2]
START_S = 90.0
STOP_S = 40.0


class Node:
    """One node: `start`, `kill` as a power cut would, `stop` as an operator would."""

    def __init__(self, number: int, folder: Path, environment: Mapping[str, str]) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._log = folder / f"node-{number}.log"
        self._environment = environment
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, in the main thread: Linux ends it with that. `wait` says when it is ready."""
        command = [sys.executable, "-m", "server.cli", "serve", "--port", str(self.port)]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self._environment,
                stdout=log,
                stderr=log,
                process_group=0,  # Ctrl-C is for us, who end it
                preexec_fn=partial(end_with_us, signal.SIGTERM),  # noqa: PLW1509 - no lock of another thread is wanted there
            )

    def wait(self) -> None:
        """Wait until it is ready."""
        until = time.monotonic() + START_S
        while not is_ready(self.port):
            if self.process is None or self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"a node did not start:\n{self.log()}")
            time.sleep(0.05)

    def kill(self) -> None:
        """End it by SIGKILL."""
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            process.wait()

    def stop(self) -> int:
        """End it by SIGTERM; its exit code."""
        process, self.process = self.process, None
        if process is None:
            return 0
        process.terminate()
        try:
            return process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return -9

    def log(self) -> str:
        """The last of what it has logged."""
        return self._log.read_text()[-4000:]


class Cluster:
    """Nodes over a PostgreSQL and a Redis that are there, behind a proxy; made, migrated and started by `with`.

    port: of the proxy; 0: a free one. settings: TURNLOG_… variables for all nodes.
    """

    def __init__(
        self,
        folder: Path,
        count: int,
        dsn: str,
        redis: str,
        *,
        port: int = 0,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TURNLOG_")}
        environment = kept | {
            "TURNLOG_DATABASE": dsn,
            "TURNLOG_REDIS": redis,
            "TURNLOG_TRUSTED_PROXIES": "1",
            "TURNLOG_METRICS_OPEN": "true",
            "TURNLOG_HEADS_KEY": str(shared_key(folder)),
            "PYTHONPATH": str(ROOT),
            **(settings or {}),
        }
        self._environment = environment
        self.port = port or free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.nodes = [Node(number, folder, environment) for number in range(1, count + 1)]
        self._proxy = Proxy(folder, self.port, [node.port for node in self.nodes])
        self._parts = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as parts:
            command = [sys.executable, "-m", "server.cli", "db", "migrate"]
            subprocess.run(command, cwd=ROOT, env=self._environment, check=True, stdout=subprocess.DEVNULL)
            for node in self.nodes:
                parts.callback(node.stop)
                node.start()
            for node in self.nodes:
                node.wait()
            parts.callback(self._proxy.stop)
            self._proxy.start()
            self.wait()
            self._parts = parts.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._parts.close()

    def wait(self) -> None:
        """Wait until a request by the proxy is answered."""
        until = time.monotonic() + START_S
        while not is_ready(self.port):
            if not self._proxy.runs() or time.monotonic() > until:
                raise RuntimeError(f"the proxy finds no node that is ready:\n{self._proxy.log()}")
            time.sleep(0.05)


def is_ready(port: int) -> bool:
    """Whether the server on a port of loopback says that it is ready."""
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/health/ready")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def free_port() -> int:
    """A port of loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
