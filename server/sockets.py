"""Who is connected: the sockets of this process, counted in and out."""

import asyncio
from collections import Counter
from typing import Protocol

import structlog
from structlog.typing import FilteringBoundLogger

from server.access import NOBODY, Caller
from server.outbox import Outbox
from server.settings import Settings
from server.stream_messages import CROWDED, RESTART, TOO_MANY, UNAUTHENTICATED, Close

log: FilteringBoundLogger = structlog.get_logger("turnlog")


class Socket(Protocol):
    """A connection. `address`: the client's; `outbox`: what waits to be sent."""

    address: str
    outbox: Outbox

    def end(self, close: Close | None) -> None:
        """Close it, for this reason."""


class Sockets:
    """All sockets of this process: no more than the settings say, in all, of an address and of a player."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._sockets: dict[Socket, Caller] = {}
        self._players: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        self._stopping = False
        self._empty = asyncio.Event()
        self._empty.set()

    def __len__(self) -> int:
        return len(self._sockets)

    @property
    def waiting_bytes(self) -> int:
        """What waits to be sent to all of them."""
        return sum(socket.outbox.waiting_bytes for socket in self._sockets)

    def enter(self, socket: Socket) -> Close | None:
        """Count a socket in; or why it cannot stay."""
        settings = self._settings
        if self._stopping:
            return RESTART
        if len(self._sockets) >= settings.sockets_max:
            return CROWDED
        if self._addresses[socket.address] >= settings.sockets_per_address_max:
            return TOO_MANY
        self._sockets[socket] = NOBODY
        self._addresses[socket.address] += 1
        self._empty.clear()
        return None

    def name(self, socket: Socket, caller: Caller) -> Close | None:
        """Note whose socket it is; or why it cannot stay."""
        player = caller.player or ""
        if self._players[player] >= self._settings.sockets_per_player_max:
            return TOO_MANY
        self._sockets[socket] = caller
        self._players[player] += 1
        return None

    def revoke(self, token: str) -> None:
        """Close the sockets of a token that stands no more."""
        for socket in [one for one, caller in self._sockets.items() if caller.token == token]:
            socket.end(UNAUTHENTICATED)

    def leave(self, socket: Socket) -> None:
        """Count a socket out; does nothing for one that is not in."""
        if socket not in self._sockets:
            return
        player = self._sockets.pop(socket).player
        _less(self._addresses, socket.address)
        if player is not None:
            _less(self._players, player)
        if not self._sockets:
            self._empty.set()

    async def stop(self) -> None:
        """Say `closing` to all and close them (in at most `stop_grace_s`); let none in any more."""
        self._stopping = True
        for socket in tuple(self._sockets):
            socket.end(RESTART)
        try:
            async with asyncio.timeout(self._settings.stop_grace_s):
                await self._empty.wait()
        except TimeoutError:
            log.warning("stream_sockets_left", count=len(self._sockets))


def _less(counter: Counter[str], name: str) -> None:
    counter[name] -= 1
    if not counter[name]:
        del counter[name]
