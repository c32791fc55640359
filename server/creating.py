"""Making games: what a new one is made of, and whether it can be."""

from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from games.dice import commitment
from projections import kinds
from projections.time_control import Clock, OnTimeout, Policies, Policy
from server.access import PLAY, check_whole
from server.asks import Ask
from server.bot_names import PREFIX, bots_told, is_bot
from server.catalogue import InvalidSettingError, UnknownRulesetError, setting
from server.commands import Games
from server.making import Draft, Making
from server.problems import Problem
from server.scenario import check_scenario
from server.seating import Join, Sitting, joined, start_game
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
            start_game(making, player)
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
