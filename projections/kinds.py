"""The kinds of events and their details: what an event says besides its action and effects.

Details are messages too, so the one redaction decides who sees them. The tag is the event's kind.
"""

from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from games.dice import Script
from games.kernel import Hidden, Outcome, Public, Secret
from projections.details import Details
from projections.time_control import Clock, OnTimeout, Policies
from projections.time_kinds import (
    Expired,
    Paused,
    ProposalAnswered,
    ProposalExpired,
    ProposalWithdrawn,
    Proposed,
    Reminded,
    Replaced,
    Resumed,
    SeatOffered,
    UndoExpired,
)


class Origin(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a fork comes from; `replay`: the imported replay that the game is known by here."""

    game: str
    version: int
    digest: str
    replay: str | None = None


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The `given` of a case: a start (`base`), a position over it, scripted chance; and the game it was written for."""

    base: str = "new"
    state: dict[str, Any] | None = None
    dice: tuple[Any, ...] = ()
    orders: dict[str, tuple[tuple[Any, ...], ...]] = {}
    options: dict[str, Any] | None = None
    pack: str | None = None
    seats: int | None = None
    setups: dict[str, Any] | None = None

    @property
    def script(self) -> Script:
        """The scripted chance."""
        return Script(self.dice, self.orders)

    @property
    def places(self) -> bool:
        """Whether the game starts from a position, not from the ordinary set-up."""
        return self.state is not None or self.base != "new"


class Created(Details, frozen=True, kw_only=True):
    """A game was set up: what is played, by how many, under which policies; the server's seed is committed to here."""

    ruleset: Public[str]
    pack: Public[str]
    seats: Public[int]
    options: Public[dict[str, Any]]
    undo: Public[str]
    visibility: Public[str]
    spectators: Public[bool]
    name: Public[str]
    creator: Public[str]
    seed_commitment: Public[str]
    sandbox: Public[bool] = False
    origin: Public[Origin | None] = None
    clock: Public[Clock | None] = None
    on_timeout: Public[OnTimeout | None] = None
    policies: Public[Policies | None] = None
    spectator_delay_s: Public[int] = 0
    scenario: Hidden[Scenario | None] = None


class Joined(Details, frozen=True, kw_only=True):
    """A player (or `bot:<name>`) took a seat; `entropy` (hex) goes into the game's key, `setup` is its own affair."""

    seat: Public[int]
    player: Public[str]
    entropy: Public[str] = ""
    setup: Secret[Any] = None


class Left(Details, frozen=True):
    """A seat is free again (before the start)."""

    seat: Public[int]


class Started(Details, frozen=True):
    """All seats are taken and the set-up is made."""

    moves: ClassVar[bool] = True


class Acted(Details, frozen=True):
    """An action answered the decision `step`; `sealed`: the others learn only that this seat has answered."""

    moves: ClassVar[bool] = True

    step: Public[str] = ""
    sealed: Public[bool] = False


#: The kind of most events: lists of games learn nothing from one but a new version.
ACTED: Final = "acted"


class Resigned(Details, frozen=True):
    """A seat gave up."""

    moves: ClassVar[bool] = True


class Repaired(Details, frozen=True):
    """An operator acted for a seat, with a reason that all may read."""

    moves: ClassVar[bool] = True

    reason: Public[str]
    step: Public[str] = ""


class Rewound(Details, frozen=True):
    """The state at this version is the state at version `to`; `assisted`: something learnt was taken back."""

    moves: ClassVar[bool] = True

    to: Public[int]
    request: Public[str] = ""
    assisted: Public[bool] = False


class UndoRequested(Details, frozen=True):
    """A seat asks to rewind to version `to`; the `asked` seats must all accept, before the deadline (if it has one)."""

    id: Public[str]
    to: Public[int]
    asked: Public[tuple[int, ...]]
    assisted: Public[bool] = False
    deadline: Public[str] = ""


class UndoAnswered(Details, frozen=True):
    """A seat accepted or refused a request."""

    id: Public[str]
    accept: Public[bool]


class UndoWithdrawn(Details, frozen=True):
    """The asking seat took its request back."""

    id: Public[str]


class Said(Details, frozen=True):
    """Table talk. The log holds a keyed commitment; the words are kept beside it and can be erased."""

    commitment: Public[str]


class Invited(Details, frozen=True):
    """An invitation to a private game was made; its code is known to its maker alone and kept elsewhere, hashed."""

    id: Public[str]


class Ended(Details, frozen=True, kw_only=True):
    """The game is over; the seed is published, so that anyone can recompute every draw."""

    outcome: Public[Outcome]
    seed: Public[str]
    assisted: Public[bool] = False
    sandbox: Public[bool] = False


AnyDetails = (
    Created
    | Joined
    | Left
    | Started
    | Acted
    | Resigned
    | Repaired
    | Rewound
    | UndoRequested
    | UndoAnswered
    | UndoWithdrawn
    | UndoExpired
    | Proposed
    | ProposalAnswered
    | ProposalWithdrawn
    | ProposalExpired
    | Paused
    | Resumed
    | Reminded
    | Expired
    | SeatOffered
    | Replaced
    | Said
    | Invited
    | Ended
)

_decoder: msgspec.json.Decoder[AnyDetails] = msgspec.json.Decoder(AnyDetails)


def decode_details(raw: bytes | Raw) -> AnyDetails:
    """The details of an event from its stored bytes."""
    return _decoder.decode(raw)
