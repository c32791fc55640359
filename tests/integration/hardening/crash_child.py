"""A server process that is there to be killed: forked from one that has imported everything, so it starts at once."""

import multiprocessing
import os
import socket

from server.app import serve
from server.settings import Settings


def run(settings, log):
    """Serve, with all that is logged going to the end of a file."""
    descriptor = os.open(log, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    os.dup2(descriptor, 2)
    serve(settings)


class Servers:
    """One server after the other on the same database and port."""

    def __init__(self, folder, name="server", **settings):
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["pytest", __name__, f"{__package__}.crash_warm"])
        self.log = folder / f"{name}.log"
        self.port = free_port()
        settings.setdefault("database", str(folder / "turnlog.db"))
        self.settings = Settings(port=self.port, **settings)
        self.killed = 0

    def start(self):
        self._process = self._context.Process(target=run, args=(self.settings, str(self.log)))
        self._process.start()

    def runs(self):
        """Whether it has not ended by itself."""
        return self._process.is_alive()

    def kill(self):
        """End it as `kill -9` does."""
        self._process.kill()
        self._end()
        self.killed += 1

    def stop(self):
        """A graceful end; the exit code."""
        self._process.terminate()
        return self._end()

    def _end(self):
        self._process.join()
        code = self._process.exitcode
        self._process.close()
        return code


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]
