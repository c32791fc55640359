"""Who leads (specification, 3.1 and POZ-R61), and how the game ends (GAME OVER)."""

from collections.abc import Iterable

from games.kernel import Table
from games.portland_occupied_zone.effects import GameEnded
from games.portland_occupied_zone.state import State


def leader(state: State) -> str:
    """The acting Leader: the holder of the token if alive, else the most crapulent living character."""
    assert state.lead is not None
    if state.pcs[state.lead.holder].alive:
        return state.lead.holder
    living = [pc for pc in state.pcs if state.pcs[pc].alive]
    return max(living, key=lambda pc: state.pcs[pc].crap, default=state.lead.holder)


def leader_seat(state: State) -> int:
    """The seat of the acting Leader."""
    return state.seat_of(leader(state))


def most_crapulent(state: State, pcs: Iterable[str]) -> list[str]:
    """Those with most crapulence among characters (POZ-R18: the Leader decides between several)."""
    there = list(pcs)
    most = max((state.pcs[pc].crap for pc in there), default=0)
    return [pc for pc in there if state.pcs[pc].crap == most]


def population(state: State) -> int:
    """The population of the POZ: the sum of the numbers on its structures (POZ-BLD-1)."""
    return sum(state.board.structures[thing.type].pop for thing in state.structures.values())


def end_game(table: Table[State], reason: str, winners: Iterable[int] = ()) -> None:
    """The game is over; scores are the crapulence of each seat's characters, and do not decide (section 1)."""
    state = table.state
    first = tuple(winners)
    scores = tuple(sum(pc.crap for pc in state.pcs.values() if pc.seat == seat) for seat in range(state.seats))
    places = tuple(1 if seat in first or not first else 2 for seat in range(state.seats))
    table.emit(GameEnded(reason, first, scores, places))


def commune_stands(table: Table[State]) -> None:
    """All narratives have been played: the living Dictator wins, unless its seat has resigned (POZ-INT-2, 4.11)."""
    state = table.state
    assert state.lead is not None
    holder = state.pcs[state.lead.holder]
    wins = holder.alive and holder.seat not in state.resigned
    end_game(table, "commune_stands", (holder.seat,) if wins else ())
