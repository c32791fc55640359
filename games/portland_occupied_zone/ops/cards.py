"""What ops do with cards (specification, 2.7)."""

from collections.abc import Iterable

from games.kernel import Table
from games.portland_occupied_zone.effects import (
    CardDropped,
    DeckShuffled,
    GarbageTaken,
    ItemGained,
    ItemStolen,
    LootDrawn,
    LootMilled,
)
from games.portland_occupied_zone.language import Call
from games.portland_occupied_zone.ops.acting import Acting, whom
from games.portland_occupied_zone.plans import redraw
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.tasks.curing import PayCards


def do_loot(table: Table[State], act: Acting, call: Call) -> None:
    """`loot`."""
    deck = str(act.bound.get("picked", "")) if call.args[1] == "picked" else call.word(1)
    for pc in whom(table, act, call.args[0]):
        draw_loot(table, pc, deck, call.number(2))


def draw_loot(table: Table[State], pc: str, deck: str, n: int) -> None:
    """The top cards of a loot deck, as many as there are."""
    cards = tuple(table.state.decks.loot.get(deck, [])[:n])
    if cards:
        table.emit(LootDrawn(pc, table.state.seat_of(pc), deck, len(cards), cards))


def do_scavenge(table: Table[State], act: Acting, call: Call) -> None:
    """`scavenge`."""
    state = table.state
    for pc in whom(table, act, call.args[0]):
        for _ in range(min(call.number(1), len(state.decks.garbage))):
            take_garbage(table, pc, state.decks.garbage)


def take_garbage(table: Table[State], pc: str, among: Iterable[str]) -> None:
    """A random one of these cards of the garbage."""
    board = table.state.board
    card = table.pick("garbage", list(among))
    table.emit(GarbageTaken(pc, table.state.seat_of(pc), board.back(card), board.kind(card).id))


def do_drop(table: Table[State], act: Acting, call: Call) -> None:
    """`drop`."""
    state = table.state
    for pc in whom(table, act, call.args[0]):
        for _ in range(min(call.number(1), len(state.pcs[pc].hand))):
            card = table.pick("item", state.pcs[pc].hand)
            table.emit(CardDropped(pc, state.seat_of(pc), state.board.back(card), state.board.kind(card).id))


def do_gain(table: Table[State], act: Acting, call: Call) -> None:
    """`gain`."""
    state, kind = table.state, call.word(1)
    back = state.board.cards[kind].back
    for pc in whom(table, act, call.args[0]):
        if state.decks.homebrew.get(kind, 0):
            table.emit(ItemGained(pc, kind, back, "homebrew"))
        elif kind in state.decks.loot.get(back, []):
            table.emit(ItemGained(pc, kind, back, "deck"))
            order = tuple(table.shuffle(f"loot:{back}", state.decks.loot[back]))
            table.emit(DeckShuffled(f"loot:{back}", len(order), order))


def do_steal(table: Table[State], act: Acting, call: Call) -> None:
    """`steal`."""
    for pc in whom(table, act, call.args[0]):
        if pc != act.me:
            for _ in range(min(call.number(1), len(table.state.pcs[pc].hand))):
                steal(table, act.me, pc)


def steal(table: Table[State], thief: str, victim: str) -> None:
    """A random card of the victim's hand (POZ-PVP-13)."""
    state = table.state
    card = table.pick("item", state.pcs[victim].hand)
    seats = state.seat_of(thief), state.seat_of(victim)
    table.emit(ItemStolen(thief, victim, *seats, state.board.back(card), state.board.kind(card).id))


def do_mill(table: Table[State], _act: Acting, call: Call) -> None:
    """`mill`."""
    cards = tuple(table.state.decks.loot.get(call.word(0), [])[: call.number(1)])
    if cards:
        table.emit(LootMilled(call.word(0), len(cards), cards))


def do_swap(table: Table[State], act: Acting, call: Call) -> None:
    """`swap`."""
    if table.state.pcs[act.me].hand:
        seats = (table.state.seat_of(act.me),)
        table.push(PayCards(seats=seats, pc=act.me, left=call.number(1), swap=True))


def do_plans(table: Table[State], _act: Acting, _call: Call) -> None:
    """`plans`."""
    redraw(table)
