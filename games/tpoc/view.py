"""What one reader may see of a state (specification, 3.1 and 3.2). A field that is not put in here is seen by nobody.

Names are those of positions. What the reader may not see is absent. After the end everything is shown to all.
"""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from games.kernel import EVERYTHING, Outcome, redact
from games.tpoc.codes import total
from games.tpoc.state import Options, Phase, Sealed, Seat, SetAside, State


class SeatView(Struct, frozen=True, kw_only=True):
    """One seat. `ready` says that its set-up is chosen; `votes` are the tiles and leaders before it."""

    hand: dict[str, int] | UnsetType = UNSET
    hand_size: int
    platform: dict[str, int]
    secret: str | UnsetType | None = UNSET
    secret_played: bool
    leaders: tuple[str, ...]
    won: dict[str, int]
    votes: int
    start_tiles: tuple[str, ...] | UnsetType = UNSET
    start_tiles_size: int
    setup: Sealed | UnsetType | None = UNSET
    ready: bool
    tiles_out_hidden: tuple[str, ...] | UnsetType = UNSET
    tiles_out_hidden_size: int
    resigned: bool


class View(Struct, frozen=True, kw_only=True):
    """The whole table. `tiles_out_hidden_nobody` counts the abstainers; `agenda` is as the reader may see it."""

    options: Options
    phase: Phase
    first: int
    active: int
    turn: int
    skips: int
    deck: tuple[str, ...] | UnsetType = UNSET
    deck_size: int
    cards_out: dict[str, int] | UnsetType = UNSET
    cards_out_size: int
    discards: dict[str, int]
    bag: tuple[str, ...] | UnsetType = UNSET
    bag_size: int
    board: dict[str, int]
    pot: dict[str, int]
    tiles_out: dict[str, int]
    tiles_out_hidden: tuple[SetAside, ...] | UnsetType = UNSET
    tiles_out_hidden_nobody: int
    ballot: tuple[str, ...] | UnsetType = UNSET
    ballot_size: int
    current: str | None
    contenders: tuple[int, ...]
    seats: tuple[SeatView, ...]
    agenda: tuple[dict[str, Any], ...]
    outcome: Outcome | None


def view(state: State, reader: int) -> View:
    """The view of a seat, of SPECTATOR, or of EVERYTHING."""
    everything = reader == EVERYTHING or state.phase == "ended"
    return View(
        options=state.options,
        phase=state.phase,
        first=state.first,
        active=state.active,
        turn=state.turn,
        skips=state.skips,
        deck=tuple(state.deck) if everything else UNSET,
        deck_size=len(state.deck),
        cards_out=dict(state.cards_out) if everything else UNSET,
        cards_out_size=total(state.cards_out),
        discards=dict(state.discards),
        bag=tuple(state.bag) if everything else UNSET,
        bag_size=len(state.bag),
        board=dict(state.board),
        pot=dict(state.pot),
        tiles_out=dict(state.tiles_out),
        tiles_out_hidden=tuple(state.tiles_out_hidden) if everything else UNSET,
        tiles_out_hidden_nobody=sum(aside.seat is None for aside in state.tiles_out_hidden),
        ballot=tuple(state.ballot) if everything else UNSET,
        ballot_size=len(state.ballot),
        current=state.current,
        contenders=tuple(state.contenders),
        seats=tuple(_seat(state, number, own=everything or reader == number) for number in range(state.seat_count)),
        agenda=tuple(redact(step, EVERYTHING if everything else reader) for step in state.agenda),
        outcome=state.outcome,
    )


def _seat(state: State, number: int, *, own: bool) -> SeatView:
    seat: Seat = state.seats[number]
    aside = tuple(aside.tile for aside in state.tiles_out_hidden if aside.seat == number)
    revealed = state.phase in ("election", "sudden_death")  # SecretRevealed, 4.8 step 3
    return SeatView(
        hand=dict(seat.hand) if own else UNSET,
        hand_size=total(seat.hand),
        platform=dict(seat.platform),
        secret=seat.secret if own or revealed else UNSET,
        secret_played=seat.secret_played,
        leaders=tuple(seat.leaders),
        won=dict(seat.won),
        votes=seat.votes,
        start_tiles=tuple(seat.start_tiles) if own else UNSET,
        start_tiles_size=len(seat.start_tiles),
        setup=seat.setup if own else UNSET,
        ready=state.phase != "setup" or seat.setup is not None,
        tiles_out_hidden=aside if own else UNSET,
        tiles_out_hidden_size=len(aside),
        resigned=number in state.resigned,
    )
