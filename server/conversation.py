"""What a client says on the stream, and what comes of it: who it is, and its commands."""

import asyncio
from collections.abc import Coroutine
from hashlib import sha256
from typing import Any, Protocol

import structlog
from msgspec import Struct
from structlog.typing import FilteringBoundLogger

from events.event import Event
from games.kernel import Texts, encode
from projections.game import LiveGame
from server import playing
from server.access import NOBODY, Caller
from server.asks import Ask, Once
from server.auth import unauthenticated
from server.catalogue import Entry
from server.commands import Games
from server.damage import unanswered
from server.decoding import decode
from server.frames import Frame
from server.hub import Hub
from server.limits.budgets import READS, SOCKET_CONNECTS, WRITES, Limits
from server.meter import count_problem
from server.negotiation import best_language
from server.outbox import Outbox
from server.ports import timestamp
from server.problems import Problem
from server.records import Records
from server.settings import Settings
from server.stream_messages import (
    UNAUTHENTICATED,
    Accepted,
    Act,
    AnyFromClient,
    Close,
    FromServer,
    Hello,
    Ping,
    Pong,
    Refused,
    Subscribe,
    Unsubscribe,
    Welcome,
    frame,
    hasty,
    refused,
)
from server.subscriptions import Subscriptions
from server.tickets import Tickets

log: FilteringBoundLogger = structlog.get_logger("turnlog")


class Parts(Struct, frozen=True):
    """The parts of the server that the stream works with."""

    settings: Settings
    games: Games
    records: Records
    tickets: Tickets
    hub: Hub
    limits: Limits


class Line(Protocol):
    """The socket, as a conversation needs it. `languages`: its Accept-Language; `address`: the client's."""

    outbox: Outbox
    languages: str | None
    address: str

    def end(self, close: Close | None) -> None:
        """Close it, for this reason."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task that ends with it."""


