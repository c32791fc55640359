"""The log of a game, as its reader may see it."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from msgspec import Meta

from projections.views import effective, proof_of
from server import shapes
from server.answers import event_answer
from server.http import Answer, Call, Streamed, answer, ndjson
from server.operations import JSON, NDJSON, PUBLIC, Operation, operation
from server.reading import Number, ReaderQuery, reading


class EventsQuery(ReaderQuery, frozen=True):
    """The events after < version <= until; `proof=true` adds salts and commitments, `labels=false` leaves texts out."""

    after: Number = 0
    until: Number | None = None
    limit: Annotated[int, Meta(ge=1)] | None = None
    proof: bool = False
    labels: bool = True


@operation(
    Operation(
        method="GET",
        path="/v1/games/{game:str}/events",
        needs=PUBLIC,
        tag="log",
        query=EventsQuery,
        answer=shapes.EventPage,
        media=(JSON, NDJSON),
        problems=("not_found", "not_allowed"),
    )
)
async def get_events(request: Call) -> Answer:
    """The log, each effect with its text. As NDJSON: all of the range, one event a line."""
    asked, settings = request.asked(EventsQuery), request.services.settings
    most = settings.event_page_items_max
    if request.media() == NDJSON:
        version, first = await _read(request, asked, asked.after, most)  # refusals come before the first byte
        until = version if asked.until is None else min(asked.until, version)
        return Streamed(_lines(request, asked, first, until), NDJSON)
    limit = min(asked.limit or settings.event_page_items, most)
    version, events = await _read(request, asked, asked.after, limit)
    reached = events[-1]["version"] if events else version
    more = reached < (version if asked.until is None else min(asked.until, version))
    following = reached if more else None
    told = {"game": request.text("game"), "version": version, "events": events, "next": following}
    return answer(told, headers=[request.link_next(after=following)] if following is not None else [])


async def _read(request: Call, asked: EventsQuery, after: int, limit: int) -> tuple[int, list[dict[str, Any]]]:
    """The newest version, and at most `limit` events behind `after`."""
    games = request.services.games
    async with reading(request, asked.seat) as seen:
        live, meta = seen.live, seen.live.meta
        until = min(after + limit, meta.version, asked.until if asked.until is not None else meta.version)
        events = await games.store.read(meta.game, after, until) if after < until else []
        told = [event_answer(live, event, seen.audience, labels=asked.labels) for event in events]
        if asked.proof:
            key, reader = await games.salt_key(meta.game), effective(seen.reader, ended=meta.status == "ended")
            for one, event in zip(told, events, strict=True):
                one["proof"] = proof_of(live.rules, event, reader, key)
        return meta.version, told


async def _lines(request: Call, asked: EventsQuery, events: list[dict[str, Any]], until: int) -> AsyncIterator[bytes]:
    most, left = request.services.settings.event_page_items_max, asked.limit or until
    while events and left > 0:
        yield ndjson(events[:left])
        left -= len(events)
        after = events[-1]["version"]
        events = [] if after >= until else (await _read(request, asked, after, most))[1]


HANDLERS = [get_events]
