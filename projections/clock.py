"""The clocks of a game, folded from its events alone: the times that they carry are the only source of time.

Nothing here asks what time it is: who wants to know how much is left brings the time along. Times are whole
microseconds since 1970. The rules (CLK-…), with vectors that any program can check itself by, are in docs/clocks.md.
"""

from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec import Struct

from projections.time_control import Clock, Control, OnTimeout

SECOND: Final = 1_000_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)

#: The rules that say when time is out, as `expired` names them.
MOVE_RULE, BANK_RULE, PERIOD_RULE = "CLK-7", "CLK-3", "CLK-6"


def microseconds(at: str) -> int:
    """A time of the log in whole microseconds since 1970."""
    return (datetime.fromisoformat(at) - _EPOCH) // _MICROSECOND


def written(at_us: int) -> str:
    """A time as the log writes it."""
    told = (_EPOCH + at_us * _MICROSECOND).isoformat(timespec="microseconds")
    return told[: -len("+00:00")] + "Z"


class Owed(Struct, frozen=True):
    """The pending decision: the seats that owe it, and the version of the event that opened it.

    begins: it begins a new turn for a seat that has just answered another one (CLK-2).
    """

    seats: tuple[int, ...] = ()
    opened: int = 0
    begins: bool = False


NOTHING: Final = Owed()


class Tick(Struct, frozen=True):
    """What of an event the clocks go by. `seat`: the one that answered in it, if one did.

    owed: what is pending after it, empty unless the game is running. stopped: whether nothing moves after it, because
    a request to rewind is open.
    """

    version: int
    at_us: int
    owed: Owed = NOTHING
    seat: int | None = None
    expired: bool = False
    stopped: bool = False


class Halt(Struct):
    """A pause of the game or a vacation of a seat: since when, and when its budget is used up."""

    began_us: int
    until_us: int


class SeatClock(Struct):
    """The clock of one seat.

    bank_us, periods: what is left of them. owes: whether it is on the clock. first, last: its turn, by the first and
    the last version that opened a decision of it. spent_us, over_us: time spent in this turn, and of it beyond what it
    had. period_us: used of the byo-yomi period that runs. paid: the version of the answer that was paid for last.
    used_us: all time on the clock. reminded: of this turn. vacant: it waits for somebody else to sit down.
    """

    bank_us: int = 0
    periods: int = 0
    owes: bool = False
    first: int = 0
    last: int = -1
    spent_us: int = 0
    over_us: int = 0
    period_us: int = 0
    paid: int = 0
    used_us: int = 0
    expirations: int = 0
    reminded: bool = False
    vacant: bool = False
    vacation: Halt | None = None
    vacation_us: int = 0


class Clocks(Struct):
    """All clocks of a game at its newest version.

    at_us: the time of its newest event, or of an earlier one that was later (times never go back). bots: the seats of
    the server's own players, which have no clock. pause_us: what is left to pause.
    """

    clock: Clock
    on_timeout: OnTimeout
    seats: list[SeatClock]
    bots: list[int] = []
    at_us: int = 0
    stopped: bool = False
    pause: Halt | None = None
    pause_us: int = 0


def begin(clock: Clock, on_timeout: OnTimeout, seats: int) -> Clocks:
    """The clocks of a game that was made: full, and nobody's runs."""
    clocks = Clocks(clock, on_timeout, [SeatClock() for _ in range(seats)], pause_us=clock.pause_s * SECOND)
    for seat in range(seats):
        fill(clocks, seat)
        clocks.seats[seat].vacation_us = clock.vacation_s * SECOND
    return clocks


def fill(clocks: Clocks, seat: int) -> None:
    """Give a seat the time of the beginning: of the game, or of a substitute (CLK-14)."""
    control, own = clocks.clock.control(seat), clocks.seats[seat]
    own.bank_us, own.periods = (control.bank_s or 0) * SECOND, control.periods


def charge(clocks: Clocks, at_us: int) -> None:
    """Time goes on to the time of an event: who is on the clock is charged for it (CLK-1, CLK-4)."""
    now = max(clocks.at_us, at_us)
    since = clocks.at_us if clocks.pause is None else max(clocks.at_us, clocks.pause.until_us)
    for seat, own in enumerate(clocks.seats):
        if ticks(clocks, seat):
            begun = since if own.vacation is None else max(since, own.vacation.until_us)
            _spend(clocks.clock.control(seat), own, max(0, now - begun))
    clocks.at_us = now


def ticks(clocks: Clocks, seat: int) -> bool:
    """Whether a seat is on the clock; in a pause or on vacation it is as well, from the end of that on."""
    own = clocks.seats[seat]
    return own.owes and not own.vacant and not clocks.stopped and seat not in clocks.bots


