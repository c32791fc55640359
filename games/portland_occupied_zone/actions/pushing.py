"""Pushing dumpsters (specification, 4.5; ALG-PUSH, POZ-DUM-4 to -7, POZ-DUM-10)."""

from collections.abc import Iterator
from typing import ClassVar, Literal, Self

from games.kernel import Action, Public, Table
from games.portland_occupied_zone.actions.burning import WITH_DUMPSTER, Why
from games.portland_occupied_zone.actions.common import begin, check_bricks, check_free, me, throws, turn_of
from games.portland_occupied_zone.actions.moving import check_movement
from games.portland_occupied_zone.actions.refusals import refuse
from games.portland_occupied_zone.board import DIRECTIONS
from games.portland_occupied_zone.fighting import DUMPSTER, hit_figure
from games.portland_occupied_zone.modifiers import flagged, move_rate
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.places import (
    cells_of,
    dumpster_at,
    figures,
    is_building,
    pcs_in,
    space_at,
    walkable,
)
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.steps.pushing import AfterPush, occupied, shift
from games.portland_occupied_zone.tasks.burning import HITS, ignite
from games.portland_occupied_zone.tasks.fighting import begin_combat
from games.portland_occupied_zone.throws import throw

COST, FAST = 2, 1  # POZ-DUM-4, POZ-R40; 2.8, Jeff


class PushDumpster(Action, frozen=True):
    """Push a dumpster away; a burning one also into a `primary` opponent, with `b` bricks unless it is a character."""

    rule: ClassVar[str] = "POZ-DUM-4"
    exact: ClassVar[bool] = True

    dumpster: Public[str]
    direction: Public[Literal["n", "e", "s", "w"]]
    primary: Public[str | None] = None
    b: Public[int | None] = None

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every dumpster next to the character that can be pushed; into whom, with how many bricks."""
        turn = turn_of(state)
        if turn.in_gas or turn.moved + cost(state) > move_rate(state, turn.pc) or _stand(state) is None:
            return
        for name in state.dumpsters:
            direction = _away(state, name)
            if direction is None or _stuck(state, name, direction) is not None:
                continue
            to = _target(state, name, direction)
            if not occupied(state, to):
                yield cls(name, direction)  # type: ignore[arg-type] # one of the four
            for opponent in opponents(state, to):
                for b in (None,) if opponent in state.pcs else throws(state, 0):
                    yield cls(name, direction, opponent, b)  # type: ignore[arg-type] # the same

    def check(self, state: State, seat: int) -> None:
        """From a cell of its own, away from it, onto ground; into somebody only if it burns; movement, bricks."""
        check_free(state)
        if self.dumpster not in state.dumpsters or _stand(state) is None or _away(state, self.dumpster) is None:
            refuse("POZ-DUM-4", "not_next_to_it", dumpster=self.dumpster)
        if _away(state, self.dumpster) != self.direction:
            refuse("POZ-DUM-4", "not_that_way")
        why = _stuck(state, self.dumpster, self.direction)
        if why is not None:
            refuse(*why)
        self._check_fight(state)
        check_movement(state, cost(state))

    def _check_fight(self, state: State) -> None:
        to = _target(state, self.dumpster, self.direction)
        if not occupied(state, to):
            if self.primary is not None or self.b is not None:
                refuse("POZ-DUM-10", "nobody_there")
            return
        if self.primary not in opponents(state, to):
            refuse("POZ-DUM-10", "no_opponent", primary=self.primary)
        if self.primary in state.pcs:
            if self.b is not None:
                refuse("POZ-PVP-2", "bricks_are_declared")
        elif self.b is None:
            refuse("POZ-BRK-2", "no_bricks")
        else:
            check_bricks(state, self.b, 0)

    def apply(self, table: Table[State], seat: int) -> None:
        """Both move; or there is a fight first."""
        begin(table)
        state = table.state
        pc, to = turn_of(state).pc, _target(state, self.dumpster, self.direction)
        if self.primary is None:
            shift(table, pc, self.dumpster, to, cost(state))
            return
        table.push(AfterPush(pc=pc, dumpster=self.dumpster, to=to, primary=self.primary, cost=cost(state)))
        if self.primary in state.pcs:
            begin_combat(table, pc, self.primary, DUMPSTER)
        elif self.primary in state.checkpoints:
            ignite(table, self.primary, throw(table, pc, self.b or 0, "arson", WITH_DUMPSTER).total // HITS, pc)
        else:
            hit_figure(table, pc, self.primary, throw(table, pc, self.b or 0, "attack_police", DUMPSTER).total)


def cost(state: State) -> int:
    """The movement of a push."""
    return FAST if flagged(state, turn_of(state).pc, "fast_push") else COST


def _stand(state: State) -> Cell | None:
    """The one cell that the character stands on."""
    space = me(state).space
    cells = cells_of(state, space)
    return cells[0] if len(cells) == 1 and not is_building(state, space) else None


def _away(state: State, dumpster: str) -> str | None:
    """The direction in which a dumpster next to the character goes."""
    stand = _stand(state)
    if stand is None:
        return None
    x, y = stand
    cell = state.dumpsters[dumpster].cell
    return next((name for name, (dx, dy) in DIRECTIONS.items() if (x + dx, y + dy) == cell), None)


def _target(state: State, dumpster: str, direction: str) -> Cell:
    (x, y), (dx, dy) = state.dumpsters[dumpster].cell, DIRECTIONS[direction]
    return x + dx, y + dy


def _stuck(state: State, dumpster: str, direction: str) -> Why | None:
    """Why a dumpster cannot be pushed there (POZ-DUM-6, -7)."""
    to = _target(state, dumpster, direction)
    if not walkable(state, to):
        return "POZ-DUM-7", "no_way_through"
    if dumpster_at(state, to) is not None:
        return "POZ-DUM-3", "dumpster_there"
    if space_at(state, to) in state.structures:
        return "POZ-DUM-7", "no_way_through"
    if occupied(state, to) and not (state.dumpsters[dumpster].burning and opponents(state, to)):
        return "POZ-DUM-6", "somebody_there"
    return None


def opponents(state: State, cell: Cell) -> list[str]:
    """Whom a burning dumpster fights on a cell: characters awake, police, a checkpoint."""
    space = space_at(state, cell)
    found = [name for name in pcs_in(state, space) if state.pcs[name].awake]
    found += [name for name, where in figures(state).items() if where == space]
    return [*found, str(space)] if space in state.checkpoints else found
