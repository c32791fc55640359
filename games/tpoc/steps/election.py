"""The election, sudden death and the end (specification, 4.8 to 4.10)."""

from collections.abc import Callable
from typing import ClassVar

from games.kernel import Action, Public, Step, Table
from games.tpoc.codes import is_villager, listed
from games.tpoc.counting import candidates, vote
from games.tpoc.effects import (
    AbstainersRemoved,
    BallotShuffled,
    ElectionBegan,
    SecretRevealed,
    SuddenDeathBegan,
    SuddenDeathTileDrawn,
    TileTurned,
    TileUnclaimed,
    TileWon,
)
from games.tpoc.finish import best_by_votes, game_ended
from games.tpoc.state import State


class Election(Step, frozen=True):
    """The election begins (4.8, steps 1 to 3)."""

    def run(self, table: Table[State]) -> None:
        """Empty the pot, shuffle the ballot, remove the abstainers, reveal the secrets."""
        state = table.state
        table.emit(ElectionBegan(tuple(listed(state.pot))))  # TPOC-5.4
        order = table.shuffle("ballot", listed(state.board))
        table.emit(BallotShuffled(len(order), tuple(order)))  # TPOC-5.3
        absent = tuple(state.ballot[: state.seat_count])
        table.emit(AbstainersRemoved(len(absent), absent))  # TPOC-5.5, TPOC-R31
        for number, seat in enumerate(state.seats):
            if seat.secret is not None:
                table.emit(SecretRevealed(number, seat.secret))  # TPOC-5.6
        table.push(CountBallot())


class CountBallot(Step, frozen=True):
    """The villagers of the ballot are turned over one at a time (TPOC-5.7)."""

    def run(self, table: Table[State]) -> None:
        """Count the next one, or find the winner when all are counted."""
        if not table.state.ballot:
            table.push(Finish())
            return
        table.push(CountBallot())
        table.emit(TileTurned(table.state.ballot[0]))
        count(table)


class BreakTie(Step, frozen=True):
    """`seat` holds the leader of the dominant colour of `tile` and chooses among the tied (TPOC-6.4, TPOC-R34)."""

    menu: ClassVar[tuple[str, ...]] = ("break_tie",)

    seat: Public[int]
    tile: Public[str]
    tied: Public[tuple[int, ...]]

    def run(self, table: Table[State]) -> None:
        """If the seat resigned instead, the count goes on without it (4.14)."""
        if table.state.current is not None:
            count(table)

    def settle(self, state: State, seat: int, default: Callable[[], Action]) -> Action | None:
        """Who has resigned breaks no tie (4.14)."""
        return None


class Finish(Step, frozen=True):
    """All votes are counted (4.10)."""

    def run(self, table: Table[State]) -> None:
        """Most votes, then most leaders, then sudden death among those still tied (TPOC-6.9)."""
        best, how = best_by_votes(table.state)
        if len(best) == 1:
            table.emit(game_ended(table.state, best, how))
        else:
            table.emit(SuddenDeathBegan(tuple(best)))
            table.push(SuddenDeath())


class SuddenDeath(Step, frozen=True):
    """The contenders compete for tiles from the bag until one is won (TPOC-R37)."""

    def run(self, table: Table[State]) -> None:
        """Draw a tile; an empty bag shares the win; without one of the contenders the votes are looked at anew."""
        state = table.state
        if any(seat in state.resigned for seat in state.contenders):
            table.push(Finish())
        elif not state.bag:
            table.emit(game_ended(state, state.contenders, "shared"))
        else:
            table.push(SuddenDeath())
            tile = state.bag[0]
            table.emit(SuddenDeathTileDrawn(tile))
            if is_villager(tile):
                count(table)


def count(table: Table[State]) -> None:
    """Decide the villager being counted (4.9), or ask the holder of the leader."""
    state = table.state
    assert state.current is not None
    result = vote(state, state.current, candidates(state))
    if result.breaker is not None:
        table.push(BreakTie(seats=(result.breaker,), seat=result.breaker, tile=state.current, tied=result.tied))
    elif result.winner is not None:
        award(table, result.winner, result.why, result.totals)
    else:
        table.emit(TileUnclaimed(state.current, result.why, result.totals))


def award(table: Table[State], seat: int, how: str, totals: tuple[int, ...]) -> None:
    """Give the villager being counted to `seat`, which has not resigned; in sudden death that ends the game."""
    state = table.state
    assert state.current is not None
    if seat in state.resigned:
        table.emit(TileUnclaimed(state.current, "resigned", totals))  # 4.14
        return
    table.emit(TileWon(state.current, seat, how, totals))
    if state.phase == "sudden_death":
        table.emit(game_ended(state, [seat], "sudden_death"))
