"""A game as it begins, and where every card is (specification, 3.4 and 4.2)."""

from collections.abc import Mapping

from games.host_tournament.deck import check_copies, check_setup, deck_of
from games.host_tournament.pack import book
from games.host_tournament.state import Seat, State
from games.host_tournament.steps import AnyStep
from games.host_tournament.steps.turns import AskPlaces, Throw, draw_first
from games.kernel import Setting, Table


class Game(State, kw_only=True):
    """The state with its agenda typed, so that it can be read back from JSON."""

    agenda: list[AnyStep] = []


def initial(setting: Setting) -> Game:
    """A game with both decks in the order of ids, before anything is decided."""
    option = setting.options.first_player
    first = option if isinstance(option, int) else 0
    lists = [deck_list(setting, number) for number in range(2)]
    return Game(
        pack=setting.pack,
        options=setting.options,
        first=first,
        active=first,
        seats=[Seat(deck=unfolded(cards), deck_list=cards) for cards in lists],
    )


def deck_list(setting: Setting, seat: int) -> dict[str, int]:
    """The deck of a seat: what it brings, else a sample deck."""
    brought = setting.setups[seat] if seat < len(setting.setups) else None
    return deck_of(book(setting.pack), brought, seat, setting.options.max_copies)


def unfolded(cards: Mapping[str, int]) -> list[str]:
    """A deck list as cards, one by one."""
    return [card for card, count in cards.items() for _ in range(count)]


def set_up(table: Table[Game], _: Setting) -> None:
    """Find out who goes first, then start locations, then the cards are dealt (HT-1.5, HT-2.1 to HT-2.3)."""
    begin(table)


def begin(table: Table[Game]) -> None:
    """The first question of a new game."""
    option = table.state.options.first_player
    if option == "rps":
        table.push(Throw(seats=(0, 1)))
    elif option == "random":
        draw_first(table)
    else:
        table.push(AskPlaces())


def check_setting(setting: Setting) -> None:
    """Refuse decks that break the rules, and a limit of copies that the pack has too few cards for.

    Raises:
        PositionError: a sentence that names the field, and the card if one is at fault.
    """
    cards, most = book(setting.pack), setting.options.max_copies
    check_copies(cards, most)
    for seat, brought in enumerate(setting.setups):
        if brought is not None:
            check_setup(cards, brought, f"setups.{seat}", most)


def components(state: State) -> dict[str, int]:
    """How many cards each seat has, wherever they are: in all zones, on the table, announced."""
    counts = {}
    for number, seat in enumerate(state.seats):
        out = sum(card.owner == number for card in state.in_play.values())
        out += sum(play.seat == number for play in state.plays)
        counts[f"seat {number}"] = len(seat.deck) + len(seat.hand) + len(seat.discard) + out
    return counts
