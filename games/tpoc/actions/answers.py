"""The actions that answer what a main action or the election asks (specification, 4.4 to 4.9)."""

from collections.abc import Iterable
from itertools import product, starmap
from typing import ClassVar, Self, TypeVar

from games.kernel import Action, Public, Step, Table
from games.tpoc import steps
from games.tpoc.actions.refusals import refuse
from games.tpoc.codes import in_order, is_leader
from games.tpoc.counting import candidates, vote
from games.tpoc.effects import (
    CardDiscarded,
    CardReplaced,
    ReplacementDeclined,
    TieBroken,
    TileCulled,
    TileKept,
    TileRejected,
)
from games.tpoc.state import State
from games.tpoc.steps.election import award
from games.tpoc.steps.tiles import can_cull

S = TypeVar("S", bound=Step)


def _asked(state: State, kind: type[S]) -> S:
    """The step that is answered: the top of the agenda."""
    step = state.agenda[-1]
    assert isinstance(step, kind)
    return step


class KeepTile(Action, frozen=True):
    """Keep one of the tiles drawn at a lunch; the other one leaves the game."""

    rule: ClassVar[str] = "TPOC-4.4.2"
    exact: ClassVar[bool] = True

    tile: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterable[Self]:
        """Each different tile, in canonical order."""
        return (cls(tile) for tile in dict.fromkeys(in_order(_asked(state, steps.KeepTile).tiles)))

    def check(self, state: State, seat: int) -> None:
        """It must be one of those drawn."""
        if self.tile not in _asked(state, steps.KeepTile).tiles:
            refuse("TPOC-4.4.2", "tile_not_drawn", tile=self.tile)

    def apply(self, table: Table[State], seat: int) -> None:
        """Keep it and put the rest away without effect (TPOC-R27)."""
        step = _asked(table.state, steps.KeepTile)
        rest = list(step.tiles)
        rest.remove(self.tile)
        table.emit(TileKept(seat, self.tile), *(TileRejected(seat, tile, step.open) for tile in rest))


class ReplaceCard(Action, frozen=True):
    """Replace a lost platform card by a hand card of another colour, face up."""

    rule: ClassVar[str] = "TPOC-4.1.10"
    exact: ClassVar[bool] = True

    colour: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterable[Self]:
        """Every card in hand of another colour than the one lost."""
        lost = _asked(state, steps.ReplaceCard).colour
        return (cls(colour) for colour in state.seats[seat].hand if colour != lost)

    def check(self, state: State, seat: int) -> None:
        """It must be in hand and of another colour than the one lost."""
        step = _asked(state, steps.ReplaceCard)
        rule = "TPOC-4.1.10" if step.why == "accused" else "TPOC-4.2.L11"
        if not state.seats[seat].hand.get(self.colour):
            refuse(rule, "card_not_in_hand", colour=self.colour)
        if self.colour == step.colour:
            refuse(rule, "colour_lost", colour=self.colour)

    def apply(self, table: Table[State], seat: int) -> None:
        """Put it down."""
        table.emit(CardReplaced(seat, self.colour))


class DeclineReplacement(Action, frozen=True):
    """Do not replace a lost platform card."""

    rule: ClassVar[str] = "TPOC-4.1.11"
    exact: ClassVar[bool] = True
    declines: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterable[Self]:
        """The one way to do it."""
        yield cls()

    def apply(self, table: Table[State], seat: int) -> None:
        """Say so."""
        table.emit(ReplacementDeclined(seat))


class ChefRemove(Action, frozen=True):
    """Pay a hand card to take a villager off the board and out of the game."""

    rule: ClassVar[str] = "TPOC-4.2.C1"
    exact: ClassVar[bool] = True

    tile: Public[str]
    discard: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterable[Self]:
        """Every kind of villager on the board with every card."""
        return starmap(cls, product(state.board, state.seats[seat].hand))

    def check(self, state: State, seat: int) -> None:
        """No leader; the villager on the board; the card in hand."""
        if is_leader(self.tile):
            refuse("TPOC-4.2.C3", "leader_named")
        if not state.board.get(self.tile):
            refuse("TPOC-4.2.C1", "tile_not_on_board", tile=self.tile)
        if not state.seats[seat].hand.get(self.discard):
            refuse("TPOC-4.2.C2", "card_not_in_hand", colour=self.discard)

    def apply(self, table: Table[State], seat: int) -> None:
        """Pay and remove; the step goes on while there is something to ask for."""
        left = _asked(table.state, steps.ChefCull).left - 1
        table.emit(CardDiscarded(seat, self.discard), TileCulled(self.tile))
        table.amend(steps.ChefCull, left=left)
        if can_cull(table.state, seat, left):
            table.stay()


class ChefStop(Action, frozen=True):
    """Remove no more villagers; the step then says that the chef is done."""

    rule: ClassVar[str] = "TPOC-4.2.C1"
    exact: ClassVar[bool] = True
    declines: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterable[Self]:
        """The one way to do it."""
        yield cls()

    def apply(self, table: Table[State], seat: int) -> None:
        """Nothing by itself."""


class BreakTie(Action, frozen=True):
    """Choose which of the tied seats wins the villager."""

    rule: ClassVar[str] = "TPOC-6.4"
    exact: ClassVar[bool] = True

    winner: Public[int]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterable[Self]:
        """Each of the tied."""
        return (cls(winner) for winner in _asked(state, steps.BreakTie).tied)

    def check(self, state: State, seat: int) -> None:
        """It must be one of the tied."""
        if self.winner not in _asked(state, steps.BreakTie).tied:
            refuse("TPOC-6.4", "winner_not_tied", winner=self.winner)

    def apply(self, table: Table[State], seat: int) -> None:
        """Give it the villager."""
        step = _asked(table.state, steps.BreakTie)
        totals = vote(table.state, step.tile, candidates(table.state)).totals
        table.emit(TieBroken(seat, step.tile, step.tied, self.winner))
        award(table, self.winner, "leader", totals)
