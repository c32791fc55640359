"""Everything that every reader ever gets from a server, byte for byte, and what it may know."""

import base64
import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

ROOT = Path(__file__).parents[4]
PLACES = Path(ROOT / "tests" / "tiny" / "content" / "tiny.json")


class Process:
    """A running child; `log` is what it has written."""

    def __init__(self, process, folder):
        self.process = process
        self.port = int(process.stdout.readline())
        self._log = folder / "log.txt"
        self._database = folder / "turnlog.db"

    @property
    def log(self):
        """All that it has logged so far."""
        return self._log.read_bytes()

    def seed(self, game):
        """The server seed of a game, out of the file."""
        connection = sqlite3.connect(f"file:{self._database}?mode=ro", uri=True)
        try:
            return connection.execute("select secret from secrets where game = ?", (game,)).fetchone()[0]
        finally:
            connection.close()


@contextmanager
def serving(folder, pack, log_format="json", *faulty):
    """A child that serves; `folder` has its database and its log."""
    (folder / "pack.json").write_bytes(pack)
    module = "tests.integration.hardening.secrets.child"
    command = [sys.executable, "-m", module, str(folder / "turnlog.db"), str(folder / "pack.json"), log_format, *faulty]
    with (
        (folder / "log.txt").open("wb") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, cwd=ROOT) as process,
    ):
        try:
            yield Process(process, folder)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def unique_pack():
    """The tiny pack with one-of-a-kind cards: (bytes, ids of the cards)."""
    pack = msgspec.json.decode(PLACES.read_bytes())
    cards = [f"canary{number:02d}" for number in range(26)]
    pack["pack"] = "canaries"
    pack["cards"] = [{"id": card, "use": "cancel", "count": 1} for card in cards]
    return msgspec.json.encode(pack), cards


class Reader:
    """Somebody with or without a token: `tape` is (what it asked, every byte that it got)."""

    def __init__(self, name, port, token=None):
        self.name = name
        self.token = token
        self.tape = []
        self.sockets = []
        self._url = f"ws://127.0.0.1:{port}/v1/stream"
        self.client = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=60)

    async def ask(self, method, path, body=None, *, quiet=False, **headers):
        """A request, recorded (unless its answer is meant to hold a secret); the response."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token is not None:
            given.setdefault("Authorization", f"Bearer {self.token}")
        content = None if body is None else msgspec.json.encode(body)
        if content is not None:
            given["Content-Type"] = "application/json"
        response = await self.client.request(method, path, headers=given, content=content)
        if not quiet:
            head = "\n".join(f"{name}: {value}" for name, value in response.headers.items()).encode()
            self.tape.append((f"{method} {path}", head + b"\n\n" + response.content))
        return response

    async def told(self, method, path, body=None, **more):
        """The JSON of a request that must succeed."""
        response = await self.ask(method, path, body, **more)
        assert response.is_success, (self.name, method, path, response.text[:400])
        return response.json()

    async def follow(self, *wanted):
        """A socket of its own with these subscriptions; what comes is recorded at `hear`."""
        socket = await connect(self._url, compression=None, proxy=None, max_size=None)
        self.sockets.append(socket)
        await self.say(socket, type="hello", **({"token": self.token} if self.token else {}))
        for number, members in enumerate(wanted):
            await self.say(socket, type="subscribe", id=f"s{number}", **members)
        return socket

    async def say(self, socket, **message):
        """Send a message, if the socket is still open."""
        with suppress(ConnectionClosed):
            await socket.send(json.dumps(message))

    async def hear(self):
        """Record all that has come on all sockets, up to a pong."""
        for number, socket in enumerate(self.sockets):
            await self.say(socket, type="ping", id="heard")
            try:
                while True:
                    frame = await socket.recv(decode=False)
                    self.tape.append((f"socket {number}", frame))
                    if b'"pong"' in frame:
                        break
            except ConnectionClosed as gone:
                self.tape.append((f"socket {number}", str(gone.rcvd).encode()))

    async def close(self):
        """End all connections."""
        for socket in self.sockets:
            socket.transport.abort()
        await self.client.aclose()

    def finds(self, needle, *, besides=None):
        """Where the needle is in what this reader got, but for what has `besides` in it too."""
        return [what for what, got in self.tape if needle in got and (besides is None or besides not in got)]


def forms(secret):
    """Bytes as they might slip out: raw, hexadecimal, base64, as Python writes them."""
    return {
        secret,
        secret.hex().encode(),
        secret.hex().upper().encode(),
        base64.b64encode(secret).rstrip(b"="),
        base64.urlsafe_b64encode(secret).rstrip(b"="),
        repr(secret).encode()[2:-1],
    }
