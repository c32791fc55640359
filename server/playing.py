"""Playing: actions, `check`, resigning, and operators' repairs."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.event import Event
from games.dice import ScriptMismatchError
from games.kernel import SPECTATOR, Action, IllegalError, Resign, Step, Texts, check, decide, pending, render
from games.kernel.say import Saying
from projections import kinds
from projections.details import Details
from projections.game import LiveGame
from projections.kinds import decode_details
from projections.rewind import sealed_answer
from projections.views import BLANK, event_of
from server.access import ADMIN, Caller, check_known, is_delayed, own_seat, seats_of
from server.answers import Audience, event_answer
from server.asks import Ask, Speech, english
from server.catalogue import Entry, InvalidActionError, decode_action
from server.commands import Games
from server.making import Draft, Making
from server.overtaken import decided_again
from server.playable import check_playable
from server.problems import Problem
from server.settling import last


class Act(Struct, frozen=True, forbid_unknown_fields=True):
    """An action as posted."""

    action: dict[str, Any]
    seat: int | None = None


class Repair(Struct, frozen=True, forbid_unknown_fields=True):
    """An operator's act for a seat, with a reason that everybody sees."""

    reason: str
    seat: int
    action: dict[str, Any]


@decided_again
async def act(games: Games, ask: Ask, game: str, wanted: Act) -> bytes:
    """Decide an action and append it.

    Raises:
        Problem: `not_found`, `not_allowed`, `version_required`, `version_conflict`, `not_started`, `game_over`,
            `game_paused`, `undo_open`, `invalid`, `illegal_action`, `not_your_decision`, `scenario_mismatch`,
            and those of `commit`.
    """
    if games.store.shared:
        answer = await _act_at_once(games, ask, game, wanted)
        if answer is not None:
            return answer
    async with games.game(game) as live:
        known = await games.first_answer(ask, live)
        if known is not None:
            return known
        seat = own_seat(ask.caller, live.meta, wanted.seat)
        return await games.commit(await _acted(games, ask, live, seat, wanted), ask)


async def _act_at_once(games: Games, ask: Ask, game: str, wanted: Act) -> bytes | None:
    """Act on the game as it is at hand, without asking the log before: the append judges its version and the key.

    None: it is not at hand, or the action is refused on it, and only the newest state can do that, or the first answer
    to a request that is repeated. Raises what `commit` raises.
    """
    async with games.at_hand(game) as live:
        if live is None:
            return None
        try:
            making = await _acted(games, ask, live, own_seat(ask.caller, live.meta, wanted.seat), wanted)
        except Problem:
            return None
        return await games.commit(making, ask)


async def _acted(games: Games, ask: Ask, live: LiveGame, seat: int, wanted: Act) -> Making:
    """The events of an action, judged and decided, after what is due by then."""
    making = await games.making(live)
    await check_version(games, live, ask, seat)
    entry = games.catalogue[live.rules.id]
    check_playable(live)
    action = _decoded(entry, wanted.action)
    draft = Draft(details=_details(live, action), actor=ask.actor, seat=seat, key=ask.key)
    _decide(games, ask, making, action, draft)
    return making


async def resign(games: Games, ask: Ask, game: str, seat: int | None) -> bytes:
    """Give up, at any time before the end; no version is asked for.

    Raises:
        Problem: as for `act`.
    """
    wanted = Act({"action": "resign"}, seat)
    return await act(games, replace(ask, if_version="*"), game, wanted)


async def check_action(games: Games, caller: Caller, game: str, wanted: Act, texts: Speech = english) -> None:
    """Whether an action would be legal now; nothing is written.

    Raises:
        Problem: why not, as `act` would.
    """
    async with games.game(game) as live:
        seat = own_seat(caller, live.meta, wanted.seat)
        check_playable(live)
        entry = games.catalogue[live.rules.id]
        action = _decoded(entry, wanted.action)
        try:
            check(live.rules, live.state, seat, action)
        except IllegalError as refused:
            raise illegal(texts(games.catalogue.of_game(live)), live, seat, refused) from refused


async def check_version(games: Games, live: LiveGame, ask: Ask, seat: int) -> None:
    """Refuse an action decided on a state that is no longer the newest one, with the events missed.

    The game has not moved on by events that leave the state as it was, by other seats' answers to the sealed decision
    that this seat still owes, or by events in which this seat sees nothing. It has moved on where a request to rewind
    was open at that version and has been refused or withdrawn since: of consent, withdrawal and action one wins.

    Raises:
        Problem: `version_required`, `version_conflict`, `invalid`.
    """
    version, if_version = live.meta.version, ask.if_version
    delayed = is_delayed(ask.caller, live.meta)
    if if_version is None:
        sentence = 'Say which version you decided on: If-Match: "<version>", or "*" for the newest state.'
        told: dict[str, Any] = {} if delayed else {"version": version}
        raise Problem("version_required", sentence, **told)
    if if_version == "*":
        return
    if delayed:  # an operator: what it may not see yet can be no ground to decide on
        sentence = 'You see this game later than it is played, so say `If-Match: "*"`: the newest state.'
        raise Problem("version_conflict", sentence, missed=[])
    if if_version == version:
        return
    if not isinstance(if_version, int) or not 0 < if_version < version:
        raise Problem("version_conflict", f"The game is at version {version}.", version=version, missed=[])
    missed = await games.store.read(live.meta.game, after=if_version, until=version)  # no more than was judged on
    step = pending(live.state) if live.moment.state is not None else None
    waiting = step is not None and step.sealed and seat in step.seats
    if _settled(missed) or any(_moved(live, event, seat, waiting=waiting) for event in missed):
        shown = missed[: games.settings.missed_events_max]
        reader = seat if seat in seats_of(ask.caller, live.meta) else SPECTATOR  # an operator acts, but does not see
        audience = Audience(reader, texts=ask.texts(games.catalogue.of_game(live)))
        events = [event_answer(live, event, audience) for event in shown]
        sentence = f"The game has moved on to version {version}. Look at what you missed and decide anew."
        raise Problem("version_conflict", sentence, version=version, missed=events)


