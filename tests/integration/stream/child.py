"""A server in a process of its own, to be killed: `python -m tests.integration.stream.child DATABASE`."""

import asyncio
import socket
import sys

from server.app import create_app
from server.running import make_server
from server.services import Services
from server.settings import Settings
from tests.integration.stream.kit import CATALOGUE, World


async def main(database):
    """Serve; the first time, make players and a game of theirs; print port, tokens and game."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    services = Services.open(Settings(database=database), catalogue=CATALOGUE)
    server = make_server(create_app(services), services)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    port = listener.getsockname()[1]
    told = [port]
    if await services.store.head() == 0:
        world = World(services, port)
        players = [await world.player("me"), "bot:random", "bot:random"]
        told += [await world.create(players), world.tokens[players[0]]]
    print(*told, flush=True)  # noqa: T201 - this is how the test learns it
    await serving


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