def _spend(control: Control, own: SeatClock, time_us: int) -> None:
    own.over_us += max(0, time_us - left(control, own))
    own.used_us += time_us
    spared = min(time_us, max(0, control.delay_s * SECOND - own.spent_us))
    own.spent_us += time_us
    banked = min(time_us - spared, own.bank_us)
    own.bank_us -= banked
    own.period_us += time_us - spared - banked
    lost = min(own.periods, own.period_us // (control.period_s * SECOND)) if own.periods else 0
    own.periods -= lost
    own.period_us = own.period_us - lost * control.period_s * SECOND if own.periods else 0


def left(control: Control, own: SeatClock) -> int:
    """How much longer the seat can take for its turn, in microseconds; 0 when it is out of time."""
    return min(left_us for left_us, _ in _limits(control, own))


def rule(control: Control, own: SeatClock) -> str:
    """The rule by which the seat is, or will be, out of time."""
    return min(_limits(control, own))[1]


def _limits(control: Control, own: SeatClock) -> list[tuple[int, str]]:
    found = []
    if control.move_s is not None:
        found.append((max(0, control.move_s * SECOND - own.spent_us), MOVE_RULE))
    if control.bank_s is not None or control.periods:
        spared = max(0, control.delay_s * SECOND - own.spent_us)
        periods = own.periods * control.period_s * SECOND - own.period_us
        found.append((spared + own.bank_us + periods, PERIOD_RULE if control.periods else BANK_RULE))
    return found


def turn(clocks: Clocks, tick: Tick) -> None:
    """After an event: whose turn is over, and who is on the clock now (CLK-2, CLK-3, CLK-9)."""
    for seat, own in enumerate(clocks.seats):
        owes = seat in tick.owed.seats
        if tick.seat == seat and own.owes and (not owes or _begins(tick)):
            _finish(clocks.clock.control(seat), own, tick)
        if owes:
            _owe(own, tick, answered=tick.seat == seat and own.owes)
        own.owes = owes
    clocks.stopped = tick.stopped


def _begins(tick: Tick) -> bool:
    """Whether what is pending was opened by this event and is a new turn for who has just answered."""
    return tick.owed.begins and tick.owed.opened == tick.version


def _finish(control: Control, own: SeatClock, tick: Tick) -> None:
    """A turn is over by its seat's answer: what it earns, once (CLK-4, CLK-5, CLK-9)."""
    if not tick.expired and own.first >= own.paid:
        earned = control.increment_s * SECOND + min(control.bronstein_s * SECOND, own.spent_us)
        full = own.bank_us + earned
        if control.bank_max_s is not None:
            full = max(own.bank_us, min(full, control.bank_max_s * SECOND))
        own.bank_us = full
        own.paid = tick.version


def _owe(own: SeatClock, tick: Tick, *, answered: bool) -> None:
    opened = tick.owed.opened
    if own.first <= opened <= own.last:
        return  # it has owed this decision before: the same turn goes on
    if answered and opened > own.last and not _begins(tick):
        own.last = opened  # the next decision of the same turn
        return
    own.first = own.last = opened
    own.spent_us = own.over_us = own.period_us = 0
    own.reminded = False


def seat_down(clocks: Clocks, seat: int, *, bot: bool, anew: bool) -> None:
    """Somebody else sits on a seat: `bot`, without a clock; `anew`, with the time of the beginning (CLK-14).

    A vacation of who sat there is over: the budget is the seat's, and what was used of it is gone (CLK-12).
    """
    resume(clocks, seat)
    own = clocks.seats[seat]
    own.vacant, own.last = False, own.first - 1
    clocks.bots = sorted({*clocks.bots, seat} if bot else {*clocks.bots} - {seat})
    if anew:
        fill(clocks, seat)


def halt(clocks: Clocks, seat: int | None) -> None:
    """The game pauses, or a seat goes on vacation, from the newest event on (CLK-11, CLK-12)."""
    if seat is None:
        clocks.pause = Halt(clocks.at_us, clocks.at_us + clocks.pause_us)
    else:
        own = clocks.seats[seat]
        own.vacation = Halt(clocks.at_us, clocks.at_us + own.vacation_us)


def resume(clocks: Clocks, seat: int | None) -> None:
    """A pause or vacation is over: the time that it took is gone from its budget."""
    if seat is None:
        if clocks.pause is not None:
            clocks.pause_us -= min(clocks.at_us, clocks.pause.until_us) - clocks.pause.began_us
        clocks.pause = None
    else:
        own = clocks.seats[seat]
        if own.vacation is not None:
            own.vacation_us -= min(clocks.at_us, own.vacation.until_us) - own.vacation.began_us
        own.vacation = None


def deadline(clocks: Clocks, seat: int) -> int | None:
    """When a seat will be out of time if nothing happens, in microseconds since 1970; None: it is not on the clock."""
    if not ticks(clocks, seat):
        return None
    own = clocks.seats[seat]
    since = clocks.at_us if clocks.pause is None else max(clocks.at_us, clocks.pause.until_us)
    since = since if own.vacation is None else max(since, own.vacation.until_us)
    return since + left(clocks.clock.control(seat), own) - own.over_us
