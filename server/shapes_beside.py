"""The shapes of answers about all but games: players, tokens, the catalogue, results, replays, health, problems."""

from typing import Any

from msgspec import Struct

from server.shape import Shape
from server.shapes import Decision, Event, OpenProposal, Outcome, UndoRequest


class SignedUp(Shape):
    """A new player. The token is told this once."""

    player: str
    name: str
    token: str
    scopes: list[str]


class Player(Shape):
    """A player."""

    player: str
    name: str
    created_at: str


class Me(Shape):
    """The caller, and what the token allows."""

    player: str
    name: str
    created_at: str
    scopes: list[str]
    game: str | None
    seat: int | None
    token: str


class Token(Shape):
    """All about a token but the secret."""

    id: str
    scopes: list[str]
    game: str | None
    seat: int | None
    label: str
    created_at: str
    revoked_at: str | None


class NewToken(Token):
    """A token just made. The secret is told this once."""

    token: str


class NewTicket(Shape):
    """A ticket just made: good for one `hello` on a WebSocket until `expires_at`."""

    ticket: str
    expires_at: str


class TokenPage(Shape):
    """A page of tokens."""

    tokens: list[Token]
    next: str | None


class OwedDecision(Shape):
    """A decision that the caller owes, and in which game."""

    game: str
    name: str
    ruleset: str
    version: int
    decision: Decision


class OwedAnswer(Shape):
    """A request to rewind that waits for the caller."""

    game: str
    name: str
    ruleset: str
    version: int
    request: UndoRequest


class OwedVote(Shape):
    """A proposal that waits for the caller."""

    game: str
    name: str
    ruleset: str
    version: int
    proposal: OpenProposal


class Owed(Shape):
    """All that the caller owes, at most `limit` of each; decisions by their deadlines, then by age, of `total`."""

    decisions: list[OwedDecision]
    requests: list[OwedAnswer]
    proposals: list[OwedVote]
    total: int


class Invite(Shape):
    """An invitation. The code is told this once."""

    id: str
    game: str
    code: str


class Pack(Shape):
    """A content pack by name and SHA-256."""

    name: str | None
    digest: str
    bytes: int


class Seats(Shape):
    """How many seats a ruleset takes."""

    min: int
    max: int


class Rule(Shape):
    """A rule of the rulebook."""

    id: str
    text: str
    kind: str


class RulesetLine(Shape):
    """A ruleset in the list."""

    ruleset: str
    title: str
    version: int
    seats: Seats


class RulesetList(Shape):
    """All rulesets."""

    rulesets: list[RulesetLine]


class Ruleset(RulesetLine):
    """All that a client needs of a ruleset, JSON Schemas among it."""

    bots: list[str]
    packs: list[Pack]
    rules: list[Rule]
    schemas: dict[str, Any]
    texts: dict[str, dict[str, str]]


class Result(Shape):
    """The result of a game."""

    game: str
    ruleset: str
    rules: str
    pack: str
    options: dict[str, Any]
    name: str
    ended_at: str
    players: list[str]
    winners: list[int]
    scores: list[int]
    places: list[int]
    reason: str
    assisted: bool
    version: int
    digest: str


class ResultPage(Shape):
    """A page of results."""

    results: list[Result]
    next: str | None


class Imported(Shape):
    """A replay that was verified and kept."""

    replay: str
    game: str
    ruleset: str
    version: int
    digest: str
    outcome: Outcome | None


class ReplayEvents(Shape):
    """Events of a replay; `next` is what to give as `after` for more."""

    replay: str
    version: int
    events: list[Event]
    next: int | None


class ReplayView(Shape):
    """The state of a replay at a version."""

    replay: str
    version: int
    reader: int | str
    view: dict[str, Any] | None


class Health(Shape):
    """How the server is."""

    status: str
    checks: dict[str, bool] | None = None


class ProblemDocument(Struct, frozen=True, kw_only=True):
    """An error (RFC 9457). `code` never changes its meaning; further members by code."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    rule: str | None = None
    reason: str | None = None
    menu: list[str] | None = None
    version: int | None = None
    missed: list[Event] | None = None
