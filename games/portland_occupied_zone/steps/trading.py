"""Trades: building an offer, answering it (specification, 4.5; POZ-TRN-14, POZ-VOT-4)."""

from typing import ClassVar

from games.kernel import Public, Step, Table
from games.portland_occupied_zone.effects import GivenChosen, TradeAnswered
from games.portland_occupied_zone.effects.governing import ANY, BRICK
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.underway import Offer

#: So many things lie on one side of an offer at most: a hand, so that offers and with them games have an end (4.10).
SIDE_MAX = 7


class BuildOffer(Step, frozen=True):
    """A character puts an offer together."""

    menu: ClassVar[tuple[str, ...]] = ("add_item", "ask_item", "send_offer", "drop_offer")


class RespondTrade(Step, frozen=True):
    """The one it is made to answers; when `accepted`, it chooses what it gives, card by card."""

    menu: ClassVar[tuple[str, ...]] = ("accept_trade", "decline_trade", "choose_given")

    accepted: Public[bool] = False


def offer_of(state: State) -> Offer:
    """The offer under way."""
    assert state.offer is not None
    return state.offer


def asked_cards(offer: Offer) -> list[str]:
    """The backs asked for, certain ones before `any`, so that there is always a card for the next."""
    cards = [back for back in offer.asks if back != BRICK]
    return [*(back for back in cards if back != ANY), *(back for back in cards if back == ANY)]


def backs_of(state: State, items: list[str]) -> tuple[str, ...]:
    """The backs of offered things; a brick is a brick."""
    return tuple(BRICK if item == BRICK else state.board.back(item) for item in items)


def kinds_of(state: State, items: list[str]) -> tuple[str, ...]:
    """The faces of offered things."""
    return tuple(BRICK if item == BRICK else state.board.kind(item).id for item in items)


def next_given(state: State) -> list[str]:
    """The cards that can be given next: with the back that is asked for next."""
    offer = offer_of(state)
    back = asked_cards(offer)[len(offer.given)]
    left = list(state.pcs[offer.to].hand)
    for card in offer.given:
        left.remove(card)
    return [card for card in left if back in (ANY, state.board.back(card))]


def go_on(table: Table[State]) -> bool:
    """Give the only card that can be given next, as backs tell everybody, and trade if that is all; whether it was."""
    state = table.state
    offer = offer_of(state)
    asks = asked_cards(offer)
    while len(offer.given) < len(asks):
        there = next_given(state)
        if len(there) > 1:
            return False
        card = there[0]
        seat = state.seat_of(offer.to)
        table.emit(GivenChosen(offer.to, seat, state.board.back(card), state.board.kind(card).id))
    settle(table, accepted=True)
    return True


def settle(table: Table[State], *, accepted: bool) -> None:
    """The trade is made, or declined."""
    state = table.state
    offer = offer_of(state)
    seats = state.seat_of(offer.pc), state.seat_of(offer.to)
    given = offer.given if accepted else []
    table.emit(TradeAnswered(offer.pc, offer.to, *seats, accepted, backs_of(state, given), kinds_of(state, given)))


def left_to_offer(state: State) -> list[str]:
    """The hand cards that are not in the offer yet."""
    offer = offer_of(state)
    return _without(state.pcs[offer.pc].hand, offer.items)


def _without(hand: list[str], taken: list[str]) -> list[str]:
    left = list(hand)
    for card in taken:
        if card in left:
            left.remove(card)
    return left


def brick_left(state: State, pc: str, items: list[str]) -> bool:
    """Whether a character has another brick to trade, which is for votes alone (POZ-VOT-4)."""
    return state.ballot is not None and items.count(BRICK) < state.pcs[pc].bricks
