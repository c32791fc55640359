"""Clocks as readers get them: to everybody the same, for they are public; how much is left, and until when."""

from typing import Any, Final

import msgspec

from projections import clock
from projections.agreements import Proposal
from projections.clock import SECOND, Clocks, Halt, SeatClock, written
from projections.game import RUNNING, Meta

_MILLISECOND: Final = 1000


def clocks_of(meta: Meta, now_us: int) -> dict[str, Any] | None:
    """All clocks of a game at this time; None: it has none.

    `deadline` is when a seat that is on the clock will be out of time, `policy_at` when something is done about it.
    """
    if meta.clocks is None:
        return None
    now_us = max(now_us, meta.clocks.at_us)
    clocks = at(meta.clocks, now_us)
    running = meta.status == RUNNING
    return {
        "now": written(now_us),
        "running": running and not clocks.stopped and clocks.pause is None,
        "paused": _halted(clocks.pause),
        "pause_left_ms": _budget(clocks.pause_us, clocks.pause, now_us),
        "on_timeout": clocks.on_timeout.policy,
        "seats": [_seat(clocks, seat, running=running) for seat in range(len(clocks.seats))],
    }


def at(clocks: Clocks, now_us: int) -> Clocks:
    """A copy of the clocks as they stand at a later time."""
    copied = msgspec.structs.replace(clocks, seats=[msgspec.structs.replace(own) for own in clocks.seats])
    clock.charge(copied, now_us)
    return copied


def _seat(clocks: Clocks, seat: int, *, running: bool) -> dict[str, Any] | None:
    if seat in clocks.bots:
        return None
    own, control = clocks.seats[seat], clocks.clock.control(seat)
    deadline = clock.deadline(clocks, seat) if running else None
    grace_us = clocks.on_timeout.grace_s * SECOND
    acts = deadline is not None and clocks.on_timeout.policy != "remind"
    return {
        "seat": seat,
        "owes": own.owes,
        "left_ms": clock.left(control, own if own.owes else _fresh(own)) // _MILLISECOND,
        "bank_ms": None if control.bank_s is None else own.bank_us // _MILLISECOND,
        "periods": own.periods,
        "used_ms": own.used_us // _MILLISECOND,
        "deadline": None if deadline is None else written(deadline),
        "policy_at": written(deadline + grace_us) if deadline is not None and acts else None,
        "expirations": own.expirations,
        "vacant": own.vacant,
        "vacation": _halted(own.vacation),
        "vacation_left_ms": _budget(own.vacation_us, own.vacation, clocks.at_us),
    }


def _fresh(own: SeatClock) -> SeatClock:
    """The clock at the beginning of a next turn."""
    return msgspec.structs.replace(own, spent_us=0, over_us=0, period_us=0)


def _halted(halt: Halt | None) -> dict[str, Any] | None:
    return None if halt is None else {"since": written(halt.began_us), "until": written(halt.until_us)}


def _budget(left_us: int, halt: Halt | None, now_us: int) -> int:
    used = 0 if halt is None else min(now_us, halt.until_us) - halt.began_us
    return (left_us - used) // _MILLISECOND


def proposal_of(proposal: Proposal | None) -> dict[str, Any] | None:
    """The open proposal, if any."""
    return None if proposal is None else msgspec.to_builtins(proposal)
