"""What a card may be played on (specification, 2.9, 4.12): its targets by the ops and filters of its data."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from games.block_mania import ops as o
from games.block_mania.board import Map
from games.block_mania.board import Square as Place
from games.block_mania.drawing import free_numbers
from games.block_mania.pack import SHELF
from games.block_mania.pack_parts import Justice, Mania
from games.block_mania.predicates import civic, open_air, sonic
from games.block_mania.state import Blocker, State

if TYPE_CHECKING:
    from games.block_mania.steps.window import Window


class Target(Struct, frozen=True):
    """What is named with a card: a blocker, a square, a block (by its seat), or nothing."""

    blocker: str | None = None
    square: str | None = None
    block: int | None = None


NOTHING = Target()
CAR: Final = "sky_rail_car"
SONIC: Final = "sonic_cannon"


class Cards(Struct, frozen=True):
    """The sides of a pack's cards by name."""

    mania: Mapping[str, Mania]
    justice: Mapping[str, Justice]


@cache
def cards_of(digest: str) -> Cards:
    """The cards of a pack."""
    pack = SHELF[digest]
    return Cards({side.id: side for side in pack.mania}, {side.id: side for side in pack.justice})


def mania_side(state: State, card: str) -> Mania:
    """The Mania side of a card."""
    return cards_of(state.pack).mania[card.partition("/")[2]]


def justice_side(state: State, card: str) -> Justice:
    """The Justice side of a card."""
    return cards_of(state.pack).justice[card.partition("/")[0]]


def playable(state: State, seat: int, window: "Window | None") -> Iterator[tuple[str, Target]]:
    """Every Mania card that a seat may play now, with each of its targets; `window` None: in its Command Phase."""
    for card in state.seats[seat].hand:
        side = mania_side(state, card)
        if fits(state, side, window):
            yield from ((card, target) for target in mania_targets(state, seat, side))


def fits(state: State, side: Mania, window: "Window | None") -> bool:
    """Whether a Mania side belongs to a window: its kind, its event and the blocker that it is about (2.9)."""
    if window is None:
        return side.window == "C"
    if side.window.partition(":")[0] != window.kind:
        return False
    if window.kind != "H":
        return True
    blocker = state.blockers[window.blocker or ""]
    if side.filter.type is not None and blocker.type not in side.filter.type:
        return False
    return _hits(state, side, window, blocker)


def _hits(state: State, side: Mania, window: "Window", mover: Blocker) -> bool:
    if mover.stuck_until is not None and any(isinstance(op, o.SetBlockerFlag) for op in side.ops):
        return False  # it does not move anyway
    where = side.window.partition(":")[2]
    if where == "activation" or window.event == "activation_declared":
        return where == "activation" and window.event == "activation_declared"
    if where == "vehicle" or window.event == "vehicle":
        return where == "vehicle" and window.event == "vehicle" and mover.stuck_until is None
    standing = not state.square(mover.at).collapsed and not open_air(state, mover.at)
    if where == "civic":
        return standing and civic(state, mover.at) and mover.stuck_until is None
    if where == "bank_mall":
        return standing and bool(state.map.squares[mover.at].tags & {"bank", "mall"}) and mover.stuck_until is None
    if where == "elevator":
        alone = all(one.at != mover.at for one in state.blockers.values() if one is not mover)
        return window.how == "elevator" and alone
    return True


def mania_targets(state: State, seat: int, side: Mania) -> list[Target]:
    """What a Mania side may be played on; nothing in the list: it cannot be played (2.9)."""
    deploys = [op for op in side.ops if isinstance(op, o.Deploy)]
    takes = any(isinstance(op, o.TakeControl) for op in side.ops)
    if deploys:
        able = any(can_deploy(state, seat, op.source) for op in deploys)
        there = takes and any(one.type == "klegg" for one in state.blockers.values())
        return [NOTHING] if able or there else []
    for op in side.ops:
        named = op_targets(state, op)
        if named is not None:
            return named
    return [NOTHING]


def justice_targets(state: State, side: Justice) -> list[Target]:
    """What a Justice side may be played on; without a target it is played for nothing (4.12)."""
    for op in side.ops:
        named = op_targets(state, op)
        if named is not None:
            return named or [NOTHING]
    return [NOTHING]


