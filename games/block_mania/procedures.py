"""The procedures and questions of positions (specification, 3.3): what a case may run and ask by name."""

from collections.abc import Callable, Mapping
from typing import Any

from games.block_mania.aiming import can_fire_refusal
from games.block_mania.board import NO_SIDES, Area
from games.block_mania.catastrophe import check_catastrophe
from games.block_mania.engine import EXPLOSIVE, Engine
from games.block_mania.movement import clear
from games.block_mania.predicates import item, open_air, place, takes_damage
from games.block_mania.routes import routes
from games.block_mania.state import State
from games.kernel import PositionError, Table


def _damage(table: Table[State], square: str, cause: str = "attack", n: int = 1) -> None:
    engine = Engine(table)
    engine.damage(_known(table.state, "square", square), cause, n)
    engine.drain()


def _fire(table: Table[State], square: str, cause: str = "attack", n: int = 1) -> None:
    engine = Engine(table)
    engine.fire(_known(table.state, "square", square), cause, n)
    engine.drain()


def _collapse(table: Table[State], square: str, cause: str = "attack") -> None:
    engine = Engine(table)
    if not takes_damage(table.state, _known(table.state, "square", square)) or table.state.square(square).collapsed:
        raise PositionError(f"square: {square} cannot collapse")
    engine.collapse(square, cause)
    engine.drain()


def _explode(table: Table[State], square: str) -> None:
    engine = Engine(table)
    if not set(EXPLOSIVE) & place(table.state, _known(table.state, "square", square)).tags:
        raise PositionError(f"square: {square} is neither an Armory nor a Vehicle Park")
    engine.explode(square)
    engine.drain()


def _demo(table: Table[State], square: str) -> None:
    engine = Engine(table)
    engine.demo(_known(table.state, "square", square))
    engine.drain()


def _check_catastrophe(table: Table[State], seat: int) -> None:
    check_catastrophe(table, seat)


def _ask_range(state: State, **asked: str) -> int | None:
    """How many squares away `to` is from `from`; None: it cannot be reached."""
    return state.sight.range(_area(state, "from", asked), _area(state, "to", asked))


def _ask_visible(state: State, **asked: str) -> bool:
    """Whether there is a line of fire from `from` to `to`."""
    return state.sight.visible(_area(state, "from", asked), _area(state, "to", asked))


def _ask_can_fire(state: State, weapon: str, **asked: str) -> bool:
    """Whether a `weapon` in `from` reaches `to`."""
    firer, target = _area(state, "from", asked), _area(state, "to", asked)
    return can_fire_refusal(state.sight, firer, target, item(state, weapon).range) is None


def _ask_route_clear(state: State, mode: str, **asked: str) -> bool:
    """Whether a Sky-Rail or Mega-Way (`mode`) leads from the stop `from` to the stop `to`, either way round."""
    if mode not in ("sky_rail", "mega_way"):
        raise PositionError(f"route_clear.mode: {mode!r} is neither sky_rail nor mega_way")
    start, end = (_known(state, name, asked.get(name, "")) for name in ("from", "to"))
    way = "sky_rail" if mode == "sky_rail" else "mega_way"
    return any(clear(state, route.squares, route.boards) for route in routes(state.map, way, start, end))


def _area(state: State, name: str, asked: Mapping[str, str]) -> Area:
    """The area in `name` with its side in `<name>_side`; without one the inside of a Window."""
    square = state.map.squares[_known(state, name, asked.get(name, ""))]
    sides = NO_SIDES if open_air(state, square.id) else square.sides
    side = asked.get(f"{name}_side", sides[0])
    found = next((one for one in sides if one == side), None)
    if found is None:
        raise PositionError(f"{name}_side: {square.id} has no side {side!r}")
    return square.id, found


def _known(state: State, field: str, square: str) -> str:
    if square not in state.map.squares:
        raise PositionError(f"{field}: there is no square {square!r}")
    return square


#: By the names of 4.9 and 4.11; arguments are squares, a seat, a cause (attack, fire, cascade), a number of tokens.
PROCEDURES: Mapping[str, Callable[..., None]] = {
    "damage": _damage,
    "fire": _fire,
    "collapse": _collapse,
    "explode": _explode,
    "demo": _demo,
    "check_catastrophe": _check_catastrophe,
}
QUESTIONS: Mapping[str, Callable[..., Any]] = {
    "range": _ask_range,
    "visible": _ask_visible,
    "can_fire": _ask_can_fire,
    "route_clear": _ask_route_clear,
}
