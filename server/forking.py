"""Forks: a new game that goes on from a version of another."""

from typing import Any

import msgspec
from msgspec import Struct

from games.dice import commitment
from games.kernel import Ruleset, State
from projections import kinds
from projections.game import LiveGame
from projections.history import Log, moment_at
from server.access import PLAY, check_whole
from server.asks import Ask
from server.commands import Games
from server.creating import ME, OPEN, NewGame, check_words
from server.making import Draft, Making
from server.problems import Problem
from server.seating import Join, Sitting, joined, start_game


class Fork(Struct, frozen=True, forbid_unknown_fields=True):
    """A fork (the body of POST …/fork): from which version, who sits where, as visible as its source by default."""

    at: int | None = None
    seats: list[str] | None = None
    name: str = ""
    visibility: str | None = None
    entropy: str = ""


class _Source(Struct, frozen=True):
    """What is forked: where it comes from, the position there, how it was made, by which rules."""

    origin: kinds.Origin
    position: State
    created: kinds.Created
    rules: Ruleset[Any]


async def fork(games: Games, ask: Ask, game: str, wanted: Fork) -> bytes:
    """A new game, marked `sandbox`, that goes on from any version of another: an own sandbox, or one that has ended.

    It is played without a clock.

    Raises:
        Problem: `not_found`, `not_allowed`, `invalid`, `rate_limited`.
    """
    player = _player(ask)
    async with games.seen(game, ask.caller, "spectator") as seen:  # others see the fork: it may tell no more
        live, meta = seen.live, seen.live.meta
        known = await games.known(ask.once)
        if known is not None:
            return known
        if meta.status != "ended" and not (meta.created.sandbox and meta.created.creator == player):
            raise Problem("not_allowed", "A fork starts from a game that has ended, or from a sandbox of your own.")
        source = await _source(games.store, live, wanted.at)
    return await _fork(games, ask, source, wanted)


async def fork_replay(games: Games, ask: Ask, replay: str, wanted: Fork) -> bytes:
    """A new game, marked `sandbox`, that goes on from any version of an imported replay.

    Raises:
        Problem: `not_found`, `not_allowed`, `invalid`, `rate_limited`.
    """
    _player(ask)
    log, live = await games.imported(replay)
    known = await games.known(ask.once)
    if known is not None:
        return known
    return await _fork(games, ask, await _source(log, live, wanted.at, replay), wanted)


def _player(ask: Ask) -> str:
    check_whole(ask.caller)
    return ask.caller.need(PLAY)


async def _source(log: Log, live: LiveGame, version: int | None, replay: str | None = None) -> _Source:
    meta = live.meta
    at = meta.version if version is None else version
    if not meta.started or not meta.started <= at <= meta.version:
        raise Problem("invalid", f"at: a version from {meta.started} (the start) to {meta.version}.")
    moment = await moment_at(log, live, at)
    if moment.state.outcome is not None:
        raise Problem("invalid", f"at: at version {at} the game is over; fork from an earlier one.")
    digest = (await log.read(meta.game, at - 1, at))[0].digest.hex()
    return _Source(kinds.Origin(meta.game, at, digest, replay), moment.state, meta.created, live.rules)


async def _fork(games: Games, ask: Ask, source: _Source, wanted: Fork) -> bytes:
    player, created, rules = _player(ask), source.created, source.rules
    plans = wanted.seats if wanted.seats is not None else ["me"] + ["bot:random"] * (created.seats - 1)
    if len(plans) != created.seats:
        raise Problem("invalid", f"seats: this game has {created.seats}.")
    visibility = created.visibility if wanted.visibility is None else wanted.visibility
    new = NewGame(ruleset=created.ruleset, seats=plans, name=wanted.name, visibility=visibility)
    check_words(games, new)
    seed = games.random.bytes(32)
    humans = sum(plan in (OPEN, ME) for plan in plans)
    forked = msgspec.structs.replace(
        created,
        undo="free" if humans <= 1 else "fair",
        visibility=visibility,
        name=wanted.name,
        creator=player,
        seed_commitment=commitment(seed),
        sandbox=True,
        origin=source.origin,
        clock=None,
        on_timeout=None,
        scenario=None,
    )
    async with games.places.turn(player):
        known = await games.known(ask.once)
        if known is not None:
            return known
        await games.places.check(player)
        making = Making(rules, games.new_id(), seed, games.now())
        making.add(Draft(details=forked, actor=player))
        for seat, plan in enumerate(plans):
            if plan != OPEN:
                brings = Join(wanted.entropy) if plan == ME else Join()
                making.add(joined(games, making.live, Sitting(seat, player if plan == ME else plan, player, brings)))
        if OPEN not in plans:
            start_game(making, player, source.position)
        return await games.commit(making, ask, secret=seed)
