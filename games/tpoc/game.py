"""A game as it begins, and where every piece of it is (conservation: specification, 3.3 nr. 1 and 2)."""

from collections import Counter

from games.kernel import Setting
from games.tpoc.state import Seat, State
from games.tpoc.steps import AnyStep, KeepTile


class Game(State, kw_only=True):
    """The state with its agenda typed, so that it can be read back from JSON."""

    agenda: list[AnyStep] = []


def initial(setting: Setting) -> Game:
    """A game before its set-up: nothing lies anywhere yet."""
    return Game(pack=setting.pack, options=setting.options, seats=[Seat() for _ in range(setting.seats)])


def cards(state: State) -> Counter[str]:
    """All cards by colour, wherever they are."""
    found = Counter(state.deck) + Counter(state.cards_out) + Counter(state.discards)
    for seat in state.seats:
        found += Counter(seat.hand) + Counter(seat.platform)
        found.update([seat.secret] if seat.secret is not None else [])
    return found


def tiles(state: State) -> Counter[str]:
    """All tiles by code, wherever they are."""
    found = Counter(state.bag) + Counter(state.board) + Counter(state.pot) + Counter(state.tiles_out)
    found.update(aside.tile for aside in state.tiles_out_hidden)
    found.update(state.ballot)
    found.update([state.current] if state.current is not None else [])
    for seat in state.seats:
        found.update(seat.start_tiles)
        found.update(f"leader:{colour}" for colour in seat.leaders)
        found += Counter(seat.won)
    lunch = pending_lunch(state)
    found.update(lunch.tiles if lunch is not None else ())
    return found


def components(state: State) -> dict[str, int]:
    """Cards as `card:colour` and tiles by code, in canonical order."""
    pack, shuffled = state.content(), cards(state)
    counts = {f"card:{colour}": shuffled[colour] for colour in pack.cards}
    drawn = tiles(state)
    return counts | {code: drawn[code] for code in pack.tiles}


def pending_lunch(state: State) -> KeepTile | None:
    """The decision with which drawn tiles lie, if a seat owes it."""
    step = state.agenda[-1] if state.agenda else None
    return step if isinstance(step, KeepTile) and step.seats else None
