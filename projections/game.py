"""A live game: the fold of its events into who sits where, what state it is in, and which lines of play there are."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from events.event import Event
from games.dice import Dice, game_key
from games.kernel import AgendaSet, Effect, PositionSet, Ruleset, Setting, State, fold, pending
from projections import clock, kinds, time_kinds
from projections.clock import Clocks, Owed, Tick
from projections.decoding import decode_effects
from projections.kinds import decode_details
from projections.meta import ENDED, OPEN, RUNNING, Meta, Request, SeatMeta, begin, fold_meta

__all__ = [
    "ENDED",
    "OPEN",
    "RUNNING",
    "LiveGame",
    "Meta",
    "Moment",
    "Request",
    "SeatMeta",
    "begin",
    "fold_event",
    "fold_meta",
    "note_opened",
    "setting_of",
]

#: What events answer a decision, or may.
ANSWERS: Final = (kinds.Acted, kinds.Resigned, kinds.Repaired, time_kinds.Expired)


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

        After `rewound` the caller puts the moment in place (`put_back`): it may have to read the log.
        """
        details = decode_details(event.details) if event.details is not None else None
        fold_meta(self.meta, event, details)
        if effects is not None:
            note_opened(self.moment, effects, event)
        elif event.effects:
            fold_event(self.rules, self.meta, self.moment, event)
        if self.meta.clocks is not None and not isinstance(details, kinds.Rewound):
            seat = event.header.seat if isinstance(details, ANSWERS) and event.effects else None
            self._turn(self.meta.clocks, seat, expired=isinstance(details, time_kinds.Expired))

    def put_back(self, moment: Moment) -> None:
        """After `rewound`: this is the state now (see `history.moment_at`)."""
        self.moment = moment
        if self.meta.clocks is not None:
            self._turn(self.meta.clocks, None, expired=False)

    def _turn(self, clocks: Clocks, seat: int | None, *, expired: bool) -> None:
        """Tell the clocks who owes what now."""
        meta = self.meta
        if seat is not None and not expired:
            meta.seats[seat].offered, clocks.seats[seat].vacant = None, False  # it is there after all
        running = meta.status == RUNNING and self.moment.state is not None
        step = pending(self.state) if running else None
        owed = clock.NOTHING
        if step is not None:
            owed = Owed(step.seats, self.opened_at()[0], begins=step.root or len(step.seats) > 1)
        clock.turn(clocks, Tick(meta.version, clocks.at_us, owed, seat, expired, stopped=meta.request is not None))

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
