"""What follows from a state (specification, 3.2), under the names used there. Everything is computed when asked."""

from collections.abc import Iterable, Mapping
from functools import cache

from msgspec import Struct

from games.block_mania.board import Area
from games.block_mania.board import Square as Place
from games.block_mania.pack import SHELF
from games.block_mania.pack_parts import Blocker as BlockerType
from games.block_mania.pack_parts import Item
from games.block_mania.state import Blocker, State

#: Who stands in each area, by order of arrival: made once for each list of options.
Occupancy = Mapping[Area, list[Blocker]]


class Content(Struct, frozen=True):
    """What a pack says about blockers and equipment, by name."""

    types: Mapping[str, BlockerType]
    items: Mapping[str, Item]


@cache
def content_of(digest: str) -> Content:
    """The blocker types and equipment of a pack."""
    pack = SHELF[digest]
    return Content({one.id: one for one in pack.blockers}, {item.id: item for item in pack.equipment})


def place(state: State, square: str) -> Place:
    """A square of the map, as printed."""
    return state.map.squares[square]


def type_of(state: State, blocker: Blocker) -> BlockerType:
    """The type of a blocker: Command, Strength, Move and flags."""
    return content_of(state.pack).types[blocker.type]


def item(state: State, kind: str) -> Item:
    """A kind of equipment."""
    return content_of(state.pack).items[kind]


def seat_of(state: State, block: int) -> int:
    """The seat that owns a block, by the block's place in the row."""
    return state.owners[block]


def block_of(state: State, seat: int) -> int:
    """The place in the row of a seat's block."""
    return state.owners.index(seat)


def owner(state: State, square: str) -> int | None:
    """The seat in whose tower a square is; None in Open Air as printed."""
    block = state.map.squares[square].block
    return None if block is None else state.owners[block]


def open_air(state: State, square: str) -> bool:
    """Open Air, or any tower square of a block that has collapsed catastrophically (BM-SH-4)."""
    block = state.map.squares[square].block
    return block is None or state.seats[state.owners[block]].collapsed


def civic(state: State, square: str) -> bool:
    """A green square; it stays one when it is collapsed (BM-LOC-3, BM-R23)."""
    return place(state, square).colour == "green" and not open_air(state, square)


def functional(state: State, square: str) -> bool:
    """A tower square that is not collapsed, nor its block (BM-R25)."""
    return not open_air(state, square) and not state.square(square).collapsed


def takes_damage(state: State, square: str) -> bool:
    """Whether structural damage can be placed (3.2, BM-R40)."""
    here = state.square(square)
    if not open_air(state, square):
        return not here.collapsed
    tags = place(state, square).tags
    return ("mega_way" in tags and not here.collapsed) or ("pedway" in tags and not here.severed)


def dark(state: State, block: int) -> bool:
    """Whether the power of a seat's block is off."""
    return not state.seats[block].power


def sonic(state: State, block: int | None) -> bool:
    """Whether a Sonic Cannon covers a seat's block."""
    return block is not None and any(unit.block == block for unit in state.units if unit.kind == "sonic_cannon")


def occupancy(state: State) -> Occupancy:
    """Everybody on the map by area, in order of arrival."""
    found: dict[Area, list[Blocker]] = {}
    for blocker in state.blockers.values():
        if blocker.at:
            found.setdefault((blocker.at, blocker.side), []).append(blocker)
    for there in found.values():
        if len(there) > 1:
            there.sort(key=_arrival)
    return found


def _arrival(blocker: Blocker) -> int:
    return blocker.arrived


def occupants(state: State, square: str, side: str) -> list[Blocker]:
    """Who stands in one area, in order of arrival."""
    there = [one for one in state.blockers.values() if one.at == square and one.side == side]
    if len(there) > 1:
        there.sort(key=_arrival)
    return there


def friendly(one: Blocker, other: Blocker) -> bool:
    """Under the same control, and neither is a Futsy (BM-BLK-4, BM-BLK-12, BM-R64)."""
    return one.controller is not None and one.controller == other.controller


def enemy(one: Blocker, other: Blocker) -> bool:
    """Not friendly: a Futsy is so to all, activated or not (BM-BLK-13, BM-ACT-5)."""
    return one.id != other.id and not friendly(one, other)


def pinned_among(blocker: Blocker, there: Iterable[Blocker]) -> bool:
    """Whether one of those in its area is its enemy."""
    return any(enemy(blocker, other) for other in there)


def pinned(state: State, blocker: Blocker) -> bool:
    """Whether an enemy stands in its area (3.2)."""
    return pinned_among(blocker, occupants(state, blocker.at, blocker.side))


def controls(state: State, seat: int, blocker: Blocker) -> bool:
    """Its controller, or the phasing seat that activated the Futsy this turn (3.2)."""
    if blocker.controller is not None:
        return blocker.controller == seat
    return seat == state.phasing and blocker.activated_this_turn


def answers_for(blocker: Blocker) -> int:
    """The seat that decides for it and to which its death counts: of a Futsy its deployer (BM-R90, BM-BLK-6)."""
    return blocker.seat if blocker.controller is None else blocker.controller


def flying_now(state: State, blocker: Blocker) -> bool:
    """In the air: Open Air but a plaza or an unsevered Pedway square, or outside a Window (3.2)."""
    if blocker.side == "out" and not open_air(state, blocker.at):
        return True
    tags = place(state, blocker.at).tags
    stands = "plaza" in tags or ("pedway" in tags and not state.square(blocker.at).severed)
    return open_air(state, blocker.at) and not stands


def may_use(state: State, blocker: Blocker, kind: str) -> bool:
    """Whether a type may carry a kind of equipment (BM-BLK-2, -10, -11)."""
    flags = type_of(state, blocker).flags
    return "no_equipment" not in flags and not ("no_flying_gear" in flags and "flies" in item(state, kind).flags)


def can_fly(state: State, blocker: Blocker) -> bool:
    """A Superhero, or flying gear; never with a heavy item (BM-FLY-4)."""
    if any(item(state, kind).heavy for kind in blocker.equipment):
        return False
    return "flies" in type_of(state, blocker).flags or any(
        "flies" in item(state, kind).flags and may_use(state, blocker, kind) for kind in blocker.equipment
    )


def lies_open(state: State, blocker: Blocker) -> bool:
    """Whether all see its equipment: always, or (where it is hidden) of a Futsy, which any seat may activate."""
    return not state.options.equipment_hidden or "any_may_activate" in type_of(state, blocker).flags


def carry_limit(state: State, blocker: Blocker) -> int:
    """How many tokens it may carry: its Strength (BM-EQA-2); a Superhero none."""
    kind = type_of(state, blocker)
    return 0 if "no_equipment" in kind.flags else kind.strength
