"""What a `pick` of the effect language can choose from (specification, 2.7)."""

from collections.abc import Iterator

from games.portland_occupied_zone.board import Board
from games.portland_occupied_zone.cards import kind_of
from games.portland_occupied_zone.language import Call
from games.portland_occupied_zone.modifiers import holds, is_type
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.places import distance, figures, near, walkable
from games.portland_occupied_zone.sight import Sight, sees
from games.portland_occupied_zone.state import Space, State


def things(state: State, me: str, call: Call) -> tuple[Space, ...]:
    """Everything that a pick may choose, in a stable order; of hand cards the kinds, each once."""
    match call.word(0):
        case "char":
            return tuple(_chars(state, me, call))
        case "char_or_police_or_checkpoint":
            found = [*_chars(state, me, call), *_police(state, me, call)]
            return (*found, *(name for name in state.checkpoints if _reached(state, me, name, call)))
        case "police":
            return tuple(_police(state, me, call))
        case "cell":
            return tuple(_cells(state, me, call))
        case "building":
            return tuple(name for name in state.board.businesses if state.buildings[name].standing)
        case "dumpster":
            return tuple(state.dumpsters)
        case "camera":
            return tuple(name for name, camera in state.cameras.items() if camera.present)
        case "deck":
            return tuple(name for name in state.board.businesses if state.buildings[name].standing)
        case _:
            return hand_kinds(state, me, call.named.get("filter"))


def hand_kinds(state: State, pc: str, wanted: object) -> tuple[str, ...]:
    """The kinds of cards in a hand, each once; `food` alone."""
    return tuple(
        dict.fromkeys(kind_of(card) for card in state.pcs[pc].hand if wanted != "food" or is_type(state, card, "F"))
    )


def pickable(state: State, me: str, calls: tuple[Call, ...]) -> bool:
    """Whether every pick among calls has something to choose from, and its conditions hold."""
    return all(holds(state, me, call) and bool(things(state, me, call)) for call in calls if call.name == "pick")


def _chars(state: State, me: str, call: Call) -> Iterator[str]:
    wanted = call.named.get("filter")
    for name, pc in state.pcs.items():
        if not pc.alive or pc.status == "jailed" or (name == me and wanted != "or_self"):
            continue
        if wanted == "ko" and pc.status != "ko":
            continue
        if wanted == "ko_or_ball_pit" and pc.status != "ko" and not _in_ball_pit(state, pc.space):
            continue
        if name == me or _reached(state, me, pc.space, call):
            yield name


def _in_ball_pit(state: State, space: Space) -> bool:
    return isinstance(space, str) and space in state.structures and state.structures[space].type == "ball_pit"


def _police(state: State, me: str, call: Call) -> Iterator[str]:
    return (name for name, space in figures(state).items() if _reached(state, me, space, call))


def _reached(state: State, me: str, space: Space, call: Call) -> bool:
    """Whether a thing in a space is in the range of a pick, and in sight if that is asked."""
    reach, here = call.named.get("range"), state.pcs[me].space
    if reach == 1 and call.word(0) == "char":
        return near(state, here, space)
    if isinstance(reach, int) and distance(state, here, space) > reach:
        return False
    return "los" not in call.named or sees(state, here, space, Sight(state))


def _cells(state: State, me: str, call: Call) -> Iterator[Cell]:
    """Open cells, and the inside door cell of a standing business, which means that building."""
    board: Board = state.board
    reach, here = call.named.get("range"), state.pcs[me].space
    doors = {board.buildings[name].door[0]: name for name in board.businesses if state.buildings[name].standing}
    for cell in board.cells:
        if walkable(state, cell) or cell in doors:
            if isinstance(reach, int) and distance(state, here, doors.get(cell, cell)) > reach:
                continue
            yield cell