def _settled(missed: list[Event]) -> bool:
    """Whether a request to rewind that was made before these events was answered or withdrawn in them."""
    made: set[str] = set()
    for event in missed:
        details = decode_details(event.details) if event.details is not None else None
        if isinstance(details, kinds.UndoRequested):
            made.add(details.id)
        elif isinstance(details, kinds.UndoAnswered | kinds.UndoWithdrawn) and details.id not in made:
            return True
    return False


def _moved(live: LiveGame, event: Event, seat: int, *, waiting: bool) -> bool:
    if not event.effects and event.header.kind != "rewound":
        return False
    if waiting and event.header.seat != seat and sealed_answer(event):
        return False
    return bool(event_of(live.rules, event, seat)["kind"] != BLANK)


def _decoded(entry: Entry, action: dict[str, Any]) -> Action:
    try:
        return decode_action(entry, action)
    except InvalidActionError as error:
        raise Problem("invalid", f"{error}.") from error


def _details(live: LiveGame, action: Action) -> Details:
    if isinstance(action, Resign):
        return kinds.Resigned()
    step = pending(live.state)
    return kinds.Acted(_tag(step), sealed=step is not None and step.sealed)


def _tag(step: Step | None) -> str:
    return str(type(step).__struct_config__.tag) if step is not None else ""


def _decide(games: Games, ask: Ask, making: Making, action: Action, draft: Draft) -> None:
    """Decide the action of the draft's seat and add the event, and the last event if the game is over by it."""
    live, seat = making.live, draft.seat
    if seat is None:
        raise RuntimeError("an action is a seat's")
    dice = live.dice(making.seed)
    cause = live.cause() if action.answers(live.state, seat) else None
    try:
        decided = decide(live.rules, live.state, seat, action, dice)
    except IllegalError as refused:
        raise illegal(ask.texts(games.catalogue.of_game(live)), live, seat, refused) from refused
    except ScriptMismatchError as error:
        games.forget(making.game)
        # What is scripted would tell what comes, so only who wrote it is told.
        why = f": {error}" if ask.caller.player == live.meta.created.creator else ""
        raise Problem("scenario_mismatch", f"The scenario's scripted chance does not fit{why}.") from error
    making.add(replace(draft, action=action, decided=decided, dice=dice, caused_by=cause))
    if live.state.outcome is not None:
        making.add(last(making))


def illegal(texts: Texts, live: LiveGame, seat: int, refused: IllegalError) -> Problem:
    """A refusal as a problem: the rule, the reason in words, and what would be taken instead.

    The menu is told only to a seat that owes the decision.
    """
    step = pending(live.state)
    owes = step is not None and (seat in step.seats or seat in step.also)
    rule = refused.rule or live.rules.menu_rule(live.state)
    text = render(Saying(f"reason.{refused.reason}", refused.details), texts)
    code = "not_your_decision" if refused.reason == "not_your_decision" else "illegal_action"
    members: dict[str, Any] = {"rule": rule, "reason": refused.reason, "args": refused.details}
    if step is not None and owes:
        members["menu"] = list(step.menu)
    return Problem(code, text, version=live.meta.version, **members)


@decided_again
async def repair(games: Games, ask: Ask, game: str, wanted: Repair) -> bytes:
    """An operator acts for a seat, with a reason; an event like any other, seen by all.

    Raises:
        Problem: as for `act`, and `not_allowed` without the scope `admin`.
    """
    operator = ask.caller.need(ADMIN)
    limit = games.settings.reason_chars_max
    if not wanted.reason.strip() or len(wanted.reason) > limit or "\x00" in wanted.reason:
        raise Problem("invalid", f"reason: 1 to {limit} characters, without NUL.")
    async with games.game(game) as live:
        check_known(ask.caller, live.meta)
        known = await games.known(ask.once)
        if known is not None:
            return known
        if not 0 <= wanted.seat < live.meta.created.seats:
            raise Problem("not_found", f"There is no seat {wanted.seat}.")
        making = await games.making(live)
        await check_version(games, live, ask, wanted.seat)
        check_playable(live)
        entry = games.catalogue[live.rules.id]
        action = _decoded(entry, wanted.action)
        draft = Draft(
            details=kinds.Repaired(reason=wanted.reason, step=_tag(pending(live.state))),
            actor=f"operator:{operator}",
            seat=wanted.seat,
        )
        _decide(games, ask, making, action, draft)
        return await games.commit(making, ask)
