"""Points and the end of the game (specification, 4.12)."""

from typing import Any

from games.host_tournament.effects.turns import GameEnded, PointsScored, RollOff
from games.host_tournament.state import POINTS, State
from games.kernel import Table


def score(table: Table[State], points: tuple[int, int]) -> None:
    """Give a batch of points, then see whether somebody has won (HT-R24)."""
    if not any(points):
        return
    table.emit(PointsScored(points))
    state = table.state
    there = [seat.score >= POINTS for seat in state.seats]
    if all(there):
        _both(table)
    elif any(there):
        end(table, there.index(True), "score")


def _both(table: Table[State]) -> None:
    """HT-R25: both have 100 points at once."""
    first, second = (seat.score for seat in table.state.seats)
    option = table.state.options.simultaneous
    winner: int | None = None
    if option == "higher_score" and first != second:
        winner = 0 if first > second else 1
    while option == "roll_off" and winner is None:
        dice = (table.roll("roll_off", 6), table.roll("roll_off", 6))
        table.emit(RollOff(dice))
        winner = None if dice[0] == dice[1] else 0 if dice[0] > dice[1] else 1
    end(table, winner, "simultaneous")


def check_decks(table: Table[State]) -> None:
    """Both decks are empty and nothing is under way: more points win (HT-R26)."""
    state = table.state
    over = state.phase == "play" and not state.plays and state.roll is None
    if over and state.outcome is None and not any(seat.deck for seat in state.seats):
        by_points(table, "decks")


def by_points(table: Table[State], reason: str) -> None:
    """The game ends as it stands."""
    first, second = (seat.score for seat in table.state.seats)
    end(table, None if first == second else 0 if first > second else 1, reason)


def end(table: Table[State], winner: int | None, reason: str) -> None:
    """The game is over."""
    first, second = (seat.score for seat in table.state.seats)
    table.emit(GameEnded(winner, reason, (first, second)))


def last_seat(table: Table[Any], seat: int | None) -> None:
    """Who resigns loses, whatever the score."""
    end(table, seat, "resigned")
