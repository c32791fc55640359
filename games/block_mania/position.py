"""Positions of this ruleset: reading and writing them, where a game goes on from one (3.3)."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from games.block_mania.filling import fill
from games.block_mania.messages import Game
from games.block_mania.pending import check
from games.block_mania.position_doc import PositionDoc
from games.block_mania.procedures import PROCEDURES, QUESTIONS
from games.block_mania.scoring import dp
from games.block_mania.state import Blocker, State
from games.block_mania.steps.command import Activation, Command
from games.block_mania.steps.phases import Enter
from games.block_mania.steps.setup import push_setup
from games.kernel import Setting, Table, encode
from games.kernel.positions import impossible, read_position

#: Fields that a dump leaves out: they are in the game's setting, or follow from others.
SETTING = ("pack", "options", "owners")


class BlockPosition:
    """`load`, `begin`, `dump`, `schema`; procedures of 4.9 and 4.11; questions of geometry and score."""

    procedures: Mapping[str, Callable[..., None]] = PROCEDURES

    def __init__(self) -> None:
        self.questions: Mapping[str, Callable[..., Any]] = {**QUESTIONS, "dp": _ask_dp}

    def load(self, position: Mapping[str, Any], setting: Setting, base: str) -> Game:
        """The state that a position describes, completed as 3.3 says; the only base is `new`.

        Raises:
            PositionError: it is impossible, with a sentence that names the field.
        """
        if base != "new":
            impossible("base", "this ruleset has no start of its pack; the only base is new")
        doc = read_position(position, PositionDoc)
        state = fill(setting, doc)
        check(state, doc, setting)
        return msgspec.json.decode(encode(state), type=Game)

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


def _ask_dp(state: State, seat: int) -> int:
    """A seat's Defeat Points as things stand (4.13)."""
    return dp(state, seat)
