"""The set-up (specification, 4.1): blocks are chosen, blockers drawn and placed."""

from typing import Any, ClassVar

from games.block_mania.drawing import draw_blocker, draw_token
from games.block_mania.effects import BlockChosen, GameStarted, PhaseStarted
from games.block_mania.state import State
from games.block_mania.steps.phases import StartTurn
from games.block_mania.supply import card_drawn, setup_discard
from games.kernel import Public, Setting, Step, Table

#: How many blockers a seat begins with (BM-SET-8).
FIRST_BLOCKERS = 4


class ChooseBlock(Step, frozen=True):
    """A seat chooses its block and an end of the row (BM-SET-7)."""

    menu: ClassVar[tuple[str, ...]] = ("choose_block",)


class FirstBlockers(Step, frozen=True, kw_only=True):
    """A seat draws its first blockers with their equipment, to place them (BM-SET-8)."""

    seat: Public[int]

    def run(self, table: Table[State]) -> None:
        """All blockers first, then their tokens."""
        if table.state.phase != "setup_blockers":
            table.emit(PhaseStarted(self.seat, "setup_blockers"))
        drawn = [draw_blocker(table, self.seat) for _ in range(FIRST_BLOCKERS)]
        for name, marker in drawn:
            draw_token(table, name, marker)
        table.push(PlaceBlocker(seats=(self.seat,)))


class PlaceBlocker(Step, frozen=True):
    """A seat places its first blockers, one after the other."""

    menu: ClassVar[tuple[str, ...]] = ("place_blocker",)


class SetUpDone(Step, frozen=True):
    """All is laid out: the first seat in turn order begins (BM-SET-13)."""

    def run(self, table: Table[State]) -> None:
        """Its turn."""
        table.push(StartTurn(seat=table.state.turn_order[0]))


def set_up(table: Table[Any], setting: Setting) -> None:
    """Shuffle, discard, perhaps deal (BM-R5); then the seats choose (S1 to S4)."""
    state = table.state
    order = table.shuffle("turn_order", list(range(setting.seats)))
    cards = table.shuffle("mania_deck", state.mania_deck)
    out = setup_discard(state.options, setting.seats)
    table.emit(GameStarted(tuple(order), out, tuple(cards[out:]), tuple(cards[:out])))
    for seat in order:
        for _ in range(state.options.opening_hand):
            table.emit(card_drawn(state, seat))
    boards = state.options.first_boards
    for seat, board in enumerate(boards):
        table.emit(BlockChosen(seat, board, "right" if seat else None))
    push_setup(table)


def push_setup(table: Table[Any]) -> None:
    """Whoever has no block chooses one; whoever has no blockers draws and places them (S2, S3)."""
    state = table.state
    chosen = [ChooseBlock(seats=(seat,)) for seat in state.turn_order if not state.seats[seat].board]
    seats = {one.seat for one in state.blockers.values()}
    table.push(*chosen, *(FirstBlockers(seat=seat) for seat in state.turn_order if seat not in seats), SetUpDone())
