"""The messages of the stream, by `type`, and its close codes. docs/stream.md shows each with an example.

What comes from clients is decoded strictly: another type, an unknown field or a wrong value is refused as a whole.
"""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Raw, Struct, structs

from games.kernel import encode
from games.kernel.messages import snake_case
from projections.clock import microseconds
from projections.clock_view import clocks_of
from projections.game import Meta
from server import decoding
from server.decoding import check_nesting
from server.frames import Frame
from server.problems import Problem

VIEW: Final = "view"
PATCH: Final = "patch"
EFFECTS: Final = "effects"

#: As an Idempotency-Key: printable ASCII without spaces.
Id = Annotated[str, msgspec.Meta(pattern=r"^[\x21-\x7e]{1,128}$")]
GameId = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Token = Annotated[str, msgspec.Meta(max_length=200)]
Version = Annotated[int, msgspec.Meta(ge=0)]
Seat = Annotated[int, msgspec.Meta(ge=0)] | Literal["spectator", "all"]


class FromClient(Struct, frozen=True, tag_field="type", tag=snake_case, forbid_unknown_fields=True, kw_only=True):
    """Base of what clients send. `id`, where there is one, comes back in the answer."""


class Hello(FromClient, frozen=True, kw_only=True):
    """Who is there, as the first message: a token, a ticket for one, or nothing for a spectator."""

    id: Id | None = None
    token: Token | None = None
    ticket: Token | None = None


class Subscribe(FromClient, frozen=True, kw_only=True):
    """Send all of a game behind version `after`, and what comes; without `after` the newest view first.

    `seat`: whose eyes; left out, the only own seat, else a spectator's. `labels`: whether events say in words what
    happened. `presence`: whether to tell who follows the game, now and whenever that changes.
    """

    game: GameId
    id: Id | None = None
    seat: Seat | None = None
    after: Version | None = None
    updates: Literal["view", "patch", "effects"] = EFFECTS
    labels: bool = True
    presence: bool = False


class Unsubscribe(FromClient, frozen=True, kw_only=True):
    """Send no more of a game (as this reader; of all readers, if `seat` is left out)."""

    game: GameId
    id: Id | None = None
    seat: Seat | None = None


class Act(FromClient, frozen=True, kw_only=True):
    """As POST /v1/games/{g}/actions with `id` as Idempotency-Key and `if_version` as If-Match."""

    id: Id
    game: GameId
    action: Raw
    seat: Annotated[int, msgspec.Meta(ge=0)] | None = None
    if_version: Version | Literal["*"] | None = None


class Ping(FromClient, frozen=True, kw_only=True):
    """Answered with `pong`."""

    id: Id | None = None


AnyFromClient = Hello | Subscribe | Unsubscribe | Act | Ping


class FromServer(Struct, frozen=True, tag_field="type", tag=snake_case, omit_defaults=True, kw_only=True):
    """Base of what the server sends, but for `event`, `snapshot` and `skipped`, which `telling` makes.

    `now`: the server's time; `frame` puts it in.
    """

    now: str = ""


class Welcome(FromServer, frozen=True, kw_only=True):
    """The answer to `hello`: who you are (no player: a spectator), and what holds on this socket."""

    id: str | None = None
    player: str | None
    heartbeat_s: float
    frame_bytes_max: int
    subscriptions_max: int


class Subscribed(FromServer, frozen=True, kw_only=True):
    """The answer to `subscribe`: events from `after` + 1 on follow (after the snapshot, if none was asked for).

    `clocks`: as they stand at `version`, the newest.
    """

    id: str | None = None
    game: str
    reader: int | str
    updates: str
    after: int
    version: int
    clocks: dict[str, Any] | None


class Present(FromServer, frozen=True, kw_only=True, tag="presence"):
    """Who follows a game: the seats whose holders do, and how many sockets of others."""

    game: str
    seats: list[int]
    spectators: int


