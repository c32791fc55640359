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
    """uvicorn's WebSocket protocol with a bounded kernel buffer, which handlers can reach."""

    send_buffer_bytes: ClassVar[int] = 128 * 1024

    def connection_made(self, transport: Any) -> None:
        """Bound what the kernel takes: else a stuck client is noticed only megabytes later."""
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        if connection is not None:
            connection.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, self.send_buffer_bytes)

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


def protocol_class(send_buffer_bytes: int) -> type[StreamProtocol]:
    """The protocol with this kernel buffer, for uvicorn's `ws` option."""
    return type("StreamProtocol", (StreamProtocol,), {"send_buffer_bytes": send_buffer_bytes})


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
