"""HTTP as turnlog speaks it: what a request says, decoded strictly, and answers that are bytes."""

import base64
import binascii
import re
from collections.abc import AsyncIterator, Iterable
from hashlib import sha256
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl, urlencode

import msgspec
from litestar.connection import Request
from litestar.exceptions import InternalServerException
from litestar.types import Receive, Scope, Send

from games.kernel import encode
from games.kernel.say import Texts
from server.access import Caller
from server.asks import Ask, IfVersion, Once, Respond
from server.auth import caller_in
from server.catalogue import Entry
from server.decoding import check_nesting, convert, decode
from server.negotiation import best_language, best_media
from server.operations import JSON, NDJSON, Operation
from server.problems import Problem
from server.services import Services

T = TypeVar("T")
Header = tuple[bytes, bytes]

#: More query parameters than any operation has.
QUERY_FIELDS_MAX: Final = 30

_KEY = re.compile(r"[\x21-\x7e]{1,128}")
_VERSION = re.compile(r'"([0-9]{1,15})"|([0-9]{1,15})')


class Call(Request[Any, Any, Any]):
    """A request, with what every route asks of it."""

    @property
    def services(self) -> Services:
        """All parts of the server."""
        services: Services = self.app.state.services
        return services

    @property
    def operation(self) -> Operation:
        """What the route was declared with."""
        declared: Operation = self.route_handler.opt["operation"]
        return declared

    async def caller(self) -> Caller:
        """Who is asking.

        Raises:
            Problem: `unauthenticated` for a token that is none.
        """
        return await caller_in(self)

    def text(self, name: str) -> str:
        """A parameter of the path."""
        return str(self.path_params[name])

    def number(self, name: str) -> int:
        """A parameter of the path that is a small number.

        Raises:
            Problem: `not_found`: under no other name is there anything.
        """
        text = self.text(name)
        if not (text.isascii() and text.isdecimal() and len(text) <= 9):
            raise Problem("not_found", f"{name}: a number is expected, not {text[:40]!r}.")
        return int(text)

    def asked(self, kind: type[T]) -> T:
        """The query, decoded; an unknown or repeated parameter is refused.

        Raises:
            Problem: `invalid`.
        """
        raw = self.scope["query_string"]
        if not raw:
            return convert({}, kind)
        try:
            pairs = parse_qsl(raw.decode("latin-1"), keep_blank_values=True, max_num_fields=QUERY_FIELDS_MAX)
        except ValueError as error:
            raise Problem("invalid", f"At most {QUERY_FIELDS_MAX} query parameters.") from error
        given = dict(pairs)
        if len(given) != len(pairs):
            raise Problem("invalid", "A query parameter is given twice.")
        return convert(given, kind)

    async def bytes(self) -> bytes:
        """The body.

        Raises:
            Problem: `payload_too_large` (by way of Litestar), `invalid` if the client went away while sending.
        """
        try:
            return await self.body()
        except InternalServerException as error:
            raise Problem("invalid", "The request ended before its body did.") from error

    async def decoded(self, kind: type[T]) -> T:
        """The JSON body as `kind`; an empty body is an empty object.

        Raises:
            Problem: `unsupported_media_type`, `payload_too_large`, `invalid`.
        """
        body = await self.bytes()
        if body:
            self.check_content(JSON)
        check_nesting(body, self.services.settings.nesting_max)
        return decode(body or b"{}", kind)

    def check_content(self, *media: str) -> None:
        """Refuse a body that says it is something else.

        Raises:
            Problem: `unsupported_media_type`.
        """
        said = self.headers.get("content-type")
        if said is not None and said.partition(";")[0].strip().lower() not in media:
            sentence = f"The body must be {media[0]}: send the header Content-Type: {media[0]}."
            raise Problem("unsupported_media_type", sentence, headers={"Accept-Post": ", ".join(media)})

    def media(self) -> str:
        """What to answer with, of what the operation offers.

        Raises:
            Problem: `not_acceptable`.
        """
        return best_media(self.headers.get("accept"), self.operation.media)

    def texts(self, entry: Entry) -> Texts:
        """The texts of a ruleset in the language that the client likes best."""
        return entry.texts.get(best_language(self.headers.get("accept-language"), tuple(entry.texts)), {})

    def if_match(self) -> IfVersion:
        """The version that an action was decided on: a number, "*", or None if it is not said.

        Raises:
            Problem: `invalid`.
        """
        said = self.headers.get("if-match")
        if said is None or said.strip() == "*":
            return said and "*"
        match = _VERSION.fullmatch(said.strip())
        if match is None:
            raise Problem("invalid", f'If-Match: one version, as in "42", or *; not {said[:40]!r}.')
        return int(match[1] or match[2])

    def unchanged(self, etag: str) -> bool:
        """Whether the client has this very answer already (If-None-Match)."""
        said = self.headers.get("if-none-match")
        return said is not None and etag in (tag.strip().removeprefix("W/") for tag in said.split(","))

    async def once(self) -> Once | None:
        """The Idempotency-Key of the request, with the hash of what it is for.

        Raises:
            Problem: `invalid` for a key that is none.
        """
        key = self.headers.get("idempotency-key")
        if key is None:
            return None
        if not _KEY.fullmatch(key):
            raise Problem("invalid", "Idempotency-Key: 1 to 128 printable ASCII characters without spaces.")
        caller = await self.caller()
        head = f"{self.method} {self.scope['path']}?".encode() + self.scope["query_string"] + b"\0"
        return Once(caller.player or "anonymous", key, sha256(head + await self.bytes() + caller.bounds).digest())

    async def once_beside(self) -> Once | None:
        """As `once`, for what is kept beside the log: the key must not be one of a command on a game.

        Raises:
            Problem: `invalid`, `key_reused`.
        """
        once = await self.once()
        await self.services.games.known(once)
        return once

    async def ask(self, respond: Respond, *, invited: bool = False) -> Ask:
        """What a command is asked."""
        once = await self.once()
        await self.services.records.known(once)  # the key must not be one of what is kept beside the log
        return Ask(await self.caller(), respond, once, self.if_match(), invited, self.texts)

    def page_limit(self, wanted: int | None) -> int:
        """How many items a page has."""
        settings = self.services.settings
        return min(wanted or settings.page_items, settings.page_items_max)

    def link_next(self, **parameters: str | int) -> Header:
        """The Link header that leads to the next page: this request, with these parameters."""
        given = dict(parse_qsl(self.scope["query_string"].decode("latin-1"), keep_blank_values=True))
        query = urlencode(given | {name: str(value) for name, value in parameters.items()})
        return (b"link", f'<{self.scope["path"]}?{query}>; rel="next"'.encode("latin-1", "replace"))