class Unsubscribed(FromServer, frozen=True, kw_only=True):
    """No more of a game comes for this reader; with a `problem` if the server ended it."""

    id: str | None = None
    game: str
    reader: int | str
    problem: dict[str, Any] | None = None


class Accepted(FromServer, frozen=True, kw_only=True):
    """The action of this id was decided, and is durable as this version; sent again it is the same to the byte.

    `now`, `clocks`: when it was decided.
    """

    id: str
    game: str
    version: int
    digest: str
    clocks: dict[str, Any] | None


class Refused(FromServer, frozen=True, kw_only=True):
    """A message came to nothing, for this problem: the same as HTTP's."""

    id: str | None = None
    game: str | None = None
    problem: dict[str, Any]


class Pong(FromServer, frozen=True, kw_only=True):
    """The answer to `ping`. `at`: the same as `now`."""

    id: str | None = None
    at: str


class Closing(FromServer, frozen=True, kw_only=True):
    """The socket closes with this code; come again after `retry_after` seconds, or, without it, not as you came."""

    code: int
    reason: str
    retry_after: float | None = None


class Close(Struct, frozen=True):
    """A close code with its reason. `again`: reconnect and resume; otherwise something has to change before.

    `after_s`: not sooner than in so many seconds.
    """

    code: int
    reason: str
    again: bool
    after_s: int = 0


INTERNAL: Final = Close(1011, "Our mistake.", again=True)
RESTART: Final = Close(1012, "The server is stopping.", again=True)
SLOW: Final = Close(4008, "You read too slowly.", again=True)
CROWDED: Final = Close(4013, "The server has too many sockets.", again=True)
HASTY: Final = Close(4029, "Too much in too short a time.", again=True)
GARBAGE: Final = Close(4400, "Too many messages that are none.", again=False)
UNAUTHENTICATED: Final = Close(4401, "The token or ticket is unknown, revoked or used.", again=False)
SILENT: Final = Close(4408, "No message came in time.", again=False)
TOO_LARGE: Final = Close(4413, "A message was too large.", again=False)
TOO_MANY: Final = Close(4429, "You have too many sockets.", again=False)

#: Every code that the server closes with, as docs/stream.md lists them.
CLOSES: Final = (INTERNAL, RESTART, SLOW, CROWDED, HASTY, GARBAGE, UNAUTHENTICATED, SILENT, TOO_LARGE, TOO_MANY)


class _Named(Struct):
    id: Id | None = None


def decode(text: bytes, nesting_max: int) -> AnyFromClient:
    """A client's message.

    Raises:
        Problem: `invalid`.
    """
    check_nesting(text, nesting_max)
    kind: Any = AnyFromClient
    message: AnyFromClient = decoding.decode(text, kind)
    return message


def id_of(text: bytes) -> str | None:
    """The `id` of a message that is otherwise none, if it can be told."""
    try:
        return decoding.decode(text, _Named).id
    except Problem:
        return None


def accepted(id_: str, meta: Meta) -> Accepted:
    """That an action was decided, as the newest event of a game, with the clocks as they stood then."""
    now = meta.updated_at
    clocks = clocks_of(meta, microseconds(now))
    return Accepted(id=id_, now=now, game=meta.game, version=meta.version, digest=meta.digest.hex(), clocks=clocks)


def refused(problem: Problem, id_: str | None = None, game: str | None = None) -> Refused:
    """A problem as a message."""
    return Refused(id=id_, game=game, problem=document(problem))


def document(problem: Problem) -> dict[str, Any]:
    """A problem as it stands in messages: HTTP's, with the header Retry-After as a member."""
    retry_after = problem.headers.get("Retry-After")
    return problem.document() | ({"retry_after": int(retry_after)} if retry_after is not None else {})


def hasty(problem: Problem) -> Close:
    """The close of a socket that has met this `rate_limited` too often."""
    return structs.replace(HASTY, after_s=int(problem.headers["Retry-After"]))


def frame(message: FromServer, now: str) -> Frame:
    """A message ready to be sent at this time."""
    return Frame(encode(structs.replace(message, now=now)))
