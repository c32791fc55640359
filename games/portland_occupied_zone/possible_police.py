"""Where police figures can be (specification, 3.3; ALG-ROUTE, ALG-DISPATCH, POZ-R43, POZ-R44)."""

from collections.abc import Callable
from typing import Final

from games.kernel.positions import impossible
from games.portland_occupied_zone.effects.police import JACKSON, MEDIC, officer_of
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.places import dumpster_at, exists, figures, is_building
from games.portland_occupied_zone.possible import is_id
from games.portland_occupied_zone.state import Space, State

FigureTest = Callable[[State, str, Space], bool]


def check_police(state: State) -> None:
    """Test every police figure.

    Raises:
        PositionError: one cannot be where or as it is, with the field and a sentence.
    """
    for figure in (JACKSON, MEDIC):
        _check_officer(state, figure)
    there = figures(state)
    for figure, space in there.items():
        for is_possible, sentence in FIGURES:
            if not is_possible(state, figure, space):
                impossible(f"{figure if figure not in state.cops else f'cops.{figure}'}.space", sentence)
    if not set(state.stunned) <= there.keys() or len(set(state.stunned)) < len(state.stunned):
        impossible("stunned", "they are figures on the board, each once")
    _check_cops(state)
    _check_medic(state)


def is_figure(state: State, name: str | None) -> bool:
    """Whether this is a police figure that is or was on the board."""
    return name is not None and (name in (JACKSON, MEDIC) or is_id(name, "r", state.made))


def _check_officer(state: State, figure: str) -> None:
    """On the board somewhere, or off it until a round that comes."""
    officer = officer_of(state, figure)
    if officer.on_board != (officer.space is not None):
        impossible(f"{figure}.space", "it is somewhere if it is on the board")
    if officer.on_board != (officer.returns_round is None):
        impossible(f"{figure}.returns_round", "who is off the board returns, nobody else")
    if officer.returns_round is not None and officer.returns_round < state.round:
        impossible(f"{figure}.returns_round", "that round is over")


def _exists(state: State, _: str, space: Space) -> bool:
    return exists(state, space)


def _is_outdoors(state: State, figure: str, space: Space) -> bool:
    """Jackson and the Medic may be in the courthouse, else there is no figure in a building."""
    return not is_building(state, space) or (space == COURTHOUSE and figure not in state.cops)


def _is_past(state: State, _: str, space: Space) -> bool:
    """Barricades and the Commune keep police out, traps take who enters (POZ-R48, POZ-RED-5, -9)."""
    if not isinstance(space, str) or space not in state.structures:
        return True
    kind = state.board.structures[state.structures[space].type]
    return not (kind.site or kind.trap or kind.id == "commune")


def _is_alone(state: State, _: str, space: Space) -> bool:
    return space == COURTHOUSE or list(figures(state).values()).count(space) == 1


def _is_beside_dumpsters(state: State, _: str, space: Space) -> bool:
    return isinstance(space, str) or dumpster_at(state, space) is None


#: Where a figure is: whether it can be there.
FIGURES: Final[tuple[tuple[FigureTest, str], ...]] = (
    (_exists, "there is no such space"),
    (_is_outdoors, "police are not inside it"),
    (_is_past, "police do not get in there"),
    (_is_beside_dumpsters, "there is a dumpster"),
    (_is_alone, "another figure is there"),
)


def _check_cops(state: State) -> None:
    for name in state.cops:
        if not is_id(name, "r", state.made):
            impossible(f"cops.{name}", "its id is r and a number that has been reached")
    if len(state.cops) > state.board.pack.limits.riot_cops:
        impossible("cops", "there are not so many")


def _check_medic(state: State) -> None:
    medic = state.medic
    fires = (*state.buildings, *state.checkpoints, *state.dumpsters)
    if medic.tending is not None and not (medic.on_board and medic.tending in fires):
        impossible("medic.tending", "it is a building, a checkpoint or a dumpster")
    if (medic.beside and not medic.on_board) or len(set(medic.beside)) < len(medic.beside):
        impossible("medic.beside", "they are characters beside him, each once")
