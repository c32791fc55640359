"""The shapes of answers, for the documentation; the tests hold every answer to them."""

from typing import Any

from projections.time_control import Clock, OnTimeout, Policies
from server.shape import Shape
from server.shapes_of_time import Clocks


class Label(Shape):
    """What something says: a key with its arguments, and the text in the language asked for."""

    key: str
    args: dict[str, Any]
    text: str | None = None


class LegalAction(Shape, kw_only=True):
    """An action to post back as it stands, with its label, the rule it rests on and the ruleset's notes."""

    action: dict[str, Any]
    label: Label | None = None
    rule: str
    notes: dict[str, Any]


class Decision(Shape):
    """A decision that a seat owes (`owes`) or may answer. Own ones have menu, default, total and actions."""

    seat: int
    step: str
    owes: bool
    sealed: bool
    since: str
    opened_at: int
    deadline: str | None
    on_timeout: str
    label: Label
    text: str
    facts: dict[str, Any]
    default: dict[str, Any] | None = None
    menu: list[str] | None = None
    total: int | None = None
    actions: list[LegalAction] | None = None


class Seat(Shape):
    """A seat: its player's id or `bot:<name>`, null while it is free; whether it is offered to a substitute."""

    seat: int
    player: str | None
    bot: bool
    offered: bool = False


class UndoRequest(Shape):
    """An open request to rewind to version `to`: whose consent is still missing (`asked`), who gave it."""

    id: str
    seat: int
    to: int
    asked: list[int]
    accepted: list[int]
    version: int
    assisted: bool
    deadline: str | None


class Outcome(Shape):
    """How a game ended; scores and places by seat."""

    winners: list[int]
    scores: list[int]
    places: list[int]
    reason: str


class Origin(Shape):
    """What a fork goes on from."""

    game: str
    version: int
    digest: str
    replay: str | None = None


class OpenProposal(Shape):
    """An open proposal: whose voices are missing (`asked`), who is for it, and how many must be."""

    id: str
    what: str
    seat: int
    asked: list[int]
    accepted: list[int]
    needed: int
    deadline: str
    version: int


class Game(Shape):
    """All about a game that whoever may know of it may know."""

    game: str
    ruleset: str
    rules: str
    pack: str
    name: str
    status: str
    version: int
    digest: str
    seats: list[Seat]
    deciding: list[int]
    options: dict[str, Any]
    undo: str
    visibility: str
    spectators: bool
    spectator_delay_s: int
    sandbox: bool
    assisted: bool
    creator: str
    created_at: str
    updated_at: str
    started_version: int | None
    seed_commitment: str
    seed: str | None
    request: UndoRequest | None
    outcome: Outcome | None
    origin: Origin | None
    clock: Clock | None
    on_timeout: OnTimeout | None
    policies: Policies
    proposal: OpenProposal | None
    clocks: Clocks | None


class LobbyGame(Shape):
    """A game in a list."""

    game: str
    ruleset: str
    rules: str
    name: str
    status: str
    visibility: str
    creator: str
    open_seats: int
    version: int
    created_at: str
    updated_at: str
    options: dict[str, Any]
    undo: str
    spectators: bool
    spectator_delay_s: int
    sandbox: bool
    seats: list[Seat]


class GamePage(Shape):
    """A page of games."""

    games: list[LobbyGame]
    next: str | None


class View(Shape):
    """The state at a version as a reader may see it; null before the start."""

    game: str
    version: int
    reader: int | str
    view: dict[str, Any] | None
    clocks: Clocks | None = None


class Decisions(Shape):
    """The pending decisions of a game."""

    game: str
    version: int
    decisions: list[Decision]
    request: UndoRequest | None
    clocks: Clocks | None


class Acted(Shape):
    """What came of a command: the effects as its seat may see them, the new view and the decisions pending now."""

    game: str
    version: int
    digest: str
    status: str
    effects: list[dict[str, Any]]
    labels: list[Label]
    view: dict[str, Any] | None
    decisions: list[Decision]
    request: UndoRequest | None
    outcome: Outcome | None
    clocks: Clocks | None


class Legal(Shape):
    """The action would be accepted now."""

    legal: bool


class Item(Shape):
    """One item that the reader may see in full: its salt and the exact JSON that is committed to."""

    salt: str
    json: str


class EventProof(Shape):
    """What it takes to check the chain at an event, and each item seen."""

    version: int
    digest: str
    body: str
    commitments: list[str] | None = None
    items: dict[str, Item] | None = None


class Event(Shape, kw_only=True):
    """An event as the reader may see it. `kind` is `hidden` where there is nothing to see."""

    game: str
    version: int
    digest: str
    kind: str
    at: str | None = None
    actor: str | None = None
    seat: int | None = None
    caused_by: int | None = None
    details: dict[str, Any] | None = None
    action: dict[str, Any] | None = None
    label: Label | None = None
    effects: list[dict[str, Any]]
    labels: list[Label] | None = None
    causes: list[int] | None = None
    draws: int | None = None
    proof: EventProof | None = None


class EventPage(Shape):
    """Events of a game; `next` is what to give as `after` for more."""

    game: str
    version: int
    events: list[Event]
    next: int | None


class Proof(Shape):
    """What a game's dice and log can be checked with; the seed after the end."""

    game: str
    version: int
    digest: str
    seed_commitment: str
    seed: str | None
    entropies: list[str]


class Words(Shape):
    """Table talk."""

    game: str
    version: int
    seat: int | None
    player: str
    at: str
    words: str
    key: str


class Written(Shape):
    """Where the event of a command stands."""

    game: str
    version: int
    digest: str
