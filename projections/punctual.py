"""Verifying time: what was due has happened before anything later, time-outs are real, and agreements were made.

The times of the events are believed; that nothing else is needed is the point of it.
"""

from events.event import Event
from projections import time_kinds
from projections.agreements import ABANDON, PAUSE, RESUME, needed
from projections.clock import SECOND, Clocks, microseconds, written
from projections.game import LiveGame
from projections.kinds import AnyDetails
from projections.settlement import claimable, expired, settlement
from projections.time_control import POLICIES
from projections.unsound import DETAILS, HEADER, require

#: What only time brings (a `resumed` or `replaced` may be somebody's doing as well).
TIME_ALONE = (time_kinds.UndoExpired, time_kinds.ProposalExpired, time_kinds.Reminded)


def check_time(live: LiveGame, event: Event, details: AnyDetails | None, seed: bytes) -> bool:
    """Whether this event was due by its time; nothing else was, and a time-out that was not was claimed rightly.

    Raises:
        UnsoundError: it is not so.
    """
    at_us = microseconds(event.header.at)
    due = settlement(live, at_us, seed)
    if due is not None:
        told = f"`{type(due[0]).__struct_config__.tag}` is due by this time, and comes before anything else"
        require(event, DETAILS, due == (details, event.header.seat), told)
        return True
    require(event, HEADER, not isinstance(details, TIME_ALONE), "its time has not come")
    if isinstance(details, time_kinds.Expired):
        _check_claim(live, event, details, at_us)
    return False


def _check_claim(live: LiveGame, event: Event, details: time_kinds.Expired, at_us: int) -> None:
    clocks, by = live.meta.clocks, details.claimed_by
    exists = 0 <= details.seat < live.meta.created.seats and clocks is not None
    right = exists and by is not None and by in live.meta.humans() and claimable(live, details.seat, at_us)
    if clocks is None or by is None or not right:
        require(event, HEADER, condition=False, reason="this seat is not out of time")
        return
    require(event, DETAILS, is_other(live, by, details.seat), "nobody claims that he is out of time himself")
    same = details == expired(live, clocks, details.seat, max(at_us, clocks.at_us), by)
    require(event, DETAILS, same, "the time-out is told differently")
    require(event, HEADER, event.header.seat == details.seat, "a time-out is its seat's")


def is_other(live: LiveGame, by: int, seat: int) -> bool:
    """Whether another player sits on the seat: nobody claims that he is out of time himself (CLK-13)."""
    return live.meta.seats[by].player != live.meta.seats[seat].player


def check_agreement(live: LiveGame, event: Event, details: AnyDetails | None) -> None:
    """Of an event that was not due: a proposal asks all who play, vacations and changes of seats are allowed.

    Raises:
        UnsoundError: they are not.
    """
    seat, proposal = event.header.seat, live.meta.proposal
    match details:
        case time_kinds.Proposed():
            _check_proposed(live, event, details)
        case time_kinds.ProposalAnswered():
            owed = proposal is not None and proposal.id == details.id and seat in proposal.asked
            require(event, DETAILS, owed, "this seat is not asked")
        case time_kinds.ProposalWithdrawn():
            own = proposal is not None and proposal.id == details.id and seat == proposal.seat
            require(event, DETAILS, own, "this seat has not proposed it")
        case time_kinds.Paused() | time_kinds.Resumed():
            _check_halt(live, event, details)
        case time_kinds.SeatOffered() | time_kinds.Replaced():
            _check_sitting(live, event, details)
        case _:
            pass


def voters(live: LiveGame) -> list[int]:
    """The seats of people who have not resigned: those who decide together."""
    return [seat for seat in live.meta.humans() if seat not in live.state.resigned]


def _check_proposed(live: LiveGame, event: Event, details: time_kinds.Proposed) -> None:
    meta, seat = live.meta, event.header.seat
    running = meta.status == "running" and meta.proposal is None and meta.request is None
    require(event, HEADER, running and seat is not None, "nothing can be proposed now")
    own = tuple(n for n in voters(live) if meta.seats[n].player == meta.seats[seat or 0].player)
    asked = tuple(n for n in voters(live) if n not in own)
    enough = needed(details.what, voters(live), meta.created.policies)
    told = f"seats {list(asked)} are asked, and {enough} must be for it"
    same = (details.own, details.asked, details.needed) == (own, asked, enough) and seat in own
    require(event, DETAILS, same, told)
    require(event, DETAILS, may_propose(live, details.what) is None, f"`{details.what}` cannot be proposed now")


