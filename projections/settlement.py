"""What must happen next in a game without anybody's doing: time that has run out, and agreements to be carried out.

One function says it, for the server that writes it, for the sweeper that waits for it, and for the verifier that holds
a log to it: as long as there is something to settle at the time of an event, no other event may come (CLK-8).
"""

from collections.abc import Iterator
from typing import Final

from games.dice import Dice
from games.kernel import Decided, Outcome, Resign, decide, expire, pending, tag_of
from projections import clock, kinds, time_kinds
from projections.agreements import ABANDON, PAUSE, abandoned
from projections.clock import SECOND, Clocks, microseconds, written
from projections.details import Details
from projections.game import RUNNING, LiveGame

#: What has to follow, who it is about, and when it is due, in microseconds since 1970.
Due = tuple[int, Details, int | None]

REMIND: Final = "remind"


def settlement(live: LiveGame, at_us: int, seed: bytes) -> tuple[Details, int | None] | None:
    """Details and seat of the event that must come next, if one is due at this time; `seed` is told if it is the last.

    Details of time-outs say when it was observed: at this time.
    """
    if live.meta.status != RUNNING or live.state.outcome is not None:  # then its end is all that comes
        return None
    first = _agreed(live, seed)
    if first is not None:
        return first
    at_us = max(at_us, _newest(live))
    dues = [(due_us, number, due) for number, due in enumerate(_dues(live, at_us)) if (due_us := due[0]) <= at_us]
    if not dues:
        return None
    _, details, seat = min(dues)[2]
    return details, seat


def next_due(live: LiveGame) -> int | None:
    """When something has to be settled if nothing happens before, in microseconds since 1970; None: never."""
    if live.meta.status != RUNNING:
        return None
    return min((due_us for due_us, _, _ in _dues(live, _newest(live))), default=None)


def _newest(live: LiveGame) -> int:
    """The time of the game's clocks: it never goes back, whatever the times of events do."""
    return 0 if live.meta.clocks is None else live.meta.clocks.at_us


def _agreed(live: LiveGame, seed: bytes) -> tuple[Details, int | None] | None:
    """What an agreed proposal comes to, at once."""
    meta, proposal = live.meta, live.meta.proposal
    if proposal is None or not proposal.agreed:
        return None
    if proposal.what == ABANDON:
        return ended(live, seed, abandoned(meta.created.seats)), None
    if meta.clocks is None:
        return None
    if proposal.what == PAUSE:
        until = written(meta.clocks.at_us + meta.clocks.pause_us)
        return time_kinds.Paused(until=until, proposal=proposal.id), None
    return time_kinds.Resumed(proposal=proposal.id), None


def ended(live: LiveGame, seed: bytes, outcome: Outcome) -> kinds.Ended:
    """The details of the last event."""
    meta = live.meta
    return kinds.Ended(outcome=outcome, seed=seed.hex(), assisted=meta.assisted, sandbox=meta.created.sandbox)


def _dues(live: LiveGame, at_us: int) -> Iterator[Due]:
    """All that time brings, whenever it is due."""
    meta, clocks = live.meta, live.meta.clocks
    if meta.request is not None and meta.request.deadline:
        told = time_kinds.UndoExpired(meta.request.id, meta.request.deadline)
        yield microseconds(meta.request.deadline), told, None
    if meta.proposal is not None:
        told_late = time_kinds.ProposalExpired(meta.proposal.id, meta.proposal.deadline)
        yield microseconds(meta.proposal.deadline), told_late, None
    if clocks is None:
        return
    if clocks.pause is not None:
        yield clocks.pause.until_us, time_kinds.Resumed(used_up=True), None
    for seat, own in enumerate(clocks.seats):
        if own.vacation is not None:
            yield own.vacation.until_us, time_kinds.Resumed(seat=seat, used_up=True), seat
        yield from _bot(live, clocks, seat)
        yield from _out_of_time(live, clocks, seat, at_us)


def _bot(live: LiveGame, clocks: Clocks, seat: int) -> Iterator[Due]:
    """A seat that a bot has to take over is taken over at once."""
    own = clocks.seats[seat]
    if own.vacant and clocks.on_timeout.policy == "bot":
        former = live.meta.seats[seat].player or ""
        bot = f"bot:{clocks.on_timeout.bot}"
        yield clocks.at_us, time_kinds.Replaced(seat=seat, player=bot, former=former, why="expired"), seat


def _out_of_time(live: LiveGame, clocks: Clocks, seat: int, at_us: int) -> Iterator[Due]:
    deadline = clock.deadline(clocks, seat)
    if deadline is None:
        return
    own, policy = clocks.seats[seat], clocks.on_timeout
    out_us = deadline + policy.grace_s * SECOND
    if not own.reminded and (policy.grace_s or policy.policy == REMIND) and not _came_out_of_time(clocks, seat):
        yield deadline, time_kinds.Reminded(seat, written(deadline), written(out_us)), seat
    if policy.policy != REMIND:
        yield out_us, expired(live, clocks, seat, at_us), seat


def _came_out_of_time(clocks: Clocks, seat: int) -> bool:
    """Whether the seat had no time at all when its turn began: then nobody needs to be reminded."""
    own = clocks.seats[seat]
    return clock.left(clocks.clock.control(seat), own) == 0 and own.over_us == own.spent_us


def expired(live: LiveGame, clocks: Clocks, seat: int, at_us: int, claimed_by: int | None = None) -> time_kinds.Expired:
    """The details of a time-out that is observed at this time; by a claim, the default answer is given."""
    deadline = clock.deadline(clocks, seat)
    step = pending(live.state)
    policy = clocks.on_timeout.policy
    return time_kinds.Expired(
        seat=seat,
        deadline=written(deadline if deadline is not None else clocks.at_us),
        observed=written(at_us),
        rule=clock.rule(clocks.clock.control(seat), clocks.seats[seat]),
        policy="default" if policy == REMIND else policy,
        step=tag_of(type(step)) if step is not None else "",
        claimed_by=claimed_by,
    )


def decide_timeout(live: LiveGame, details: time_kinds.Expired, dice: Dice) -> tuple[Decided | None, int | None]:
    """What a time-out comes to by its policy, and which event opened what it answers. The state is changed in place."""
    if details.policy == "default":
        cause = live.cause()
        return expire(live.rules, live.state, details.seat, dice), cause
    if details.policy == "resign":
        return decide(live.rules, live.state, details.seat, Resign(), dice), None
    return None, None


def claimable(live: LiveGame, seat: int, at_us: int) -> bool:
    """Whether another seat may claim that this one is out of time, and was so for the grace that it has."""
    clocks = live.meta.clocks
    deadline = clock.deadline(clocks, seat) if clocks is not None and live.meta.status == RUNNING else None
    return clocks is not None and deadline is not None and at_us >= deadline + clocks.on_timeout.grace_s * SECOND
