"""Draws from the pools: blockers, equipment, where a blocker is deployed (specification, 4.3; BM-1CI-3 to -6)."""

from games.block_mania.effects import BlockerDeployed, BlockerDrawn, EquipmentDrawn, EquipmentReturned
from games.block_mania.predicates import answers_for, block_of, lies_open, may_use
from games.block_mania.state import Side, State
from games.block_mania.supply import listed
from games.kernel import Table

MARKERS = {"A": "armory", "H": "hardware"}


def draw_blocker(table: Table[State], seat: int) -> tuple[str, str]:
    """A seat draws a blocker from its pool: its id, and the pool it draws equipment from (or nothing)."""
    state = table.state
    counter = table.pick("blocker", listed(state.seats[seat].blocker_pool))
    name = f"b{state.made + 1}"
    table.emit(BlockerDrawn(seat, name, counter))
    return name, MARKERS.get(counter.partition("/")[2], "")


def draw_klegg(table: Table[State], seat: int) -> str:
    """A seat takes a Klegg from the common supply."""
    name = f"b{table.state.made + 1}"
    table.emit(BlockerDrawn(seat, name, "klegg"))
    return name


def draw_token(table: Table[State], name: str, pool: str) -> bool:
    """A blocker draws a token; what its type cannot carry goes back, and another is drawn (BM-1CI-6, BM-R75).

    Whether there was one: an empty pool, or one of flying gear alone, gives nothing (BM-R82).
    """
    state = table.state
    blocker = state.blockers[name]
    counts = {"armory": state.armory_pool, "hardware": state.hardware_pool}.get(pool, {})
    if not any(may_use(state, blocker, kind) for kind in counts):
        return False
    seat, shown = answers_for(blocker), lies_open(state, blocker)
    while True:
        kind = table.pick(pool, listed(counts))
        usable = may_use(state, blocker, kind)
        table.emit(EquipmentDrawn(seat, name, pool, kind, open=shown or not usable))
        if usable:
            return True
        table.emit(EquipmentReturned(seat, name, kind, "unusable", open=True))


def free_numbers(state: State, seat: int) -> dict[int, str]:
    """The numbered squares of a seat's block in which no blocker stands, by number."""
    taken = {one.at for one in state.blockers.values()}
    numbered = state.map.numbered[block_of(state, seat)]
    return {number: square for number, square in numbered.items() if square not in taken}


def deploy(table: Table[State], seat: int, name: str, cost: int) -> None:
    """Throw d66 until a free square comes up; a double that is taken is thrown anew (BM-1CI-4, BM-R10, BM-R11)."""
    free = free_numbers(table.state, seat)
    dice: list[int] = []
    while True:
        tens, units = table.roll("d66", 6), table.roll("d66", 6)
        dice += (tens, units)
        square = free.get(10 * tens + units) or free.get(10 * units + tens)
        if square is not None:
            break
    sides: tuple[Side, ...] = table.state.map.squares[square].sides
    table.emit(BlockerDeployed(seat, name, tuple(dice), square, sides[0], cost))
