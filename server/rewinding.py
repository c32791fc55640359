"""Undo and redo: requests to rewind, their answers, and the one event that carries them out."""

from msgspec import Struct

from projections import kinds
from projections.clock import SECOND, microseconds, written
from projections.game import LiveGame, Request
from projections.history import moment_at
from projections.rewind import (
    RewindRefusedError,
    check_target,
    moved_since_rewind,
    redo_target,
    terms,
    undo_target,
)
from server.access import PLAY, check_known, own_seat, seats_of
from server.asks import Ask
from server.commands import Games, on_game
from server.making import Draft, Making
from server.playable import check_playable
from server.playing import check_version
from server.problems import Problem


class RewindWish(Struct, frozen=True, forbid_unknown_fields=True):
    """Where to rewind: to a version, or (undo) to before the root cause of a version, or where it is most natural."""

    seat: int | None = None
    to: int | None = None
    root_of: int | None = None


@on_game
async def rewind(
    games: Games,
    ask: Ask,
    live: LiveGame,
    wish: RewindWish,
    *,
    redo: bool,
) -> bytes:
    """Rewind at once if nobody has to be asked, else open a request.

    Raises:
        Problem: `undo_refused` (policy `off`, nothing to undo, no such version), and as for `act`.
    """
    seat = own_seat(ask.caller, live.meta, wish.seat)
    making = await games.making(live)
    await check_version(games, live, ask, seat)
    check_playable(live)
    if live.meta.created.undo == "off":
        raise Problem("undo_refused", "This game is played without undo.", reason="off")
    to = await _target(games, live, seat, wish, redo=redo)
    try:
        check_target(live.meta, to)
    except RewindRefusedError as refused:
        raise Problem("undo_refused", str(refused), reason=refused.reason) from refused
    needed = await terms(games.store, live.rules, live.meta, seat, to)
    actor, key = ask.actor, ask.key
    if needed.asked:
        until = answers_until(games, live, making)
        details = kinds.UndoRequested(games.new_id(), to, needed.asked, needed.assisted, until)
        making.add(Draft(details=details, actor=actor, seat=seat, key=key))
    else:
        rewound = kinds.Rewound(to, assisted=needed.assisted)
        await _carry_out(games, making, Draft(details=rewound, actor=actor, seat=seat, key=key), to)
    return await games.commit(making, ask)


def answers_until(games: Games, live: LiveGame, making: Making) -> str:
    """Until when a request or a proposal made now waits for answers."""
    clock = live.meta.created.clock
    own = clock.answer_s if clock is not None else None
    return written(microseconds(making.at) + (own or games.settings.request_answer_s) * SECOND)


async def _target(games: Games, live: LiveGame, seat: int, wish: RewindWish, *, redo: bool) -> int:
    if wish.to is not None:
        return wish.to
    events = await games.store.read(live.meta.game, after=live.meta.started, until=live.meta.version)
    if wish.root_of is not None:
        causes = {event.header.version: event.header.caused_by for event in events}
        version = wish.root_of
        if version not in causes:
            raise Problem("undo_refused", f"There is no event {version} after the start.", reason="bad_version")
        while (cause := causes.get(version)) is not None:
            version = cause
        return version - 1
    if redo:
        to = redo_target(live.meta)
        if to is None or moved_since_rewind(live.meta, events):
            sentence = "There is nothing to redo from here; name the version of the line that you want back."
            raise Problem("undo_refused", sentence, reason="nothing_to_redo")
        return to
    to = undo_target(live.meta, events, seat)
    if to is None:
        raise Problem("undo_refused", "You have done nothing yet that could be undone.", reason="nothing_to_undo")
    return to


async def _carry_out(games: Games, making: Making, draft: Draft, to: int) -> None:
    making.add(draft)
    making.live.put_back(await moment_at(games.store, making.live, to))


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """Consent or not (the body of POST …/undo/{id}/answer); `seat` where only one of several own seats answers."""

    accept: bool
    seat: int | None = None


def own_seats(ask: Ask, live: LiveGame) -> list[int]:
    """The seats of this game that the caller may play; one at least.

    Raises:
        Problem: `not_found`, `not_allowed`, `unauthenticated`.
    """
    check_known(ask.caller, live.meta)
    ask.caller.need(PLAY)
    return seats_of(ask.caller, live.meta) or [own_seat(ask.caller, live.meta, None)]


def _open_request(live: LiveGame, request: str) -> Request:
    found = live.meta.request
    if found is None or found.id != request:
        raise Problem("not_found", "There is no such open request: it was answered, withdrawn or never made.")
    return found


@on_game
async def answer(games: Games, ask: Ask, live: LiveGame, request: str, given: Answer) -> bytes:
    """Accept or refuse a request to rewind; the last consent carries it out.

    A player with several seats answers for all of them that were asked, unless one is named.

    Raises:
        Problem: `not_found` (no such open request), `not_allowed` (not asked).
    """
    mine = own_seats(ask, live) if given.seat is None else [own_seat(ask.caller, live.meta, given.seat)]
    making = await games.making(live)
    open_request = _open_request(live, request)
    answering = [s for s in open_request.asked if s in mine]
    if not answering:
        raise Problem("not_allowed", "Your consent is not asked for.")
    actor = ask.actor
    for one in answering if given.accept else answering[:1]:
        making.add(Draft(details=kinds.UndoAnswered(request, given.accept), actor=actor, seat=one))
    if given.accept and not open_request.asked:
        details = kinds.Rewound(open_request.to, request, assisted=open_request.assisted)
        draft = Draft(details=details, actor=actor, seat=open_request.seat)
        await _carry_out(games, making, draft, open_request.to)
    return await games.commit(making, ask)


@on_game
async def withdraw(games: Games, ask: Ask, live: LiveGame, request: str) -> bytes:
    """Take a request back: only the seat that asked.

    Raises:
        Problem: `not_found`, `not_allowed`.
    """
    mine = own_seats(ask, live)
    making = await games.making(live)
    open_request = _open_request(live, request)
    if open_request.seat not in mine:
        raise Problem("not_allowed", "Only the seat that asked can withdraw.")
    making.add(Draft(details=kinds.UndoWithdrawn(request), actor=ask.actor, seat=open_request.seat))
    return await games.commit(making, ask)
