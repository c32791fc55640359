"""The set-up up to the choice (specification, 4.3, steps 1 to 4)."""

from games.kernel import Setting, Table
from games.tpoc.codes import is_villager, listed
from games.tpoc.effects import (
    BagShuffled,
    CardsTakenOut,
    DeckShuffled,
    FirstPlayerChosen,
    HandDealt,
    MisdealShown,
    StartTilesDrawn,
    StartTilesReturned,
)
from games.tpoc.game import Game
from games.tpoc.steps.turns import ChooseSetup


def set_up(table: Table[Game], setting: Setting) -> None:
    """Deal cards and start tiles, choose the first player, and ask all seats for their set-up."""
    seats = range(table.state.seat_count)
    _deal_cards(table)
    _draw_start_tiles(table)
    first = setting.options.first_player
    table.emit(FirstPlayerChosen(table.pick("first_player", seats) if first == "random" else first))  # TPOC-R4
    table.push(ChooseSetup(seats=tuple(seats)))


def _deal_cards(table: Table[Game]) -> None:
    state, pack = table.state, table.state.content()
    order = table.shuffle("deck", [card for colour in pack.colours for card in [colour.id] * pack.cards[colour.id]])
    table.emit(DeckShuffled(len(order), tuple(order)))
    out = pack.players[str(state.seat_count)].remove_cards
    table.emit(CardsTakenOut(out, tuple(state.deck[:out])))  # TPOC-3.1
    for seat in range(state.seat_count):
        table.emit(HandDealt(seat, pack.limits.deal, tuple(state.deck[: pack.limits.deal])))  # TPOC-3.2


def _draw_start_tiles(table: Table[Game]) -> None:
    """Draw until every seat has a villager; who has none shows its tiles, and all tiles go back (TPOC-3.10, R6)."""
    state, pack = table.state, table.state.content()
    tiles, count = listed(pack.tiles), pack.limits.start_tiles
    while True:
        table.emit(BagShuffled(len(tiles), tuple(table.shuffle("bag", tiles))))
        for seat in range(state.seat_count):
            table.emit(StartTilesDrawn(seat, count, tuple(state.bag[:count])))
        misdealt = [i for i, seat in enumerate(state.seats) if not any(map(is_villager, seat.start_tiles))]
        if not misdealt:
            return
        table.emit(*(MisdealShown(seat, tuple(state.seats[seat].start_tiles)) for seat in misdealt))
        table.emit(StartTilesReturned(count * state.seat_count))
        tiles = list(state.bag)
