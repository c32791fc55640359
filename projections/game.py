"""A live game: the fold of its events into who sits where, what state it is in, and which lines of play there are."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from events.event import Event
from games.dice import Dice, game_key
from games.kernel import AgendaSet, Effect, Outcome, PositionSet, Ruleset, Setting, State, fold, pending
from projections import kinds
from projections.decoding import decode_effects
from projections.kinds import AnyDetails, decode_details

OPEN, RUNNING, ENDED = "open", "running", "ended"


class SeatMeta(Struct):
    """Who sits on a seat: a player's id or `bot:<name>`; None while it is free."""

    player: str | None = None
    entropy: str = ""
    setup: Any = None

    @property
    def human(self) -> bool:
        """Whether a person (or a third party's bot) sits here rather than one of the server's own."""
        return self.player is not None and not self.player.startswith("bot:")


class Request(Struct):
    """An open request to rewind: who asks, to which version, and whose answers are still missing."""

    id: str
    seat: int
    to: int
    asked: list[int]
    version: int
    assisted: bool
    accepted: list[int] = []


class Meta(Struct):
    """All about a game but its state: folded from every kind of event."""

    game: str
    created: kinds.Created
    rules: str
    seats: list[SeatMeta]
    created_at: str
    status: str = OPEN
    version: int = 0
    digest: bytes = b""
    updated_at: str = ""
    draws: int = 0
    scripted: dict[str, int] = {}
    started: int = 0
    ended: int = 0
    rewinds: list[tuple[int, int]] = []
    request: Request | None = None
    assisted: bool = False
    outcome: Outcome | None = None
    seed: str = ""
    entropies: list[str] = []

    def seats_of(self, player: str) -> list[int]:
        """The seats that a player holds."""
        return [n for n, seat in enumerate(self.seats) if seat.player == player]

    def humans(self) -> list[int]:
        """The seats held by people."""
        return [n for n, seat in enumerate(self.seats) if seat.human]

    def path(self, version: int) -> list[tuple[int, int]]:
        """The ranges (after, until] of versions whose effects, in order, make the state at `version`."""
        ranges: list[tuple[int, int]] = []
        while True:
            last = next(((at, to) for at, to in reversed(self.rewinds) if at <= version), None)
            if last is None:
                ranges.append((0, version))
                return ranges[::-1]
            if last[0] < version:
                ranges.append((last[0], version))
            version = last[1]


class Moment(Struct):
    """A state at some version, with version and time of the event that opened each step on its agenda."""

    state: Any = None
    opened: list[tuple[int, str]] = []


class LiveGame:
    """A game at its newest version. It holds nothing that the log does not: it can be dropped at any time."""

    __slots__ = ("meta", "moment", "rules")

    def __init__(self, rules: Ruleset[Any], meta: Meta, moment: Moment) -> None:
        self.rules = rules
        self.meta = meta
        self.moment = moment

    @property
    def state(self) -> State:
        """The state at the newest version; only once the game has started."""
        state: State = self.moment.state
        return state

    def apply(self, event: Event, effects: Sequence[Effect] | None = None) -> None:
        """Fold one more event. `effects`: those just decided, which the state has seen already.

        After `rewound` the caller puts the moment in place (`history.moment_at`): it may have to read the log.
        """
        details = decode_details(event.details) if event.details is not None else None
        fold_meta(self.meta, event, details)
        if effects is not None:
            note_opened(self.moment, effects, event)
        elif event.effects:
            fold_event(self.rules, self.meta, self.moment, event)

    def dice(self, seed: bytes) -> Dice:
        """The game's random stream, from the first draw not yet made."""
        scenario = self.meta.created.scenario
        script = scenario.script if scenario is not None else None
        key = game_key(seed, [bytes.fromhex(entropy) for entropy in self.meta.entropies])
        return Dice(key, self.meta.draws, script, self.meta.scripted)

    def opened_at(self) -> tuple[int, str]:
        """Version and time of the event that opened the pending decision."""
        return self.moment.opened[-1] if self.moment.opened else (self.meta.started, self.meta.created_at)

    def cause(self) -> int | None:
        """Which event an answer now is caused by: None where it starts a chain of its own (a turn)."""
        step = pending(self.state) if self.state is not None else None
        return None if step is None or step.root else self.opened_at()[0]