class Conversation:
    """One client's side of the stream. Its messages are handled one after the other."""

    def __init__(self, parts: Parts, line: Line) -> None:
        self.caller: Caller = NOBODY
        self._parts = parts
        self._line = line
        self._heard = False
        self.subscriptions = Subscriptions(parts.games, parts.hub, self)

    def say(self, message: FromServer) -> None:
        """Send a message."""
        self._sent(str(type(message).__struct_config__.tag))
        if isinstance(message, Refused):
            count_problem(self._parts.games.meter, message.problem, "stream")
        self._line.outbox.put(frame(message))

    def received(self, kind: str) -> None:
        """Count a message of the client."""
        self._parts.games.meter.count("turnlog_stream_messages_received_total", kind)

    def _sent(self, kind: str) -> None:
        self._parts.games.meter.count("turnlog_stream_messages_sent_total", kind)

    async def charge(self, budget: str) -> Problem | None:
        """Take one of the budgets of the client's address, player and token; the problem if one is used up."""
        who = self.caller
        spent = await self._parts.limits.spend(budget, player=who.player, token=who.token, address=self._line.address)
        return spent.problem

    async def enter(self, secret: str, id_: str | None = None) -> bool:
        """Take a token; whether it stands. If not, the socket ends."""
        caller = await self._parts.records.caller(secret)
        return await self._enter(caller, "This token is unknown or was revoked.", id_)

    async def _enter_by_ticket(self, ticket: str, id_: str | None) -> bool:
        """As `enter`, with a ticket, which is used up."""
        token = await self._parts.tickets.take(ticket)
        caller = None if token is None else await self._parts.records.holder(token)
        return await self._enter(caller, "This ticket is unknown, too old or used: ask for another one.", id_)

    async def _enter(self, caller: Caller | None, why_not: str, id_: str | None) -> bool:
        if caller is None or caller.player is None:
            self.say(refused(unauthenticated(why_not), id_))
            self._line.end(UNAUTHENTICATED)
            return False
        spent = await self._parts.limits.spend(SOCKET_CONNECTS, player=caller.player, token=caller.token)
        if spent.problem is not None:
            self.say(refused(spent.problem, id_))
            self._line.end(hasty(spent.problem))
            return False
        self.caller = caller
        full = self._parts.hub.sockets.name(self._line, caller)
        if full is not None:
            self._line.end(full)
        return full is None

    async def check_token(self) -> bool:
        """Whether the token, if there is one, still stands. If not, the socket ends."""
        if self.caller.token is None:
            return True
        caller = await self._parts.records.holder(self.caller.token)
        if caller is None:
            self._line.end(UNAUTHENTICATED)
            return False
        self.caller = caller
        return True

    async def handle(self, message: AnyFromClient) -> None:
        """Do what a message asks for, or refuse it."""
        self.received(str(type(message).__struct_config__.tag))
        game = getattr(message, "game", None)
        try:
            await self._dispatch(message)
        except Problem as problem:
            self.say(refused(problem, message.id, game))
        except Exception as error:
            told = unanswered(error)
            if told is None:
                log.exception("stream_message_failed", type=type(message).__name__)
                told = Problem("internal", "This was the server's fault; it has been noted.")
            self.say(refused(told, message.id, game))
        self._heard = self._heard or not isinstance(message, Hello)

    async def _dispatch(self, message: AnyFromClient) -> None:
        match message:
            case Hello():
                await self._hello(message)
            case Subscribe():
                await self._afford(READS)
                await self._check_standing()
                await self.subscriptions.begin(message)
            case Unsubscribe():
                self.subscriptions.end(message)
            case Act():
                await self._afford(WRITES)
                await self._check_standing()
                await self._act(message)
            case Ping():
                self.say(Pong(id=message.id, at=timestamp(self._parts.games.clock.now())))

    async def _afford(self, budget: str) -> None:
        """What is a request over HTTP counts as one here."""
        problem = await self.charge(budget)
        if problem is not None:
            raise problem

    async def _check_standing(self) -> None:
        """Before what a token allows: that it was not revoked meanwhile."""
        if not await self.check_token():
            raise unauthenticated("This token was revoked.")

    async def _hello(self, hello: Hello) -> None:
        if self._heard:
            raise Problem("invalid", "`hello` is the first message.")
        if hello.token is not None and hello.ticket is not None:
            raise Problem("invalid", "Send `token` or `ticket`, not both.")
        if (hello.token is not None or hello.ticket is not None) and self.caller.token is not None:
            raise Problem("invalid", "The Authorization header has said who you are: leave out `token` and `ticket`.")
        if hello.token is not None and not await self.enter(hello.token, hello.id):
            return
        if hello.ticket is not None and not await self._enter_by_ticket(hello.ticket, hello.id):
            return
        self._heard = True
        settings = self._parts.settings
        self.say(
            Welcome(
                id=hello.id,
                player=self.caller.player,
                now=self._parts.games.now(),
                heartbeat_s=settings.heartbeat_s,
                frame_bytes_max=settings.frame_bytes_max,
                subscriptions_max=settings.subscriptions_max,
            )
        )

    async def _act(self, wanted: Act) -> None:
        action = bytes(wanted.action)
        told = sha256(encode(("act", wanted.game, wanted.seat)) + action + self.caller.bounds).digest()
        once = Once(self.caller.player or "anonymous", wanted.id, told)

        def respond(live: LiveGame, _: list[Event]) -> bytes:
            meta = live.meta
            return encode(Accepted(id=wanted.id, game=meta.game, version=meta.version, digest=meta.digest.hex()))

        posted = playing.Act(decode(action, dict[str, Any]), wanted.seat)
        ask = Ask(self.caller, respond, once, wanted.if_version, texts=self._texts)
        games = self._parts.games
        answer = Frame(await games.run(playing.act(games, ask, wanted.game, posted)))
        self._sent("accepted")
        self._line.outbox.put(answer)

    def _texts(self, entry: Entry) -> Texts:
        return entry.texts.get(best_language(self.languages, tuple(entry.texts)), {})

    @property
    def languages(self) -> str | None:
        """The client's Accept-Language."""
        return self._line.languages

    @property
    def outbox(self) -> Outbox:
        """What waits to be sent."""
        return self._line.outbox

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task that ends with the socket."""
        return self._line.spawn(work)
