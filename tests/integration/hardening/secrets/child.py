"""A server in a process of its own, with a tiny pack whose every card is one of a kind; it logs as a real one does.

`python -m tests.integration.hardening.secrets.child DATABASE PACK [faulty]` prints its port. When `faulty`, every
append fails after all that is secret has passed through the frames above it.
"""

import asyncio
import socket
import sys
from pathlib import Path

from server.app import create_app
from server.commands import Games
from server.logs import configure_logging
from server.running import make_server
from server.services import Services
from server.settings import Settings
from tests.integration.stream.kit import CATALOGUE
from tests.tiny.pack import SHELF


async def fail(self, making, ask, *, secret=None):
    """In place of `Games.commit`."""
    seed = making.seed
    raise RuntimeError(f"a fault with {len(seed)} bytes at hand")


async def main(database, pack, log_format, *faulty):
    """Serve until the process is ended."""
    SHELF.add(pack)
    settings = Settings(database=database, log_format=log_format)
    configure_logging(settings)
    if faulty:
        Games.commit = fail
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        services = Services.open(settings, catalogue=CATALOGUE)
        server = make_server(create_app(services), services)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0.01)
        print(listener.getsockname()[1], flush=True)  # noqa: T201 - this is how the test learns it
        await serving


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]).read_bytes(), *sys.argv[3:]))
