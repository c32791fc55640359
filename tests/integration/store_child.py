"""A process that appends to games without end and prints what is acknowledged, to be killed: `store_child.py FILE`."""

import asyncio
import os
import sys

from events.event import Event
from events.sqlite import SqliteStore
from events.sqlite_file import SqliteFile
from tests.integration.store_kit import an_append, sealed

GAMES = 8


async def play(store: SqliteStore, game: str) -> None:
    event: Event | None = None
    while True:
        (event,) = sealed(game, 1, event)
        await store.append(an_append((event,)))
        os.write(1, f"{game} {event.header.version} {event.digest.hex()}\n".encode())


async def main() -> None:
    store = SqliteStore(SqliteFile(sys.argv[1]))
    await asyncio.gather(*(play(store, f"game-{n}") for n in range(GAMES)))


if __name__ == "__main__":
    asyncio.run(main())
