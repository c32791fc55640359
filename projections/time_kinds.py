"""The kinds of events that time brings, and those by which people stop it, leave the table or give a game up."""

from typing import ClassVar

from games.kernel import Public
from projections.details import Details


class UndoExpired(Details, frozen=True):
    """Nobody has answered a request in time: that refuses it."""

    id: Public[str]
    deadline: Public[str]


class Proposed(Details, frozen=True):
    """A seat proposes something to the `asked` seats: to `pause`, to `resume`, to `abandon` the game.

    `own`: the proposing player's seats, which are for it; `needed`: so many seats must be.
    """

    id: Public[str]
    what: Public[str]
    own: Public[tuple[int, ...]]
    asked: Public[tuple[int, ...]]
    needed: Public[int]
    deadline: Public[str]


class ProposalAnswered(Details, frozen=True):
    """A seat is for a proposal, or against it."""

    id: Public[str]
    accept: Public[bool]


class ProposalWithdrawn(Details, frozen=True):
    """The proposing seat took its proposal back."""

    id: Public[str]


class ProposalExpired(Details, frozen=True):
    """A proposal was not carried in time."""

    id: Public[str]
    deadline: Public[str]


class Paused(Details, frozen=True, kw_only=True):
    """All clocks stand and nothing moves, by the agreed `proposal`; or a `seat` has stopped its own clock.

    It is over at `until` at the latest, when the budget is used up.
    """

    until: Public[str]
    seat: Public[int | None] = None
    proposal: Public[str] = ""


class Resumed(Details, frozen=True, kw_only=True):
    """A pause, or the vacation of a `seat`, is over: by an agreed `proposal`, by the seat itself, or used up."""

    seat: Public[int | None] = None
    proposal: Public[str] = ""
    used_up: Public[bool] = False


class Reminded(Details, frozen=True):
    """A seat is out of time since `deadline`; if it does not answer until then, what the game says is done."""

    seat: Public[int]
    deadline: Public[str]
    until: Public[str]


class Expired(Details, frozen=True, kw_only=True):
    """A seat was out of time at `deadline`, which was noticed at `observed`; `rule` and `policy` say why and what then.

    `claimed_by`: the seat that has asked for it.
    """

    moves: ClassVar[bool] = True

    seat: Public[int]
    deadline: Public[str]
    observed: Public[str]
    rule: Public[str]
    policy: Public[str]
    step: Public[str] = ""
    claimed_by: Public[int | None] = None


class SeatOffered(Details, frozen=True, kw_only=True):
    """A seat may be taken over: by this player, or by anybody who has had no seat in the game (None)."""

    seat: Public[int]
    to: Public[str | None] = None


class Replaced(Details, frozen=True, kw_only=True):
    """Another player sits on a seat from now on. `why`: expired, offered, or returned (it was his before)."""

    seat: Public[int]
    player: Public[str]
    former: Public[str]
    why: Public[str]
