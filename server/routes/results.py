"""The result log."""

import csv
import io
from typing import Any, Final

from projections.clock import microseconds
from projections.lobby import Search
from server import shapes_beside
from server.http import Answer, Call, cursor_of, page
from server.operations import CSV, JSON, NDJSON, PUBLIC, Operation, operation
from server.reading import Paged

#: The columns of the table; lists are joined by spaces, by seat.
_COLUMNS: Final = (
    "game", "ruleset", "rules", "pack", "ended_at", "reason", "assisted", "version", "digest",
    "players", "winners", "scores", "places",
)  # fmt: skip


class ResultsQuery(Paged, frozen=True):
    """Which results: every condition given."""

    ruleset: str | None = None
    player: str | None = None


@operation(
    Operation(
        method="GET",
        path="/v1/results",
        needs=PUBLIC,
        tag="results",
        query=ResultsQuery,
        answer=shapes_beside.ResultPage,
        media=(JSON, NDJSON, CSV),
    )
)
async def list_results(request: Call) -> Answer:
    """Results of games, newest game first. Sandbox games are not in it."""
    asked = request.asked(ResultsQuery)
    return await _results(request, asked, asked.ruleset, asked.player)


@operation(
    Operation(
        method="GET",
        path="/v1/players/{player:str}/results",
        needs=PUBLIC,
        tag="results",
        query=Paged,
        answer=shapes_beside.ResultPage,
        media=(JSON, NDJSON, CSV),
    )
)
async def list_player_results(request: Call) -> Answer:
    """Results of a player's games, newest game first."""
    return await _results(request, request.asked(Paged), None, request.text("player"))


async def _results(request: Call, asked: Paged, ruleset: str | None, player: str | None) -> Answer:
    caller = await request.caller()
    viewer = caller.player if caller.game is None else None
    search = Search(viewer, microseconds(request.services.games.now()), ruleset=ruleset, player=player)
    limit = request.page_limit(asked.limit)
    found, following = await request.services.results.search(search, limit=limit, cursor=cursor_of(asked.cursor))
    told = page(request, "results", found, following)
    if request.media() != CSV:
        return told
    links = [header for header in told.headers if header[0] == b"link"]
    return Answer(_table(found), media=f"{CSV}; charset=utf-8", headers=links)


def _table(results: list[dict[str, Any]]) -> bytes:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\r\n")  # RFC 4180
    rows.writerow(_COLUMNS)
    for result in results:
        rows.writerow([_cell(result[name]) for name in _COLUMNS])
    return text.getvalue().encode()


def _cell(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


HANDLERS = [list_results, list_player_results]
