"""The catalogue: rulesets and their content packs."""

from hashlib import sha256

from games.content import ContentError
from server import shapes_beside
from server.access import ADMIN
from server.catalogue import Entry, UnknownRulesetError
from server.decoding import check_nesting
from server.describing import ruleset_document, ruleset_line
from server.http import Answer, Call, Header, answer, etag
from server.operations import JSON, PUBLIC, Operation, operation
from server.problems import Problem

_FOREVER: Header = (b"cache-control", b"public, max-age=31536000, immutable")
_ASK_AGAIN: Header = (b"cache-control", b"public, no-cache")


@operation(
    Operation(method="GET", path="/v1/rulesets", needs=PUBLIC, tag="catalogue", answer=shapes_beside.RulesetList)
)
async def list_rulesets(request: Call) -> Answer:
    """Every ruleset that games can be made of."""
    return answer({"rulesets": [ruleset_line(entry) for entry in request.services.catalogue.values()]})


@operation(
    Operation(
        method="GET",
        path="/v1/rulesets/{ruleset:str}",
        needs=PUBLIC,
        tag="catalogue",
        answer=shapes_beside.Ruleset,
        problems=("not_found",),
    )
)
async def get_ruleset(request: Call) -> Answer:
    """All about a ruleset: seats, options, packs, rules, texts, and JSON Schemas of everything in it."""
    document = ruleset_document(_entry(request))
    return _immutable(request, document, sha256(document).hexdigest(), _ASK_AGAIN)


@operation(
    Operation(
        method="GET",
        path="/v1/rulesets/{ruleset:str}/content/{pack:str}",
        needs=PUBLIC,
        tag="catalogue",
        answer=dict,
        problems=("not_found",),
    )
)
async def get_pack(request: Call) -> Answer:
    """The exact bytes of a content pack, by name or SHA-256; the ETag is the SHA-256."""
    shelf, wanted = _entry(request).rules.shelf, request.text("pack")
    if shelf.find(wanted) is None:
        await request.services.fetch_packs()  # it may have been given to another node
    digest = shelf.find(wanted)
    if digest is None:
        raise Problem("not_found", "There is no such content pack.")
    return _immutable(request, shelf.source(digest), digest, _FOREVER if wanted == digest else _ASK_AGAIN)


@operation(
    Operation(
        method="PUT",
        path="/v1/rulesets/{ruleset:str}/content/{pack:str}",
        needs=ADMIN,
        tag="catalogue",
        body=dict,
        body_limit="pack_bytes_max",
        answer=shapes_beside.Pack,
        status=201,
        problems=("not_found",),
    )
)
async def put_pack(request: Call) -> Answer:
    """Add a content pack under its SHA-256. Packs never change and are never taken away."""
    entry, services, caller = _entry(request), request.services, await request.caller()
    source = await request.bytes()
    request.check_content(JSON)
    check_nesting(source, services.settings.nesting_max)
    digest = sha256(source).hexdigest()
    if request.text("pack") != digest:
        raise Problem("invalid", f"The body has the SHA-256 {digest}: put it under this name.")
    try:
        entry.rules.shelf.read(source)
    except ContentError as error:
        raise Problem("invalid", f"This is no content pack of {entry.rules.id}: {error}.") from error
    await services.records.add_pack(entry.rules.id, digest, source, caller.player or "")
    entry.rules.shelf.add(source)  # only now: what is on the shelf may be in the next game
    name = next((name for name, known in entry.rules.shelf.names.items() if known == digest), None)
    return answer({"name": name, "digest": digest, "bytes": len(source)}, 201)


def _entry(request: Call) -> Entry:
    try:
        return request.services.catalogue[request.text("ruleset")]
    except UnknownRulesetError as error:
        raise Problem("not_found", f"{str(error).capitalize()}.") from error


def _immutable(request: Call, body: bytes, digest: str, caching: Header) -> Answer:
    headers = [etag(digest), caching]
    if request.unchanged(f'"{digest}"'):
        return Answer(status=304, headers=headers)
    return Answer(body, headers=headers)


HANDLERS = [list_rulesets, get_ruleset, get_pack, put_pack]
