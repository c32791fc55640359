"""Positions of this ruleset: reading and writing them, where a game goes on from one, procedures and questions (3.3)."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from games.block_mania.catastrophe import check_catastrophe
from games.block_mania.engine import Engine
from games.block_mania.filling import fill
from games.block_mania.messages import Game
from games.block_mania.movement import clear
from games.block_mania.position_doc import PositionDoc, impossible, read
from games.block_mania.predicates import item
from games.block_mania.routes import routes
from games.block_mania.scoring import dp
from games.block_mania.state import Blocker, Side, State
from games.block_mania.steps.command import Activation, Command
from games.block_mania.steps.phases import Enter
from games.block_mania.steps.setup import push_setup
from games.kernel import Setting, Table, encode

#: Fields that a dump leaves to the game: they are in its setting.
SETTING = ("pack", "options")


class BlockPosition:
    """`load`, `begin`, `dump`, `schema`; procedures of 4.9 and 4.11; questions of geometry and score."""

    def __init__(self) -> None:
        self.procedures: Mapping[str, Callable[..., None]] = {
            "damage": _damage,
            "fire": _fire,
            "collapse": _collapse,
            "explode": _explode,
            "demo": _demo,
            "check_catastrophe": _check_catastrophe,
        }
        self.questions: Mapping[str, Callable[..., Any]] = {
            "range": _ask_range,
            "visible": _ask_visible,
            "can_fire": _ask_can_fire,
            "route_clear": _ask_route_clear,
            "dp": _ask_dp,
        }

    def load(self, position: Mapping[str, Any], setting: Setting, base: str) -> Game:
        """The state that a position describes, completed as 3.3 says; the only base is `new`.

        Raises:
            PositionError: it is impossible, with a sentence that names the field.
        """
        if base != "new":
            impossible("base", "this ruleset has no start of its pack; the only base is new")
        return msgspec.json.decode(encode(fill(setting, read(position))), type=Game)

    def begin(self, table: Table[Game]) -> None:
        """Push what comes first: the phase that the position names, from its beginning."""
        state = table.state
        if state.outcome is not None:
            return
        if state.phase in ("setup_block", "setup_blockers"):
            push_setup(table)
        elif state.phase == "command" and state.active is not None:
            table.push(
                Activation(seats=(state.phasing,), blocker=state.active),
                Command(seats=(state.phasing,)),
                Enter(phase="defensive"),
            )
        elif state.phase != "over":
            table.push(Enter(phase=state.phase))

    def dump(self, state: State) -> dict[str, Any]:
        """The whole state as a position: every field listed, in canonical order."""
        whole: dict[str, Any] = msgspec.to_builtins(state)
        for name in SETTING:
            del whole[name]
        whole["blockers"] = [_full(one, Blocker) for one in state.blockers.values()]
        whole["squares"] = {name: _full(one, type(one)) for name, one in state.squares.items()}
        for number, seat in enumerate(whole["seats"]):
            seat["dp"] = dp(state, number)
        return whole | {"deck_exact": True}

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of positions."""
        return msgspec.json.schema(PositionDoc)


def _full(thing: Any, kind: type[Any]) -> dict[str, Any]:
    """A struct with the fields that have their default value, too."""
    return {name: msgspec.to_builtins(getattr(thing, name)) for name in kind.__struct_fields__}


def _square(state: State, field: str, square: str) -> str:
    if square not in state.map.squares:
        impossible(field, f"there is no square {square!r}")
    return square


def _damage(table: Table[Game], square: str, cause: str = "attack") -> None:
    engine = Engine(table)
    engine.damage(_square(table.state, "damage.square", square), cause)
    engine.drain()


def _fire(table: Table[Game], square: str, cause: str = "attack") -> None:
    engine = Engine(table)
    engine.fire(_square(table.state, "fire.square", square), cause)
    engine.drain()


def _collapse(table: Table[Game], square: str, cause: str = "attack") -> None:
    engine = Engine(table)
    engine.collapse(_square(table.state, "collapse.square", square), cause)
    engine.drain()


def _explode(table: Table[Game], square: str) -> None:
    engine = Engine(table)
    engine.explode(_square(table.state, "explode.square", square))
    engine.drain()


def _demo(table: Table[Game], square: str) -> None:
    engine = Engine(table)
    engine.demo(_square(table.state, "demo.square", square))
    engine.drain()


def _check_catastrophe(table: Table[Game], seat: int) -> None:
    check_catastrophe(table, seat)


def _area(state: State, square: str, side: str | None) -> tuple[str, Side]:
    sides = state.map.squares[_square(state, "square", square)].sides
    return square, (sides[0] if side is None else side)  # type: ignore[return-value] # a word of Side


def _ask_range(
    state: State, to: str, from_side: str | None = None, to_side: str | None = None, **more: str
) -> int | None:
    """The range between two areas; None if there is none (4.5.2)."""
    return state.sight.range(_area(state, more["from"], from_side), _area(state, to, to_side))


def _ask_visible(
    state: State, to: str, from_side: str | None = None, to_side: str | None = None, **more: str
) -> bool:
    """Whether there is a line of fire between two areas (4.5.3)."""
    return state.sight.visible(_area(state, more["from"], from_side), _area(state, to, to_side))


def _ask_can_fire(
    state: State,
    to: str,
    weapon: str,
    from_side: str | None = None,
    to_side: str | None = None,
    **more: str,
) -> bool:
    """Whether a weapon reaches from one area to another (4.5.3)."""
    reach = item(state, weapon).range
    firer, target = _area(state, more["from"], from_side), _area(state, to, to_side)
    distance = state.sight.range(firer, target)
    return reach is not None and distance is not None and distance <= reach and state.sight.visible(firer, target)


def _ask_route_clear(state: State, mode: str, to: str, **more: str) -> bool:
    """Whether the Sky-Rail (mode sky_rail) or Mega-Way is whole between two of its stops (4.4.2)."""
    way = "sky_rail" if mode == "sky_rail" else "mega_way"
    found = routes(state.map, way, more["from"], to)  # type: ignore[arg-type] # one of the two words
    return any(clear(state, route.squares, route.boards) for route in found)


def _ask_dp(state: State, seat: int) -> int:
    """A seat's Defeat Points as things stand (4.13)."""
    return dp(state, seat)
