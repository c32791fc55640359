"""Moving a group (specification, 4.5.1): who can go, who is carried, what it costs."""

from games.host_tournament import ops
from games.host_tournament.look import Names
from games.host_tournament.state import State
from games.host_tournament.values import mods, summed, touches


def carried(state: State, pid: str, seat: int) -> Names:
    """The personnel in stasis, not stopped, that a seat's movers may carry from a place (HT-R37)."""
    cards = state.in_play
    return tuple(n for n in state.look.all_of(pid, seat) if cards[n].stasis is not None and not cards[n].stop)


def cost(state: State, start: str, to: str, movers: Names) -> int:
    """What it costs to move: 1 in the town, 2 to another one, and fees; at least 1 (HT-3.5, HT-18.5)."""
    towns = state.look.towns
    other_town = towns[start] != towns[to]
    fees = (
        (holding.frame.name, holding.cum, mod.n)
        for holding, mod in mods(state, ops.Fee)
        if holding.frame.here == start
        and (other_town or mod.move == "move")
        and any(touches(state, holding, mod.w, name) for name in movers)
    )
    return max(1, (2 if other_town else 1) + summed(fees))
