"""The signed log: heads and keys, and proofs that events are in it and that it only grows (docs/audit.md)."""

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, to_builtins

from events.heads import Head
from events.logproof import key_lines
from events.notes import Note
from events.signed import SignedHead
from events.tree import TreeBroken
from server import shapes_log
from server.http import Answer, Call, Header, answer, cursor_of, etag, page_cursor
from server.log_proofs import prove
from server.operations import JSON, PUBLIC, Operation, operation
from server.problems import Problem
from server.reading import INVITE, Number, Paged, Query

TEXT: Final = "text/plain"
LATEST: Final = "latest"

_FOREVER: Final[Header] = (b"cache-control", b"public, max-age=31536000, immutable")


class ConsistencyQuery(Query, frozen=True):
    """The older size."""

    from_: Annotated[int, Meta(ge=1, le=2**53)] = msgspec.field(name="from")


class InclusionQuery(Query, frozen=True):
    """Which event (by default the last one that a head reaches to), and under the head of which size (the latest)."""

    version: Number | None = None
    size: Number | None = None


@operation(
    Operation(
        method="GET",
        path="/v1/heads",
        needs=PUBLIC,
        tag="signed log",
        query=Paged,
        answer=shapes_log.HeadPage,
    )
)
async def list_heads(request: Call) -> Answer:
    """Signed heads of the log, the newest first, and the public keys that signed them."""
    asked, signer = request.asked(Paged), request.services.signer
    limit, before = request.page_limit(asked.limit), _before(asked.cursor)
    found = await signer.heads.before(before, limit + 1)
    latest = found[0] if before is None and found else await signer.heads.latest()
    following = page_cursor(str(found[limit - 1].size)) if len(found) > limit else None
    told = {
        "signing": signer.off is None,
        "latest": None if latest is None else _told(latest),
        "keys": to_builtins(key_lines(await signer.heads.keyring())),
        "heads": [_told(head) for head in found[:limit]],
        "next": following,
    }
    links = [] if following is None else [request.link_next(cursor=following)]
    return answer(told, headers=[_for_a_while(request), *links])


@operation(
    Operation(
        method="GET",
        path="/v1/heads/{size:str}",
        needs=PUBLIC,
        tag="signed log",
        answer=shapes_log.SignedHead,
        media=(JSON, TEXT),
        problems=("not_found",),
    )
)
async def get_head(request: Call) -> Answer:
    """The signed head of a size, or the `latest`; as text/plain the signed note alone."""
    name, heads = request.text("size"), request.services.signer.heads
    head = await heads.latest() if name == LATEST else await heads.get(_size(name))
    if head is None:
        raise Problem("not_found", "There is no signed head of this size: GET /v1/heads lists them.")
    kept = _for_a_while(request) if name == LATEST else _FOREVER
    headers = [etag(head.size), kept, (b"vary", b"Accept")]
    if request.unchanged(f'"{head.size}"'):
        return Answer(status=304, headers=headers)
    if request.media() == TEXT:
        return Answer(head.note.encode(), media=f"{TEXT}; charset=utf-8", headers=headers)
    return answer(_told(head), headers=headers)


@operation(
    Operation(
        method="GET",
        path="/v1/heads/{size:str}/consistency",
        needs=PUBLIC,
        tag="signed log",
        query=ConsistencyQuery,
        answer=shapes_log.ConsistencyProof,
        problems=("not_found",),
    )
)
async def get_consistency(request: Call) -> Answer:
    """The proof that the log of this size goes on from that of an older one, from 1 to the size of the latest head."""
    old, new = request.asked(ConsistencyQuery).from_, _size(request.text("size"))
    signer = request.services.signer
    latest = await signer.heads.latest()
    if latest is None or new > latest.size:
        raise Problem("not_found", f"The latest signed head is of {0 if latest is None else latest.size} events.")
    if old > new:
        raise Problem("invalid", f"from: a size from 1 to {new}.")
    try:
        hashes = await signer.tree.consistency(old, new)
    except TreeBroken as error:
        raise _broken() from error
    told = {"old": old, "new": new, "hashes": [one.hex() for one in hashes]}
    return answer(told, headers=[_FOREVER])


@operation(
    Operation(
        method="GET",
        path="/v1/games/{game:str}/inclusion",
        needs=PUBLIC,
        tag="signed log",
        query=InclusionQuery,
        answer=shapes_log.InclusionProof,
        invite=True,
        problems=("not_found",),
    )
)
async def get_inclusion(request: Call) -> Answer:
    """The proof that an event of the game is in the signed log. It tells digests alone, nothing that is hidden."""
    asked, services, game = request.asked(InclusionQuery), request.services, request.text("game")
    caller = await request.caller()
    invited = await services.records.invited(request.headers.get(INVITE), game)
    async with services.games.seen(game, caller, invited=invited) as seen:
        newest = seen.live.meta.version
    if asked.version is not None and not 0 < asked.version <= newest:
        raise Problem("not_found", f"There is no version {asked.version}: the game is at version {newest}.")
    heads = services.signer.heads
    head = await heads.latest() if asked.size is None else await heads.get(asked.size)
    if head is None:
        raise Problem("not_found", "There is no such signed head: GET /v1/heads lists them.")
    try:
        proved = await prove(services.signer, game, asked.version or newest, head)
    except TreeBroken as error:
        raise _broken() from error
    if proved is None or (asked.version is not None and proved.place.version < asked.version):
        raise Problem("not_found", f"The head of {head.size} events does not reach to this version of the game.")
    place, proof = proved.place, to_builtins(proved.proof)
    told = {"game": game, "digest": place.digest.hex(), "size": head.size, **proof}
    headers = [(b"cache-control", b"private, no-cache"), (b"vary", b"Authorization")]
    return answer(told, headers=[etag(f"{place.version}-{head.size}"), *headers])


def _told(head: SignedHead) -> dict[str, Any]:
    root = Head.parse(Note.parse(head.note).text).root
    return {"size": head.size, "root": root.hex(), "note": head.note, "at": head.at}


def _for_a_while(request: Call) -> Header:
    return (b"cache-control", b"public, max-age=%d" % max(0, request.services.settings.head_interval_s))


def _size(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 15 and not text.startswith("0")):
        raise Problem("not_found", "A head is named by its size, from 1 on, or `latest`.")
    return int(text)


def _before(cursor: str | None) -> int | None:
    """The size that a cursor stands for."""
    text = cursor_of(cursor)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 15):
        raise Problem("invalid", "cursor: take it from `next` of the page before.")
    return int(text)


def _broken() -> Problem:
    return Problem("unavailable", "The log is not as it was signed: no proof can be given. Tell who runs this server.")


HANDLERS = [list_heads, get_head, get_consistency, get_inclusion]
