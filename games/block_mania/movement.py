"""Who may come where on foot, and what bars the way (specification, 4.4, 4.4.1): the same for moves and charges."""

from typing import Literal

from games.block_mania.board import Area, Pedway
from games.block_mania.predicates import civic, enemy, friendly, open_air, owner, seat_of, type_of
from games.block_mania.refusals import Refusal
from games.block_mania.state import Blocker, State
from games.block_mania.ways import edges

Mode = Literal["walk", "transit", "charge"]


def entry_refusal(state: State, there: list[Blocker], blocker: Blocker, mode: Mode) -> Refusal | None:
    """Why a blocker may not enter an area in which these stand (the table of 4.4; BM-TR-2, BM-R14, BM-R91)."""
    if any(other.stuck_until is not None for other in there):
        return ("BM-MAN-1", "stuck_blocker_there")
    if not there:
        return ("BM-3CII-2", "nobody_there") if mode == "charge" else None
    if len(there) == 1:
        return _single(state, there[0], blocker, mode)
    if len(there) == 2 and friendly(*there):
        if mode == "charge" and enemy(blocker, there[0]) and any("stacks" in type_of(state, o).flags for o in there):
            return None
        on_foot = "BM-ACT-7" if enemy(blocker, there[0]) else "BM-ACT-8"
        return ({"charge": "BM-CA-4", "walk": on_foot}.get(mode, "BM-TR-3"), "two_there")
    return ("BM-ACT-6", "pinned_pair_there")


def _single(state: State, other: Blocker, blocker: Blocker, mode: Mode) -> Refusal | None:
    if enemy(blocker, other):
        return ("BM-WALK-9", "enemy_there") if mode == "walk" else None
    if mode == "charge":
        return ("BM-3CII-2", "no_enemy_there")
    if "stacks" in type_of(state, blocker).flags:
        return None
    return ("BM-ACT-8" if mode == "walk" else "BM-TR-3", "friend_there")


def indoors(state: State, square: str) -> Literal["in", "-"]:
    """The side to which a walker comes in a square: of a Window the inside (BM-WIN-2)."""
    return "in" if state.map.squares[square].cls == "window" and not open_air(state, square) else "-"


def step_cost(state: State, start: str, to: str) -> int:
    """What a step costs on foot; fire and damage do not count (BM-WALK-1, -3, -6, -7, BM-R21, BM-R22)."""
    places = state.map.squares
    up = places[to].level - places[start].level
    seat = owner(state, to)
    cost = 0 if civic(state, to) and seat is not None and state.seats[seat].power else (2 if up > 0 else 1)
    return cost + state.square(start).collapsed + state.square(to).collapsed


def edge_refusal(state: State, area: Area, to: str) -> Refusal | None:
    """Why nobody may walk from an area to a neighbouring square: surfaces, edges, bans (4.4.1, items 2, 3, 5).

    A collapsed Window is no way out either (BM-WIN-7).
    """
    if (bad := _surface(state, to)) is not None:
        return bad
    if area[1] == "out":
        return ("BM-WIN-3", "outside_a_window")
    if (bad := _surface(state, area[0])) is not None:
        return bad
    if to not in edges(state.map)[area[0]]:
        return ("BM-WALK-4", "wall")
    # A join square is barred only if both its boards are (BM-R4).
    boards = state.map.squares[to].boards
    if all(state.seats[seat_of(state, board)].collapsed for board in boards):
        return ("BM-WALK-10", "collapsed_block")
    return None


def _surface(state: State, square: str) -> Refusal | None:
    """Why nobody walks on a square at all (4.4.1, item 2)."""
    place = state.map.squares[square]
    if place.block is not None:
        return ("BM-WALK-10", "collapsed_block") if open_air(state, square) else None
    if "plaza" in place.tags:
        return None
    if "pedway" in place.tags:
        severed = state.square(square).severed
        broken = any(out_of_order(state, pedway) for pedway in state.map.pedways[square])
        return None if broken and not severed else ("BM-WALK-5", "severed" if severed else "pedway_works")
    return ("BM-WALK-4", "open_air")


def out_of_order(state: State, pedway: Pedway) -> bool:
    """Whether a part is damaged or collapsed, or a block at its ends is dark or fallen (4.4.1, item 6)."""
    for name in (*pedway.squares, *pedway.termini):
        here = state.square(name)
        if here.damage or here.collapsed or here.severed:
            return True
    seats = [state.seats[seat] for name in pedway.termini if (seat := owner(state, name)) is not None]
    return any(seat.collapsed or not seat.power for seat in seats)


def clear(state: State, squares: tuple[str, ...], blocks: frozenset[int]) -> bool:
    """Whether a route is whole: no Collapse marker on it, no fallen block (4.4.2)."""
    return not any(state.square(name).collapsed for name in squares) and not any(
        state.seats[seat_of(state, block)].collapsed for block in blocks
    )