class Answer:
    """A response whose body is bytes already."""

    __slots__ = ("body", "headers", "status")

    def __init__(self, body: bytes = b"", status: int = 200, media: str = JSON, headers: Iterable[Header] = ()) -> None:
        self.body = body
        self.status = status
        self.headers: list[Header] = [*headers]
        if status not in (204, 304):
            self.headers += [(b"content-type", media.encode()), (b"content-length", str(len(body)).encode())]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


class Streamed(Answer):
    """A response that is made while it is sent."""

    __slots__ = ("parts",)

    def __init__(self, parts: AsyncIterator[bytes], media: str, headers: Iterable[Header] = ()) -> None:
        super().__init__(headers=headers, status=204)
        self.status = 200
        self.headers.append((b"content-type", media.encode()))
        self.parts = parts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, part by part."""
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        async for part in self.parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def answer(told: Any, status: int = 200, headers: Iterable[Header] = ()) -> Answer:
    """An answer in JSON."""
    return Answer(encode(told), status, headers=headers)


def etag(version: int | str) -> Header:
    """The ETag of a version (or of a digest)."""
    return (b"etag", f'"{version}"'.encode())


def versioned(call: Call, told: dict[str, Any], version: int) -> Answer:
    """The answer to a GET of something that a game's version names, or 304 if the client has it."""
    headers = [etag(version), (b"cache-control", b"private, no-cache"), (b"vary", b"Authorization, Accept-Language")]
    if call.unchanged(f'"{version}"'):
        return Answer(status=304, headers=headers)
    return answer(told, headers=headers)


class _Versioned(msgspec.Struct):
    game: str
    version: int


_version_decoder = msgspec.json.Decoder(_Versioned)


def commanded(body: bytes, status: int = 201, *, location: bool = False) -> Answer:
    """The answer to a command: its bytes as they were kept, with the version that they tell as ETag."""
    told = _version_decoder.decode(body)
    where = [(b"location", f"/v1/games/{told.game}".encode())] if location else []
    return Answer(body, status, headers=[etag(told.version), *where])


def page(call: Call, name: str, items: list[Any], following: str | None) -> Answer:
    """One page of a list: `{name: [...], "next": cursor or null}`, with a Link header; or NDJSON, with that alone."""
    cursor = None if following is None else page_cursor(following)
    headers = [] if cursor is None else [call.link_next(cursor=cursor)]
    if call.media() == NDJSON:
        return Answer(ndjson(items), media=NDJSON, headers=headers)
    return answer({name: items, "next": cursor}, headers=headers)


def page_cursor(following: str) -> str:
    """The cursor that stands for where the next page goes on."""
    return base64.urlsafe_b64encode(following.encode()).decode().rstrip("=")


def cursor_of(text: str | None) -> str | None:
    """What a cursor of `page` stands for.

    Raises:
        Problem: `invalid`.
    """
    if text is None:
        return None
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError) as error:
        raise Problem("invalid", "cursor: take it from `next` of the page before.") from error


def ndjson(items: Iterable[Any]) -> bytes:
    """One line of JSON for each item."""
    return b"".join(encode(item) + b"\n" for item in items)
