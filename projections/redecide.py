"""Deciding a game anew: two states side by side, one decided, one folded from what is stored; they never differ."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from events.event import Event
from games.dice import Dice, game_key
from games.kernel import (
    Action,
    Decided,
    IllegalError,
    PositionSet,
    Resign,
    Ruleset,
    decide,
    encode,
    pending,
    start,
    start_at,
    tag_of,
)
from projections import kinds, time_kinds
from projections.agreements import ABANDON, abandoned
from projections.consent import check_request, check_rewind
from projections.details import Details
from projections.game import ENDED, OPEN, RUNNING, LiveGame, Moment, begin, fold_event, setting_of
from projections.kinds import AnyDetails, decode_details
from projections.punctual import check_agreement, check_time
from projections.report import Report
from projections.settlement import decide_timeout, ended
from projections.unsound import ACTION, DETAILS, EFFECTS, HEADER, UnsoundError, require

T = TypeVar("T")


def details_of(event: Event) -> AnyDetails | None:
    """The details of an event.

    Raises:
        UnsoundError: they cannot be read, or are those of another kind.
    """
    if event.details is None:
        return None
    try:
        details = decode_details(event.details)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise UnsoundError(event.header.version, DETAILS, f"they cannot be read: {error}") from error
    if type(details).__struct_config__.tag != event.header.kind:
        raise UnsoundError(event.header.version, DETAILS, f"they are not those of `{event.header.kind}`")
    return details


class Redecider:
    """Takes the events of one game from the second on; the chain is known to be sound."""

    def __init__(self, rules: Ruleset[Any], events: Sequence[Event], seed: bytes) -> None:
        self.rules = rules
        self.events = events
        self.seed = seed
        self.live = LiveGame(rules, begin(events[0]), Moment())
        self.folded = Moment()
        self.decided = 0
        # Only what a later rewind goes back to is kept, so that verifying takes time in proportion to the log.
        self.targets = {d.to for d in map(details_of, events) if isinstance(d, kinds.Rewound)}
        self.kept: dict[int, tuple[bytes, list[tuple[int, str]]]] = {}
        self._nothing_decided(events[0])
        self._head(events[0], Dice(b""), (), None)

    def take(self, event: Event) -> None:
        """Verify the next event."""
        details = details_of(event)
        meta, state = self.live.meta, self.live.moment.state
        if state is not None and state.outcome is not None and meta.status == RUNNING:
            require(event, HEADER, event.header.kind == "ended", "the game is over, but `ended` does not follow")
        due = check_time(self.live, event, details, self.seed)
        match details:
            case kinds.Started():
                self._start(event)
            case kinds.Acted() | kinds.Resigned() | kinds.Repaired():
                self._act(event, details)
            case kinds.Rewound():
                self._rewind(event, details)
            case time_kinds.Expired():
                self._expire(event, details)
            case kinds.Ended():
                self._end(event, details)
            case _:
                self._quiet(event, details, due=due)
        if event.header.version in self.targets and self.live.moment.state is not None:
            moment = self.live.moment
            self.kept[event.header.version] = (encode(moment.state), list(moment.opened))

    def report(self) -> Report:
        """What was verified, once all events have been taken."""
        meta, state = self.live.meta, self.live.moment.state
        if state is not None and state.outcome is not None and meta.status != ENDED:
            raise UnsoundError(meta.version, HEADER, "the game is over, but `ended` does not follow")
        return Report(
            game=meta.game,
            ruleset=self.rules.id,
            rules=meta.rules,
            status=meta.status,
            version=meta.version,
            head=meta.digest.hex(),
            decided=self.decided,
            draws=meta.draws,
            rewinds=len(meta.rewinds),
            outcome=meta.outcome,
        )

    def _start(self, event: Event) -> None:
        meta, rules = self.live.meta, self.rules
        ready = meta.status == OPEN and all(seat.player is not None for seat in meta.seats)
        require(event, HEADER, ready, "a game starts once, when all its seats are taken")
        require(event, DETAILS, _bytes(event.details) == encode(kinds.Started()), "`started` has none")
        require(event, ACTION, event.action is None, "there is none in `started`")

        def begun() -> tuple[Decided, Dice]:
            setting = setting_of(rules, meta)
            state = rules.initial(setting)
            dice = self._dice_at_start()
            self.live.moment = Moment(state)
            position = self._position(event)
            if position is None:
                return start(rules, state, setting, dice), dice
            return start_at(rules, state, position, dice), dice

        decided, dice = self._attempt(event, begun)
        self._same(event, decided, dice, None)

    def _dice_at_start(self) -> Dice:
        meta = self.live.meta
        scenario = meta.created.scenario
        script = None if scenario is None else scenario.script
        key = game_key(self.seed, [bytes.fromhex(seat.entropy) for seat in meta.seats])
        return Dice(key, meta.draws, script)

    def _position(self, event: Event) -> Any:
        created = self.live.meta.created
        if created.origin is not None:
            first = self.rules.effect_decoder.decode(event.effects[0]) if event.effects else None
            require(event, EFFECTS, isinstance(first, PositionSet), "a fork starts from a position")
            return self.rules.state_decoder.decode(first.state) if isinstance(first, PositionSet) else None
        scenario = created.scenario
        if scenario is None or not scenario.places:
            return None
        setting = setting_of(self.rules, self.live.meta)
        return self.rules.position.load(scenario.state or {}, setting, scenario.base)

    def _act(self, event: Event, details: kinds.Acted | kinds.Resigned | kinds.Repaired) -> None:
        live, seat = self.live, event.header.seat
        self._playing(event)
        if seat is None or not 0 <= seat < live.meta.created.seats:
            raise UnsoundError(event.header.version, HEADER, "its seat is none of the game")
        action = self._attempt(event, lambda: self.rules.action_decoder.decode(_bytes(event.action)))
        require(event, ACTION, _bytes(event.action) == encode(action), "it is not written as actions are")
        same = _bytes(event.details) == encode(self._expected(action, details))
        require(event, DETAILS, same, "they do not fit the action and its decision")
        dice = live.dice(self.seed)
        cause = live.cause() if action.answers(live.state, seat) else None
        decided = self._attempt(event, lambda: decide(self.rules, live.state, seat, action, dice))
        self._same(event, decided, dice, cause)

    def _expected(self, action: Action, stored: AnyDetails) -> Details:
        step = pending(self.live.state)
        told = tag_of(type(step)) if step is not None else ""
        if isinstance(stored, kinds.Repaired):
            return kinds.Repaired(reason=stored.reason, step=told)
        if isinstance(action, Resign):
            return kinds.Resigned()
        return kinds.Acted(told, sealed=step is not None and step.sealed)

    def _rewind(self, event: Event, details: kinds.Rewound) -> None:
        meta = self.live.meta
        self._still(event)
        require(event, HEADER, meta.status == RUNNING, "only a running game is rewound")
        agreed = meta.request is not None
        require(event, HEADER, agreed or not meta.paused, "nothing moves while the game is paused")
        require(event, DETAILS, meta.created.undo != "off", "the game is played without undo")
        told = f"{details.to} is no version to go back to"
        require(event, DETAILS, meta.started <= details.to <= meta.version, told)
        check_rewind(self.live, self.events, event, details)
        state, opened = self.kept[details.to]
        self.live.apply(event)
        self.live.put_back(Moment(self.rules.state_decoder.decode(state), list(opened)))
        self.folded = Moment(self.rules.state_decoder.decode(state), list(opened))

    def _expire(self, event: Event, details: time_kinds.Expired) -> None:
        """A time-out; that it was one has been checked."""
        self._playing(event)
        require(event, ACTION, event.action is None, "there is none in `expired`")
        dice = self.live.dice(self.seed)
        decided, cause = self._attempt(event, lambda: decide_timeout(self.live, details, dice))
        if decided is None:
            self._still(event)
            self.live.apply(event)
        else:
            self._same(event, decided, dice, cause)

    def _end(self, event: Event, details: kinds.Ended) -> None:
        meta, state = self.live.meta, self.live.moment.state
        self._still(event)
        given_up = meta.proposal is not None and meta.proposal.agreed and meta.proposal.what == ABANDON
        over = meta.status == RUNNING and (state.outcome is not None or given_up)
        require(event, HEADER, over, "a game ends once, when it has an outcome")
        expected = ended(self.live, self.seed, state.outcome or abandoned(meta.created.seats))
        told = f"by the rules they are {encode(expected).decode()}"
        require(event, DETAILS, _bytes(event.details) == encode(expected), told)
        self.live.apply(event)

    def _quiet(self, event: Event, details: AnyDetails | None, *, due: bool) -> None:
        """An event that moves no state: seats, requests, table talk."""
        meta = self.live.meta
        self._still(event)
        require(event, DETAILS, details is not None, "they are missing")
        if isinstance(details, kinds.Joined | kinds.Left):
            require(event, HEADER, meta.status == OPEN, "seats are taken and left before the start")
            require(event, DETAILS, 0 <= details.seat < meta.created.seats, f"there is no seat {details.seat}")
        require(event, HEADER, not isinstance(details, kinds.Created), "`created` is the first event alone")
        if isinstance(details, kinds.UndoRequested):
            self._playing(event)
        check_request(self.live, self.events, event, details)
        if not due:
            check_agreement(self.live, event, details)
        self.live.apply(event)

    def _playing(self, event: Event) -> None:
        meta = self.live.meta
        require(event, HEADER, meta.status == RUNNING, "only a running game is played")
        require(event, HEADER, meta.request is None, "nothing moves while a request to rewind is open")
        require(event, HEADER, not meta.paused, "nothing moves while the game is paused")

    def _still(self, event: Event) -> None:
        """Nothing is decided in this event: no action, no effects, no draws."""
        self._nothing_decided(event)
        meta = self.live.meta
        dice = Dice(b"", meta.draws, None, meta.scripted)
        self._head(event, dice, (), None)

    def _nothing_decided(self, event: Event) -> None:
        require(event, ACTION, event.action is None, f"there is none in `{event.header.kind}`")
        require(event, EFFECTS, not event.effects, f"there are none in `{event.header.kind}`")

    def _head(self, event: Event, dice: Dice, causes: tuple[int, ...], cause: int | None) -> None:
        header = event.header
        told = f"it was decided by {header.rules or 'no rules'}; here are {self.rules.rules}"
        require(event, HEADER, header.rules == self.rules.rules, told)
        told = f"it counts {header.draws} draws, but {dice.draws} were made"
        require(event, HEADER, (header.draws, header.scripted) == (dice.draws, dice.used), told)
        told = "what caused what is told differently"
        require(event, HEADER, (header.causes, header.caused_by) == (causes, cause), told)

    def _same(self, event: Event, decided: Decided, dice: Dice, cause: int | None) -> None:
        """The effects decided anew are those stored, to the byte, and fold to the same state."""
        for number, (stored, own) in enumerate(zip(event.effects, decided.effects, strict=False), 1):
            if bytes(stored) != encode(own):
                item = f"effect {number} ({_tag(stored)})"
                told = f"deciding it anew gives another effect ({tag_of(type(own))})"
                raise UnsoundError(event.header.version, item, told)
        told = f"there are {len(event.effects)}, but deciding it anew gives {len(decided.effects)}"
        require(event, EFFECTS, len(event.effects) == len(decided.effects), told)
        self._head(event, dice, decided.causes, cause)
        self.live.apply(event, decided.effects)
        fold_event(self.rules, self.live.meta, self.folded, event)
        same = encode(self.folded.state) == encode(self.live.state)
        require(event, EFFECTS, same, "folded, they do not give the state that was decided")
        self.decided += 1

    def _attempt(self, event: Event, work: Callable[[], T]) -> T:
        try:
            return work()
        except UnsoundError:
            raise
        except IllegalError as refused:
            told = f"the rules refuse it ({refused.reason}, {refused.rule})"
            raise UnsoundError(event.header.version, ACTION, told) from refused
        except Exception as error:
            # Whatever a forged log makes the rules do, it is the log that is unsound.
            told = f"deciding it anew fails ({type(error).__name__}: {error})"
            raise UnsoundError(event.header.version, EFFECTS, told) from error


def _bytes(item: msgspec.Raw | None) -> bytes:
    return b"null" if item is None else bytes(item)


def _tag(effect: msgspec.Raw) -> str:
    try:
        return str(msgspec.json.decode(effect).get("effect"))
    except (msgspec.MsgspecError, AttributeError):
        return "?"
