"""Pure questions about a position (specification, 3.3)."""

from typing import Any

from games.kernel.positions import impossible
from games.portland_occupied_zone.modifiers import bricks_total, hand_limit, move_rate
from games.portland_occupied_zone.places import figures, footprints
from games.portland_occupied_zone.routes import route
from games.portland_occupied_zone.sight import Sight, clear
from games.portland_occupied_zone.state import State


def ask_visible(state: State, pc: str | None = None, structure: str | None = None) -> bool:
    """Whether the police see a character, or a structure.

    Raises:
        PositionError: there is none of that name.
    """
    if pc in state.pcs:
        return Sight(state).pc_visible(pc)
    if structure in state.structures:
        return Sight(state).structure_visible(structure)
    return impossible("visible", "it names a character (pc) or a structure of the position")


def ask_clear(state: State, a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether the line between the centres of two cells is clear."""
    return clear(state, (a[0], a[1]), (b[0], b[1]))


def ask_route(state: State, figure: str, to: Any) -> dict[str, Any] | None:
    """How a police figure would go to a character, structure, building, dumpster or cell (ALG-ROUTE); None: no way.

    Raises:
        PositionError: there is no such figure on the board, or no such target.
    """
    target = (to[0], to[1]) if isinstance(to, list | tuple) else str(to)
    if figure not in figures(state):
        impossible("route.figure", f"there is no {figure} on the board")
    if target not in (*state.pcs, *state.structures, *state.buildings, *state.checkpoints, *state.dumpsters) and (
        target not in state.board.around
    ):
        impossible("route.to", f"there is no {to}")
    found = route(state, figure, target)
    return None if found is None else {"cost": found[0], "cells": found[1]}


def ask_rates(state: State, pc: str) -> dict[str, int]:
    """A character's bricks total, movement rate and hand limit (ALG-RATE).

    Raises:
        PositionError: there is no such character.
    """
    if pc not in state.pcs:
        impossible("rates.pc", f"there is no {pc}")
    return {"bricks": bricks_total(state, pc), "move": move_rate(state, pc), "hand_limit": hand_limit(state, pc)}


def ask_footprint(
    state: State,
    type: str,  # noqa: A002 the question's own word
    anchor: tuple[int, int] | None = None,
    turned: bool = False,  # noqa: FBT001, FBT002 questions have named arguments
    site: str | None = None,
) -> bool:
    """Whether a structure of a type could be placed there (4.6).

    Raises:
        PositionError: there is no such type.
    """
    if type not in state.board.structures:
        impossible("legal_footprint.type", f"there is no structure {type}")
    places = footprints(state, type)
    if site is not None:
        return any(name == site for _, _, name in places)
    return anchor is not None and ((anchor[0], anchor[1]), turned, None) in places
