"""Players: signing up, and who somebody is."""

from msgspec import Struct

from server import shapes_beside
from server.access import ORGANISE, PLAY, WATCH
from server.http import Answer, Call, answer
from server.limits.budgets import SIGN_UPS
from server.operations import PUBLIC, SIGNED_UP, Operation, operation
from server.problems import Problem
from server.records import Player
from server.routes.owed import owed

#: What the first token of everybody allows.
SIGN_UP_SCOPES = (WATCH, PLAY, ORGANISE)


class SignUp(Struct, frozen=True, forbid_unknown_fields=True):
    """A guest, or with a name a named player. Names need not be unique."""

    name: str = ""


@operation(
    Operation(
        method="POST",
        path="/v1/players",
        needs=PUBLIC,
        tag="players",
        body=SignUp,
        answer=shapes_beside.SignedUp,
        status=201,
        key=True,
        problems=("already_done",),
        example={"name": "Ada"},
        budget=SIGN_UPS,
    )
)
async def sign_up(request: Call) -> Answer:
    """Sign up as a guest or named player; the answer has the first token, told this once."""
    wanted = await request.decoded(SignUp)
    limit = request.services.settings.name_chars_max
    if len(wanted.name) > limit or not wanted.name.isprintable():
        raise Problem("invalid", f"name: at most {limit} printable characters.")
    once = await request.once_beside()
    player, token = await request.services.records.sign_up(wanted.name, SIGN_UP_SCOPES, once)
    told = {"player": player.id, "name": player.name, "token": token, "scopes": list(SIGN_UP_SCOPES)}
    return answer(told, 201, [(b"location", f"/v1/players/{player.id}".encode())])


@operation(
    Operation(
        method="GET",
        path="/v1/players/{player:str}",
        needs=PUBLIC,
        tag="players",
        answer=shapes_beside.Player,
        problems=("not_found",),
    )
)
async def get_player(request: Call) -> Answer:
    """Who a player is."""
    return answer(_told(await _found(request, request.text("player"))))


@operation(Operation(method="GET", path="/v1/me", needs=SIGNED_UP, tag="players", answer=shapes_beside.Me))
async def get_me(request: Call) -> Answer:
    """Who the caller is, and what the token allows."""
    caller = await request.caller()
    player = await _found(request, caller.player or "")
    scopes = sorted(caller.scopes)
    narrowed = {"scopes": scopes, "game": caller.game, "seat": caller.seat, "token": caller.token}
    return answer(_told(player) | narrowed)


async def _found(request: Call, player: str) -> Player:
    found = await request.services.records.player(player)
    if found is None:
        raise Problem("not_found", "There is no such player.")
    return found


def _told(player: Player) -> dict[str, object]:
    return {"player": player.id, "name": player.name, "created_at": player.created_at}


HANDLERS = [sign_up, get_player, get_me, owed]
