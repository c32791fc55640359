"""Defeat Points and the end of the game (specification, 4.13, BM-OBJ-1, BM-PLAY-6 to -8)."""

from typing import TYPE_CHECKING, Any

from games.block_mania.effects import GameOver
from games.block_mania.predicates import block_of
from games.kernel import Table

if TYPE_CHECKING:
    from games.block_mania.state import State

#: BM-DP-1 to -5.
CATASTROPHE, COLLAPSE = 200, 6
LOOTED, LOOTED_MALL = 4, 2
SCRAWL_WINDOW, SCRAWL_CIVIC = 4, 2


def itemised(state: "State", seat: int) -> dict[str, int]:
    """A seat's Defeat Points by what they are for; they add up to `dp`."""
    mine = state.seats[seat]
    points = {"blockers": mine.dead_blockers, "catastrophe": CATASTROPHE * mine.collapsed}
    points |= dict.fromkeys(("collapsed", "damage", "fire", "looted", "scrawl"), 0)
    if mine.collapsed or not mine.board:
        return points
    places, block = state.map.squares, block_of(state, seat)
    for name, here in state.squares.items():
        place = places[name]
        if place.block != block:
            continue
        points["collapsed"] += COLLAPSE * here.collapsed
        points["damage"] += here.damage
        points["fire"] += here.fire > 0
        if here.looted:
            # A Hardware Store is a part of the Mall, and nothing else of it can be looted (BM-R6).
            points["looted"] += LOOTED_MALL if "mall" in place.tags else LOOTED
        if here.scrawl and place.cls == "window":
            points["scrawl"] += SCRAWL_WINDOW
        elif here.scrawl and place.colour == "green":
            points["scrawl"] += SCRAWL_CIVIC
    return points


def dp(state: "State", seat: int) -> int:
    """A seat's Defeat Points as things stand."""
    return sum(itemised(state, seat).values())


def finished(table: "Table[State]") -> bool:
    """End the game if no blocker is on the map, or all blocks have collapsed; whether it is over (BM-PLAY-8)."""
    state = table.state
    if state.outcome is not None:
        return True
    if not state.blockers:
        end(table, "no_blockers")
    elif all(seat.collapsed for seat in state.seats):
        end(table, "all_collapsed")
    return state.outcome is not None


def end(table: "Table[Any]", reason: str) -> None:
    """The fewest Defeat Points win, equal ones share; seats that have resigned are behind all others (BM-R60, 4.18)."""
    state: State = table.state
    items = tuple(itemised(state, seat) for seat in range(state.seat_count))
    points = tuple(sum(one.values()) for one in items)
    keys = [(seat in state.resigned, points[seat]) for seat in range(state.seat_count)]
    places = tuple(1 + sum(other < key for other in keys) for key in keys)
    winners = tuple(seat for seat, place in enumerate(places) if place == 1 and seat not in state.resigned)
    table.emit(GameOver(reason, points, items, places, winners))
