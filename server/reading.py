"""Reading a game for a caller, and answering its commands: what the routes of games have in common."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from events.event import Event
from games.kernel import SPECTATOR, encode
from games.kernel.say import Texts
from projections.game import LiveGame
from server.access import reader_with, seats_of
from server.answers import Audience, acted_answer, summary
from server.asks import Ask
from server.http import Call

#: A version, or a number of items, as a query has it.
Number = Annotated[int, Meta(ge=0, le=2**53)]

#: The header that shows the code of an invitation.
INVITE: Final = "turnlog-invite"


class Query(Struct, frozen=True, forbid_unknown_fields=True):
    """Base of all queries: no other parameters than these."""


class ReaderQuery(Query, frozen=True):
    """Who reads: a seat's number, `spectator`, or after the end `all`; by default the caller's only seat."""

    seat: str | None = None


class Paged(Query, frozen=True):
    """Which page of a list."""

    limit: Annotated[int, Meta(ge=1)] | None = None
    cursor: str | None = None


class Reading(Struct, frozen=True):
    """A game as a caller reads it. Valid while the game is locked. `now`: what time it is in the game as it is read."""

    live: LiveGame
    reader: int
    own: tuple[int, ...]
    texts: Texts
    now: str

    @property
    def audience(self) -> Audience:
        """For whom answers are made; with every legal action."""
        return Audience(self.reader, self.own, self.texts)


@asynccontextmanager
async def reading(call: Call, seat: str | None) -> AsyncIterator[Reading]:
    """The game in the path, locked, as the caller may read it now: who is no seat of it, perhaps by its delay.

    Raises:
        Problem: `not_found`, `not_allowed`, `invalid`.
    """
    caller = await call.caller()
    services = call.services
    async with services.games.seen(call.text("game"), caller, seat) as seen:
        reader = reader_with(seen.own, caller, seen.live.meta, seat)
        own = tuple(n for n in seen.own if seat is None or n == reader)
        yield Reading(seen.live, reader, own, call.texts(services.catalogue.of_game(seen.live)), seen.now)


async def ask_acting(call: Call, seat: int | None) -> Ask:
    """Ask a command that is answered with what came of it for the seat (by default the caller's first one).

    Who does not hold it after the command is told what a spectator sees.
    """
    caller = await call.caller()
    catalogue, most = call.services.catalogue, call.services.settings.actions_in_answer_max

    def respond(live: LiveGame, events: list[Event]) -> bytes:
        own = tuple(seats_of(caller, live.meta))
        reader = next((n for n in own if seat is None or n == seat), SPECTATOR)
        audience = Audience(reader, own, call.texts(catalogue.of_game(live)), most)
        return encode(acted_answer(live, events, audience))

    return await call.ask(respond)


async def ask_summary(call: Call, *, invited: bool = False) -> Ask:
    """Ask a command that is answered with the summary of the game."""
    return await call.ask(lambda live, _: encode(summary(live)), invited=invited)


async def ask_written(call: Call) -> Ask:
    """Ask a command that is answered with where its event stands."""
    return await call.ask(lambda live, _: encode(written(live)))


def written(live: LiveGame) -> dict[str, Any]:
    """Where the newest event stands."""
    return {"game": live.meta.game, "version": live.meta.version, "digest": live.meta.digest.hex()}
