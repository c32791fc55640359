"""HAProxy with the configuration that is deployed, told of other nodes."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tests.services import end_with_us

DEPLOYED = Path(__file__).parents[2] / "deploy" / "haproxy" / "haproxy.cfg"
_SERVERS = re.compile(r"^  server node-\d .*\n", re.MULTILINE)
STOP_S = 10.0


class Proxy:
    """A proxy on `port` of loopback before nodes on `ports`."""

    def __init__(self, folder: Path, port: int, ports: Sequence[int]) -> None:
        self.port = port
        self._file = folder / "haproxy.cfg"
        self._log = folder / "haproxy.log"
        self._file.write_text(configuration(ports))
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, in the main thread: Linux ends it with that. It knows which nodes are ready some time later."""
        program = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
        if program is None:
            raise RuntimeError("there is no haproxy on the path: sh tests/cluster/install.sh")
        environment = os.environ | {"TURNLOG_LISTEN": f"127.0.0.1:{self.port}"}
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [program, "-db", "-f", self._file],
                env=environment,
                stdout=log,
                stderr=log,
                process_group=0,  # Ctrl-C is for us, who end it
                preexec_fn=partial(end_with_us, signal.SIGTERM),  # noqa: PLW1509 - no lock of another thread is wanted there
            )

    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process is not None and self._process.poll() is None

    def log(self) -> str:
        """The last of what it has said."""
        return self._log.read_text()[-2000:]

    def stop(self) -> None:
        """End it, with all connections through it."""
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            try:
                process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def configuration(ports: Sequence[int]) -> str:
    """The deployed configuration, with these nodes in place of the two of Compose."""
    lines = [f"  server node-{number} 127.0.0.1:{port}\n" for number, port in enumerate(ports, 1)]
    first, *others = _SERVERS.findall(DEPLOYED.read_text())
    told = DEPLOYED.read_text().replace(first, "".join(lines))
    for other in others:
        told = told.replace(other, "")
    return told
