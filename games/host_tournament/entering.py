"""Who enters a subgame (specification, 4.11): who has to, who may not, who may, and how many."""

from games.host_tournament import ops
from games.host_tournament.look import Names
from games.host_tournament.state import Roll, State, other
from games.host_tournament.values import mods, touches

PORTION = 10  # a question about more would have more than 1,024 answers


def _roll(state: State) -> Roll:
    assert state.roll is not None
    return state.roll


def eligible(state: State, seat: int) -> Names:
    """The present personnel of a seat at the place of the subgame."""
    return state.look.group(_roll(state).place, seat)


def forced(state: State) -> tuple[Names, Names]:
    """Who has to enter and who does not: never beats must, and musts take the seats in order of entry."""
    roll = _roll(state)
    into, out = set(roll.forced_in), set(roll.forced_out)
    there = [name for seat in (state.active, other(state.active)) for name in eligible(state, seat)]
    for holding, mod in mods(state, ops.Enter):
        if mod.game == roll.kind:
            (into if mod.how == "must" else out).update(n for n in there if touches(state, holding, mod.w, n))
    limit = seats(state)
    taken = [0, 0]
    having: list[str] = []
    for name in there:
        owner = state.in_play[name].owner
        if name in into and name not in out and (limit is None or taken[owner] < limit):
            taken[owner] += 1
            having.append(name)
    return tuple(having), tuple(name for name in there if name in out or (name in into and name not in having))


def seats(state: State) -> int | None:
    """The most entrants of each seat at this place; None: no limit (HT-18.2)."""
    copies = state.look.copies.get(_roll(state).place)
    return state.card(copies[0]).seats if copies else None


def free_seats(state: State, seat: int) -> int:
    """How many more of a seat may enter."""
    roll, limit = _roll(state), seats(state)
    chosen = len(roll.chosen[seat] or ())
    having = sum(name in state.in_play and state.in_play[name].owner == seat for name in roll.forced_in)
    return 99 if limit is None else max(0, limit - having - chosen)


def optional(state: State, seat: int) -> Names:
    """Those that the owner may choose to enter."""
    roll = _roll(state)
    return tuple(n for n in eligible(state, seat) if n not in roll.forced_in and n not in roll.forced_out)


def portion(state: State, seat: int, number: int) -> Names:
    """The part of them that a question is about."""
    return optional(state, seat)[number * PORTION : (number + 1) * PORTION]


def entrants(state: State) -> Names:
    """Who enters: the active seat's by entry number, then the other's."""
    roll = _roll(state)
    chosen = {*roll.forced_in, *(roll.chosen[0] or ()), *(roll.chosen[1] or ())}
    both = (state.active, other(state.active))
    return tuple(name for seat in both for name in eligible(state, seat) if name in chosen)


def still_there(state: State) -> Names:
    """The entrants that are still present."""
    roll = _roll(state)
    there = {name for seat in (0, 1) for name in eligible(state, seat)}
    return tuple(name for name in roll.entrants if name in there)
