"""How a tournament is ordered, and how fast a session drinks (specification, 4.11)."""

from collections.abc import Sequence

from games.host_tournament import ops
from games.host_tournament.look import Names
from games.host_tournament.state import State
from games.host_tournament.values import mods, rated, summed
from games.host_tournament.zones import card_of


def ranked(state: State, name: str) -> int:
    """The tournament score: die and playing (HT-8.3)."""
    assert state.roll is not None
    return state.roll.dice[name] + rated(state, name, "playing")


def at_home(state: State, name: str) -> bool:
    """Whether a personnel is in a town of its own; a dual icon is at home in both (HT-8.5, HT-13.1)."""
    return state.look.towns[state.in_play[name].at] in state.card(name).aff


def tie_classes(state: State, names: Names) -> list[Names]:
    """The entrants from the best down, those together that are equal in score and in being at home.

    In a class of one owner the order is the one of `by_print`, in any other that of the dice.
    """
    classes: dict[tuple[int, bool], list[str]] = {}
    for name in names:
        classes.setdefault((-ranked(state, name), not at_home(state, name)), []).append(name)
    return [tuple(classes[key]) for key in sorted(classes)]


def by_print(state: State, names: Sequence[str]) -> list[str]:
    """Higher printed playing first, then the lower entry number: where nobody arranges."""
    return sorted(names, key=lambda name: (-state.card(name).stats["playing"], state.in_play[name].entry))


def session_pace(state: State) -> int:
    """The pace that counts: dice, what holds there, and what interrupts have said; at least 0 (HT-9.2)."""
    roll = state.roll
    assert roll is not None
    holding = [(h.frame.name, h.cum, mod.n) for h, mod in mods(state, ops.Pace) if h.frame.here == roll.place]
    said = [(name, state.book.cards[card_of(name)].cum, n) for name, n in roll.paces]
    return max(0, (roll.pace or 0) + summed([*holding, *said]))
