"""Redis, asked within a bounded time or not at all: never truth, so everything that is asked has another answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from hashlib import sha1
from itertools import islice
from typing import Any, Final

from msgspec import Struct
from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError

from events.bus import Bus, BusAway, Next

Argument = str | bytes | int

#: What can come of talking to a server that is not there, not well, or not what it should be: anything. Redis is never
#: truth, so no fault of it or of its client may stop a node.
_FAULTS: Final = (Exception,)


class RedisAway(Exception):
    """Redis cannot be asked now; the reason. What was asked may have been done or not."""


class RedisBusy(RedisAway):
    """So much waits to be sent to Redis that this was not taken, and so not done. Redis itself may be well."""


class RedisOptions(Struct, frozen=True, kw_only=True):
    """Where Redis is and how long it is waited for.

    prefix: begins all names of keys and channels, so that several servers can share one Redis. timeout_s: the longest
    any call takes. retry_s: after a call that failed, so long no other is tried, but by one. batch_max: so many calls
    are sent together. waiting_max: so many wait to be sent; with more the answer is RedisBusy at once.
    """

    url: str
    prefix: str = "turnlog"
    timeout_s: float = 0.5
    retry_s: float = 1.0
    batch_max: int = 256
    waiting_max: int = 10_000


class Script:
    """A Lua script, sent once and then named by its digest."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.digest = sha1(text.encode(), usedforsecurity=False).hexdigest()


