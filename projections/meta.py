"""All about a game but its state: who sits where, what is open, whose clock runs. Folded from every kind of event."""

from typing import Any

from msgspec import Struct

from events.event import Event
from games.kernel import Outcome
from projections import clock, kinds, time_kinds
from projections.agreements import PAUSE, RESUME, Proposal
from projections.clock import Clocks, microseconds
from projections.kinds import AnyDetails, decode_details
from projections.time_control import OnTimeout

OPEN, RUNNING, ENDED = "open", "running", "ended"


class SeatMeta(Struct):
    """Who sits on a seat: a player's id or `bot:<name>`; None while it is free.

    former: who has sat here before, since the start. offered: to whom it is offered ("": to anybody; None: it is not).
    """

    player: str | None = None
    entropy: str = ""
    setup: Any = None
    former: list[str] = []
    offered: str | None = None

    @property
    def human(self) -> bool:
        """Whether a person (or a third party's bot) sits here rather than one of the server's own."""
        return self.player is not None and not self.player.startswith("bot:")


class Request(Struct):
    """An open request to rewind: who asks, to which version, and whose answers are still missing."""

    id: str
    seat: int
    to: int
    asked: list[int]
    version: int
    assisted: bool
    accepted: list[int] = []
    deadline: str = ""


class Meta(Struct):
    """All about a game but its state: folded from every kind of event."""

    game: str
    created: kinds.Created
    rules: str
    seats: list[SeatMeta]
    created_at: str
    status: str = OPEN
    version: int = 0
    digest: bytes = b""
    updated_at: str = ""
    draws: int = 0
    scripted: dict[str, int] = {}
    started: int = 0
    ended: int = 0
    rewinds: list[tuple[int, int]] = []
    request: Request | None = None
    assisted: bool = False
    outcome: Outcome | None = None
    seed: str = ""
    entropies: list[str] = []
    clocks: Clocks | None = None
    proposal: Proposal | None = None

    @property
    def paused(self) -> bool:
        """Whether the game stands still by agreement."""
        return self.clocks is not None and self.clocks.pause is not None

    def seats_of(self, player: str) -> list[int]:
        """The seats that a player holds."""
        return [n for n, seat in enumerate(self.seats) if seat.player == player]

    def humans(self) -> list[int]:
        """The seats held by people."""
        return [n for n, seat in enumerate(self.seats) if seat.human]

    def path(self, version: int) -> list[tuple[int, int]]:
        """The ranges (after, until] of versions whose effects, in order, make the state at `version`."""
        ranges: list[tuple[int, int]] = []
        while True:
            last = next(((at, to) for at, to in reversed(self.rewinds) if at <= version), None)
            if last is None:
                ranges.append((0, version))
                return ranges[::-1]
            if last[0] < version:
                ranges.append((last[0], version))
            version = last[1]


def fold_meta(meta: Meta, event: Event, details: AnyDetails | None) -> None:
    """Fold an event into all about a game but its state, and who is on the clock by it."""
    header = event.header
    if meta.clocks is not None:
        clock.charge(meta.clocks, microseconds(header.at))
    meta.version, meta.digest, meta.updated_at = header.version, event.digest, header.at
    meta.draws, meta.scripted, meta.rules = header.draws, header.scripted, header.rules or meta.rules
    match details:
        case kinds.Acted() | None:  # most events by far
            pass
        case kinds.Joined():
            meta.seats[details.seat] = SeatMeta(details.player, details.entropy, details.setup)
        case kinds.Left():
            meta.seats[details.seat] = SeatMeta()
        case kinds.Started():
            meta.status, meta.started = RUNNING, header.version
            meta.entropies = [seat.entropy for seat in meta.seats]
            if meta.clocks is not None:
                meta.clocks.bots = [n for n, seat in enumerate(meta.seats) if not seat.human]
        case kinds.Rewound():
            meta.rewinds.append((header.version, details.to))
            meta.request = None
            meta.assisted = meta.assisted or details.assisted
        case kinds.Ended():
            meta.status, meta.outcome, meta.seed = ENDED, details.outcome, details.seed
            meta.ended = header.version
            meta.request = meta.proposal = None
        case _:
            _fold_request(meta, event, details)
            _fold_table(meta, event, details)


