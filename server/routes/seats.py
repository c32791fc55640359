"""Seats: taking and leaving them, invitations, and starting before all are taken."""

from msgspec import Struct

from server import shapes, shapes_beside
from server.access import PLAY
from server.http import Answer, Call, answer, commanded
from server.inviting import invite
from server.operations import Operation, operation
from server.reading import INVITE, ask_summary, ask_written
from server.seating import Join, begin_now, join, leave


class Start(Struct, frozen=True, forbid_unknown_fields=True):
    """Who takes the free seats: `bot:random`."""

    fill: str | None = None


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/seats/{seat:str}",
        needs=PLAY,
        tag="seats",
        body=Join,
        answer=shapes.Game,
        status=201,
        key=True,
        invite=True,
        problems=("not_found", "seat_taken", "already_started"),
        example={"entropy": "c0ffee"},
    )
)
async def take_seat(request: Call) -> Answer:
    """Take a free seat, or as the game's maker put a bot there. The last one starts the game."""
    brings = await request.decoded(Join)
    games, game = request.services.games, request.text("game")
    code = brings.invite or request.headers.get(INVITE)
    ask = await ask_summary(request, invited=await request.services.records.invited(code, game))
    return commanded(await games.run(join(games, ask, game, request.number("seat"), brings)))


@operation(
    Operation(
        method="DELETE",
        path="/v1/games/{game:str}/seats/{seat:str}",
        needs=PLAY,
        tag="seats",
        answer=shapes.Game,
        key=True,
        problems=("not_found", "already_started"),
    )
)
async def leave_seat(request: Call) -> Answer:
    """Give a seat back before the start, or as the game's maker send a bot away."""
    games = request.services.games
    ask = await ask_summary(request)
    return commanded(await games.run(leave(games, ask, request.text("game"), request.number("seat"))), 200)


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/start",
        needs=PLAY,
        tag="seats",
        body=Start,
        answer=shapes.Game,
        status=201,
        key=True,
        problems=("not_found", "already_started"),
        example={"fill": "bot:random"},
    )
)
async def start_game(request: Call) -> Answer:
    """Start now: the free seats are filled with bots. Only who made the game may."""
    wanted = await request.decoded(Start)
    games = request.services.games
    return commanded(await games.run(begin_now(games, await ask_summary(request), request.text("game"), wanted.fill)))


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/invites",
        needs=PLAY,
        tag="seats",
        answer=shapes_beside.Invite,
        status=201,
        key=True,
        problems=("not_found", "already_started", "already_done"),
    )
)
async def make_invite(request: Call) -> Answer:
    """Make an invitation; its code is told this once. Its holder can see the game and take a seat."""
    services = request.services
    ask = await ask_written(request)
    return answer(await services.games.run(invite(services.games, services.records, ask, request.text("game"))), 201)


HANDLERS = [take_seat, leave_seat, start_game, make_invite]
