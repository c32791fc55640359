"""Tokens: made by their player, never allowing more than the token that makes them; listed; revoked."""

from typing import Any

from msgspec import Struct, to_builtins

from events.store import StoreFailed
from server import shapes_beside
from server.access import ADMIN, SCOPES, Caller, check_known, check_whole
from server.http import Answer, Call, answer, cursor_of, page
from server.operations import SIGNED_UP, Operation, operation
from server.problems import Problem
from server.reading import Paged
from server.records import Grant, Token
from server.services import REVOKED


class TokenWish(Struct, frozen=True, forbid_unknown_fields=True):
    """What the new token allows: by default as much as the caller's; `seat` is one of `game`."""

    scopes: tuple[str, ...] | None = None
    game: str | None = None
    seat: int | None = None
    label: str = ""


@operation(
    Operation(
        method="POST",
        path="/v1/tokens",
        needs=SIGNED_UP,
        tag="tokens",
        body=TokenWish,
        answer=shapes_beside.NewToken,
        status=201,
        key=True,
        problems=("not_found", "already_done"),
        example={"scopes": ["watch"], "label": "wall screen"},
    )
)
async def make_token(request: Call) -> Answer:
    """Make a token with these scopes, perhaps for one game or seat only; its secret is told this once."""
    caller = await request.caller()
    wanted = await request.decoded(TokenWish)
    once = await request.once_beside()
    grant = await _grant(request, caller, wanted)
    services, most = request.services, request.services.settings.tokens_per_player_max
    token, secret = await services.records.add_token(caller.player or "", grant, once, most=most)
    return answer(_told(token) | {"token": secret}, 201)


async def _grant(request: Call, caller: Caller, wanted: TokenWish) -> Grant:
    check_whole(caller)
    limit = request.services.settings.name_chars_max
    if len(wanted.label) > limit or not wanted.label.isprintable():
        raise Problem("invalid", f"label: at most {limit} printable characters.")
    scopes = tuple(sorted(caller.scopes)) if wanted.scopes is None else tuple(dict.fromkeys(wanted.scopes))
    if not scopes or not set(scopes) <= set(SCOPES):
        raise Problem("invalid", f"scopes: one or more of {', '.join(SCOPES)}.")
    if not set(scopes) <= caller.scopes and ADMIN not in caller.scopes:
        raise Problem("not_allowed", f"This token allows {', '.join(sorted(caller.scopes))}, so it can give no more.")
    if wanted.game is None:
        if wanted.seat is not None:
            raise Problem("invalid", "seat: only together with `game`.")
    else:
        async with request.services.games.game(wanted.game) as live:
            check_known(caller, live.meta)
            if wanted.seat is not None and not 0 <= wanted.seat < live.meta.created.seats:
                raise Problem("invalid", f"seat: this game has seats 0 to {live.meta.created.seats - 1}.")
    return Grant(scopes, wanted.game, wanted.seat, wanted.label)


@operation(
    Operation(
        method="GET", path="/v1/tokens", needs=SIGNED_UP, tag="tokens", query=Paged, answer=shapes_beside.TokenPage
    )
)
async def list_tokens(request: Call) -> Answer:
    """The caller's tokens, revoked ones too, without their secrets."""
    caller = await request.caller()
    check_whole(caller)
    asked = request.asked(Paged)
    limit = request.page_limit(asked.limit)
    found = await request.services.records.tokens(caller.player or "", cursor_of(asked.cursor) or "", limit + 1)
    following = found[limit - 1].id if len(found) > limit else None
    return page(request, "tokens", [_told(token) for token in found[:limit]], following)


@operation(
    Operation(
        method="DELETE",
        path="/v1/tokens/{token:str}",
        needs=SIGNED_UP,
        tag="tokens",
        status=204,
        problems=("not_found",),
    )
)
async def revoke_token(request: Call) -> Answer:
    """Revoke a token at once: the caller's own, or another of the same player that allows no more than it."""
    caller, wanted, records = await request.caller(), request.text("token"), request.services.records
    player = caller.player or ""
    if wanted != caller.token:
        check_whole(caller)
    token = await records.token(player, wanted)
    if token is None:
        raise _none_to_revoke()
    if wanted != caller.token and not set(token.scopes) <= caller.scopes and ADMIN not in caller.scopes:
        raise Problem("not_allowed", "That token allows more than this one, so this one cannot revoke it.")
    try:
        stood = await records.revoke(player, wanted)
    except StoreFailed:
        _tell(request, wanted)  # it may be written, and whoever asked wants it gone: no socket of it is to go on
        raise
    _tell(request, wanted)  # also if it stood no more: who revoked it may not have come so far
    if not stood:
        raise _none_to_revoke()
    return Answer(status=204)


def _tell(request: Call, revoked: str) -> None:
    request.services.feed.tell(REVOKED, revoked.encode())  # on all nodes


def _none_to_revoke() -> Problem:
    return Problem("not_found", "You have no such token, or it is revoked already.")


def _told(token: Token) -> dict[str, Any]:
    told: dict[str, Any] = to_builtins(token)
    del told["player"]
    return told


HANDLERS = [make_token, list_tokens, revoke_token]
