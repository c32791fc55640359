"""What servers are held against: bare ASGI under the same uvicorn, which appends and echoes, or broadcasts.

`python -m tests.benchmarks.bare DATABASE PORT`: on a WebSocket `b` as the first letter of a message broadcasts the
rest to all sockets; any other message is appended to the store as an event with its command, and answered with
`ACCEPTED` and `EVENT`, as large as ours. POST does the same with one body, as large as ours.
"""

import itertools
import sys
from hashlib import sha256
from typing import Any

import uvicorn

from events.digest import ZERO, salt_key
from events.event import Event, Header, NewEvent, seal
from events.sqlite import SqliteStore
from events.sqlite_file import SqliteFile
from events.store import Append, Command

ACCEPTED = "a" * 190
EVENT = "e" * 900
BODY = b"b" * 5000
AT = "2026-11-30T10:00:00.000000Z"
EFFECTS = (b'{"effect":"card_drawn","seat":0,"colour":"red"}',) * 3

sockets: set[Any] = set()
games = itertools.count()
keys = itertools.count()
salts = salt_key(bytes(32))


class Log:
    """One game of its own for each connection."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self._game = f"game {next(games)}"
        self._last: Event | None = None

    async def append(self, said: bytes, response: bytes) -> None:
        """Append an event, with the command that it came of."""
        version = self._last.header.version + 1 if self._last is not None else 1
        header = Header(self._game, version, "acted", AT, "player-1", seat=0, causes=(-1,) * len(EFFECTS))
        new = NewEvent(header, details=b'{"kind":"acted"}', action=b'{"action":"draw_card_and_tile"}', effects=EFFECTS)
        event = seal(new, self._last.digest if self._last is not None else ZERO, salts)
        command = Command("player-1", str(next(keys)), sha256(said).digest(), response, AT)
        await self._store.append(Append(self._game, version - 1, (event,), command))
        self._last = event


class App:
    """The ASGI app."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self._logs: dict[Any, Log] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a request, a socket or the lifespan."""
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await self._store.close()
            await send({"type": "lifespan.shutdown.complete"})
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self._websocket(receive, send)

    async def _http(self, scope: Any, receive: Any, send: Any) -> None:
        said = (await receive())["body"]
        log = self._logs.get(scope["client"])
        if log is None:
            log = self._logs[scope["client"]] = Log(self._store)
        await log.append(said, BODY)
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(BODY))]
        await send({"type": "http.response.start", "status": 201, "headers": headers})
        await send({"type": "http.response.body", "body": BODY})

    async def _websocket(self, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        log = Log(self._store)
        sockets.add(send)
        while (message := await receive())["type"] == "websocket.receive":
            text = message["text"]
            if text.startswith("b"):
                told = {"type": "websocket.send", "text": text[1:]}
                for other in tuple(sockets):
                    await other(told)
                continue
            await log.append(text.encode(), ACCEPTED.encode())
            await send({"type": "websocket.send", "text": ACCEPTED})
            await send({"type": "websocket.send", "text": EVENT})
        sockets.discard(send)


def main() -> None:
    """Serve until told to stop."""
    database, port = sys.argv[1:]
    config = uvicorn.Config(
        App(SqliteStore(SqliteFile(database))),
        port=int(port),
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        log_level="error",
        access_log=False,
        loop="uvloop",
        http="httptools",
    )
    uvicorn.Server(config).run()


if __name__ == "__main__":
    main()
