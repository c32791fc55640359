"""Where pieces can be (specification, 3.3): buildings, structures, checkpoints, dumpsters and tokens.

A table for each kind of piece: a field, whether it can be so, and the sentence that refuses it otherwise. What play can
bring about is possible, however unlikely.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from games.kernel.positions import impossible
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.places import dumpster_at, footprint, walkable
from games.portland_occupied_zone.state import Checkpoint, State, Structure

StructureTest = Callable[[State, str, Structure], bool]
CheckpointTest = Callable[[State, str, Checkpoint], bool]


def check_pieces(state: State) -> None:
    """Test every piece on the map that is neither a character nor a police figure.

    Raises:
        PositionError: one cannot be where or as it is, with the field and a sentence.
    """
    _check_buildings(state)
    for name, thing in state.structures.items():
        for field, is_possible, sentence in STRUCTURES:
            if not is_possible(state, name, thing):
                impossible(f"structures.{name}{field}", sentence)
    for name, point in state.checkpoints.items():
        for field, is_right, sentence in CHECKPOINTS:
            if not is_right(state, name, point):
                impossible(f"checkpoints.{name}{field}", sentence)
    _check_overlaps(state)
    _check_dumpsters(state)
    _check_tokens(state)


def is_id(name: str, letter: str, made: Mapping[str, int]) -> bool:
    """Whether this can be the id of a piece that has come: its letter and a number counted so far."""
    return re.fullmatch(f"{letter}[1-9][0-9]{{0,8}}", name) is not None and int(name[1:]) <= made[letter]


def _check_buildings(state: State) -> None:
    for name, building in state.buildings.items():
        if building.arson > (state.board.arson_slots(name) if building.standing else 0):
            impossible(f"buildings.{name}.arson", "it has not so many slots")


def _is_counted(state: State, name: str, _: Structure | Checkpoint) -> bool:
    return is_id(name, "k" if name in state.checkpoints else "s", state.made)


def _is_on_ground(state: State, _: str, thing: Structure | Checkpoint) -> bool:
    return all(walkable(state, cell) and dumpster_at(state, cell) is None for cell in thing.cells)


def _has_its_size(state: State, _: str, thing: Structure) -> bool:
    kind = state.board.structures[thing.type]
    if kind.site or kind.size is None or not thing.cells:
        return kind.site
    return any(thing.cells == footprint(kind.size, thing.cells[0], turned=turned) for turned in (False, True))


def _is_on_a_site(state: State, _: str, thing: Structure | Checkpoint) -> bool:
    kind = state.board.structures[thing.type] if isinstance(thing, Structure) else None
    return (kind is not None and not kind.site) or (bool(thing.cells) and thing.cells in state.board.sites.values())


def _has_slots(state: State, _: str, thing: Structure) -> bool:
    return thing.npcs <= state.board.structures[thing.type].npcs


def _burns(state: State, _: str, point: Checkpoint) -> bool:
    return point.arson <= state.board.pack.limits.arson_slots.checkpoint


#: What a structure is like: the field, whether it can be so.
STRUCTURES: Final[tuple[tuple[str, StructureTest, str], ...]] = (
    ("", _is_counted, "its id is s and a number that has been reached"),
    (".cells", _is_on_ground, "it stands on open ground"),
    (".cells", _has_its_size, "they are those of its size, row by row"),
    (".cells", _is_on_a_site, "it stands on a barricade site"),
    (".npcs", _has_slots, "it has not so many slots"),
)
#: What a checkpoint is like.
CHECKPOINTS: Final[tuple[tuple[str, CheckpointTest, str], ...]] = (
    ("", _is_counted, "its id is k and a number that has been reached"),
    (".cells", _is_on_ground, "it stands on open ground"),
    (".cells", _is_on_a_site, "it stands on a barricade site"),
    (".arson", _burns, "it has not so many slots"),
)


def _check_overlaps(state: State) -> None:
    taken: set[Cell] = set()
    for kind, things in (("structures", state.structures), ("checkpoints", state.checkpoints)):
        for name, thing in things.items():
            if not taken.isdisjoint(thing.cells):
                impossible(f"{kind}.{name}.cells", "something else stands there")
            taken.update(thing.cells)
    if len(state.checkpoints) > state.board.pack.limits.checkpoints:
        impossible("checkpoints", "there are not so many")


def _check_dumpsters(state: State) -> None:
    taken: set[Cell] = set()
    for name, dumpster in state.dumpsters.items():
        if not walkable(state, dumpster.cell):
            impossible(f"dumpsters.{name}.cell", "it is no open ground")
        if dumpster.cell in taken:
            impossible(f"dumpsters.{name}.cell", "another dumpster stands there")
        taken.add(dumpster.cell)


def _check_tokens(state: State) -> None:
    """Befoulments and gas lie on open ground, or inside a door, where they count for the building (3.1)."""
    doors = {building.door[0] for building in state.board.buildings.values()}
    for field, cells in (("befoul", state.tokens.befoul), ("gas", state.tokens.gas)):
        for cell in cells:
            if not walkable(state, cell) and cell not in doors:
                impossible(f"tokens.{field}", f"none lies on {list(cell)}")
        if _repeats(cells):
            impossible(f"tokens.{field}", "a cell has one at most")


def _repeats(things: Iterable[object]) -> bool:
    listed = list(things)
    return len(set(listed)) < len(listed)
