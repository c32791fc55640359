"""A bare client for HTTP and WebSocket, so that the client costs little of what is measured."""

import asyncio
import base64
import json
import socket
from collections import deque
from collections.abc import Callable
from typing import Any

PING = 9


class Wire(asyncio.Protocol):
    """One connection. Each message that comes (the body of a response, or a frame) goes to `heard`."""

    def __init__(self) -> None:
        self.heard: Callable[[bytes], None] = lambda _: None
        self.lost: Callable[[str], None] = lambda _: None
        self._buffer = bytearray()
        self._framed = False
        self._transport: Any = None

    @classmethod
    async def connect(cls, port: int) -> "Wire":
        """Connect to a server on this machine."""
        _, wire = await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port)
        return wire

    def connection_made(self, transport: Any) -> None:
        """Send at once, however small."""
        self._transport = transport
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def write(self, data: bytes) -> None:
        """Send bytes."""
        self._transport.write(data)

    def text(self, payload: bytes) -> None:
        """Send a text frame; a mask of zeros leaves the payload as it is."""
        size = len(payload)
        length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        self._transport.write(b"\x81" + length + bytes(4) + payload)

    def data_received(self, data: bytes) -> None:
        """Cut the stream into messages."""
        self._buffer += data
        while (found := self._frame() if self._framed else self._response()) is not None:
            self.heard(found)

    def connection_lost(self, error: Exception | None) -> None:
        """Whoever waits, waits in vain."""
        self.lost(f"the server hung up: {error}")

    def close(self) -> None:
        """Hang up."""
        self._transport.abort()

    def _frame(self) -> bytes | None:
        """The next frame with something in it; a ping is answered and passed over."""
        while (frame := self._any_frame()) is not None:
            opcode, payload = frame
            if opcode == PING:
                self._transport.write(b"\x8a" + bytes((0x80 | len(payload),)) + bytes(4) + payload)
            else:
                return payload
        return None

    def _any_frame(self) -> tuple[int, bytes] | None:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        opcode = buffer[0] & 0x0F
        size, start = buffer[1], 2
        if size == 126:
            size, start = int.from_bytes(buffer[2:4], "big"), 4
        elif size == 127:
            size, start = int.from_bytes(buffer[2:10], "big"), 10
        if len(buffer) < start + size:
            return None
        payload = bytes(buffer[start : start + size])
        del buffer[: start + size]
        return opcode, payload

    def _response(self) -> bytes | None:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return None
        head = bytes(self._buffer[:end]).lower()
        if head.startswith(b"http/1.1 101"):
            del self._buffer[: end + 4]
            self._framed = True
            return b"101"
        _, _, after = head.partition(b"content-length:")
        size = int(after.partition(b"\r\n")[0])
        if len(self._buffer) < end + 4 + size:
            return None
        body = bytes(self._buffer[end + 4 : end + 4 + size])
        del self._buffer[: end + 4 + size]
        if not head.startswith(b"http/1.1 2"):
            self.lost(f"{head.decode()}\n{body.decode()}")
        return body


class Caller:
    """Asks one thing after the other on a wire."""

    def __init__(self, wire: Wire, token: str = "") -> None:
        self.wire = wire
        self.token = token
        self._waiting: deque[asyncio.Future[bytes]] = deque()
        self._come: deque[bytes] = deque()
        wire.heard, wire.lost = self._hear, self._lost

    async def post(self, path: str, body: bytes, headers: bytes = b"") -> bytes:
        """POST JSON; the body of the answer."""
        said = b"authorization: Bearer %b\r\n" % self.token.encode() if self.token else b""
        head = b"POST %b HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: %d\r\n%b%b\r\n"
        self.wire.write(head % (path.encode(), len(body), said, headers) + body)
        return await self.next()

    async def upgrade(self, path: str) -> None:
        """Turn the wire into a WebSocket."""
        key = base64.b64encode(bytes(16))
        head = (
            b"GET %b HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n"
        )
        self.wire.write(head % path.encode() + b"sec-websocket-key: %b\r\n\r\n" % key)
        await self.next()

    async def say(self, **message: Any) -> dict[str, Any]:
        """Send a message, and take the next one that comes."""
        self.wire.text(json.dumps(message).encode())
        told: dict[str, Any] = json.loads(await self.next())
        return told

    def next(self) -> asyncio.Future[bytes]:
        """The next message."""
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        if self._come:
            future.set_result(self._come.popleft())
        else:
            self._waiting.append(future)
        return future

    def _hear(self, payload: bytes) -> None:
        if self._waiting:
            self._waiting.popleft().set_result(payload)
        else:
            self._come.append(payload)

    def _lost(self, reason: str) -> None:
        while self._waiting:
            self._waiting.popleft().set_exception(ConnectionError(reason))
