"""What the caller owes in all games."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from msgspec import Meta

from projections.clock import microseconds
from projections.clock_view import proposal_of
from projections.lobby import Search
from server import shapes_beside
from server.access import Caller, seats_of
from server.answers import Audience, pending_decisions, request_of
from server.http import Answer, Call, answer
from server.operations import SIGNED_UP, Operation, operation
from server.problems import Problem
from server.reading import Query

#: What is owed, by kind.
Found = dict[str, list[dict[str, Any]]]


class OwedQuery(Query, frozen=True):
    """How many decisions at most."""

    limit: Annotated[int, Meta(ge=1)] | None = None


@operation(
    Operation(
        method="GET",
        path="/v1/me/decisions",
        needs=SIGNED_UP,
        tag="players",
        query=OwedQuery,
        answer=shapes_beside.Owed,
    )
)
async def owed(request: Call) -> Answer:
    """What the caller owes in all games: decisions (without actions), the earliest deadline first, and answers."""
    settings = request.services.settings
    limit = min(request.asked(OwedQuery).limit or settings.page_items, settings.page_items_max)
    caller = await request.caller()
    found: Found = {"decisions": [], "requests": [], "proposals": []}
    async for game in _running(request, caller):
        try:
            await _collect(request, caller, game, found)
        except Problem:
            continue  # the list was a moment older than the game
    found["decisions"].sort(key=_urgency)
    return answer({name: some[:limit] for name, some in found.items()} | {"total": len(found["decisions"])})


def _urgency(owed: dict[str, Any]) -> tuple[bool, str, str, str, int]:
    """Deadlines first, the earliest before all; then what has waited longest."""
    decision = owed["decision"]
    deadline = decision["deadline"]
    return deadline is None, deadline or "", decision["since"], owed["game"], decision["seat"]


async def _running(request: Call, caller: Caller) -> AsyncIterator[str]:
    services, cursor, seen = request.services, None, 0
    search = Search(caller.player, microseconds(services.games.now()), player=caller.player, status="running")
    while seen < services.settings.open_games_per_player_max:
        games, cursor = await services.lobby.search(search, limit=services.settings.page_items_max, cursor=cursor)
        for game in games:
            yield game["game"]
        seen += len(games)
        if cursor is None:
            return


async def _collect(request: Call, caller: Caller, game: str, found: Found) -> None:
    services = request.services
    async with services.games.game(game) as live:
        own = tuple(seats_of(caller, live.meta))
        if not own:
            return
        meta = live.meta
        where = {"game": game, "name": meta.created.name, "ruleset": live.rules.id, "version": meta.version}
        audience = Audience(own[0], own, request.texts(services.catalogue.of_game(live)), 0)
        for decision in pending_decisions(live, audience):
            if decision["owes"] and decision["seat"] in own:
                del decision["actions"]
                found["decisions"].append(where | {"decision": decision})
        if meta.request is not None and set(own) & set(meta.request.asked):
            found["requests"].append(where | {"request": request_of(live)})
        if meta.proposal is not None and set(own) & set(meta.proposal.asked):
            found["proposals"].append(where | {"proposal": proposal_of(meta.proposal)})
