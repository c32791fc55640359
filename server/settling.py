"""Settling: the events that time and agreements bring are written before anything else happens in a game.

What is due is decided from the log and the time of the next event alone (`projections/settlement.py`), so every node
comes to the same, and the version that it is written at keeps it from happening twice.
"""

from typing import Final

from events.event import Event
from projections import kinds, time_kinds
from projections.clock import microseconds
from projections.game import LiveGame
from projections.settlement import decide_timeout, ended, settlement
from server.access import NOBODY
from server.asks import Ask, Once
from server.making import Draft, Making

#: Who acts when nobody does.
SERVER: Final = "server"

#: So many events at most are settled in one append; the rest comes in the next.
SETTLED_MAX: Final = 50


def settle(making: Making) -> bool:
    """Add all events that are due at the time of this making; whether there were any.

    Raises:
        ScriptMismatchError: a sandbox's scripted chance does not fit a default answer.
    """
    begun = len(making.events)
    while len(making.events) - begun < SETTLED_MAX:
        due = settlement(making.live, microseconds(making.at), making.seed)
        if due is None:
            break
        details, seat = due
        if isinstance(details, time_kinds.Expired):
            time_out(making, details)
        else:
            making.add(Draft(details=details, actor=SERVER, seat=seat))
    return len(making.events) > begun


def time_out(making: Making, details: time_kinds.Expired) -> None:
    """Add a time-out with what it comes to, and the end of the game if it is over by that."""
    live = making.live
    dice = live.dice(making.seed)
    decided, cause = decide_timeout(live, details, dice)
    drawn = dice if decided is not None else None
    making.add(
        Draft(details=details, actor=SERVER, seat=details.seat, decided=decided, dice=drawn, caused_by=cause),
    )
    if live.state.outcome is not None:
        making.add(last(making))


def last(making: Making) -> Draft:
    """The last event: the outcome, and the seed made public."""
    outcome = making.live.state.outcome
    if outcome is None:
        raise RuntimeError("only a game with an outcome ends")
    details: kinds.Ended = ended(making.live, making.seed, outcome)
    return Draft(details=details, actor=SERVER)


def in_time(making: Making) -> Ask:
    """Who asks for what time brings: nobody. The key belongs to the version, so that it happens once over all nodes."""
    return Ask(NOBODY, nothing, Once(SERVER, f"expire:{making.game}:{making.expected}", b""))


def nothing(live: LiveGame, events: list[Event]) -> bytes:
    """Nobody has asked for what time brings."""
    del live, events
    return b""
