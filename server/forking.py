"""Forks: a new game that goes on from a version of another."""

import msgspec
from msgspec import Struct

from games.dice import commitment
from projections import kinds
from projections.history import moment_at
from server.access import PLAY, check_known
from server.commands import Ask, Games
from server.making import Draft, Making
from server.problems import Problem
from server.seating import ME, OPEN, Join, NewGame, Sitting, check_words, joined, start_game


class Fork(Struct, frozen=True, forbid_unknown_fields=True):
    """How to fork (the body of POST …/fork): from which version, and who sits where."""

    at: int | None = None
    seats: list[str] | None = None
    name: str = ""
    visibility: str = "public"
    entropy: str = ""


async def fork(games: Games, ask: Ask, game: str, wanted: Fork) -> bytes:
    """A new game, marked `sandbox`, that goes on from any version of another: an own sandbox, or one that has ended.

    Raises:
        Problem: `not_found`, `not_allowed`, `invalid`.
    """
    player = ask.caller.need(PLAY)
    if ask.caller.game is not None:
        raise Problem("not_allowed", "This token is for one game only.")
    async with games.game(game) as source:
        meta = source.meta
        check_known(ask.caller, meta)
        known = await games.known(ask.once)
        if known is not None:
            return known
        if meta.status != "ended" and not (meta.created.sandbox and meta.created.creator == player):
            raise Problem("not_allowed", "A fork starts from a game that has ended, or from a sandbox of your own.")
        at = meta.version if wanted.at is None else wanted.at
        if not meta.started or not meta.started <= at <= meta.version:
            raise Problem("invalid", f"at: a version from {meta.started} (the start) to {meta.version}.")
        moment = await moment_at(games.store, source, at)
        if moment.state.outcome is not None:
            raise Problem("invalid", f"at: at version {at} the game is over; fork from an earlier one.")
        origin = kinds.Origin(game, at, (await games.store.read(game, at - 1, at))[0].digest.hex())
        created, rules = meta.created, source.rules
    plans = wanted.seats if wanted.seats is not None else ["me"] + ["bot:random"] * (created.seats - 1)
    if len(plans) != created.seats:
        raise Problem("invalid", f"seats: this game has {created.seats}.")
    new = NewGame(ruleset=created.ruleset, seats=plans, name=wanted.name, visibility=wanted.visibility)
    check_words(games, new)
    seed = games.random.bytes(32)
    humans = sum(plan in (OPEN, ME) for plan in plans)
    forked = msgspec.structs.replace(
        created,
        undo="free" if humans <= 1 else "fair",
        visibility=wanted.visibility,
        name=wanted.name,
        creator=player,
        seed_commitment=commitment(seed),
        sandbox=True,
        origin=origin,
        scenario=None,
    )
    making = Making(rules, games.new_id(), seed, games.now())
    making.add(Draft(details=forked, actor=player))
    for seat, plan in enumerate(plans):
        if plan != OPEN:
            brings = Join(wanted.entropy) if plan == ME else Join()
            making.add(joined(games, making.live, Sitting(seat, player if plan == ME else plan, player, brings)))
    if OPEN not in plans:
        await start_game(games, making, player)
    response = await games.commit(making, ask, secret=seed)
    games.keep_new(making)
    return response
