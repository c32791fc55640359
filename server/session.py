"""One connected socket, from its handshake to its end: what comes in, the heartbeat, and how it is closed.

Messages of a client are taken one after the other, and none is taken while its outbox is full: a client that does not
read is not served either.
"""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final

import structlog
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect
from structlog.typing import FilteringBoundLogger

from events.store import StoreFailed, StoreFull
from server.conversation import Conversation, Parts
from server.damage import unanswered
from server.frames import Frame, Wire
from server.limits.address import ADDRESS
from server.limits.budgets import SOCKET_MESSAGES
from server.outbox import Bounds, Outbox
from server.problems import Problem
from server.stream_messages import (
    GARBAGE,
    INTERNAL,
    SILENT,
    SLOW,
    TOO_LARGE,
    Close,
    Closing,
    decode,
    frame,
    hasty,
    id_of,
    refused,
)

log: FilteringBoundLogger = structlog.get_logger("turnlog")

#: Clients come again after this many seconds and up to this many more, so that they do not all come at once.
RETRY_AFTER_S: Final = 1.0
RETRY_SPREAD_S: Final = 4.0


class Session:
    """A socket that has been accepted. `secret`: the token from its Authorization header."""

    def __init__(
        self, parts: Parts, socket: WebSocket[Any, Any, Any], secret: str | None, languages: str | None
    ) -> None:
        settings = parts.settings
        bounds = Bounds(settings.socket_queue_bytes_soft, settings.socket_queue_bytes_max, settings.socket_stall_s)
        scope: dict[str, Any] = socket.scope  # type: ignore[assignment]  # it has keys of our own
        self.languages = languages
        self.address: str = scope.get(ADDRESS, "")
        self._settings = settings
        self._parts = parts
        self._socket = socket
        self._wire = Wire(socket)
        self.outbox = Outbox(self._wire, bounds, self._slow, lambda: self.end(None))
        self._secret = secret
        self._garbage = 0
        self._hasty = 0
        self._conversation = Conversation(parts, self)
        self._over: asyncio.Future[Close | None] = asyncio.get_running_loop().create_future()
        self._group = asyncio.TaskGroup()

    async def run(self) -> None:
        """Serve the socket until one side ends it."""
        full = self._parts.hub.sockets.enter(self)
        if full is not None:
            self.end(full)
        try:
            async with self._group:
                sender = self.spawn(self.outbox.run())
                work = [self.spawn(self._read()), self.spawn(self._beat())]
                close = await self._over
                for task in work:
                    task.cancel()
                self._conversation.subscriptions.end_all()
                if close is not None:
                    await self._close(close)
                sender.cancel()
        except* Exception:
            log.exception("stream_socket_failed")
            self.outbox.close()
            await self._shut(INTERNAL)
        finally:
            self._conversation.subscriptions.end_all()
            self._parts.hub.sockets.leave(self)
            self._part()

    def _part(self) -> None:
        """Let go of what refers back to here. Else each socket is memory until the collector comes, which is late."""
        self.outbox.forget()
        del self._conversation.subscriptions, self._conversation
        self._socket.receive = self._socket.send = _gone

    def end(self, close: Close | None) -> None:
        """End it: with a close code, or because the other side is gone. The first reason counts."""
        if not self._over.done():
            self._over.set_result(close)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task that ends with the socket."""
        return self._group.create_task(work)

    async def _read(self) -> None:
        try:
            if self._secret is not None and not await self._enter(self._secret):
                return
            async with asyncio.timeout(self._settings.hello_s):
                message: Any = await self._socket.receive()
            while message["type"] == "websocket.receive":
                await self.outbox.room()
                await self._take(message.get("text"))
                message = await self._socket.receive()
        except TimeoutError:
            self.end(SILENT)
        except (StoreFull, StoreFailed):
            self.end(INTERNAL)
        except WebSocketDisconnect:
            pass
        self.end(None)

    async def _enter(self, secret: str) -> bool:
        """Take the token of the handshake; whether it stands. If nobody knows now, the client shall come again."""
        try:
            return await self._conversation.enter(secret)
        except (StoreFull, StoreFailed) as away:
            problem = unanswered(away)
            if problem is not None:
                self._conversation.say(refused(problem))
            self.end(INTERNAL)
            return False

    async def _take(self, text: str | None) -> None:
        if text is None:
            self._refuse(Problem("invalid", "Send JSON in text messages."))
            return
        said = text.encode()
        if len(said) > self._settings.frame_bytes_max:
            self.end(TOO_LARGE)
            return
        too_soon = await self._conversation.charge(SOCKET_MESSAGES)
        if too_soon is not None:
            self._put_off(too_soon, id_of(said))
            return
        try:
            message = decode(said, self._settings.nesting_max)
        except Problem as problem:
            self._refuse(problem, id_of(said))
        else:
            await self._conversation.handle(message)

    def _refuse(self, problem: Problem, id_: str | None = None) -> None:
        """What is no message of ours is answered, but not for ever."""
        self._garbage += 1
        self._conversation.received("none")
        self._conversation.say(refused(problem, id_))
        if self._garbage >= self._settings.socket_garbage_max:
            self.end(GARBAGE)

    def _put_off(self, problem: Problem, id_: str | None) -> None:
        """What came too soon is not looked at; who goes on like that until the next heartbeat goes."""
        self._hasty += 1
        self._conversation.received("put_off")
        self._conversation.say(refused(problem, id_))
        if self._hasty >= self._settings.socket_refusals_max:
            self.end(hasty(problem))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._settings.heartbeat_s)
            self._hasty = 0
            with suppress(StoreFull, StoreFailed):  # it is looked at again at the next beat, and before each act
                await self._conversation.check_token()

    def _slow(self, unsent: list[Frame]) -> None:
        event = next((one.event for one in unsent if one.event is not None), None)
        last = f" Resume {event[0]} after {event[1] - 1}." if event is not None else ""
        self.end(Close(SLOW.code, SLOW.reason + last, again=True))

    async def _close(self, close: Close) -> None:
        """Say why, unless the client reads too slowly to be told; then close. What takes too long is cut off."""
        self._parts.games.meter.count("turnlog_stream_closes_total", str(close.code))
        wait_s = self._settings.socket_close_s
        try:
            async with asyncio.timeout(wait_s):
                await self.outbox.drained()
        except TimeoutError:
            pass  # what waits is not sent: the client resumes from what it has
        self.outbox.close()
        await self._shut(close)

    async def _shut(self, close: Close) -> None:
        """Send the reason and the close frame; cut off a client that does not take them."""
        wait_s = self._settings.socket_close_s
        try:
            async with asyncio.timeout(wait_s):
                if close.code != SLOW.code:
                    await self._wire.send(self._closing(close))
                await self._wire.close(close.code, close.reason)
        except (TimeoutError, OSError, WebSocketDisconnect):
            self._wire.drop()
        else:
            self._wire.drop(self._settings.socket_stall_s + wait_s)

    def _closing(self, close: Close) -> Frame:
        spread = self._parts.games.random.bytes(1)[0] / 255 * RETRY_SPREAD_S
        retry_after = round(max(close.after_s, RETRY_AFTER_S) + spread, 1) if close.again else None
        closing = Closing(code=close.code, reason=close.reason, retry_after=retry_after)
        return frame(closing, self._parts.games.now())


async def _gone(*_: object) -> Any:
    """What a socket that has ended receives and sends."""
    raise WebSocketDisconnect(detail="This socket has ended.")