class _Asked(Struct, frozen=True, eq=False):
    """A command and where its answer goes."""

    command: Sequence[Argument]
    answer: asyncio.Future[Any]

    def give(self, answer: Any) -> None:
        if not self.answer.done():  # nobody waits any more
            self.answer.set_result(answer)

    def fail(self, error: RedisAway) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class RedisLink:
    """Calls to Redis. One that fails or takes too long raises RedisAway, and so do all others for a while.

    One too many raises RedisBusy; others are taken again as soon as some were sent.
    `on_change` is told when Redis goes (why) and when it is back (None).
    """

    def __init__(self, options: RedisOptions, on_change: Callable[[Exception | None], None]) -> None:
        self.options = options
        self._on_change = on_change
        pool = ConnectionPool.from_url(  # one connection for calls, and one for each subscription
            options.url,
            socket_connect_timeout=options.timeout_s,
            socket_timeout=None,  # every call has its time below, and a subscription waits as long as it must
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )
        self._redis: Redis = Redis.from_pool(pool)
        self._rest_until = 0.0
        #: What somebody waits for and is not sent yet, in the order in which it came.
        self._asked_for: dict[_Asked, None] = {}
        self._sender: asyncio.Task[None] | None = None
        #: Whether the last call was answered.
        self.up = True

    def name(self, *parts: str) -> str:
        """The name of a key or channel."""
        return ":".join((self.options.prefix, *parts))

    async def call(self, *command: Argument) -> Any:
        """The answer to one command. Raises RedisAway."""
        answer = await self._asked(command)
        if isinstance(answer, Exception):
            raise RedisAway(str(answer)) from answer
        return answer

    async def run(self, script: Script, keys: Sequence[str], arguments: Sequence[Argument]) -> Any:
        """What a script returns. Raises RedisAway."""
        rest = (len(keys), *keys, *arguments)
        answer = await self._asked(("EVALSHA", script.digest, *rest))
        if isinstance(answer, NoScriptError):
            return await self.call("EVAL", script.text, *rest)
        if isinstance(answer, Exception):
            raise RedisAway(str(answer)) from answer
        return answer

    async def close(self) -> None:
        """Let go of all connections; what is under way is given up."""
        if self._sender is not None:
            self._sender.cancel()
            await asyncio.wait([self._sender])
        await self._redis.aclose(close_connection_pool=True)

    async def _asked(self, command: Sequence[Argument]) -> Any:
        """The answer, or the error that Redis answered with."""
        loop = asyncio.get_running_loop()
        if loop.time() < self._rest_until:
            raise RedisAway("it did not answer a moment ago")
        if len(self._asked_for) >= self.options.waiting_max:
            raise RedisBusy(f"{len(self._asked_for)} calls are waiting")
        if not self.up:  # this call tries for all
            self._rest_until = loop.time() + self.options.retry_s
        asked = _Asked(command, loop.create_future())
        self._asked_for[asked] = None
        if self._sender is None or self._sender.done():
            self._sender = loop.create_task(self._send())
        try:
            async with asyncio.timeout(self.options.timeout_s):
                answer = await asked.answer
        except TimeoutError:
            self._gone(RedisAway("it did not answer in time"))
            raise RedisAway("it did not answer in time") from None
        finally:
            self._asked_for.pop(asked, None)  # given up, it takes no place
        return answer

    async def _send(self) -> None:
        """Send what is asked for until nothing is, all that came meanwhile together; one batch is under way at a time.

        So a busy node needs one connection, and far fewer turns of the loop than it makes calls.
        """
        while batch := self._batch():
            pipeline = self._redis.pipeline(transaction=False)
            for asked in batch:
                pipeline.execute_command(*asked.command)
            try:
                async with asyncio.timeout(self.options.timeout_s):
                    answers = await pipeline.execute(raise_on_error=False)
            except _FAULTS as error:
                away = RedisAway(str(error) or "it did not answer in time")
                self._gone(away)
                for asked in (*batch, *self._asked_for):
                    asked.fail(away)
                self._asked_for.clear()
                return
            self._here()
            for asked, answer in zip(batch, answers, strict=True):
                asked.give(answer)

    def _batch(self) -> list[_Asked]:
        """What is sent next: never what nobody waits for any more, since who gave it up has done without it."""
        wanted = (asked for asked in self._asked_for if not asked.answer.done())
        batch = list(islice(wanted, self.options.batch_max))
        for asked in batch:
            del self._asked_for[asked]
        return batch

    def _gone(self, error: Exception) -> None:
        self._rest_until = asyncio.get_running_loop().time() + self.options.retry_s
        if self.up:
            self.up = False
            self._on_change(error)

    def _here(self) -> None:
        self._rest_until = 0.0
        if not self.up:
            self.up = True
            self._on_change(None)

    @asynccontextmanager
    async def subscribed(self, channels: Sequence[str]) -> AsyncIterator[Next]:
        """What is published on these channels while the context lasts. It and its reader raise RedisAway."""
        following = self._redis.pubsub()

        async def following_message() -> bytes:
            while True:
                try:
                    message = await following.get_message(ignore_subscribe_messages=True, timeout=None)
                except _FAULTS as error:
                    raise RedisAway(str(error) or type(error).__name__) from error
                if message is not None:
                    data: bytes = message["data"]
                    return data

        try:
            try:
                async with asyncio.timeout(self.options.timeout_s):
                    await following.subscribe(*channels)
            except _FAULTS as error:
                raise RedisAway(str(error) or "it did not answer in time") from error
            yield following_message
        finally:
            with suppress(*_FAULTS):
                await following.aclose()  # type: ignore[no-untyped-call]


class RedisBus(Bus):
    """The channels of Redis as a Bus."""

    def __init__(self, link: RedisLink) -> None:
        self._link = link

    async def publish(self, channel: str, message: bytes) -> None:
        """As Bus has it."""
        try:
            await self._link.call("PUBLISH", self._link.name(channel), message)
        except RedisAway as error:
            raise BusAway(str(error)) from error

    @asynccontextmanager
    async def subscribe(self, channels: Sequence[str]) -> AsyncIterator[Next]:
        """As Bus has it."""
        try:
            async with self._link.subscribed([self._link.name(channel) for channel in channels]) as following:
                yield _for_bus(following)
        except RedisAway as error:
            raise BusAway(str(error)) from error


def _for_bus(following: Next) -> Next:
    async def next_message() -> bytes:
        try:
            return await following()
        except RedisAway as error:
            raise BusAway(str(error)) from error

    return next_message
