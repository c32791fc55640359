"""Messages as WebSocket frames, made once and written to many sockets, and the way to one socket.

Under uvicorn with `StreamProtocol` a frame goes straight to the transport when nothing is in its way: no task is woken
and no bytes are copied per socket, which more than doubles what one process can fan out. Under any other ASGI server
the same messages go through `send`.
"""

import socket as sockets
from functools import cached_property
from typing import Any, ClassVar

from litestar import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode
from websockets.frames import Frame as WebSocketFrame
from websockets.http11 import Request

#: Under this name a `StreamProtocol` puts itself into the ASGI scope's extensions.
EXTENSION = "turnlog.protocol"


class Frame:
    """A text message, and its bytes as an unfragmented, unmasked frame (RFC 6455, section 5.2).

    event: game and version of the event that it tells of, if it does.
    """

    def __init__(self, payload: bytes, event: tuple[str, int] | None = None) -> None:
        self.payload = payload
        self.event = event

    def __len__(self) -> int:
        return len(self.payload)

    @cached_property
    def bytes(self) -> bytes:
        """The frame."""
        size = len(self.payload)
        if size < 126:
            head = bytes((0x81, size))
        elif size < 1 << 16:
            head = b"\x81\x7e" + size.to_bytes(2, "big")
        else:
            head = b"\x81\x7f" + size.to_bytes(8, "big")
        return head + self.payload


class StreamProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket protocol with bounds that it does not set, and which handlers can reach.

    send_buffer_bytes: of the kernel. frames_max: frames that complete no message (pings, pongs, fragments) between two
    heartbeats.
    """

    send_buffer_bytes: ClassVar[int] = 128 * 1024
    frames_max: ClassVar[int] = 1000

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._idle_frames = 0
        self._pong: bytes | None = None

    def connection_made(self, transport: Any) -> None:
        """Bound what the kernel takes: else a stuck client is noticed only megabytes later."""
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        if connection is not None:
            connection.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, self.send_buffer_bytes)

    def connection_lost(self, exc: Exception | None) -> None:
        """What refers to what refers to it, goes with the connection: the parser, and this in its own scope."""
        super().connection_lost(exc)
        self.conn.parser.close()
        scope: Any = getattr(self, "scope", None)  # there is none before the handshake could be read
        if scope is not None:
            scope["extensions"].pop(EXTENSION, None)

    def data_received(self, data: bytes) -> None:
        """Take what came. A handshake that cannot be read gets its refusal, which uvicorn would keep back."""
        super().data_received(data)
        if not self.handshake_initiated and self.conn.handshake_exc is not None and not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def handle_ping(self) -> None:
        """Answer, but to a client that does not read only the newest ping (RFC 6455, section 5.5.3), once it does."""
        pong = b"".join(self.conn.data_to_send())
        if self.writable.is_set():
            self.transport.write(pong)
        else:
            self._pong = pong
        self._count()

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        if self._pong is not None and not self.transport.is_closing():
            self.transport.write(self._pong)
        self._pong = None

    def handle_pong(self, event: WebSocketFrame) -> None:
        """Take a pong, asked for or not."""
        super().handle_pong(event)
        self._count()

    def handle_cont(self, event: WebSocketFrame) -> None:
        """Take a further piece of a message."""
        super().handle_cont(event)
        self._count()

    def send_keepalive_ping(self) -> None:
        """A heartbeat: count anew."""
        self._idle_frames = 0
        super().send_keepalive_ping()

    def _count(self) -> None:
        """End a connection that keeps us busy with frames that say nothing."""
        self._idle_frames += 1
        if self._idle_frames > self.frames_max and not self.close_sent:
            self.conn.fail(CloseCode.POLICY_VIOLATION, "Too many frames that are no message.")
            self.handle_parser_exception()

    def handle_connect(self, event: Request) -> None:
        """Put the protocol where the handler finds it."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][EXTENSION] = {"protocol": self}

    def write_frame(self, frame: Frame) -> bool:
        """Write at once, if the transport takes more and the socket is open; whether it was written."""
        if not self.writable.is_set() or self.disconnected or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(frame.bytes)
        return True


def protocol_class(send_buffer_bytes: int, frames_max: int) -> type[StreamProtocol]:
    """The protocol with these bounds, for uvicorn's `ws` option."""
    bounds = {"send_buffer_bytes": send_buffer_bytes, "frames_max": frames_max}
    return type("StreamProtocol", (StreamProtocol,), bounds)


class Wire:
    """The way to one socket."""

    def __init__(self, socket: WebSocket[Any, Any, Any]) -> None:
        self._socket = socket
        extensions: dict[str, Any] = socket.scope.get("extensions") or {}
        self._protocol: StreamProtocol | None = extensions.get(EXTENSION, {}).get("protocol")

    def write(self, frame: Frame) -> bool:
        """Send at once, if that can be done without waiting; whether it was."""
        return self._protocol is not None and self._protocol.write_frame(frame)

    async def send(self, frame: Frame) -> None:
        """Send, waiting while the transport's buffer is full.

        Raises:
            OSError or WebSocketDisconnect: the socket is gone.
        """
        await self._socket.send_text(frame.payload)

    async def close(self, code: int, reason: str) -> None:
        """Send a close frame, waiting while the transport's buffer is full."""
        await self._socket.close(code, reason)

    def drop(self, after_s: float = 0.0) -> None:
        """Cut the connection off, whatever is still in its buffers."""
        if self._protocol is not None:
            self._protocol.loop.call_later(after_s, self._protocol.transport.abort)