def setting_of(rules: Ruleset[Any], meta: Meta) -> Setting:
    """What a game is made from, as its ruleset wants it."""
    options = msgspec.convert(meta.created.options, rules.options)
    setups = tuple(
        msgspec.convert(seat.setup, rules.setup) if rules.setup is not None and seat.setup is not None else None
        for seat in meta.seats
    )
    return Setting(pack=meta.created.pack, seats=meta.created.seats, options=options, setups=setups)


def fold_event(rules: Ruleset[Any], meta: Meta, moment: Moment, event: Event) -> None:
    """Fold the effects of a stored event into a moment."""
    if moment.state is None:
        moment.state = rules.initial(setting_of(rules, meta))
    effects = decode_effects(rules, event)
    fold(moment.state, effects)
    note_opened(moment, effects, event)


def note_opened(moment: Moment, effects: Sequence[Effect], event: Event) -> None:
    """Keep count of which event put which step on the agenda."""
    opened = (event.header.version, event.header.at)
    for effect in effects:  # `isinstance` is five times as slow with message classes
        if type(effect) is AgendaSet:
            kept = effect.keep + effect.amended
            moment.opened[kept:] = [opened] * (len(effect.steps) - effect.amended)
        elif type(effect) is PositionSet:
            moment.opened = [opened] * len(moment.state.agenda)


def fold_meta(meta: Meta, event: Event, details: AnyDetails | None) -> None:
    """Fold an event into all about a game but its state."""
    header = event.header
    meta.version, meta.digest, meta.updated_at = header.version, event.digest, header.at
    meta.draws, meta.scripted, meta.rules = header.draws, header.scripted, header.rules or meta.rules
    match details:
        case kinds.Acted() | None:  # most events by far
            pass
        case kinds.Joined():
            meta.seats[details.seat] = SeatMeta(details.player, details.entropy, details.setup)
        case kinds.Left():
            meta.seats[details.seat] = SeatMeta()
        case kinds.Started():
            meta.status, meta.started = RUNNING, header.version
            meta.entropies = [seat.entropy for seat in meta.seats]
        case kinds.Rewound():
            meta.rewinds.append((header.version, details.to))
            meta.request = None
            meta.assisted = meta.assisted or details.assisted
        case kinds.UndoRequested():
            seat = header.seat if header.seat is not None else -1
            meta.request = Request(details.id, seat, details.to, list(details.asked), header.version, details.assisted)
        case kinds.UndoAnswered() if meta.request is not None:
            meta.request = _answered(meta.request, header.seat if details.accept else None)
        case kinds.UndoWithdrawn():
            meta.request = None
        case kinds.Ended():
            meta.status, meta.outcome, meta.seed = ENDED, details.outcome, details.seed
            meta.ended = header.version
            meta.request = None


def _answered(request: Request, accepting: int | None) -> Request | None:
    """The request after an answer to it: a refusal (None) is its end."""
    if accepting is None:
        return None
    request.accepted.append(accepting)
    request.asked = [seat for seat in request.asked if seat != accepting]
    return request


def begin(event: Event) -> Meta:
    """Meta from a game's first event."""
    details = decode_details(event.details or b"null")
    if not isinstance(details, kinds.Created):
        message = f"the first event of {event.header.game} is not `created`"
        raise TypeError(message)
    meta = Meta(
        game=event.header.game,
        created=details,
        rules=event.header.rules,
        seats=[SeatMeta() for _ in range(details.seats)],
        created_at=event.header.at,
    )
    fold_meta(meta, event, details)
    return meta
