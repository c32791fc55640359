"""Runs a vector of api_schema/kit/clocks.json on the clocks, as docs/clocks.md says."""

import json
from pathlib import Path

from msgspec import convert

from projections import clock
from projections.clock import Owed, Tick
from projections.clock_view import at
from projections.time_control import Clock, OnTimeout

VECTORS = json.loads((Path(__file__).parents[3] / "api_schema/kit/clocks.json").read_text())
MILLISECOND_US = 1000


def full(vector):
    """The clocks at the beginning of a vector."""
    return clock.begin(convert(vector["clock"], Clock), convert(vector["on_timeout"], OnTimeout), vector["seats"])


def take(clocks, event):
    """Fold an event."""
    clock.charge(clocks, event["at_ms"] * MILLISECOND_US)
    for name, happens in (("paused", clock.halt), ("resumed", clock.resume)):
        if name in event:
            happens(clocks, None if event[name] == "game" else event[name])
    if "seated" in event:
        sits = event["seated"]
        clock.seat_down(clocks, sits["seat"], bot=sits["bot"], anew=sits["anew"])
    owed = event.get("owed")
    clock.turn(
        clocks,
        Tick(
            event["version"],
            clocks.at_us,
            Owed(tuple(owed["seats"]), owed["opened"], owed["begins"]) if owed else clock.NOTHING,
            event.get("answered"),
            event.get("expired", False),
            event.get("stopped", False),
        ),
    )


def told(clocks, seat, now_ms):
    """What the clocks say of a seat at a time, in milliseconds."""
    seen = at(clocks, now_ms * MILLISECOND_US)
    own, control = seen.seats[seat], seen.clock.control(seat)
    turn = own if own.owes else clock.SeatClock(own.bank_us, own.periods)
    deadline = clock.deadline(seen, seat)
    return {
        "left_ms": clock.left(control, turn) // MILLISECOND_US,
        "bank_ms": None if control.bank_s is None else own.bank_us // MILLISECOND_US,
        "periods": own.periods,
        "used_ms": own.used_us // MILLISECOND_US,
        "deadline_ms": None if deadline is None else deadline // MILLISECOND_US,
        "rule": clock.rule(control, own),
    }
