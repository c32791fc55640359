"""Games: making, listing, looking at one; proofs and forks."""

from typing import Literal

from projections.clock import microseconds
from projections.lobby import Search
from server import shapes
from server.access import PLAY
from server.answers import summary
from server.creating import NewGame, create
from server.forking import Fork, fork
from server.http import Answer, Call, commanded, cursor_of, page, versioned
from server.operations import JSON, NDJSON, PUBLIC, Operation, operation
from server.reading import INVITE, Paged, ReaderQuery, ask_summary, reading


class GamesQuery(Paged, frozen=True):
    """Which games: every condition given. `text` is a part of the name."""

    status: Literal["open", "running", "ended"] | None = None
    ruleset: str | None = None
    player: str | None = None
    open_seats: bool | None = None
    text: str | None = None


@operation(
    Operation(
        method="POST",
        path="/v1/games",
        needs=PLAY,
        tag="games",
        body=NewGame,
        answer=shapes.Game,
        status=201,
        key=True,
        problems=("not_supported",),
        example={"ruleset": "tpoc", "seats": ["me", "bot:random", "bot:random", "bot:random"], "name": "First try"},
    )
)
async def make_game(request: Call) -> Answer:
    """Make a game. If no seat is left open, it starts at once. A `seed` or a `scenario` makes it a sandbox."""
    new = await request.decoded(NewGame)
    games = request.services.games
    body = await games.run(create(games, await ask_summary(request), new))
    return commanded(body, location=True)


@operation(
    Operation(
        method="GET",
        path="/v1/games",
        needs=PUBLIC,
        tag="games",
        query=GamesQuery,
        answer=shapes.GamePage,
        media=(JSON, NDJSON),
    )
)
async def list_games(request: Call) -> Answer:
    """Games, newest first: public ones, and those that the caller made or plays in."""
    asked, caller = request.asked(GamesQuery), await request.caller()
    viewer = caller.player if caller.game is None else None
    now_us = microseconds(request.services.games.now())
    search = Search(viewer, now_us, asked.status, asked.ruleset, asked.player, asked.open_seats, asked.text)
    limit = request.page_limit(asked.limit)
    found, following = await request.services.lobby.search(search, limit=limit, cursor=cursor_of(asked.cursor))
    return page(request, "games", found, following)


@operation(
    Operation(
        method="GET",
        path="/v1/games/{game:str}",
        needs=PUBLIC,
        tag="games",
        answer=shapes.Game,
        invite=True,
        problems=("not_found",),
    )
)
async def get_game(request: Call) -> Answer:
    """All about a game but its state. A private one is shown to its players and to who has an invitation."""
    caller, services, game = await request.caller(), request.services, request.text("game")
    invited = await services.records.invited(request.headers.get(INVITE), game)
    async with services.games.seen(game, caller, invited=invited) as seen:
        return versioned(request, summary(seen.live, seen.now), seen.live.meta.version)


@operation(
    Operation(
        method="GET",
        path="/v1/games/{game:str}/proof",
        needs=PUBLIC,
        tag="games",
        query=ReaderQuery,
        answer=shapes.Proof,
        problems=("not_found", "not_allowed"),
    )
)
async def get_proof(request: Call) -> Answer:
    """What the dice and the log can be checked with: digest, seed commitment, entropies; the seed after the end."""
    async with reading(request, request.asked(ReaderQuery).seat) as seen:
        meta = seen.live.meta
        told = {
            "game": meta.game,
            "version": meta.version,
            "digest": meta.digest.hex(),
            "seed_commitment": meta.created.seed_commitment,
            "seed": meta.seed or None,
            "entropies": [seat.entropy for seat in meta.seats],
        }
        return versioned(request, told, meta.version)


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/fork",
        needs=PLAY,
        tag="games",
        body=Fork,
        answer=shapes.Game,
        status=201,
        key=True,
        problems=("not_found",),
        example={"at": 12},
    )
)
async def fork_game(request: Call) -> Answer:
    """Make a new game that goes on from a version of this one: of an own sandbox, or after the end."""
    wanted = await request.decoded(Fork)
    games = request.services.games
    body = await games.run(fork(games, await ask_summary(request), request.text("game"), wanted))
    return commanded(body, location=True)


HANDLERS = [make_game, list_games, get_game, get_proof, fork_game]
