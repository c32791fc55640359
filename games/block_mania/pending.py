"""Whether the parts of a position fit together: seats, squares, blockers and what its agenda asks (3.3)."""

from collections.abc import Iterable

from games.block_mania.messages import AnyStep
from games.block_mania.position_doc import PositionDoc, impossible
from games.block_mania.predicates import content_of
from games.block_mania.scoring import dp
from games.block_mania.state import State
from games.kernel import tag_of

#: Steps that are about a blocker on the map; others pass over one that has died meanwhile.
LIVING = frozenset({"activation", "take_token", "answer_elevator", "keep_equipment", "target"})


def check(state: State, doc: PositionDoc) -> None:
    """Test what a filled position names.

    Raises:
        PositionError: a seat, square, token or blocker that is not there, or Defeat Points that are not so.
    """
    _check_seats(state, "resigned", state.resigned)
    _check_seats(state, "gas", state.gas)
    for number, unit in enumerate(state.units):
        _check_square(state, f"units[{number}].at", unit.at)
        _check_seats(state, f"units[{number}].block", [] if unit.block is None else [unit.block])
    for number, one in enumerate(state.blockers.values()):
        named = [seat for seat in (one.controller, one.stuck_until) if seat is not None]
        _check_seats(state, f"blockers[{number}]", named)
    for name, square in state.squares.items():
        kinds = [token.token for token in square.tokens]
        _check_kinds(state, f"squares.{name}.tokens", kinds)
        _check_seats(state, f"squares.{name}.tokens", [token.by for token in square.tokens])
    for pool in ("armory_pool", "hardware_pool"):
        _check_kinds(state, pool, getattr(state, pool))
    for number, seat in enumerate(doc.all_seats(state.seat_count)):
        if isinstance(seat.dp, int) and seat.dp != dp(state, number):
            impossible(f"seats[{number}].dp", f"it follows from the rest and is {dp(state, number)}")
    if (state.phase == "over") != (state.outcome is not None):
        impossible("outcome", "a game that is over says how it ended, any other does not")
    for number, step in enumerate(state.agenda):
        _check_step(state, f"agenda[{number}]", step)


def _check_step(state: State, field: str, step: AnyStep) -> None:
    _check_seats(state, field, step.seats)
    if bool(step.seats) and not step.menu:
        impossible(field, f"{tag_of(type(step))} asks nobody")
    for name in ("blocker", "square", "to"):
        value = getattr(step, name, None)
        if not isinstance(value, str) or not value:
            continue
        if name != "blocker":
            _check_square(state, f"{field}.{name}", value)
        elif tag_of(type(step)) in LIVING and value not in state.blockers:
            impossible(f"{field}.blocker", f"there is no blocker {value!r}")


def _check_seats(state: State, field: str, seats: Iterable[int]) -> None:
    if any(seat not in range(state.seat_count) for seat in seats):
        impossible(field, f"the seats are 0 to {state.seat_count - 1}")


def _check_square(state: State, field: str, square: str) -> None:
    if square not in state.map.squares:
        impossible(field, f"there is no square {square!r}")


def _check_kinds(state: State, field: str, kinds: Iterable[str]) -> None:
    unknown = sorted(set(kinds) - set(content_of(state.pack).items))
    if unknown:
        impossible(field, f"there is no {', '.join(unknown)}")
