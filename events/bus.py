"""The port for what carries messages between nodes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final, Protocol

MOVES: Final = "moves"
CONTROL: Final = "control"

#: Reads the next message of a subscription.
Next = Callable[[], Awaitable[bytes]]


class BusAway(Exception):
    """The bus cannot be used now; the reason."""


class Bus(Protocol):
    """Carries messages to all nodes, their sender too: as a rule once and in order, and never for certain."""

    async def publish(self, channel: str, message: bytes) -> None:
        """Send it. Raises BusAway within a bounded time; the message may have been sent then too."""

    def subscribe(self, channels: Sequence[str]) -> AbstractAsyncContextManager[Next]:
        """Get all that comes on these channels while the context lasts. It and its reader raise BusAway."""


class BackOff:
    """Pauses between attempts, each twice as long as the one before, up to a longest."""

    def __init__(self, first_s: float, max_s: float) -> None:
        self._first, self._longest = first_s, max_s
        self._next = first_s

    def reset(self) -> None:
        """An attempt went well."""
        self._next = self._first

    async def wait(self) -> None:
        """An attempt failed."""
        pause, self._next = self._next, min(2 * self._next, self._longest)
        await asyncio.sleep(pause)
