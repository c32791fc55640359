"""The actions of the set-up (specification, 4.1)."""

from collections.abc import Iterator
from typing import ClassVar, Literal, Self

from games.block_mania.actions.naming import OfBlocker
from games.block_mania.board import Side
from games.block_mania.effects import BlockChosen, BlockerPlaced
from games.block_mania.pack import SHELF
from games.block_mania.predicates import block_of
from games.block_mania.refusals import refuse
from games.block_mania.state import State
from games.kernel import Action, Public, Table


class ChooseBlock(Action, frozen=True):
    """Choose a board and lay it at the left or right end of the row; the first one has no side."""

    rule: ClassVar[str] = "BM-SET-7"
    exact: ClassVar[bool] = True

    board: Public[str]
    side: Public[Literal["left", "right"] | None] = None

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every board that is left, at each end."""
        sides: tuple[Literal["left", "right"] | None, ...] = ("left", "right") if state.boards else (None,)
        for board in SHELF[state.pack].boards:
            if board.id not in state.boards:
                yield from (cls(board.id, side) for side in sides)

    def check(self, state: State, seat: int) -> None:
        """A board that is there and not taken, at an end of the row."""
        if self.board not in {board.id for board in SHELF[state.pack].boards}:
            refuse("BM-SET-7", "no_such_board", board=self.board)
        if self.board in state.boards:
            refuse("BM-SET-7", "board_taken", board=self.board)
        if (self.side is None) == bool(state.boards):
            refuse("BM-SET-7", "side_of_the_row", side=self.side)

    def apply(self, table: Table[State], seat: int) -> None:
        """It lies there."""
        table.emit(BlockChosen(seat, self.board, self.side))


class PlaceBlocker(OfBlocker, frozen=True):
    """Place one of the first four blockers in the own block, at a Window inside."""

    rule: ClassVar[str] = "BM-SET-8"
    exact: ClassVar[bool] = True

    square: Public[str]
    side: Public[Side]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each blocker in each free square of the tower."""
        places = state.map.squares
        taken = {one.at for one in state.blockers.values()}
        free = [name for name in state.map.tower[block_of(state, seat)] if name not in taken]
        for name in _in_hand(state, seat):
            yield from (cls(name, square, places[square].sides[0]) for square in free)

    def check(self, state: State, seat: int) -> None:
        """One of those drawn, in the own tower, inside, in an area of its own (BM-R93)."""
        if self.blocker not in _in_hand(state, seat):
            refuse("BM-SET-8", "not_in_hand", blocker=self.blocker)
        place = state.map.squares.get(self.square)
        if place is None or place.block != block_of(state, seat):
            refuse("BM-SET-8", "not_in_your_block", square=self.square)
        if self.side != place.sides[0]:
            refuse("BM-SET-8", "not_inside", side=self.side)
        if any(one.at == self.square for one in state.blockers.values()):
            refuse("BM-R93", "square_taken", square=self.square)

    def apply(self, table: Table[State], seat: int) -> None:
        """It stands there; the next one follows."""
        table.emit(BlockerPlaced(seat, self.blocker, self.square, self.side))
        if _in_hand(table.state, seat):
            table.stay()


def _in_hand(state: State, seat: int) -> list[str]:
    return [name for name, one in state.blockers.items() if not one.at and one.seat == seat]
