"""Effects of the police: how figures move and why, their defeat and return, dispatch (specification, 4.7 and 9.1)."""

from typing import Literal

from games.kernel import Effect, Public
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.pieces import note
from games.portland_occupied_zone.places import figures
from games.portland_occupied_zone.state import Checkpoint, Cop, Officer, Space, State

JACKSON, MEDIC = "jackson", "medic"
#: How many rounds after their defeat they come back (POZ-R43, POZ-R44).
LATE = {JACKSON: 1, MEDIC: 2}
Halt = Literal["stayed", "arrived", "spent", "pc", "danger", "defended", "befouled"]


class FigureMoved(Effect, frozen=True):
    """A police figure walked; with an empty path it stayed where it was.

    `target` is the character, structure, building, checkpoint or dumpster that it made for (None: there was nothing),
    `rule` what sent it there, `end` why it stopped: arrived, spent (no movement left), pc (somebody awake in the next
    space, `before`), danger, defended (a defended structure there), befouled (where it stands now).
    """

    figure: Public[str]
    path: Public[tuple[Space, ...]]
    target: Public[str | None]
    rule: Public[str]
    end: Public[Halt] = "arrived"
    before: Public[Space | None] = None

    def fold(self, state: State) -> None:
        """It is where its path ends."""
        if self.path:
            put_figure(state, self.figure, self.path[-1])


class FigureAttacked(Effect, frozen=True):
    """A police figure attacks a character, hand to hand or with a gun."""

    figure: Public[str]
    pc: Public[str]
    shot: Public[bool] = False

    def fold(self, state: State) -> None:
        """What comes of it follows."""


class FigureDefeated(Effect, frozen=True):
    """A police figure is off the board: `by` a character, a structure or a card; `credited`: it counts for a plan."""

    figure: Public[str]
    by: Public[str]
    credited: Public[bool] = True

    def fold(self, state: State) -> None:
        """A riot cop to the pool; Jackson and the Medic return later (POZ-R43, POZ-R44)."""
        if self.figure in state.stunned:
            state.stunned.remove(self.figure)
        if self.figure in state.cops:
            del state.cops[self.figure]
        else:
            officer = officer_of(state, self.figure)
            officer.on_board, officer.space = False, None
            officer.returns_round = state.round + LATE[self.figure]
            if self.figure == MEDIC:
                state.medic.tending, state.medic.beside = None, []
        if self.credited:
            note(state, self.by, "medics" if self.figure == MEDIC else "cops")


class FigureReturned(Effect, frozen=True):
    """Jackson or the Medic is back."""

    figure: Public[str]
    space: Public[Space]

    def fold(self, state: State) -> None:
        """On the board."""
        officer = officer_of(state, self.figure)
        officer.on_board, officer.space, officer.returns_round = True, self.space, None
        if self.figure == MEDIC:
            state.medic.attacked = False


class FigurePut(Effect, frozen=True):
    """A police figure had to make room."""

    figure: Public[str]
    space: Public[Space]

    def fold(self, state: State) -> None:
        """It is there."""
        put_figure(state, self.figure, self.space)


class FigureStunned(Effect, frozen=True):
    """A police figure will miss its next activation."""

    figure: Public[str]

    def fold(self, state: State) -> None:
        """Marked."""
        if self.figure not in state.stunned:
            state.stunned.append(self.figure)


class StunEnded(Effect, frozen=True):
    """A police figure missed its activation."""

    figure: Public[str]

    def fold(self, state: State) -> None:
        """No longer marked."""
        state.stunned.remove(self.figure)


class CopDispatched(Effect, frozen=True):
    """A riot cop joins; it acts from `ready_round` on (POZ-DSP-6)."""

    cop: Public[str]
    space: Public[Space]
    ready_round: Public[int]

    def fold(self, state: State) -> None:
        """From the pool."""
        state.cops[self.cop] = Cop(space=self.space, ready_round=self.ready_round)
        state.made["r"] += 1


class CheckpointPlaced(Effect, frozen=True):
    """A checkpoint stands on a site (POZ-CHK-1)."""

    checkpoint: Public[str]
    site: Public[str]
    cells: Public[tuple[Cell, ...]]

    def fold(self, state: State) -> None:
        """On the board."""
        state.checkpoints[self.checkpoint] = Checkpoint(cells=self.cells)
        state.made["k"] += 1


class CheckpointRemoved(Effect, frozen=True):
    """A checkpoint burnt down (POZ-R37); a figure in it stands on its first cell."""

    checkpoint: Public[str]
    by: Public[str | None] = None

    def fold(self, state: State) -> None:
        """Its tokens go back."""
        gone = state.checkpoints.pop(self.checkpoint)
        state.supplies.arson += gone.arson
        for figure, space in figures(state).items():
            if space == self.checkpoint:
                put_figure(state, figure, gone.cells[0])
        if state.medic.tending == self.checkpoint:
            state.medic.tending = None


class MedicAttacked(Effect, frozen=True):
    """The Medic was attacked: no aid and no fire fighting this round (POZ-MED-9)."""

    by: Public[str]

    def fold(self, state: State) -> None:
        """Nobody is beside him."""
        state.medic.attacked = True
        state.medic.beside = []


class MedicTends(Effect, frozen=True):
    """What the Medic stands next to when he has moved, and who is beside him (ALG-MEDIC 4)."""

    tending: Public[str | None]
    beside: Public[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """Remembered for the next round."""
        medic = state.medic
        medic.tending, medic.beside, medic.attacked = self.tending, list(self.beside), False


def officer_of(state: State, figure: str) -> Officer:
    """Jackson or the Medic."""
    return state.jackson if figure == JACKSON else state.medic


def put_figure(state: State, figure: str, space: Space) -> None:
    """A figure is somewhere else."""
    if figure in state.cops:
        state.cops[figure].space = space
    else:
        officer_of(state, figure).space = space


#: Every effect of this module.
PoliceEffect = (
    FigureMoved
    | FigureAttacked
    | FigureDefeated
    | FigureReturned
    | FigurePut
    | FigureStunned
    | StunEnded
    | CopDispatched
    | CheckpointPlaced
    | CheckpointRemoved
    | MedicAttacked
    | MedicTends
)
