"""Card texts that work on hands, decks and discard piles (cards, 2.4)."""

from games.host_tournament import ops
from games.host_tournament.asking import Asking
from games.host_tournament.state import HAND, State
from games.host_tournament.steps.ops import CardChoice, Do, draw
from games.host_tournament.values import seat_of
from games.kernel import Table


def text_draw(table: Table[State], text: Do, op: ops.Draw, _: Asking) -> None:
    """A player draws, stopping at 7 in hand or an empty deck."""
    number = seat_of(text.frame, op.player)
    seat = table.state.seats[number]
    n = min(op.n, max(0, HAND - len(seat.hand)), len(seat.deck))
    if n:
        draw(table, number, n)


def drop(table: Table[State], text: Do, op: ops.Drop, _: Asking) -> None:
    """A player discards exactly so many hand cards, all if it has fewer."""
    number = seat_of(text.frame, op.player)
    hand = tuple(table.state.seats[number].hand)
    n = min(op.n, len(hand))
    if n:
        table.push(CardChoice(seat=number, kind="drop", zone="hand", offer=hand, least=n, most=n, open=False))


def sift(table: Table[State], text: Do, op: ops.Sift, _: Asking) -> None:
    """A player discards up to so many hand cards, then draws as many; no stop at 7."""
    number = seat_of(text.frame, op.player)
    hand = tuple(table.state.seats[number].hand)
    n = min(op.n, len(hand))
    if n:
        table.push(CardChoice(seat=number, kind="sift", zone="hand", offer=hand, least=0, most=n, open=False))


def recycle(table: Table[State], text: Do, op: ops.Recycle, _: Asking) -> None:
    """A player shuffles up to so many cards of its discard pile into its deck."""
    number = seat_of(text.frame, op.player)
    pile = tuple(table.state.seats[number].discard)
    if pile:
        n = min(op.n, len(pile))
        table.push(CardChoice(seat=number, kind="recycle", zone="discard", offer=pile, least=0, most=n))
