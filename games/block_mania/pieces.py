"""How pieces move about in the state: what folds are made of. Counts never hold a zero, squares never hold nothing."""

from msgspec import structs

from games.block_mania.predicates import item
from games.block_mania.state import EMPTY, Blocker, Square, State


def put(counts: dict[str, int], name: str, n: int = 1) -> None:
    """Add to a multiset, in the order of its names."""
    counts[name] = counts.get(name, 0) + n
    ordered = sorted(counts.items())
    counts.clear()
    counts.update(ordered)


def take(counts: dict[str, int], name: str, n: int = 1) -> None:
    """Take from a multiset."""
    counts[name] -= n
    if not counts[name]:
        del counts[name]


def without(held: tuple[str, ...], kind: str) -> tuple[str, ...]:
    """The tokens without one of this kind (all of them if there is none)."""
    if kind not in held:
        return held
    place = held.index(kind)
    return held[:place] + held[place + 1 :]


def square(state: State, name: str) -> Square:
    """A square to be changed."""
    found = state.squares.get(name)
    if found is None:
        found = state.squares[name] = Square()
    return found


def tidy(state: State, name: str) -> None:
    """Forget a square in which nothing lies any more."""
    if state.squares.get(name) == EMPTY:
        del state.squares[name]


def pool_of(state: State, kind: str) -> dict[str, int]:
    """The pool that a token comes from and goes back to."""
    return state.hardware_pool if item(state, kind).pool == "hardware" else state.armory_pool


def to_pool(state: State, kind: str) -> None:
    """A token goes back to its pool (BM-EQA-4)."""
    put(pool_of(state, kind), kind)


def arrive(state: State, blocker: Blocker, at: str, side: str) -> None:
    """Put a blocker into an area, as the last to come there; heavy equipment that moved is not deployed any more."""
    if at != blocker.at:
        blocker.deployed = ()
    blocker.at, blocker.side = at, side  # type: ignore[assignment] # the side of a square
    state.clock += 1
    blocker.arrived = state.clock


def lose(blocker: Blocker, kind: str, *, face_up: bool = False) -> None:
    """Take a token from a blocker; `face_up` the one that all know, if there is one of the kind."""
    if face_up and kind in blocker.shown:
        blocker.shown = without(blocker.shown, kind)
    blocker.equipment = without(blocker.equipment, kind)
    blocker.deployed = _part(blocker.deployed, blocker.equipment)
    blocker.shown = _part(blocker.shown, blocker.equipment)


def _part(some: tuple[str, ...], of: tuple[str, ...]) -> tuple[str, ...]:
    """`some`, cut to what is still among the tokens."""
    kept, rest = [], list(of)
    for kind in some:
        if kind in rest:
            rest.remove(kind)
            kept.append(kind)
    return tuple(kept)


def leave_map(state: State, name: str) -> Blocker:
    """A blocker is out of the game; its equipment goes to the pools (BM-R63), its activation is over."""
    blocker = state.blockers.pop(name)
    for kind in blocker.equipment:
        to_pool(state, kind)
    put(state.gone, blocker.type)
    if state.active == name:
        state.active = None
    return blocker


def empty_square(state: State, name: str) -> None:
    """Take all tokens and markers off a square but collapse and severance; tokens go to their pools, cars to theirs."""
    found = state.squares.get(name)
    if found is None:
        return
    for token in found.tokens:
        to_pool(state, token.token)
    state.cars_supply += found.cars
    if found.virus:
        to_pool(state, "plascrete_virus")
    state.squares[name] = structs.replace(EMPTY, collapsed=found.collapsed, severed=found.severed)
    tidy(state, name)
