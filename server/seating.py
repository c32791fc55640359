"""Making games, taking seats and starting: everything before the first decision."""

from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from games.dice import Dice, commitment, game_key
from games.kernel import State, start, start_at
from projections import kinds
from projections.game import LiveGame, Moment, setting_of
from projections.history import moment_at
from projections.time_control import Clock, OnTimeout, Policies, Policy
from server.access import PLAY, Caller, check_bounds, check_known, check_whole
from server.asks import Ask
from server.bot_names import PREFIX, bots_told, is_bot
from server.catalogue import InvalidSettingError, UnknownRulesetError, setting
from server.commands import Games
from server.making import Draft, Making
from server.overtaken import decided_again
from server.problems import Problem
from server.scenario import check_scenario
from server.settling import last
from server.timing import checked_policy

OPEN, ME = "open", "me"


class NewGame(Struct, frozen=True, forbid_unknown_fields=True):
    """What a game is made of (the body of POST /v1/games)."""

    ruleset: str
    seats: list[str]
    pack: str | None = None
    options: dict[str, Any] = {}
    undo: str | None = None
    visibility: str = "public"
    spectators: bool = True
    name: str = ""
    entropy: str = ""
    setup: Any = None
    clock: Clock | None = None
    on_timeout: OnTimeout | Policy | None = None
    policies: Policies | None = None
    spectator_delay_s: int = 0
    seed: str | None = None
    scenario: kinds.Scenario | None = None


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player brings to a seat (the body of POST …/seats/{n}); `bot` puts a bot there instead."""

    entropy: str = ""
    setup: Any = None
    bot: str | None = None
    invite: str | None = None


class Sitting(Struct, frozen=True):
    """Who sits down where, put there by whom, bringing what."""

    seat: int
    player: str
    actor: str
    brings: Join = Join()


async def create(games: Games, ask: Ask, new: NewGame) -> bytes:
    """Make a game; if all its seats are taken at once, it starts at once.

    Raises:
        Problem: `invalid`, `not_supported`, `unauthenticated`, `not_allowed`, `rate_limited`.
    """
    player = ask.caller.need(PLAY)
    check_whole(ask.caller)
    async with games.places.turn(player):
        known = await games.known(ask.once)
        if known is not None:
            return known
        if new.ruleset in games.catalogue and games.catalogue[new.ruleset].rules.shelf.find(new.pack) is None:
            await games.fetch_packs()  # it may have been given to another node
        created, seed = _created(games, player, new)
        await games.places.check(player)
        making = Making(games.catalogue[new.ruleset].rules, games.new_id(), seed, games.now())
        making.add(Draft(details=created, actor=player, key=ask.key))
        for seat, plan in enumerate(new.seats):
            if plan != OPEN:
                brings = Join(new.entropy, new.setup) if plan == ME else Join()
                making.add(joined(games, making.live, Sitting(seat, player if plan == ME else plan, player, brings)))
        if OPEN not in new.seats:
            await start_game(games, making, player)
        return await games.commit(making, ask, secret=seed)


def _created(games: Games, player: str, new: NewGame) -> tuple[kinds.Created, bytes]:
    check_words(games, new)
    on_timeout = checked_policy(new.clock, new.on_timeout, len(new.seats), games.settings)
    scenario = new.scenario
    options = {**(scenario.options or {} if scenario else {}), **new.options}
    try:
        entry = games.catalogue[new.ruleset]
        made = setting(entry, len(new.seats), options, new.pack or (scenario.pack if scenario else None))
    except UnknownRulesetError as error:
        raise Problem("invalid", f"ruleset: {error}.") from error
    except InvalidSettingError as error:
        raise Problem("invalid", f"{error}.") from error
    humans = sum(plan in (OPEN, ME) for plan in new.seats)
    seed = games.random.bytes(32) if new.seed is None else sha256(b"turnlog seed " + new.seed.encode()).digest()
    created = kinds.Created(
        ruleset=new.ruleset,
        pack=made.pack,
        seats=made.seats,
        options=msgspec.to_builtins(made.options),
        undo=new.undo or ("free" if humans <= 1 else "fair"),
        visibility=new.visibility,
        spectators=new.spectators,
        name=new.name,
        creator=player,
        seed_commitment=commitment(seed),
        sandbox=new.seed is not None or scenario is not None,
        scenario=scenario,
        clock=new.clock,
        on_timeout=on_timeout,
        policies=new.policies,
        spectator_delay_s=new.spectator_delay_s,
    )
    if scenario is not None:
        check_scenario(games.catalogue[created.ruleset], created, scenario)
    return created, seed


def check_words(games: Games, new: NewGame) -> None:
    """Refuse seat plans, policies and names that are none."""
    for plan in new.seats:
        bot = plan.startswith(PREFIX) and is_bot(plan.removeprefix(PREFIX), games.settings)
        if plan not in (OPEN, ME) and not bot:
            raise Problem("invalid", f"seats: {plan!r} is none of open, me, {bots_told(games.settings)}.")
    if new.undo not in (None, "free", "fair", "off"):
        raise Problem("invalid", "undo: free, fair or off.")
    if new.visibility not in ("public", "unlisted", "private"):
        raise Problem("invalid", "visibility: public, unlisted or private.")
    if len(new.name) > games.settings.name_chars_max or not new.name.isprintable():
        raise Problem("invalid", f"name: at most {games.settings.name_chars_max} printable characters.")
    if not 0 <= new.spectator_delay_s <= games.settings.spectator_delay_max_s:
        raise Problem("invalid", f"spectator_delay_s: 0 to {games.settings.spectator_delay_max_s} seconds.")
    if new.seed is not None and len(new.seed) > games.settings.name_chars_max:
        raise Problem("invalid", f"seed: at most {games.settings.name_chars_max} characters.")


def joined(games: Games, live: LiveGame, sitting: Sitting) -> Draft:
    """The draft of a seat taken, with what its player brings."""
    limit = games.settings.entropy_bytes_max
    try:
        entropy = bytes.fromhex(sitting.brings.entropy)
    except ValueError:
        raise Problem("invalid", "entropy: bytes in hexadecimal.") from None
    if len(entropy) > limit:
        raise Problem("invalid", f"entropy: at most {limit} bytes.")
    if sitting.brings.setup is not None:
        try:
            setting(
                games.catalogue[live.rules.id],
                live.meta.created.seats,
                live.meta.created.options,
                live.meta.created.pack,
                {str(sitting.seat): sitting.brings.setup},
            )
        except InvalidSettingError as error:
            raise Problem("invalid", f"{error}.") from error
    details = kinds.Joined(seat=sitting.seat, player=sitting.player, entropy=entropy.hex(), setup=sitting.brings.setup)
    return Draft(details=details, actor=sitting.actor, seat=sitting.seat)


@decided_again
async def join(
    games: Games,
    ask: Ask,
    game: str,
    seat: int,
    brings: Join,
) -> bytes:
    """Take a free seat, or put a bot on it (the creator); the last one starts the game.

    Raises:
        Problem: `not_found`, `seat_taken`, `already_started`, `invalid`, `not_allowed`, `rate_limited`.
    """
    async with games.places.turn(ask.actor), games.game(game) as live:
        check_known(ask.caller, live.meta, invited=ask.invited)
        player = ask.caller.need(PLAY)
        check_bounds(ask.caller, seat if brings.bot is None else None)
        known = await games.known(ask.once)
        if known is not None:
            return known
        _check_joinable(games, ask.caller, live, Sitting(seat, player, player, brings))
        await games.places.check(player, game)
        making = await games.making(live)
        if brings.bot is not None:
            making.add(joined(games, live, Sitting(seat, f"{PREFIX}{brings.bot}", player)))
        else:
            making.add(joined(games, live, Sitting(seat, player, player, brings)))
        if all(taken.player is not None for taken in live.meta.seats):
            await start_game(games, making, player)
        return await games.commit(making, ask)


def _check_joinable(games: Games, caller: Caller, live: LiveGame, wanted: Sitting) -> None:
    meta, seat, bot = live.meta, wanted.seat, wanted.brings.bot
    if meta.status != "open":
        raise Problem("already_started", "The game has started: seats can no longer be taken.")
    if not 0 <= seat < meta.created.seats:
        raise Problem("not_found", f"There is no seat {seat}: this game has seats 0 to {meta.created.seats - 1}.")
    if meta.seats[seat].player is not None:
        raise Problem("seat_taken", f"Seat {seat} is taken.")
    if bot is None:
        return
    if not is_bot(bot, games.settings):
        raise Problem("invalid", f"bot: there is {bots_told(games.settings)}.")
    if caller.player != meta.created.creator:
        raise Problem("not_allowed", "Only who made the game puts bots on its seats.")


@decided_again
async def leave(games: Games, ask: Ask, game: str, seat: int) -> bytes:
    """Give a seat back before the start; the creator may also send away a bot.

    Raises:
        Problem: `not_found`, `not_allowed`, `already_started`.
    """
    player = ask.caller.need(PLAY)
    # Who has left a private game knows of it no more, but may repeat the request. A key used for something else is
    # refused before the game is looked for: what is said of it may not tell whether the game is there.
    known = await games.known(ask.once)
    async with games.game(game) as live:
        meta = live.meta
        known = known or await games.known(ask.once)
        if known is not None:
            return known
        check_known(ask.caller, meta)
        check_bounds(ask.caller, seat)
        if meta.status != "open":
            raise Problem("already_started", "The game has started: resign instead.")
        holder = meta.seats[seat].player if 0 <= seat < len(meta.seats) else None
        if holder is None:
            raise Problem("not_found", f"Nobody sits on seat {seat}.")
        if holder != player and not (holder.startswith(PREFIX) and player == meta.created.creator):
            raise Problem("not_allowed", f"Seat {seat} is not yours.")
        making = await games.making(live)
        making.add(Draft(details=kinds.Left(seat), actor=player, seat=seat))
        return await games.commit(making, ask)


@decided_again
async def begin_now(games: Games, ask: Ask, game: str, fill: str | None) -> bytes:
    """Start a game whose seats are not all taken: the creator has the free ones filled with bots.

    Raises:
        Problem: `not_found`, `not_allowed`, `already_started`, `invalid`.
    """
    async with games.game(game) as live:
        meta = live.meta
        check_known(ask.caller, meta)
        player = ask.caller.need(PLAY)
        check_bounds(ask.caller)
        known = await games.known(ask.once)
        if known is not None:
            return known
        if player != meta.created.creator:
            raise Problem("not_allowed", "Only who made the game starts it before all seats are taken.")
        if meta.status != "open":
            raise Problem("already_started", "The game has started.")
        if fill is None or not is_bot(fill.removeprefix(PREFIX), games.settings):
            raise Problem("invalid", f"fill: free seats must be filled with one of {bots_told(games.settings)}.")
        making = await games.making(live)
        for seat, taken in enumerate(meta.seats):
            if taken.player is None:
                making.add(joined(games, live, Sitting(seat, f"{PREFIX}{fill.removeprefix(PREFIX)}", player)))
        await start_game(games, making, player)
        return await games.commit(making, ask)


async def start_game(games: Games, making: Making, actor: str) -> None:
    """Make the set-up (or load the scenario, or the forked position) up to the first decision."""
    live = making.live
    meta, rules = live.meta, live.rules
    made = setting_of(rules, meta)
    state = rules.initial(made)
    scenario = meta.created.scenario
    script = scenario.script if scenario is not None else None
    dice = Dice(game_key(making.seed, [bytes.fromhex(seat.entropy) for seat in meta.seats]), meta.draws, script)
    live.moment = Moment(state)
    position: State | None = None
    if meta.created.origin is not None:
        position = await _position_of_origin(games, meta.created.origin)
    elif scenario is not None and scenario.places:
        position = rules.position.load(scenario.state or {}, made, scenario.base)
    decided = start(rules, state, made, dice) if position is None else start_at(rules, state, position, dice)
    making.add(Draft(details=kinds.Started(), actor=actor, decided=decided, dice=dice))
    if state.outcome is not None:
        making.add(last(making))


async def _position_of_origin(games: Games, origin: kinds.Origin) -> State:
    if origin.replay is not None:
        log, replayed = await games.imported(origin.replay)
        moment = await moment_at(log, replayed, origin.version)
    else:
        async with games.game(origin.game) as source:
            moment = await moment_at(games.store, source, origin.version)
    state: State = moment.state
    return state
