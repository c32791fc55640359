"""Table talk: said as an event, its words kept where they can be erased."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from events.event import Event
from server import shapes
from server.access import ADMIN, PLAY
from server.http import Answer, Call, answer, commanded
from server.limits.budgets import TALK
from server.operations import PUBLIC, Operation, operation
from server.problems import Problem
from server.reading import ask_written
from server.talk import Spoken, say, words_of


class Say(Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat says to the table."""

    words: str
    seat: int | None = None


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/messages",
        needs=PLAY,
        tag="messages",
        body=Say,
        answer=shapes.Written,
        status=201,
        key=True,
        problems=("not_found",),
        example={"words": "Good luck, everybody."},
        budget=TALK,
    )
)
async def post_message(request: Call) -> Answer:
    """Say something to the table. The log has a keyed commitment to the words, not the words."""
    wanted = await request.decoded(Say)
    games, ask = request.services.games, await ask_written(request)
    return commanded(await games.run(say(games, ask, request.text("game"), wanted.seat, wanted.words)))


@operation(
    Operation(
        method="GET",
        path="/v1/games/{game:str}/messages/{version:str}",
        needs=PUBLIC,
        tag="messages",
        answer=shapes.Words,
        problems=("not_found", "not_allowed"),
    )
)
async def get_message(request: Call) -> Answer:
    """The words of a message, by the version of its event."""
    event, spoken, _ = await _found(request)
    header = event.header
    told: dict[str, Any] = {"game": header.game, "version": header.version, "seat": header.seat}
    return answer(told | {"player": header.actor, "at": header.at, "words": spoken.words, "key": spoken.key})


@operation(
    Operation(
        method="DELETE",
        path="/v1/games/{game:str}/messages/{version:str}",
        needs=PLAY,
        tag="messages",
        status=204,
        problems=("not_found",),
    )
)
async def erase_message(request: Call) -> Answer:
    """Erase the words of a message for good: who said them may, and operators. That something was said stays."""
    caller = await request.caller()
    event, _, own = await _found(request, at_once=ADMIN in caller.scopes)
    said = event.header.actor == caller.player and event.header.seat in own
    if not said and ADMIN not in caller.scopes:
        raise Problem("not_allowed", "Only who said it, or an operator, can erase it.")
    await request.services.store.erase_words(event.header.game, event.header.version)
    return Answer(status=204)


async def _found(request: Call, *, at_once: bool = False) -> tuple[Event, Spoken, Sequence[int]]:
    """The event, its words, and the caller's seats. `at_once`: though the caller may not see it yet."""
    version, services, caller = request.number("version"), request.services, await request.caller()
    game = request.text("game")
    async with services.games.seen(game, caller) as seen:
        own = seen.own
    spoken = await words_of(services.games, caller, game, version, at_once=at_once)
    if spoken is None:
        raise Problem("not_found", "There is no such message, or its words were erased.")
    event = (await services.store.read(game, version - 1, version))[0]
    return event, spoken, own


HANDLERS = [post_message, get_message, erase_message]
