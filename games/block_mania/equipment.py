"""Equipment that changes hands (specification, 4.3, 4.14; BM-EQA-1 to -5): draws, returns, what others see."""

from typing import ClassVar

from games.block_mania.drawing import draw_token
from games.block_mania.effects import EquipmentReturned, EquipmentShown
from games.block_mania.predicates import answers_for, carry_limit, flying_now, item, lies_open, type_of
from games.block_mania.state import Blocker, State
from games.kernel import Public, Step, Table


def seen(state: State, blocker: Blocker, kind: str) -> bool:
    """Whether everybody knows that a blocker has a token of this kind (BM-R57)."""
    return lies_open(state, blocker) or kind in blocker.shown


def reveal(table: Table[State], blocker: str, kind: str) -> None:
    """A token is used: if it was hidden, all know it from now on."""
    held = table.state.blockers[blocker]
    if not seen(table.state, held, kind):
        table.emit(EquipmentShown(answers_for(held), blocker, kind))


def give_back(table: Table[State], blocker: str, kind: str, cause: str) -> None:
    """A token goes back to its pool (BM-EQA-4)."""
    held = table.state.blockers[blocker]
    table.emit(EquipmentReturned(answers_for(held), blocker, kind, cause, seen(table.state, held, kind)))


def surplus(state: State, blocker: Blocker) -> int:
    """How many tokens a blocker has over its limit (BM-EQA-2)."""
    return max(0, len(blocker.equipment) - carry_limit(state, blocker))


def stays_up(state: State, blocker: Blocker, kept: tuple[str, ...]) -> bool:
    """Whether a blocker in the air still flies with these tokens: no heavy one, and gear if it needs it (4.4.3)."""
    if not flying_now(state, blocker):
        return True
    kinds = [item(state, kind) for kind in kept]
    flies = "flies" in type_of(state, blocker).flags or any("flies" in kind.flags for kind in kinds)
    return flies and not any(kind.heavy for kind in kinds)


class DrawTokens(Step, frozen=True, kw_only=True):
    """A blocker draws tokens of a pool one by one; over its limit its seat names what goes back (BM-EQA-2)."""

    blocker: Public[str]
    pool: Public[str]
    left: Public[int]

    def alive(self, state: State) -> bool:
        """Whether there is something to draw for somebody."""
        return self.left > 0 and self.blocker in state.blockers

    def run(self, table: Table[State]) -> None:
        """One token, and what follows from it."""
        table.push(DrawTokens(blocker=self.blocker, pool=self.pool, left=self.left - 1))
        if not draw_token(table, self.blocker, self.pool):
            return
        settle(table, self.blocker)


def settle(table: Table[State], blocker: str) -> None:
    """A blocker has got a token: a heavy one goes back from a flyer (4.4.3), and so does what is too much."""
    held = table.state.blockers[blocker]
    got = held.equipment[-1]
    if item(table.state, got).heavy and flying_now(table.state, held):
        give_back(table, blocker, got, "heavy")
    push_surplus(table, blocker)


def push_surplus(table: Table[State], blocker: str) -> None:
    """If a blocker has too much, its seat is asked what goes back."""
    held = table.state.blockers[blocker]
    if surplus(table.state, held):
        table.push(KeepEquipment(seats=(answers_for(held),), blocker=blocker))


class KeepEquipment(Step, frozen=True, kw_only=True):
    """A seat names the surplus of a blocker that goes back to the pools."""

    blocker: Public[str]

    menu: ClassVar[tuple[str, ...]] = ("keep_equipment",)
