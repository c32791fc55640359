"""Taking seats, giving them back and starting: what happens between a game's making and its first decision."""

from typing import Any

from msgspec import Struct

from games.dice import Dice, game_key
from games.kernel import State, start, start_at
from projections import kinds
from projections.game import LiveGame, Moment, setting_of
from projections.history import moment_at
from server.access import PLAY, Caller, check_bounds, check_known
from server.asks import Ask
from server.bot_names import PREFIX, bots_told, is_bot
from server.catalogue import InvalidSettingError, setting
from server.commands import Games
from server.making import Draft, Making
from server.overtaken import decided_again
from server.problems import Problem
from server.settling import last


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
        fills = all(taken.player is not None for n, taken in enumerate(live.meta.seats) if n != seat)
        position = await _position_of_origin(games, live) if fills else None
        making = await games.making(live)
        if brings.bot is not None:
            making.add(joined(games, live, Sitting(seat, f"{PREFIX}{brings.bot}", player)))
        else:
            making.add(joined(games, live, Sitting(seat, player, player, brings)))
        if fills:
            start_game(making, player, position)
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
        position = await _position_of_origin(games, live)
        making = await games.making(live)
        for seat, taken in enumerate(meta.seats):
            if taken.player is None:
                making.add(joined(games, live, Sitting(seat, f"{PREFIX}{fill.removeprefix(PREFIX)}", player)))
        start_game(making, player, position)
        return await games.commit(making, ask)


def start_game(making: Making, actor: str, position: State | None = None) -> None:
    """Make the set-up (or load the scenario, or go on from the forked position) up to the first decision.

    It asks for nothing that may be refused: the game has been changed already.
    """
    live = making.live
    meta, rules = live.meta, live.rules
    made = setting_of(rules, meta)
    state = rules.initial(made)
    scenario = meta.created.scenario
    script = scenario.script if scenario is not None else None
    dice = Dice(game_key(making.seed, [bytes.fromhex(seat.entropy) for seat in meta.seats]), meta.draws, script)
    live.moment = Moment(state)
    if position is None and scenario is not None and scenario.places:
        position = rules.position.load(scenario.state or {}, made, scenario.base)
    decided = start(rules, state, made, dice) if position is None else start_at(rules, state, position, dice)
    making.add(Draft(details=kinds.Started(), actor=actor, decided=decided, dice=dice))
    if state.outcome is not None:
        making.add(last(making))


async def _position_of_origin(games: Games, live: LiveGame) -> State | None:
    """The position that a fork starts from; None: the game is no fork."""
    origin = live.meta.created.origin
    if origin is None:
        return None
    if origin.replay is not None:
        log, replayed = await games.imported(origin.replay)
        moment = await moment_at(log, replayed, origin.version)
    else:
        async with games.game(origin.game) as source:
            moment = await moment_at(games.store, source, origin.version)
    state: State = moment.state
    return state
