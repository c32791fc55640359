"""Players who are missing: claims that a seat is out of time, seats offered to others, and who sits down for whom.

Knowledge is the seat's. Who takes a seat over sees from then on what the seat sees, and has seen since the start; who
has left it sees from then on what a spectator sees. So nobody who has, or had, another seat of the game may take one.
"""

from msgspec import Struct

from projections import time_kinds
from projections.clock import deadline, microseconds, written
from projections.game import LiveGame
from projections.punctual import had_seat, is_other, missing, vacant
from projections.settlement import claimable, expired
from server.access import ADMIN, PLAY, Caller, check_bounds, check_known, is_delayed, own_seat
from server.asks import Ask
from server.commands import Games, on_game
from server.making import Draft, Making
from server.overtaken import decided_again
from server.playable import check_playable, check_running
from server.problems import Problem
from server.settling import settle, time_out


class Claim(Struct, frozen=True, forbid_unknown_fields=True):
    """Which other player's seat is out of time (the body of POST …/claims); `by`: the own seat that says so."""

    seat: int
    by: int | None = None


class Offer(Struct, frozen=True, forbid_unknown_fields=True):
    """Whom to offer a seat to (the body of POST …/seats/{n}/offer): a player's id, or to anybody."""

    to: str | None = None


@on_game
async def claim(games: Games, ask: Ask, live: LiveGame, wanted: Claim) -> bytes:
    """Say that another player's seat is out of time: what its policy says is done now, by `remind` the default answer.

    Raises:
        Problem: `not_found`, `not_allowed` (also for an own seat), `not_overdue`, `scenario_mismatch`, and
            as for an action.
    """
    by = own_seat(ask.caller, live.meta, wanted.by)
    check_seat(live, wanted.seat)
    if not is_other(live, by, wanted.seat):
        raise Problem("not_allowed", f"Seat {wanted.seat} is yours: only another player claims that it is out of time.")
    making = await games.begun(live)
    if games.settled(making):
        if _timed_out(making, wanted.seat) and live.meta.seats[by].player == ask.actor:
            return await games.commit(making, ask)  # it was due without the claim
        await games.commit_settled(making)
    making = await games.making(live)
    check_playable(live)
    _claim(games, making, wanted.seat, by)
    return await games.commit(making, ask)


def _timed_out(making: Making, seat: int) -> bool:
    return any(event.header.kind == "expired" and event.header.seat == seat for event in making.events)


def _claim(games: Games, making: Making, seat: int, by: int) -> None:
    """The time-out of a seat whose time is over, though nothing is done about it by itself."""
    live, at_us = making.live, microseconds(making.at)
    clocks = live.meta.clocks
    if clocks is None or not claimable(live, seat, at_us):
        until = deadline(clocks, seat) if clocks is not None else None
        told = None if until is None else written(until)
        raise Problem("not_overdue", "This seat has time left, or owes nothing.", deadline=told)
    with games.timing_out(making):
        time_out(making, expired(live, clocks, seat, max(at_us, clocks.at_us), by))
        settle(making)


def check_seat(live: LiveGame, seat: int) -> None:
    """Raise `not_found` for a seat that the game does not have."""
    if not 0 <= seat < live.meta.created.seats:
        raise Problem("not_found", f"There is no seat {seat}: this game has seats 0 to {live.meta.created.seats - 1}.")


@decided_again
async def offer(games: Games, ask: Ask, game: str, seat: int, wanted: Offer) -> bytes:
    """Offer a seat to a substitute: one's own; who made the game and operators one that is out of time.

    Raises:
        Problem: `not_found`, `not_allowed`, `not_started`, `game_over`, `not_overdue`.
    """
    async with games.game(game) as live:
        check_known(ask.caller, live.meta)
        player = ask.caller.need(PLAY)
        check_bounds(ask.caller, seat)
        known = await games.known(ask.once)
        if known is not None:
            return known
        check_seat(live, seat)
        _check_may_offer(live, ask.caller, seat)
        making = await games.making(live)
        check_running(live)
        if live.meta.seats[seat].player != player and not missing(live, seat) and live.meta.seats[seat].human:
            raise Problem("not_overdue", "Somebody sits there who is not out of time.")
        operates = player not in (live.meta.seats[seat].player, live.meta.created.creator)
        details = time_kinds.SeatOffered(seat=seat, to=wanted.to)
        actor = f"operator:{player}" if operates else player
        making.add(Draft(details=details, actor=actor, seat=seat, key=ask.key))
        return await games.commit(making, ask)


def _check_may_offer(live: LiveGame, caller: Caller, seat: int) -> None:
    if caller.player not in (live.meta.seats[seat].player, live.meta.created.creator) and ADMIN not in caller.scopes:
        raise Problem("not_allowed", "Only who sits there, who made the game, and operators offer a seat to others.")


@decided_again
async def take_over(games: Games, ask: Ask, game: str, seat: int) -> bytes:
    """Sit down on a seat that is offered, or on one's own again that a bot has taken over or nobody has.

    Raises:
        Problem: `not_found`, `not_allowed`, `not_started`, `game_over`, `rate_limited`.
    """
    async with games.places.turn(ask.actor), games.game(game) as live:
        check_known(ask.caller, live.meta, invited=ask.invited or _is_meant(live, ask.caller, seat))
        player = ask.caller.need(PLAY)
        check_bounds(ask.caller)
        known = await games.known(ask.once)
        if known is not None:
            return known
        check_seat(live, seat)
        if _may_sit(live, ask.caller, seat) is None or not await _may_know_of_offer(games, live, ask.caller, seat):
            raise Problem("not_allowed", f"Seat {seat} is not offered to you.")
        making = await games.making(live)
        check_running(live)
        why = _may_sit(live, ask.caller, seat)
        if why is None:
            raise Problem("not_allowed", f"Seat {seat} is not offered to you any more.")
        await games.places.check(player, game)
        former = live.meta.seats[seat].player or ""
        details = time_kinds.Replaced(seat=seat, player=player, former=former, why=why)
        making.add(Draft(details=details, actor=player, seat=seat, key=ask.key))
        return await games.commit(making, ask)


def _is_meant(live: LiveGame, caller: Caller, seat: int) -> bool:
    """Whether a seat is offered to the caller by name, or was his: then he may know of a private game."""
    if caller.player is None or not 0 <= seat < live.meta.created.seats:
        return False
    sitting = live.meta.seats[seat]
    return caller.player in sitting.former or caller.player == sitting.offered


async def _may_know_of_offer(games: Games, live: LiveGame, caller: Caller, seat: int) -> bool:
    """Whether the caller is meant by an offer, or it is there for all and is to be seen by the spectators' delay."""
    if _is_meant(live, caller, seat) or not is_delayed(caller, live.meta):
        return True
    return (await games.aged(live)).meta.seats[seat].offered is not None


def _may_sit(live: LiveGame, caller: Caller, seat: int) -> str | None:
    """Why the caller may take the seat over: it is `offered`, or he has `returned`; None: he may not."""
    if caller.player is None or not 0 <= seat < live.meta.created.seats:
        return None
    sitting = live.meta.seats[seat]
    if caller.player in sitting.former:
        return "returned" if not sitting.human or vacant(live, seat) else None
    wanted = time_kinds.Replaced(seat=seat, player=caller.player, former="", why="offered")
    open_to = sitting.offered is not None and sitting.offered in ("", caller.player)
    return "offered" if open_to and not had_seat(live, wanted) else None
