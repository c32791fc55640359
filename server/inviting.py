"""Invitations: a code that lets its holder see a private game and take a seat of it."""

from typing import Any

from events.store import StoreFailed, StoreFull
from projections import kinds
from server.access import PLAY, check_bounds, check_known
from server.asks import Ask
from server.commands import Games
from server.making import Draft
from server.overtaken import decided_again
from server.problems import Problem
from server.records import Records


@decided_again
async def invite(games: Games, records: Records, ask: Ask, game: str) -> dict[str, Any]:
    """Make an invitation: who made the game may, before it starts. The log has its id, never its code.

    Its code is made for what is in the log: of a request that comes twice at once, or is decided again, there is one.

    Raises:
        Problem: `not_found`, `not_allowed`, `already_started`, `already_done` (the code is not kept),
            `rate_limited`.
    """
    async with games.game(game) as live:
        meta = live.meta
        check_known(ask.caller, meta)
        player = ask.caller.need(PLAY)
        check_bounds(ask.caller)
        if await games.known(ask.once) is not None:
            raise _already_done()
        if player != meta.created.creator:
            raise Problem("not_allowed", "Only who made the game invites to it.")
        if meta.status != "open":
            raise Problem("already_started", "The game has started: there is no seat left to take.")
        most = games.settings.invites_per_game_max
        await records.check_invites(game, most)
        making, made = await games.making(live), games.new_id()
        making.add(Draft(details=kinds.Invited(made), actor=player, key=ask.key))
        await games.commit(making, ask)
        if not games.is_live(live):
            raise _already_done()  # by another node, at this moment
        try:
            code = await records.add_invite(made, game, player, most)
        except (StoreFull, StoreFailed, Problem) as error:  # the key is used up, so that the same again gives no code
            raise _already_done() from error
        return {"id": made, "game": game, "code": code}


def _already_done() -> Problem:
    return Problem("already_done", "This invitation was made; its code is not kept. Make another, with a new key.")