def may_propose(live: LiveGame, what: str) -> str | None:
    """Why something cannot be proposed now, as a stable word; None: it can."""
    meta, clocks = live.meta, live.meta.clocks
    if what == ABANDON:
        return "off" if (meta.created.policies or POLICIES).abandon == "off" else None
    if clocks is None:
        return "no_clock"
    if what == PAUSE and meta.paused:
        return "paused"
    if what == PAUSE and clocks.pause_us < SECOND:
        return "no_budget"
    return None if what == PAUSE or (what == RESUME and meta.paused) else "not_paused"


def _check_halt(live: LiveGame, event: Event, details: time_kinds.Paused | time_kinds.Resumed) -> None:
    """A seat's own doing: what an agreement or time brings was due, and is checked."""
    seat = details.seat
    if seat is None or seat != event.header.seat or not 0 <= seat < live.meta.created.seats:
        require(event, DETAILS, condition=False, reason="the game pauses and goes on by agreement, or by time")
        return
    clocks = live.meta.clocks
    reason = may_leave(clocks, seat) if isinstance(details, time_kinds.Paused) else may_return(clocks, seat)
    require(event, DETAILS, reason is None, "this seat has no vacation to take or to end")
    if isinstance(details, time_kinds.Paused) and clocks is not None:
        at_us = max(clocks.at_us, microseconds(event.header.at))
        until = written(at_us + clocks.seats[seat].vacation_us)
        require(event, DETAILS, details == time_kinds.Paused(until=until, seat=seat), f"its budget lasts until {until}")
    else:
        require(event, DETAILS, details == time_kinds.Resumed(seat=seat), "it is the seat's own doing")


def may_leave(clocks: Clocks | None, seat: int) -> str | None:
    """Why a seat cannot go on vacation now, as a stable word; None: it can."""
    if clocks is None:
        return "no_clock"
    if clocks.seats[seat].vacation is not None:
        return "paused"
    return "no_budget" if clocks.seats[seat].vacation_us < SECOND else None


def may_return(clocks: Clocks | None, seat: int) -> str | None:
    """Why a seat cannot end a vacation now, as a stable word; None: it can."""
    if clocks is None:
        return "no_clock"
    return None if clocks.seats[seat].vacation is not None else "not_paused"


def _check_sitting(live: LiveGame, event: Event, details: time_kinds.SeatOffered | time_kinds.Replaced) -> None:
    seat, meta = details.seat, live.meta
    require(event, DETAILS, 0 <= seat < meta.created.seats and meta.status == "running", "there is no such seat now")
    if isinstance(details, time_kinds.Replaced):
        sitting = meta.seats[seat]
        require(event, DETAILS, details.former == sitting.player, "somebody else sits there")
        offered = (
            sitting.offered is not None and sitting.offered in ("", details.player) and not had_seat(live, details)
        )
        back = details.player in sitting.former and (not sitting.human or vacant(live, seat))
        allowed = offered if details.why == "offered" else back and details.why == "returned"
        require(event, DETAILS, allowed, "this player may not sit down there")


def had_seat(live: LiveGame, details: time_kinds.Replaced) -> bool:
    """Whether the player sits in this game, or did: it knows what another seat may not."""
    return any(details.player in (seat.player, *seat.former) for seat in live.meta.seats)


def vacant(live: LiveGame, seat: int) -> bool:
    """Whether a seat waits for a substitute: it was out of time."""
    return live.meta.clocks is not None and live.meta.clocks.seats[seat].vacant


def missing(live: LiveGame, seat: int) -> bool:
    """Whether nobody is there: it waits for a substitute, or everybody was reminded of it in this turn."""
    clocks = live.meta.clocks
    return clocks is not None and (
        clocks.seats[seat].vacant or (clocks.seats[seat].owes and clocks.seats[seat].reminded)
    )
