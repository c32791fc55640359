"""What players decide together: proposals to pause, to go on, to give the game up; and each seat's own vacation."""

from typing import Final, Literal

from msgspec import Struct

from projections import time_kinds
from projections.agreements import Proposal, needed
from projections.clock import microseconds, written
from projections.details import Details
from projections.game import LiveGame
from projections.punctual import may_leave, may_propose, may_return, voters
from server.access import own_seat
from server.asks import Ask
from server.commands import Games, on_game
from server.making import Draft, Making
from server.playable import check_running
from server.problems import Problem
from server.rewinding import answers_until, own_seats
from server.settling import settle

#: Why something cannot be proposed or done now, in words.
REASONS: Final = {
    "off": "This game is played to its end: it cannot be given up together.",
    "no_clock": "This game has no clock that could stand.",
    "no_budget": "The time for this is used up, or the game has none.",
    "paused": "It is paused already.",
    "not_paused": "It is not paused.",
}


class Propose(Struct, frozen=True, forbid_unknown_fields=True):
    """What to propose (the body of POST …/proposals): `pause`, `resume` or `abandon`."""

    what: Literal["pause", "resume", "abandon"]
    seat: int | None = None


class Vote(Struct, frozen=True, forbid_unknown_fields=True):
    """For it or against (the body of POST …/proposals/{id}/answer); `seat`: only this one of several own seats."""

    accept: bool
    seat: int | None = None


class OwnSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Which of the own seats (a body); may be left out by who has only one."""

    seat: int | None = None


@on_game
async def propose(games: Games, ask: Ask, live: LiveGame, wanted: Propose) -> bytes:
    """Propose something to all who play; with nobody else to ask it is carried at once.

    Raises:
        Problem: `not_found`, `not_allowed`, `not_started`, `game_over`, `undo_open`, `proposal_open`,
            `proposal_refused` with a reason, `invalid`.
    """
    seat = own_seat(ask.caller, live.meta, wanted.seat)
    making = await games.making(live)
    check_running(live)
    _check_proposable(live, seat, wanted.what)
    mine = seats_of_player(live, seat)
    asked = tuple(n for n in voters(live) if n not in mine)
    own = tuple(n for n in voters(live) if n in mine)
    enough = needed(wanted.what, voters(live), live.meta.created.policies)
    until = answers_until(games, live, making)
    details = time_kinds.Proposed(games.new_id(), wanted.what, own, asked, enough, until)
    return await _done(games, ask, making, Draft(details=details, actor=ask.actor, seat=seat, key=ask.key))


def _check_proposable(live: LiveGame, seat: int, what: str) -> None:
    if live.meta.request is not None:
        raise Problem("undo_open", "A request to rewind is open: it must be answered or withdrawn first.")
    if live.meta.proposal is not None:
        raise Problem("proposal_open", "A proposal is open: it must be answered or withdrawn first.")
    reason = may_propose(live, what) if seat in voters(live) else "resigned"
    if reason is not None:
        raise _refused(reason)


def seats_of_player(live: LiveGame, seat: int) -> list[int]:
    """All seats of who sits on this one."""
    return live.meta.seats_of(live.meta.seats[seat].player or "")


def _refused(reason: str) -> Problem:
    return Problem("proposal_refused", REASONS.get(reason, "Who has resigned decides no more."), reason=reason)


async def _done(games: Games, ask: Ask, making: Making, *drafts: Draft) -> bytes:
    """Write events, and with them what they have made due."""
    for draft in drafts:
        making.add(draft)
    with games.timing_out(making):
        settle(making)
    return await games.commit(making, ask)


@on_game
async def vote(games: Games, ask: Ask, live: LiveGame, proposal: str, given: Vote) -> bytes:
    """Answer a proposal; the last voice that is needed carries it. A player with several seats votes for all of them.

    Raises:
        Problem: `not_found` (no such open proposal), `not_allowed` (not asked).
    """
    mine = own_seats(ask, live) if given.seat is None else [own_seat(ask.caller, live.meta, given.seat)]
    making = await games.making(live)
    voting = [seat for seat in _open_proposal(live, proposal).asked if seat in mine]
    if not voting:
        raise Problem("not_allowed", "Your voice is not asked for.")
    details = time_kinds.ProposalAnswered(proposal, given.accept)
    first = Draft(details=details, actor=ask.actor, seat=voting[0], key=ask.key)
    making.add(first)
    for seat in voting[1:]:
        if live.meta.proposal is not None and not live.meta.proposal.agreed:
            making.add(Draft(details=details, actor=ask.actor, seat=seat))
    return await _done(games, ask, making)


def _open_proposal(live: LiveGame, proposal: str) -> Proposal:
    found = live.meta.proposal
    if found is None or found.id != proposal:
        raise Problem("not_found", "There is no such open proposal: it was answered, withdrawn or never made.")
    return found


@on_game
async def withdraw_proposal(games: Games, ask: Ask, live: LiveGame, proposal: str) -> bytes:
    """Take a proposal back: only the seat that made it.

    Raises:
        Problem: `not_found`, `not_allowed`.
    """
    mine = own_seats(ask, live)
    making = await games.making(live)
    found = _open_proposal(live, proposal)
    if found.seat not in mine:
        raise Problem("not_allowed", "Only the seat that proposed it can withdraw it.")
    details = time_kinds.ProposalWithdrawn(proposal)
    return await _done(games, ask, making, Draft(details=details, actor=ask.actor, seat=found.seat, key=ask.key))


@on_game
async def vacation(games: Games, ask: Ask, live: LiveGame, wanted: OwnSeat, *, back: bool) -> bytes:
    """Stop the own clock, out of the seat's budget of vacation, or let it run again.

    Raises:
        Problem: `not_found`, `not_allowed`, `not_started`, `game_over`, `proposal_refused` with a reason.
    """
    seat = own_seat(ask.caller, live.meta, wanted.seat)
    making = await games.making(live)
    check_running(live)
    clocks = live.meta.clocks
    reason = may_return(clocks, seat) if back else may_leave(clocks, seat)
    if reason is not None or clocks is None:
        raise _refused(reason or "no_clock")
    details: Details = time_kinds.Resumed(seat=seat)
    if not back:
        now = max(clocks.at_us, microseconds(making.at))
        details = time_kinds.Paused(until=written(now + clocks.seats[seat].vacation_us), seat=seat)
    return await _done(games, ask, making, Draft(details=details, actor=ask.actor, seat=seat, key=ask.key))
