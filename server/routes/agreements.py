"""What players decide together, their vacations, and what is done about those who are missing."""

from server import shapes
from server.access import PLAY
from server.agreements import OwnSeat, Propose, Vote, propose, vacation, vote, withdraw_proposal
from server.http import Answer, Call, commanded
from server.operations import Operation, operation
from server.reading import INVITE, ask_acting, ask_summary
from server.substitutes import Claim, Offer, claim, offer, take_over

_RUNNING = ("not_found", "not_started", "game_over")


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/proposals",
        needs=PLAY,
        tag="agreements",
        body=Propose,
        answer=shapes.Game,
        status=201,
        key=True,
        problems=(*_RUNNING, "undo_open", "proposal_open", "proposal_refused"),
        example={"what": "pause"},
    )
)
async def propose_it(request: Call) -> Answer:
    """Propose to pause the game, to go on, or to end it without winners. It is done when enough have agreed."""
    wanted = await request.decoded(Propose)
    games = request.services.games
    return commanded(await games.run(propose(games, await ask_summary(request), request.text("game"), wanted)))


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/proposals/{proposal_id:str}/answer",
        needs=PLAY,
        tag="agreements",
        body=Vote,
        answer=shapes.Game,
        status=201,
        key=True,
        problems=("not_found",),
        example={"accept": True},
    )
)
async def answer_proposal(request: Call) -> Answer:
    """Agree to a proposal or not."""
    given = await request.decoded(Vote)
    games = request.services.games
    work = vote(games, await ask_summary(request), request.text("game"), request.text("proposal_id"), given)
    return commanded(await games.run(work))


@operation(
    Operation(
        method="DELETE",
        path="/v1/games/{game:str}/proposals/{proposal_id:str}",
        needs=PLAY,
        tag="agreements",
        answer=shapes.Game,
        key=True,
        problems=("not_found",),
    )
)
async def withdraw_proposed(request: Call) -> Answer:
    """Take back a proposal."""
    games = request.services.games
    work = withdraw_proposal(games, await ask_summary(request), request.text("game"), request.text("proposal_id"))
    return commanded(await games.run(work), 200)


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/vacation",
        needs=PLAY,
        tag="agreements",
        body=OwnSeat,
        answer=shapes.Game,
        status=201,
        key=True,
        problems=(*_RUNNING, "proposal_refused"),
        example={"seat": 0},
    )
)
async def leave_clock(request: Call) -> Answer:
    """Stop the own clock, out of the seat's budget of vacation. The game goes on; the seat may act."""
    return await _vacation(request, back=False)


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/vacation/end",
        needs=PLAY,
        tag="agreements",
        body=OwnSeat,
        answer=shapes.Game,
        status=201,
        key=True,
        problems=(*_RUNNING, "proposal_refused"),
        example={"seat": 0},
    )
)
async def return_to_clock(request: Call) -> Answer:
    """Let the own clock run again."""
    return await _vacation(request, back=True)


async def _vacation(request: Call, *, back: bool) -> Answer:
    wanted = await request.decoded(OwnSeat)
    games = request.services.games
    work = vacation(games, await ask_summary(request), request.text("game"), wanted, back=back)
    return commanded(await games.run(work))


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/claims",
        needs=PLAY,
        tag="agreements",
        body=Claim,
        answer=shapes.Acted,
        status=201,
        key=True,
        problems=(*_RUNNING, "not_overdue", "game_paused", "undo_open", "scenario_mismatch"),
        example={"seat": 1},
    )
)
async def claim_timeout(request: Call) -> Answer:
    """Say that another player's seat is out of time: what `on_timeout` says is done (`remind`: the default answer)."""
    wanted = await request.decoded(Claim)
    games = request.services.games
    work = claim(games, await ask_acting(request, wanted.by), request.text("game"), wanted)
    return commanded(await games.run(work))


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/seats/{seat:str}/offer",
        needs=PLAY,
        tag="seats",
        body=Offer,
        answer=shapes.Game,
        status=201,
        key=True,
        problems=(*_RUNNING, "not_overdue"),
        example={},
    )
)
async def offer_seat(request: Call) -> Answer:
    """Offer a seat of a running game to a substitute: one's own, or as maker or operator a missing player's."""
    wanted = await request.decoded(Offer)
    games, ask = request.services.games, await ask_summary(request)
    work = offer(games, ask, request.text("game"), request.number("seat"), wanted)
    return commanded(await games.run(work))


@operation(
    Operation(
        method="POST",
        path="/v1/games/{game:str}/seats/{seat:str}/substitute",
        needs=PLAY,
        tag="seats",
        answer=shapes.Game,
        status=201,
        key=True,
        invite=True,
        problems=_RUNNING,
    )
)
async def substitute(request: Call) -> Answer:
    """Sit down on a seat that is offered, or on one's own again; what it knows and owes comes along."""
    services, game = request.services, request.text("game")
    invited = await services.records.invited(request.headers.get(INVITE), game)
    ask = await ask_summary(request, invited=invited)
    work = take_over(services.games, ask, game, request.number("seat"))
    return commanded(await services.games.run(work))


HANDLERS = [
    propose_it,
    answer_proposal,
    withdraw_proposed,
    leave_clock,
    return_to_clock,
    claim_timeout,
    offer_seat,
    substitute,
]
