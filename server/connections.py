"""HTTP/1.1 connections as uvicorn serves them, with the bounds it does not set: on their number, on heads, on waiting.

uvicorn takes any number of connections, reads a head of any length, and waits for ever for the rest of a request and
for a client to take its answer. Here each of these ends; what a request may cost beyond its head is bounded further in.
"""

import asyncio
import socket
from http import HTTPStatus
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from games.kernel import encode
from server.problems import Problem

#: A request that cannot be read at all: no head of ours was seen.
_UNREADABLE: Final = Problem("invalid", "This is no HTTP/1.1 request.")


class HeadTooLargeError(Exception):
    """The head of a request is larger than the limit."""


class BoundedHttp(HttpToolsProtocol):
    """uvicorn's HTTP protocol with a largest number, a largest head, a longest wait, an end for what stands still."""

    connections_max: ClassVar[int] = 20_000
    head_bytes_max: ClassVar[int] = 16 * 1024
    head_s: ClassVar[float] = 10.0
    stall_s: ClassVar[float] = 20.0

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        # Bytes of the head that is being read: as parsed, and as they came (one header may be without end).
        self._parsed = self._came = 0
        self._messages = 0
        self._reading = "head"
        self._read_timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begin to wait for a head, unless there are too many connections, those of sockets among them."""
        super().connection_made(transport)
        if len(self.connections) > self.connections_max:
            self._refuse(Problem("unavailable", "The server has as many connections as it takes. Try again later."))
            return
        connection = transport.get_extra_info("socket")
        if connection is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
            # Not set by the loop on sockets that were handed to the server; without it small messages wait 40 ms.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._await("head", self.head_s)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._rest()
        self._unwatch_answer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came; a head that goes on for too long is refused though no end of it was seen."""
        messages = self._messages
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._reading == "head":
            self._came += len(data) if messages == self._messages else 0
            if self._came > self.head_bytes_max:
                self._refuse(self._too_large())
            elif self._read_timer is None:
                self._await("head", self.head_s)
        elif self._reading == "body":
            self._await("body", self.stall_s)

    def on_message_begin(self) -> None:
        """Begin to count a head."""
        super().on_message_begin()
        self._parsed, self._reading = 0, "head"

    def on_url(self, url: bytes) -> None:
        """Count it."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count it."""
        self._count(len(name) + len(value) + 4)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is there; what follows may take its time, as long as it comes."""
        self._rest()
        self._reading = "body"
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All is there: now the client waits for us."""
        self._rest()
        self._came, self._reading = 0, "answer"
        self._messages += 1
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The next head may come; uvicorn itself ends a connection on which none begins."""
        if self._reading == "answer":
            self._reading = "head"
        super().on_response_complete()

    def handle_websocket_upgrade(self) -> None:
        """From here on the protocol of the stream is in charge."""
        self._rest()
        super().handle_websocket_upgrade()

    def pause_writing(self) -> None:
        """The client does not take its answer: see whether it ever does."""
        super().pause_writing()
        self._watch_answer(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """It does."""
        self._unwatch_answer()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuse what the parser could not take, as a problem."""
        del msg
        self._refuse(self._too_large() if self._parsed > self.head_bytes_max else _UNREADABLE)

    def _too_large(self) -> Problem:
        return Problem("head_too_large", f"The request line and headers are larger than {self.head_bytes_max} bytes.")

    def _count(self, size: int) -> None:
        self._parsed += size
        if self._parsed > self.head_bytes_max:
            raise HeadTooLargeError

    def _await(self, what: str, seconds: float) -> None:
        self._rest()
        late = self._head_late if what == "head" else self._body_late
        self._read_timer = self.loop.call_later(seconds, late)

    def _rest(self) -> None:
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None

    def _head_late(self) -> None:
        self._refuse(Problem("request_timeout", f"The head of a request must come within {self.head_s:g} s."))

    def _body_late(self) -> None:
        if self.flow.read_paused:  # it is we who do not take it
            self._await("body", self.stall_s)
        else:
            self.transport.abort()

    def _watch_answer(self, left: int) -> None:
        self._unwatch_answer()
        self._write_timer = self.loop.call_later(self.stall_s, self._answer_late, left)

    def _unwatch_answer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _answer_late(self, before: int) -> None:
        left = self.transport.get_write_buffer_size()
        if left < before:
            self._watch_answer(left)
        else:
            self.transport.abort()

    def _refuse(self, problem: Problem) -> None:
        self._rest()
        if self.transport.is_closing():
            return
        body = encode(problem.document())
        phrase = HTTPStatus(problem.status).phrase
        head = (
            f"HTTP/1.1 {problem.status} {phrase}\r\ncontent-type: application/problem+json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()


def http_protocol(connections_max: int, head_bytes_max: int, head_s: float, stall_s: float) -> type[BoundedHttp]:
    """The protocol with these bounds, for uvicorn's `http` option."""
    bounds = {
        "connections_max": connections_max,
        "head_bytes_max": head_bytes_max,
        "head_s": head_s,
        "stall_s": stall_s,
    }
    return type("BoundedHttp", (BoundedHttp,), bounds)
