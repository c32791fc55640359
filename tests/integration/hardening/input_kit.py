"""Raw connections to a running server: bytes out, bytes in, no client library that is too polite to break rules."""

import asyncio
import json
import os
import struct
from contextlib import asynccontextmanager

from structlog.testing import capture_logs

from server.app import create_app
from server.services import Services
from server.settings import Settings
from tests.integration.http.kit import Api, client_of

HANDSHAKE = (
    b"GET /v1/stream HTTP/1.1\r\nHost: turnlog\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n%b"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
TEXT, BINARY, CLOSE, PING, PONG = 0x1, 0x2, 0x8, 0x9, 0xA


def port_of(world):
    return int(world.url.split(":")[2].split("/")[0])


class Raw:
    """One TCP connection."""

    def __init__(self, port):
        self._port = port

    async def __aenter__(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 24)
        return self

    async def __aexit__(self, *_):
        self.writer.transport.abort()

    async def send(self, data):
        """Send; whether the server was still there to take it."""
        try:
            self.writer.write(data)
            await self.writer.drain()
        except OSError:
            return False
        return True

    async def rest(self):
        """All that comes until the server ends the connection."""
        found = b""
        try:
            while chunk := await self.reader.read(1 << 16):
                found += chunk
        except OSError:
            pass  # reset: what came before stands
        return found

    async def handshake(self, extra=b""):
        await self.send(HANDSHAKE % extra)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 101 "), answer

    async def frame(self):
        """(opcode, payload) of the next frame from the server; None when it has ended the connection."""
        try:
            first, size = await self.reader.readexactly(2)
            if size == 126:
                (size,) = struct.unpack("!H", await self.reader.readexactly(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", await self.reader.readexactly(8))
            return first & 0xF, await self.reader.readexactly(size)
        except (asyncio.IncompleteReadError, OSError):
            return None

    async def closed(self):
        """The close code that comes in the end; None if the connection just breaks."""
        code = None
        while (got := await self.frame()) is not None:
            if got[0] == CLOSE:
                code = struct.unpack("!H", got[1][:2])[0]
                await self.send(frame(CLOSE, got[1][:2]))
        return code

    async def message(self):
        """The next JSON message."""
        while (got := await self.frame()) is not None:
            if got[0] == TEXT:
                return json.loads(got[1])
        return None


def frame(opcode, payload=b"", *, fin=True, rsv=0, masked=True, size=None):
    """A client's frame; every rule can be broken."""
    length = len(payload) if size is None else size
    head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
    mark = 0x80 if masked else 0
    if length < 126:
        head += bytes([mark | length])
    elif length < 1 << 16:
        head += bytes([mark | 126]) + struct.pack("!H", length)
    else:
        head += bytes([mark | 127]) + struct.pack("!Q", length)
    if not masked:
        return head + payload
    key = os.urandom(4)
    return head + key + bytes(byte ^ key[n % 4] for n, byte in enumerate(payload))


def parts_of(answer):
    """(status, headers, body) of one HTTP answer."""
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return int(status.split()[1]), headers, body


@asynccontextmanager
async def quiet_api(**settings):
    """An API in this process, on a database in memory, in which nothing may log an error."""
    with capture_logs() as logs:
        services = Services.open(Settings(database=":memory:", **settings))
        app = create_app(services)
        async with app.lifespan(), client_of(app) as client:
            api = Api(client)
            api.services = services
            yield api
    assert [line for line in logs if line["log_level"] in ("error", "critical")] == []
