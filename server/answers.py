"""What the server answers with: the same shapes on HTTP and sockets and in stored answers, in the reader's language."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from events.event import Event
from games.kernel import decisions, render
from games.kernel.say import Saying, Texts
from projections.clock import microseconds
from projections.clock_view import clocks_of, proposal_of
from projections.game import LiveGame, Moment
from projections.time_control import POLICIES
from projections.views import decisions_of, effective, event_of, reader_name, view_of


class Audience(Struct, frozen=True):
    """Who an answer is for.

    `own`: the seats whose decisions the reader may answer; `texts`: the language; `most`: so many legal actions.
    """

    reader: int
    own: tuple[int, ...] = ()
    texts: Texts = {}
    most: int | None = None


def speak(told: Any, texts: Texts) -> Any:
    """Put the text of every label (`{key, args}`) in `told` beside it, in place."""
    if isinstance(told, dict):
        label = told.get("label")
        if isinstance(label, dict) and "key" in label:
            label["text"] = render(Saying(label["key"], label["args"]), texts)
        for label in told.get("labels", ()):
            label["text"] = render(Saying(label["key"], label["args"]), texts)
        for name in ("decisions", "actions", "events", "missed"):
            speak(told.get(name), texts)
    elif isinstance(told, list):
        for part in told:
            speak(part, texts)
    return told


def summary(live: LiveGame, now: str | None = None) -> dict[str, Any]:
    """All about a game that whoever may know of it may know; its clocks at this time, or its newest event's."""
    meta, created = live.meta, live.meta.created
    state = live.moment.state
    owing = [d.seat for d in decisions(state) if d.owes] if state is not None and meta.status == "running" else []
    return {
        "game": meta.game,
        "ruleset": created.ruleset,
        "rules": meta.rules,
        "pack": created.pack,
        "name": created.name,
        "status": meta.status,
        "version": meta.version,
        "digest": meta.digest.hex(),
        "seats": [
            {"seat": n, "player": seat.player, "bot": seat.player is not None and not seat.human}
            | ({"offered": True} if seat.offered is not None else {})
            for n, seat in enumerate(meta.seats)
        ],
        "deciding": owing,
        "options": created.options,
        "undo": created.undo,
        "visibility": created.visibility,
        "spectators": created.spectators,
        "spectator_delay_s": created.spectator_delay_s,
        "sandbox": created.sandbox,
        "assisted": meta.assisted,
        "creator": created.creator,
        "created_at": meta.created_at,
        "updated_at": meta.updated_at,
        "started_version": meta.started or None,
        "seed_commitment": created.seed_commitment,
        "seed": meta.seed or None,
        "request": request_of(live),
        "outcome": msgspec.to_builtins(meta.outcome),
        "origin": msgspec.to_builtins(created.origin),
        "clock": msgspec.to_builtins(created.clock),
        "on_timeout": msgspec.to_builtins(created.on_timeout),
        "policies": msgspec.to_builtins(created.policies or POLICIES),
        "proposal": proposal_of(meta.proposal),
        "clocks": clocks_of(meta, microseconds(now or meta.updated_at)),
    }


def request_of(live: LiveGame) -> dict[str, Any] | None:
    """The open request to rewind, if any."""
    request = live.meta.request
    if request is None:
        return None
    return {
        "id": request.id,
        "seat": request.seat,
        "to": request.to,
        "asked": request.asked,
        "accepted": request.accepted,
        "version": request.version,
        "assisted": request.assisted,
        "deadline": request.deadline or None,
    }


def pending_decisions(live: LiveGame, audience: Audience) -> list[dict[str, Any]]:
    """The decisions as they appear everywhere, with legal actions for own seats; none while nothing may move."""
    if live.meta.status != "running" or live.meta.request is not None or live.meta.paused:
        return []
    told = decisions_of(live, audience.reader, audience.own, most=audience.most)
    speak(told, audience.texts)
    for decision in told:
        decision["text"] = decision["label"]["text"]
    return told


def view_answer(
    live: LiveGame, reader: int, moment: Moment | None = None, version: int | None = None
) -> dict[str, Any]:
    """`{game, version, reader, view}`: the state as one reader may see it, now or at another version."""
    meta = live.meta
    at = meta.version if version is None else version
    shown = effective(reader, ended=0 < meta.ended <= at)
    state = (moment or live.moment).state
    return {
        "game": meta.game,
        "version": at,
        "reader": reader_name(reader),
        "view": view_of(live.rules, state, shown) if state is not None else None,
    }


def event_answer(live: LiveGame, event: Event, audience: Audience, *, labels: bool = True) -> dict[str, Any]:
    """An event as a reader gets it, with texts."""
    reader = effective(audience.reader, ended=live.meta.status == "ended")
    told = event_of(live.rules, event, reader, labels=labels)
    return speak(told, audience.texts) if labels else told


def acted_answer(live: LiveGame, events: Sequence[Event], audience: Audience) -> dict[str, Any]:
    """`{version, digest, effects, labels, events, view, decisions, request}`: what came of a command."""
    told = [event_answer(live, event, audience) for event in events]
    view = view_answer(live, audience.reader)
    return {
        "game": live.meta.game,
        "version": live.meta.version,
        "digest": live.meta.digest.hex(),
        "status": live.meta.status,
        "effects": [effect for event in told for effect in event["effects"]],
        "labels": [label for event in told for label in event.get("labels", ())],
        "view": view["view"],
        "decisions": pending_decisions(live, audience),
        "request": request_of(live),
        "outcome": msgspec.to_builtins(live.meta.outcome),
        "clocks": clocks_of(live.meta, microseconds(live.meta.updated_at)),
    }
