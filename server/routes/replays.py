"""Replays: a game as a file, and files brought back."""

from typing import Final

from msgspec import to_builtins

from games.kernel import SPECTATOR, encode
from projections.history import moment_at
from projections.views import effective
from server import shapes, shapes_beside
from server.access import PLAY, Caller, check_whole, reader_of
from server.answers import Audience, event_answer, view_answer
from server.forking import Fork, fork_replay
from server.http import Answer, Call, answer, commanded, versioned
from server.log_proofs import proof_for_replay
from server.operations import NDJSON, PUBLIC, Operation, operation
from server.problems import Problem
from server.reading import ReaderQuery, ask_summary, reading
from server.records import Replay
from server.redacted import export_redacted
from server.replays import MEDIA_TYPE, export
from server.routes.events import EventsQuery
from server.routes.play import ViewQuery

_CONTENT: Final = (MEDIA_TYPE, NDJSON)


@operation(
    Operation(
        method="GET",
        path="/v1/games/{game:str}/replay",
        needs=PUBLIC,
        tag="replays",
        query=ReaderQuery,
        media=_CONTENT,
        problems=("not_found", "not_allowed"),
    )
)
async def get_replay(request: Call) -> Answer:
    """The game as a file: all of it after the end; before, or with `seat`, as the reader may see it.

    It has the proof that the game is in the signed log, as far as the latest head reaches.
    """
    asked, services = request.asked(ReaderQuery), request.services
    async with reading(request, asked.seat) as seen:
        meta = seen.live.meta
        events = await services.store.read(meta.game, until=meta.version)
        proof = await proof_for_replay(services.signer, meta.game, len(events))
        if meta.status == "ended" and asked.seat is None:
            lines = export(events, proof)
        else:
            key = await services.games.salt_key(meta.game)
            lines = export_redacted(seen.live.rules, events, seen.reader, key, proof)
        name = f'attachment; filename="{meta.game}.replay.ndjson"'
        return Answer(b"".join(lines), media=request.media(), headers=[(b"content-disposition", name.encode())])


@operation(
    Operation(
        method="POST",
        path="/v1/replays",
        needs=PLAY,
        tag="replays",
        body=dict,
        body_limit="replay_bytes_max",
        body_media=MEDIA_TYPE,
        answer=shapes_beside.Imported,
        status=201,
        key=True,
        problems=("corrupt_replay",),
    )
)
async def import_replay(request: Call) -> Answer:
    """Bring in a replay file. Its chain, its dice and every decision in it are verified first."""
    caller = await request.caller()
    check_whole(caller)
    request.check_content(*_CONTENT)
    source, services = await request.bytes(), request.services
    once = await request.once_beside()
    known = await services.records.known(once)
    if known is None:
        live = await services.replays.verify(source)
        meta = live.meta
        told = {
            "replay": services.games.new_id(),
            "game": meta.game,
            "ruleset": live.rules.id,
            "version": meta.version,
            "digest": meta.digest.hex(),
            "outcome": to_builtins(meta.outcome),
        }
        replay = Replay(told["replay"], caller.player or "", source)
        known = await services.records.add_replay(replay, encode(told), once)
    return Answer(known, 201)


@operation(
    Operation(
        method="GET",
        path="/v1/replays/{replay:str}",
        needs=PUBLIC,
        tag="replays",
        media=_CONTENT,
        problems=("not_found",),
    )
)
async def get_imported(request: Call) -> Answer:
    """An imported replay, byte for byte as it came."""
    kept = await request.services.records.replay(request.text("replay"))
    if kept is None:
        raise Problem("not_found", "There is no such replay.")
    return Answer(kept.source, media=request.media())


@operation(
    Operation(
        method="GET",
        path="/v1/replays/{replay:str}/view",
        needs=PUBLIC,
        tag="replays",
        query=ViewQuery,
        answer=shapes_beside.ReplayView,
        problems=("not_found",),
    )
)
async def get_replay_view(request: Call) -> Answer:
    """The state of an imported replay at any version, as any seat saw it, or `all`."""
    asked, name = request.asked(ViewQuery), request.text("replay")
    opened = await request.services.replays.open(name)
    live, meta = opened.live, opened.live.meta
    reader = reader_of(Caller(), meta, asked.seat)
    at = meta.version if asked.at is None else asked.at
    if not 0 < at <= meta.version:
        raise Problem("not_found", f"There is no version {at}: the replay ends at version {meta.version}.")
    told = view_answer(live, reader, await moment_at(opened.log, live, at), at)
    del told["game"]
    return versioned(request, {"replay": name, **told}, at)


@operation(
    Operation(
        method="GET",
        path="/v1/replays/{replay:str}/events",
        needs=PUBLIC,
        tag="replays",
        query=EventsQuery,
        answer=shapes_beside.ReplayEvents,
        problems=("not_found",),
    )
)
async def get_replay_events(request: Call) -> Answer:
    """The log of an imported replay."""
    asked, services, name = request.asked(EventsQuery), request.services, request.text("replay")
    settings = services.settings
    if asked.proof:
        raise Problem("not_supported", "The replay file itself is the proof: GET /v1/replays/{replay}.")
    opened = await services.replays.open(name)
    live, meta = opened.live, opened.live.meta
    reader_of(Caller(), meta, asked.seat)
    limit = min(asked.limit or settings.event_page_items, settings.event_page_items_max)
    last = meta.version if asked.until is None else min(asked.until, meta.version)
    until = min(asked.after + limit, last)
    events = await opened.log.read(meta.game, asked.after, until) if asked.after < until else []
    audience = Audience(
        effective(SPECTATOR, ended=True),
        (),
        request.texts(services.catalogue.of_game(live)),
    )
    told = [event_answer(live, event, audience, labels=asked.labels) for event in events]
    following = until if until < last else None
    links = [request.link_next(after=following)] if following is not None else []
    return answer({"replay": name, "version": meta.version, "events": told, "next": following}, headers=links)


@operation(
    Operation(
        method="POST",
        path="/v1/replays/{replay:str}/fork",
        needs=PLAY,
        tag="replays",
        body=Fork,
        answer=shapes.Game,
        status=201,
        key=True,
        problems=("not_found",),
        example={"at": 12},
    )
)
async def fork_imported(request: Call) -> Answer:
    """Make a new game, a sandbox, that goes on from a version of an imported replay."""
    wanted = await request.decoded(Fork)
    games, ask = request.services.games, await ask_summary(request)
    return commanded(await games.run(fork_replay(games, ask, request.text("replay"), wanted)), location=True)


HANDLERS = [get_replay, import_replay, get_imported, get_replay_view, get_replay_events, fork_imported]
