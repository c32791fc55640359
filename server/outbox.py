"""What waits to be sent to one socket: in order, bounded in bytes, watched for progress."""

import asyncio
from collections import deque
from collections.abc import Callable

from litestar.exceptions import WebSocketDisconnect
from msgspec import Struct

from server.frames import Frame, Wire


class Bounds(Struct, frozen=True):
    """Above `soft_bytes` nothing more should be put; `max_bytes` waiting, or `stall_s` without progress, is the end."""

    soft_bytes: int
    max_bytes: int
    stall_s: float


class Outbox:
    """The messages that wait for one socket.

    `on_slow` is called, with what was not sent, if the reader turns out too slow; `on_gone` if it is gone.
    """

    def __init__(
        self, wire: Wire, bounds: Bounds, on_slow: Callable[[list[Frame]], None], on_gone: Callable[[], None]
    ) -> None:
        self._wire = wire
        self._bounds = bounds
        self._on_slow = on_slow
        self._on_gone = on_gone
        self._waiting: deque[Frame] = deque()
        self._bytes = 0
        self._more = asyncio.Event()
        self._less = asyncio.Event()
        self._closed = False

    @property
    def waiting_bytes(self) -> int:
        """What waits."""
        return self._bytes

    @property
    def full(self) -> bool:
        """Whether the reader is behind by more than the soft bound."""
        return self._bytes > self._bounds.soft_bytes

    def put(self, frame: Frame) -> None:
        """Send as soon as the socket takes it. Does nothing once closed."""
        if self._closed or (not self._waiting and self._wire.write(frame)):
            return
        if self._bytes + len(frame) > self._bounds.max_bytes:
            self._slow()
            return
        self._waiting.append(frame)
        self._bytes += len(frame)
        self._more.set()

    async def room(self) -> None:
        """Wait until the soft bound is no longer passed."""
        await self._until(self._bounds.soft_bytes)

    async def drained(self) -> None:
        """Wait until nothing waits any more."""
        await self._until(0)

    def close(self) -> None:
        """Send nothing more: what waits is forgotten."""
        self._closed = True
        self._waiting.clear()
        self._bytes = 0
        self._less.set()

    def forget(self) -> None:
        """Close, and let go of whom there was to tell."""
        self.close()
        self._on_slow = self._on_gone = _tell_nobody

    async def run(self) -> None:
        """Send what waits, until cancelled, closed, or the socket is gone."""
        while not self._closed:
            await self._more.wait()
            self._more.clear()
            while self._waiting:
                if not await self._send(self._waiting[0]):
                    return
                if self._waiting:  # else it was closed meanwhile
                    self._bytes -= len(self._waiting.popleft())
                    self._less.set()

    async def _send(self, frame: Frame) -> bool:
        try:
            async with asyncio.timeout(self._bounds.stall_s):
                await self._wire.send(frame)
        except TimeoutError:
            self._slow()
            return False
        except (OSError, WebSocketDisconnect):
            self.close()
            self._on_gone()
            return False
        return True

    def _slow(self) -> None:
        unsent = list(self._waiting)
        self.close()
        self._on_slow(unsent)

    async def _until(self, most: int) -> None:
        while self._bytes > most:
            self._less.clear()
            await self._less.wait()


def _tell_nobody(*_: object) -> None:
    """Whoever it was is gone."""