def _fold_request(meta: Meta, event: Event, details: AnyDetails) -> None:
    """Fold requests to rewind."""
    header = event.header
    match details:
        case kinds.UndoRequested():
            seat = header.seat if header.seat is not None else -1
            meta.request = Request(details.id, seat, details.to, list(details.asked), header.version, details.assisted)
            meta.request.deadline = details.deadline
        case kinds.UndoAnswered() if meta.request is not None:
            meta.request = _answered(meta.request, header.seat if details.accept else None)
        case kinds.UndoWithdrawn() | time_kinds.UndoExpired():
            meta.request = None
        case _:
            pass


def _fold_table(meta: Meta, event: Event, details: AnyDetails) -> None:
    """Fold what people decide together, who sits down for whom, and what their clocks meet with."""
    match details:
        case time_kinds.Proposed():
            meta.proposal = _proposed(event, details)
        case time_kinds.ProposalAnswered() if meta.proposal is not None and event.header.seat is not None:
            meta.proposal.answer(event.header.seat, accept=details.accept)
            meta.proposal = None if meta.proposal.lost else meta.proposal
        case time_kinds.ProposalWithdrawn() | time_kinds.ProposalExpired():
            meta.proposal = None
        case time_kinds.SeatOffered():
            meta.seats[details.seat].offered = details.to or ""
        case time_kinds.Replaced():
            sitting = meta.seats[details.seat]
            sitting.player, sitting.former, sitting.offered = details.player, [*sitting.former, details.former], None
            if meta.clocks is not None:
                clock.seat_down(meta.clocks, details.seat, bot=not sitting.human, anew=details.why == "offered")
        case _ if meta.clocks is not None:
            _fold_clocks(meta, meta.clocks, details)
        case _:
            pass


def _fold_clocks(meta: Meta, clocks: Clocks, details: AnyDetails) -> None:
    match details:
        case time_kinds.Paused():
            clock.halt(clocks, details.seat)
        case time_kinds.Resumed():
            clock.resume(clocks, details.seat)
        case time_kinds.Reminded():
            clocks.seats[details.seat].reminded = True
        case time_kinds.Expired():
            clocks.seats[details.seat].expirations += 1
            clocks.seats[details.seat].vacant = details.policy in ("bot", "substitute")
        case _:
            return
    halted = isinstance(details, time_kinds.Paused | time_kinds.Resumed) and details.seat is None
    if halted and meta.proposal is not None and meta.proposal.what in (PAUSE, RESUME):
        meta.proposal = None  # it has been carried, or there is no more point to it


def _proposed(event: Event, details: time_kinds.Proposed) -> Proposal:
    return Proposal(
        id=details.id,
        what=details.what,
        seat=event.header.seat if event.header.seat is not None else -1,
        asked=list(details.asked),
        accepted=list(details.own),
        needed=details.needed,
        deadline=details.deadline,
        version=event.header.version,
    )


def _answered(request: Request, accepting: int | None) -> Request | None:
    """The request after an answer to it: a refusal (None) is its end."""
    if accepting is None:
        return None
    request.accepted.append(accepting)
    request.asked = [seat for seat in request.asked if seat != accepting]
    return request


def begin(event: Event) -> Meta:
    """Meta from a game's first event."""
    details = decode_details(event.details or b"null")
    if not isinstance(details, kinds.Created):
        message = f"the first event of {event.header.game} is not `created`"
        raise TypeError(message)
    meta = Meta(
        game=event.header.game,
        created=details,
        rules=event.header.rules,
        seats=[SeatMeta() for _ in range(details.seats)],
        created_at=event.header.at,
    )
    if details.clock is not None:
        meta.clocks = clock.begin(details.clock, details.on_timeout or OnTimeout(), details.seats)
    fold_meta(meta, event, details)
    return meta
