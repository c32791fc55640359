"""The set-up choice and the turns (specification, 4.1, 4.3 and 4.4)."""

from collections.abc import Callable
from typing import ClassVar

from games.kernel import Action, Public, Step, Table
from games.tpoc.effects import PlatformRevealed, StartTilesPlaced, StartTilesSetAside, TurnBegan, TurnSkipped
from games.tpoc.state import State
from games.tpoc.steps.election import Election
from games.tpoc.stuck import is_stuck


class ChooseSetup(Step, frozen=True):
    """All seats choose their platform and start tiles, sealed until the last one has (TPOC-3.4, TPOC-3.5, TPOC-R8)."""

    menu: ClassVar[tuple[str, ...]] = ("choose_setup",)
    sealed: ClassVar[bool] = True
    root: ClassVar[bool] = True

    def run(self, table: Table[State]) -> None:
        """Reveal all choices in seat order; the first player begins (TPOC-3.11, TPOC-3.12)."""
        for number, seat in enumerate(table.state.seats):
            assert seat.setup is not None
            platform, tiles = seat.setup.platform, seat.setup.tiles
            table.emit(PlatformRevealed(number, platform), StartTilesPlaced(number, tiles))
            rest = tuple(seat.start_tiles)
            table.emit(StartTilesSetAside(number, len(rest), rest))
        table.push(BeginTurn(seat=table.state.first, turn=1))


class BeginTurn(Step, frozen=True):
    """A seat's turn begins, or is passed over (TPOC-4.0.2, TPOC-R29, 4.14)."""

    seat: Public[int]
    turn: Public[int]

    def run(self, table: Table[State]) -> None:
        """Ask for a main action if one is legal; after a whole round of turns passed over comes the election."""
        state = table.state
        resigned = self.seat in state.resigned
        if not resigned and not is_stuck(state, self.seat):
            table.emit(TurnBegan(self.seat, self.turn))
            table.push(MainAction(seats=(self.seat,)))
            return
        table.emit(TurnSkipped(self.seat, self.turn, "resigned" if resigned else "no_action"))
        if state.skips >= state.seat_count:
            table.push(Election())
        else:
            table.push(BeginTurn(seat=state.left_of(self.seat), turn=self.turn + 1))


class MainAction(Step, frozen=True):
    """The active seat takes one of the actions 1 to 5 (TPOC-4.0.1); it may not pass (TPOC-R43)."""

    menu: ClassVar[tuple[str, ...]] = (
        "play_card",
        "play_secret",
        "draw_card_and_tile",
        "send_to_pot",
        "lunch",
        "rescue",
    )
    root: ClassVar[bool] = True

    def run(self, table: Table[State]) -> None:
        """After the action and all that it caused, the turn ends."""
        table.push(EndTurn())

    def settle(self, state: State, seat: int, default: Callable[[], Action]) -> Action | None:
        """Who has resigned takes no action (4.14)."""
        return None


class EndTurn(Step, frozen=True):
    """The turn ends: the seat to the left is next, or the deck is empty and the election begins."""

    def run(self, table: Table[State]) -> None:
        """An empty deck ends the game (TPOC-4.0.3, TPOC-4.2.4, TPOC-R17)."""
        state = table.state
        if state.deck:
            table.push(BeginTurn(seat=state.left_of(state.active), turn=state.turn + 1))
        else:
            table.push(Election())
