"""Choosing characters, placing the Pulpit (specification, 4.2)."""

from collections.abc import Iterator
from typing import ClassVar, Self

from games.kernel import Action, Public, Table
from games.portland_occupied_zone.actions.refusals import refuse
from games.portland_occupied_zone.effects import CharacterChosen, PulpitPlaced
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.places import footprints
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.steps.rounds import StartRound
from games.portland_occupied_zone.tasks.building import next_structure


class ChooseCharacter(Action, frozen=True):
    """Play this character."""

    rule: ClassVar[str] = "POZ-SET-4.1"
    exact: ClassVar[bool] = True

    pc: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Those not chosen whose work place is on the map, in rainbow order."""
        return (cls(pc) for pc in choosable(state))

    def check(self, state: State, seat: int) -> None:
        """It is there, and nobody's."""
        if self.pc not in state.board.characters:
            refuse("POZ-WAR-1", "no_such_character", pc=self.pc)
        if self.pc in state.pcs:
            refuse("POZ-SET-4.1", "chosen_already", pc=self.pc)
        if self.pc not in choosable(state):
            refuse("POZ-R83", "no_work_place", pc=self.pc)

    def apply(self, table: Table[State], seat: int) -> None:
        """It is at work."""
        table.emit(CharacterChosen(seat, self.pc))


class PlacePulpit(Action, frozen=True):
    """Place the Struggle Pulpit."""

    rule: ClassVar[str] = "POZ-SET-5.2"
    exact: ClassVar[bool] = True

    cell: Public[Cell]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every cell for it, row by row."""
        return (cls(anchor) for anchor, _, _ in footprints(state, "pulpit"))

    def check(self, state: State, seat: int) -> None:
        """Open ground, not in Courthouse Square (POZ-GOV-3)."""
        if self.cell in state.board.square:
            refuse("POZ-SET-5.2", "courthouse_square")
        if all(self.cell != anchor for anchor, _, _ in footprints(state, "pulpit")):
            refuse("POZ-SET-5.2", "no_room_there")

    def apply(self, table: Table[State], seat: int) -> None:
        """It stands; the first round begins."""
        table.emit(PulpitPlaced(next_structure(table.state), self.cell))
        table.push(StartRound())


def choosable(state: State) -> list[str]:
    """The characters that nobody plays and whose work place is on the map (POZ-R83)."""
    board = state.board
    return [pc for pc, who in board.characters.items() if pc not in state.pcs and who.works_at in board.buildings]
