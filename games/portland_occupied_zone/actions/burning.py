"""Arson, cameras, dumpsters, putting fires out, clearing gas (specification, 4.5; ALG-ARSON, ALG-PUSH)."""

from collections.abc import Iterator
from typing import ClassVar, Self

from games.kernel import Action, Public, Table
from games.portland_occupied_zone.actions.common import (
    begin,
    check_bricks,
    check_free,
    check_hand,
    me,
    throws,
    turn_of,
)
from games.portland_occupied_zone.actions.refusals import Reason, refuse
from games.portland_occupied_zone.effects import CameraDestroyed, Cleaned, DumpsterLit, FireRemoved
from games.portland_occupied_zone.harm import foul
from games.portland_occupied_zone.modifiers import hand_limit
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.places import befouled, cells_of, gassed, is_building, padj, token_cells
from games.portland_occupied_zone.sight import beside_cell
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.steps.turns import Turn
from games.portland_occupied_zone.tasks.burning import HITS, ignite
from games.portland_occupied_zone.throws import throw

WITH_DUMPSTER = 3  # POZ-DUM-10
Why = tuple[str, Reason]


class CommitArson(Action, frozen=True):
    """Set fire to a building, checkpoint or dumpster with so many bricks, perhaps by way of a burning dumpster."""

    rule: ClassVar[str] = "POZ-TRN-10"
    exact: ClassVar[bool] = True

    target: Public[str]
    b: Public[int]
    dumpster: Public[str | None] = None

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every target at hand, alone or with a dumpster, with any number of bricks."""
        if turn_of(state).in_gas:
            return
        helpers = [None, *(name for name in state.dumpsters if _helps(state, name))]
        targets = [*state.board.buildings, *state.checkpoints, *state.dumpsters]
        for target in targets:
            for dumpster in helpers:
                if _unburnable(state, target, dumpster) is None:
                    yield from (cls(target, b, dumpster) for b in throws(state, int(dumpster is None)))

    def check(self, state: State, seat: int) -> None:
        """A target that burns, at hand (or the dumpster at it); bricks."""
        check_free(state)
        if self.dumpster is not None and (self.dumpster not in state.dumpsters or not _helps(state, self.dumpster)):
            refuse("POZ-DUM-10", "no_burning_dumpster", dumpster=self.dumpster)
        why = _unburnable(state, self.target, self.dumpster)
        if why is not None:
            refuse(*why, target=self.target)
        check_bricks(state, self.b, int(self.dumpster is None))

    def apply(self, table: Table[State], seat: int) -> None:
        """ALG-ARSON: a success for every three hits."""
        begin(table)
        pc = turn_of(table.state).pc
        bonus = 0 if self.dumpster is None else WITH_DUMPSTER
        hits = throw(table, pc, self.b, "arson", bonus).total
        if self.dumpster is not None:
            table.emit(FireRemoved(self.dumpster))
        if self.target not in table.state.dumpsters:
            ignite(table, self.target, hits // HITS, pc)
        elif hits >= HITS:
            table.emit(DumpsterLit(self.target))


def _helps(state: State, dumpster: str) -> bool:
    """Whether a burning dumpster stands next to the character."""
    thing = state.dumpsters[dumpster]
    return thing.burning and padj(state, me(state).space, thing.cell)


def _unburnable(state: State, target: str, dumpster: str | None) -> Why | None:
    """Why a target cannot be set on fire (by way of a burning dumpster, if one is named)."""
    here = me(state).space
    if target in state.dumpsters:
        thing = state.dumpsters[target]
        if dumpster is not None:
            return "POZ-DUM-10", "not_a_building"
        if thing.burning:
            return "POZ-ARS-15", "burns_already"
        return None if padj(state, here, thing.cell) else ("POZ-ARS-3", "not_next_to_it")
    if target in state.board.buildings:
        if not state.buildings[target].standing:
            return "POZ-ARS-26", "burnt_down"
        if target == COURTHOUSE and (state.cops or state.jackson.on_board):
            return "POZ-DIC-3", "police_active"
        if target == COURTHOUSE and here == COURTHOUSE:
            return "POZ-R33", "from_outside_only"
    elif target not in state.checkpoints:
        return "POZ-ARS-2", "does_not_burn"
    if dumpster is not None:
        close = padj(state, state.dumpsters[dumpster].cell, target)
        return None if close else ("POZ-DUM-10", "dumpster_not_next_to_it")
    return None if here == target or padj(state, here, target) else ("POZ-ARS-3", "not_next_to_it")


class DestroyCamera(Action, frozen=True):
    """Destroy a surveillance camera, with so many bricks."""

    rule: ClassVar[str] = "POZ-CAM-2"
    exact: ClassVar[bool] = True

    camera: Public[str]
    b: Public[int]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every camera at hand, with any number of bricks."""
        if not turn_of(state).in_gas:
            for name, camera in state.cameras.items():
                if camera.present and _camera_at_hand(state, name):
                    yield from (cls(name, b) for b in throws(state))

    def check(self, state: State, seat: int) -> None:
        """There, at hand; bricks."""
        check_free(state)
        if self.camera not in state.cameras or not state.cameras[self.camera].present:
            refuse("POZ-CAM-2", "no_such_camera", camera=self.camera)
        if not _camera_at_hand(state, self.camera):
            refuse("POZ-R74", "not_next_to_it", camera=self.camera)
        check_bricks(state, self.b)

    def apply(self, table: Table[State], seat: int) -> None:
        """Three hits in one throw."""
        begin(table)
        pc = turn_of(table.state).pc
        if throw(table, pc, self.b, "camera").total >= HITS:
            table.emit(CameraDestroyed(self.camera, pc))


