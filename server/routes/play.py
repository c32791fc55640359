"""Playing: the view, the legal actions, acting, asking whether one may, giving up, and operators' repairs."""

from typing import Any

from msgspec import Struct

from projections.clock import microseconds
from projections.clock_view import clocks_of
from projections.history import moment_at
from server import shapes
from server.access import ADMIN, PLAY
from server.answers import pending_decisions, request_of, view_answer
from server.http import Answer, Call, answer, commanded, versioned
from server.operations import PUBLIC, Operation, operation
from server.playing import Act, Repair, act, check_action, repair, resign
from server.problems import Problem
from server.reading import Number, ReaderQuery, Reading, ask_acting, ask_summary, reading

_ACT = (
    "not_found",
    "illegal_action",
    "not_your_decision",
    "game_over",
    "game_paused",
    "not_started",
    "undo_open",
    "scenario_mismatch",
)


class ViewQuery(ReaderQuery, frozen=True):
    """Who reads, and at which version (by default the newest)."""

    at: Number | None = None


class ActionsQuery(ReaderQuery, frozen=True):
    """Whose decisions; `types`: only these actions, separated by commas; `labels=false` leaves labels out."""

    types: str | None = None
    labels: bool = True


class Seated(Struct, frozen=True, forbid_unknown_fields=True):
    """For which seat; by default the caller's only one."""

    seat: int | None = None


@operation(
    Operation(
        method="GET",
        path="/v1/games/{game:str}/view",
        needs=PUBLIC,
        tag="play",
        query=ViewQuery,
        answer=shapes.View,
        problems=("not_found", "not_allowed", "scenario_mismatch"),
    )
)
async def get_view(request: Call) -> Answer:
    """The state as a seat or a spectator may see it, now or at any version, abandoned ones too."""
    asked = request.asked(ViewQuery)
    async with reading(request, asked.seat) as seen:
        live, at = seen.live, asked.at
        if at is None:
            told = view_answer(live, seen.reader) | {"clocks": _clocks(seen)}
            return versioned(request, told, live.meta.version)
        if not 0 < at <= live.meta.version:
            raise Problem("not_found", f"There is no version {at}: the game is at version {live.meta.version}.")
        moment = await moment_at(request.services.store, live, at)
        return versioned(request, view_answer(live, seen.reader, moment, at), at)


@operation(
    Operation(
        method="GET",
        path="/v1/games/{game:str}/actions",
        needs=PUBLIC,
        tag="play",
        query=ActionsQuery,
        answer=shapes.Decisions,
        problems=("not_found", "not_allowed", "scenario_mismatch"),
    )
)
async def get_actions(request: Call) -> Answer:
    """The pending decisions, and every legal action of those that the caller owes or may answer."""
    asked = request.asked(ActionsQuery)
    async with reading(request, asked.seat) as seen:
        meta = seen.live.meta
        told = pending_decisions(seen.live, seen.audience)
        types = None if asked.types is None else set(asked.types.split(","))
        for decision in told:
            actions = decision.get("actions", ())
            if types is not None and actions:
                decision["actions"] = actions = [one for one in actions if one["action"]["action"] in types]
            if not asked.labels:
                for one in actions:
                    del one["label"]
        whole = {"game": meta.game, "version": meta.version, "decisions": told, "request": request_of(seen.live)}
        return versioned(request, whole | {"clocks": _clocks(seen)}, meta.version)


def _clocks(seen: Reading) -> dict[str, Any] | None:
    """The clocks as they stand now, by the server's time, or by the time that the reader is shown."""
    return clocks_of(seen.live.meta, microseconds(seen.now))


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/actions",
        needs=PLAY,
        tag="play",
        body=Act,
        answer=shapes.Acted,
        status=201,
        key=True,
        version=True,
        problems=_ACT,
        example={"seat": 0, "action": {"action": "roll"}},
    )
)
async def post_action(request: Call) -> Answer:
    """Act: an action as it was listed, and the version that it was decided on. A refusal writes nothing."""
    wanted = await request.decoded(Act)
    games = request.services.games
    ask = await ask_acting(request, wanted.seat)
    return commanded(await games.run(act(games, ask, request.text("game"), wanted)))


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/check",
        needs=PLAY,
        tag="play",
        body=Act,
        answer=shapes.Legal,
        problems=_ACT,
        example={"seat": 0, "action": {"action": "roll"}},
    )
)
async def check(request: Call) -> Answer:
    """Would this action be legal now, and if not, why? Nothing is written."""
    wanted = await request.decoded(Act)
    caller = await request.caller()
    await check_action(request.services.games, caller, request.text("game"), wanted, request.texts)
    return answer({"legal": True})


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/resign",
        needs=PLAY,
        tag="play",
        body=Seated,
        answer=shapes.Acted,
        status=201,
        key=True,
        problems=("not_found", "illegal_action", "game_over", "game_paused", "not_started", "undo_open"),
        example={"seat": 0},
    )
)
async def post_resign(request: Call) -> Answer:
    """Give up, at any time before the end."""
    wanted = await request.decoded(Seated)
    games = request.services.games
    ask = await ask_acting(request, wanted.seat)
    return commanded(await games.run(resign(games, ask, request.text("game"), wanted.seat)))


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/repairs",
        needs=ADMIN,
        tag="play",
        body=Repair,
        answer=shapes.Game,
        status=201,
        key=True,
        version=True,
        problems=_ACT,
        example={"reason": "The player asked for it.", "seat": 0, "action": {"action": "roll"}},
    )
)
async def post_repair(request: Call) -> Answer:
    """Act for a seat as an operator, with a reason that everybody sees."""
    wanted = await request.decoded(Repair)
    games = request.services.games
    return commanded(await games.run(repair(games, await ask_summary(request), request.text("game"), wanted)))


HANDLERS = [get_view, get_actions, post_action, check, post_resign, post_repair]
