"""Time controls and policies: what a game says of time, as data in its first event (docs/clocks.md)."""

from collections.abc import Iterator
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

#: Whole seconds, at most ten years: every sum of them in microseconds is exact, in JavaScript too.
Seconds = Annotated[int, Meta(ge=0, le=315_360_000)]
Periods = Annotated[int, Meta(ge=0, le=1000)]

#: What is done for a seat that is out of time.
Policy = Literal["remind", "default", "bot", "substitute", "resign"]


class Control(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The time of one seat: a bank, and what each turn adds to it or spares it; or a limit for each turn; or both.

    bank_s: time at the start (None: none is counted). increment_s: added after each turn, up to bank_max_s (Fischer).
    delay_s: time of each turn that the bank is spared (simple or US delay). bronstein_s: so much of what a turn took is
    given back after it. periods, period_s: behind the bank, periods that are lost only when used up within one turn
    (byo-yomi). move_s: the longest that one turn may take (correspondence: 259200 is three days).
    """

    bank_s: Seconds | None = None
    increment_s: Seconds = 0
    bank_max_s: Seconds | None = None
    delay_s: Seconds = 0
    bronstein_s: Seconds = 0
    periods: Periods = 0
    period_s: Seconds = 0
    move_s: Seconds | None = None


class Clock(Control, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The clock of a game: the control of every seat that `seats` gives no other one (a handicap).

    pause_s: how long the game may stand still in all, by consent. vacation_s: how long each seat may stop its own
    clock in all. answer_s: how long a request or proposal waits for answers (None: the server's own setting).
    """

    seats: dict[str, Control] = {}
    pause_s: Seconds = 0
    vacation_s: Seconds = 0
    answer_s: Annotated[int, Meta(ge=1, le=31_536_000)] | None = None

    def control(self, seat: int) -> Control:
        """The control of a seat."""
        return self.seats.get(str(seat), self)


class OnTimeout(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What becomes of a seat that is out of time, `grace_s` after everybody was reminded of it.

    default: the kernel's default answer. resign: the seat resigns. bot: the bot of this name takes the seat over.
    substitute: its clock stops, and the seat may be offered to another player. remind: nothing, until somebody claims.
    """

    policy: Policy = "default"
    grace_s: Seconds = 0
    bot: str = "random"


class Policies(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What the players can decide together. abandon: how many of the people that play must agree to end the game."""

    abandon: Literal["all", "most", "off"] = "all"


#: What a game without a word on it is played by.
POLICIES: Final = Policies()


class ClockError(ValueError):
    """A clock that cannot be: one sentence that names the field."""


def check_clock(clock: Clock, seats: int) -> None:
    """Refuse a clock whose parts do not go together.

    Raises:
        ClockError: with the first of them.
    """
    _check_control("clock", clock)
    for name, control in clock.seats.items():
        if name not in {str(seat) for seat in range(seats)}:
            raise ClockError(f"clock.seats: there is no seat {name!r}; this game has seats 0 to {seats - 1}")
        _check_control(f"clock.seats.{name}", control)


def _check_control(where: str, control: Control) -> None:
    for wrong, field, reason in _faults(control):
        if wrong:
            raise ClockError(f"{where}.{field}: {reason}")


def _faults(c: Control) -> Iterator[tuple[bool, str, str]]:
    counts = c.bank_s is not None or c.periods > 0
    yield not counts and c.move_s is None, "bank_s", "a clock needs a bank, periods or a limit for each turn (move_s)"
    yield c.move_s == 0, "move_s", "a turn takes at least a second"
    yield (c.periods > 0) != (c.period_s > 0), "period_s", "periods come with their length, and it with them"
    for field in ("increment_s", "bank_max_s", "bronstein_s"):
        yield c.bank_s is None and bool(getattr(c, field)), field, "it needs a bank (bank_s)"
    yield not counts and c.delay_s > 0, "delay_s", "it spares a bank or periods, and there are none"
    least = (c.bank_s or 0) + c.delay_s + c.period_s
    yield counts and least == 0, "bank_s", "nobody could take the first turn in no time at all"
    yield c.bank_max_s is not None and c.bank_max_s < (c.bank_s or 0), "bank_max_s", "the bank begins with more"