def _camera_at_hand(state: State, camera: str) -> bool:
    return beside_cell(cells_of(state, me(state).space), state.board.cameras[camera])


class Extinguish(Action, frozen=True):
    """Spend the whole turn putting out a fire next door (POZ-ARS-20 to -22)."""

    rule: ClassVar[str] = "POZ-ARS-20"
    exact: ClassVar[bool] = True

    target: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every burning building or dumpster next to the character, as the first action."""
        turn = turn_of(state)
        if not turn.in_gas and not turn.acted and len(me(state).hand) <= hand_limit(state, turn.pc):
            yield from (cls(name) for name in (*state.board.buildings, *state.dumpsters) if _burns_beside(state, name))

    def check(self, state: State, seat: int) -> None:
        """First thing in the turn; fire next door; a hand that fits (POZ-R42)."""
        check_free(state)
        if turn_of(state).acted:
            refuse("POZ-ARS-22", "acted_already")
        if not _burns_beside(state, self.target):
            refuse(
                "POZ-ARS-21" if self.target in state.dumpsters else "POZ-ARS-20", "no_fire_there", target=self.target
            )
        check_hand(state)

    def apply(self, table: Table[State], seat: int) -> None:
        """One token less, or a plain dumpster; the turn is over."""
        table.amend(Turn, over=True)
        begin(table)
        table.emit(FireRemoved(self.target))


def _burns_beside(state: State, target: str) -> bool:
    here = me(state).space
    if target in state.dumpsters:
        thing = state.dumpsters[target]
        return thing.burning and padj(state, here, thing.cell)
    if target not in state.buildings or not is_building(state, target):
        return False
    building = state.buildings[target]
    return building.standing and building.arson > 0 and padj(state, here, target)


class ClearGas(Action, frozen=True):
    """Clear the own space of gas and filth, with so many bricks (POZ-R28)."""

    rule: ClassVar[str] = "POZ-GAS-4"
    exact: ClassVar[bool] = True

    b: Public[int]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Any number of bricks, where there is something to clear."""
        if _dirty(state):
            yield from map(cls, throws(state))

    def check(self, state: State, seat: int) -> None:
        """Something to clear; bricks."""
        if not _dirty(state):
            refuse("POZ-GAS-4", "nothing_to_clear")
        check_bricks(state, self.b)

    def apply(self, table: Table[State], seat: int) -> None:
        """Three natural hits clear it; to fail in gas knocks out."""
        begin(table)
        state = table.state
        pc, space = turn_of(state).pc, me(state).space
        if throw(table, pc, self.b, "clear_gas").natural >= HITS:
            cells, tokens = token_cells(state, space), state.tokens
            table.emit(
                Cleaned(tuple(c for c in cells if c in tokens.befoul), tuple(c for c in cells if c in tokens.gas))
            )
        elif turn_of(state).in_gas:
            foul(table, pc)


def _dirty(state: State) -> bool:
    return gassed(state, me(state).space) or befouled(state, me(state).space)
