"""What HTTP would do around the commands: who asks, under which key, and how it is answered."""

from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from games.kernel import encode
from projections.clock import microseconds
from projections.clock_view import clocks_of, proposal_of
from server.access import reader_of, seats_of
from server.agreements import OwnSeat, Propose, Vote, propose, vacation, vote, withdraw_proposal
from server.answers import Audience, acted_answer, pending_decisions, request_of, summary, view_answer
from server.asks import Ask, Once
from server.auth import unauthenticated
from server.creating import NewGame, create
from server.faults import problem_of
from server.playing import Act, act, resign
from server.reading import written
from server.rewinding import Answer, RewindWish, answer, rewind, withdraw
from server.seating import Join, begin_now, join
from server.substitutes import Claim, Offer, claim, offer, take_over
from server.talk import say


class Request(Struct, frozen=True, kw_only=True):
    """A request as a client makes it. `do`: the command; `of`: the request to rewind or the proposal that is meant."""

    do: str
    token: str
    game: str = ""
    key: str | None = None
    if_version: int | str | None = None
    body: dict[str, Any] = {}
    of: str = ""

    @property
    def digest(self):
        """What its key stands for: everything but who asks and the version."""
        return sha256(encode((self.do, self.game, self.of, self.body))).digest()


class Reply(Struct, frozen=True):
    """What came back: `code` is that of the problem, or empty; `body` is the answer, or the problem's document."""

    code: str
    body: bytes

    @property
    def told(self):
        """The body, decoded."""
        return msgspec.json.decode(self.body)


#: What says nothing of what became of the request.
UNSETTLED = ("unavailable", "internal", "rate_limited")


async def serve(services, request):
    """The reply of a node to a request."""
    try:
        return Reply("", await _served(services, request))
    except Exception as error:
        problem = problem_of(error)
        if problem.code == "internal":
            raise
        return Reply(problem.code, encode(problem.document()))


async def _served(services, request):
    caller = await services.records.caller(request.token)
    if caller is None:
        raise unauthenticated("This token is unknown or was revoked.")
    if request.do == "look":
        return await _look(services, caller, request)
    once = None
    if request.key is not None:
        once = Once(caller.player, request.key, request.digest)
        await services.records.known(once)
    summarised = request.do in ("create", "join", "begin", "offer", "take_over")
    # What comes of an act, in words, takes longer to make than all the rest: some get it, by their key.
    acted = request.do != "say" and request.key.endswith(("0", "5"))
    respond = _summary if summarised else _acted(services, caller, request.body.get("seat")) if acted else _written
    return await _commanded(services.games, Ask(caller, respond, once, request.if_version), request)


async def _commanded(games, ask, request):
    body, game = request.body, request.game
    match request.do:
        case "create":
            work = create(games, ask, msgspec.convert(body, NewGame))
        case "join":
            work = join(games, ask, game, body["seat"], Join(bot=body.get("bot")))
        case "begin":
            work = begin_now(games, ask, game, body["fill"])
        case "act":
            work = act(games, ask, game, msgspec.convert(body, Act))
        case "resign":
            work = resign(games, ask, game, body.get("seat"))
        case "say":
            work = say(games, ask, game, body.get("seat"), body["words"])
        case "undo" | "redo":
            work = rewind(games, ask, game, msgspec.convert(body, RewindWish), redo=request.do == "redo")
        case "answer":
            work = answer(games, ask, game, request.of, msgspec.convert(body, Answer))
        case "withdraw":
            work = withdraw(games, ask, game, request.of)
        case _:
            work = _together(games, ask, request)
    return await games.run(work)


def _together(games, ask, request):
    """Commands by which people agree, are away, and sit down for each other."""
    body, game, seat = request.body, request.game, request.body.get("seat")
    match request.do:
        case "propose":
            return propose(games, ask, game, msgspec.convert(body, Propose))
        case "vote":
            return vote(games, ask, game, request.of, msgspec.convert(body, Vote))
        case "withdraw_proposal":
            return withdraw_proposal(games, ask, game, request.of)
        case "vacation":
            return vacation(games, ask, game, OwnSeat(seat), back=body["back"])
        case "claim":
            return claim(games, ask, game, Claim(body["of"], seat))
        case "offer":
            return offer(games, ask, game, seat, Offer(body["to"]))
        case "take_over":
            return take_over(games, ask, game, seat)
    raise LookupError(request.do)


async def _look(services, caller, request):
    """The view and the decisions, as GET …/view and …/actions give them."""
    wanted = request.body.get("seat")
    async with services.games.seen(request.game, caller, wanted) as seen:
        live, reader = seen.live, reader_of(caller, seen.live.meta, wanted)
        own = tuple(n for n in seen.own if n == reader)
        texts = services.catalogue.of_game(live).texts.get("en", {})
        told = view_answer(live, reader)
        told |= {"status": live.meta.status, "request": request_of(live), "digest": live.meta.digest.hex()}
        told |= {"proposal": proposal_of(live.meta.proposal), "clocks": clocks_of(live.meta, microseconds(seen.now))}
        told["decisions"] = pending_decisions(live, Audience(reader, own, texts, 100))
        return encode(told)


def _summary(live, events):
    return encode(summary(live))


def _written(live, events):
    return encode(written(live))


def _acted(services, caller, seat):
    def respond(live, events):
        own = seats_of(caller, live.meta)
        texts = services.catalogue.of_game(live).texts.get("en", {})
        audience = Audience(own[0] if seat is None else seat, tuple(own), texts, 100)
        return encode(acted_answer(live, events, audience))

    return respond
