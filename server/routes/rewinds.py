"""Undo and redo: requests, answers, withdrawals."""

from server import shapes
from server.access import PLAY
from server.http import Answer, Call, commanded
from server.operations import Operation, operation
from server.reading import ask_acting
from server.rewinding import Answer as Consent
from server.rewinding import RewindWish, answer, rewind, withdraw

_REWIND = ("not_found", "undo_refused", "undo_open", "not_started", "game_over", "game_paused")


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/undo",
        needs=PLAY,
        tag="undo",
        body=RewindWish,
        answer=shapes.Acted,
        status=201,
        key=True,
        version=True,
        problems=_REWIND,
        example={"seat": 0, "to": 3},
    )
)
async def undo(request: Call) -> Answer:
    """Go back to a version, by default to before the seat's newest action; others may have to consent."""
    return await _rewind(request, redo=False)


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/redo",
        needs=PLAY,
        tag="undo",
        body=RewindWish,
        answer=shapes.Acted,
        status=201,
        key=True,
        version=True,
        problems=_REWIND,
        example={"seat": 0},
    )
)
async def redo(request: Call) -> Answer:
    """Go to a version that was left, by default to where the newest rewind came from."""
    return await _rewind(request, redo=True)


async def _rewind(request: Call, *, redo: bool) -> Answer:
    wish = await request.decoded(RewindWish)
    games = request.services.games
    ask = await ask_acting(request, wish.seat)
    return commanded(await games.run(rewind(games, ask, request.text("game"), wish, redo=redo)))


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/undo/{request_id:str}/answer",
        needs=PLAY,
        tag="undo",
        body=Consent,
        answer=shapes.Acted,
        status=201,
        key=True,
        problems=("not_found",),
        example={"accept": True},
    )
)
async def answer_undo(request: Call) -> Answer:
    """Accept or refuse a request to rewind. The last consent carries it out."""
    given = await request.decoded(Consent)
    games = request.services.games
    ask = await ask_acting(request, given.seat)
    body = await games.run(answer(games, ask, request.text("game"), request.text("request_id"), given))
    return commanded(body)


@operation(
    Operation(
        method="DELETE",
        path="/v1/games/{game:str}/undo/{request_id:str}",
        needs=PLAY,
        tag="undo",
        answer=shapes.Acted,
        key=True,
        problems=("not_found",),
    )
)
async def withdraw_undo(request: Call) -> Answer:
    """Take back a request to rewind."""
    games = request.services.games
    ask = await ask_acting(request, None)
    body = await games.run(withdraw(games, ask, request.text("game"), request.text("request_id")))
    return commanded(body, 200)


HANDLERS = [undo, redo, answer_undo, withdraw_undo]