def can_deploy(state: State, seat: int, source: str) -> bool:
    """Whether a card can deploy a blocker: there is one, a standing block, a free square."""
    stock = state.seats[seat].blocker_pool if source == "pool" else state.klegg_supply
    return bool(stock) and not state.seats[seat].collapsed and bool(free_numbers(state, seat))


def op_targets(state: State, op: o.Op) -> list[Target] | None:
    """The targets that an op lets its player name; None: it names nothing."""
    match op:
        case o.PlaceToken():
            return _token_targets(state, op)
        case o.PlaceFire() | o.Collapse() | o.Cut():
            return [Target(square=name) for name in squares(state, op.where)]
        case o.Remove(target="named"):
            return [Target(blocker=name) for name, one in state.blockers.items() if _removable(state, op, one)]
        case o.ClearFire():
            return [Target(block=number) for number, one in enumerate(state.seats) if not one.collapsed]
    return None


def _token_targets(state: State, op: o.PlaceToken) -> list[Target]:
    supply = state.cars_supply if op.token == CAR else state.unit_supply[op.token]
    if not supply:
        return [NOTHING]
    names = squares(state, op.where)
    if op.token != SONIC:
        return [Target(square=name) for name in names]
    return [Target(square=name, block=block) for name in names for block in quiet_blocks(state, name)]


def quiet_blocks(state: State, square: str) -> list[int]:
    """The standing blocks next to a square that no Sonic Cannon covers (BM-1A-13)."""
    found = {place.block for near in state.map.eight[square] if (place := state.map.squares[near]).block is not None}
    seats = sorted(state.owners[block] for block in found if block is not None)
    return [seat for seat in seats if not state.seats[seat].collapsed and not sonic(state, seat)]


def squares(state: State, where: o.Filter) -> list[str]:
    """The squares that fit a filter, in the order of the map."""
    here = state.map
    if any(seat.collapsed for seat in state.seats):
        return [name for name in here.order if fits_square(state, where, name)]
    return [name for name in printed(here, where) if _bears(state, where, name)]


@cache
def printed(here: Map, where: o.Filter) -> tuple[str, ...]:
    """The squares whose print fits a filter while all blocks stand, in order."""
    found = (place for place in here.squares.values() if _is_printed(place, where, fallen=False))
    beside = where.adjacent_to == "block"
    return tuple(
        place.id
        for place in found
        if not beside or any(here.squares[near].block is not None for near in here.eight[place.id])
    )


def _is_printed(place: Place, where: o.Filter, *, fallen: bool) -> bool:
    """Whether what is printed on a square fits; one of a fallen tower is Open Air and nothing else (BM-SH-4)."""
    if where.cls is not None and ("open_air" if fallen else place.cls) not in where.cls:
        return False
    if where.kind is not None and (fallen or place.kind not in where.kind):
        return False
    if where.tag is not None and (fallen or not place.tags.intersection(where.tag)):
        return False
    return where.colour is None or (not fallen and place.colour == where.colour)


def _bears(state: State, where: o.Filter, name: str) -> bool:
    """Whether what lies in a square fits."""
    here = state.square(name)
    if where.collapsed is not None and here.collapsed != where.collapsed:
        return False
    return where.empty is None or bool(here.cars) != where.empty


def fits_square(state: State, where: o.Filter, name: str) -> bool:
    """Whether a square fits a filter."""
    place = state.map.squares[name]
    fallen = place.block is not None and open_air(state, name)
    if not _is_printed(place, where, fallen=fallen):
        return False
    if where.adjacent_to == "block" and not any(not open_air(state, near) for near in state.map.eight[name]):
        return False
    return _bears(state, where, name)


def _removable(state: State, op: o.Remove, blocker: Blocker) -> bool:
    return bool(blocker.at) and (not op.where or any(fits_square(state, where, blocker.at) for where in op.where))


def near(state: State, blocker: Blocker, *, interior: bool) -> list[str]:
    """Who is caught with a blocker: others in its square, then those around it by level, west to east (BM-R52)."""
    around = (blocker.at, *state.map.eight[blocker.at])
    found = []
    for square in around:
        if interior and (open_air(state, square) or state.map.squares[square].cls != "interior"):
            continue
        there = [one for one in state.blockers.values() if one.at == square and one is not blocker]
        found += [one.id for one in sorted(there, key=lambda one: one.arrived)]
    return found
