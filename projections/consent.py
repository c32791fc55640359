"""Verifying consent: every rewind in a log was asked for, and agreed to, as the game's undo policy says."""

from collections.abc import Sequence

from events.event import Event
from projections import kinds
from projections.game import LiveGame
from projections.kinds import AnyDetails
from projections.rewind import Terms, judge, stretch
from projections.unsound import DETAILS, HEADER, require


def check_request(live: LiveGame, events: Sequence[Event], event: Event, details: AnyDetails | None) -> None:
    """A request to rewind asks whom the policy says, and is answered by those, or withdrawn by its seat.

    `live` is the game before the event, `events` the whole log.

    Raises:
        UnsoundError: it does not.
    """
    asked, seat = live.meta.request, event.header.seat
    match details:
        case kinds.UndoRequested():
            terms = _terms(live, events, event, details.to)
            same = (details.asked, details.assisted) == (terms.asked, terms.assisted) and details.asked
            require(event, DETAILS, same, f"by the undo policy seats {list(terms.asked)} must agree")
        case kinds.UndoAnswered():
            owed = asked is not None and asked.id == details.id and seat in asked.asked
            require(event, DETAILS, owed, "this seat is not asked")
        case kinds.UndoWithdrawn():
            own = asked is not None and asked.id == details.id and seat == asked.seat
            require(event, DETAILS, own, "this seat has not asked")
        case _:
            pass


def check_rewind(live: LiveGame, events: Sequence[Event], event: Event, details: kinds.Rewound) -> None:
    """A rewind follows a request that all asked have agreed to, or needs nobody's consent.

    Raises:
        UnsoundError: it does not.
    """
    asked = live.meta.request
    if asked is not None:
        agreed = (asked.id, asked.to, asked.assisted) == (details.request, details.to, details.assisted)
        require(event, DETAILS, agreed and not asked.asked, "its request was not agreed to")
        return
    terms = _terms(live, events, event, details.to)
    require(event, DETAILS, not details.request and not terms.asked, "others had to agree, and were not asked")
    require(event, DETAILS, details.assisted == terms.assisted, "`assisted` is told differently")


def _terms(live: LiveGame, events: Sequence[Event], event: Event, to: int) -> Terms:
    meta, seat = live.meta, event.header.seat
    require(event, DETAILS, meta.started <= to <= meta.version, f"{to} is no version to go back to")
    require(event, HEADER, seat is not None and 0 <= seat < meta.created.seats, "it is a seat that asks to rewind")
    taken = [e for after, until in stretch(meta, to) for e in events[after:until]]
    return judge(live.rules, meta, seat or 0, taken)
