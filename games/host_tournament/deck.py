"""Decks: what a seat brings, whether it may play with it, and what it plays with if it brings nothing (HT-1.2)."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from games.host_tournament.cards import Book
from games.kernel import PositionError

SIZE = 60  # HT-1.2


SHOWN = 60  # characters of what is refused
#: How many of each card; what is no number is refused by `deck_fault`, which names the card.
Cards = Annotated[dict[str, Any], Meta(max_length=SIZE)]


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat brings: how many of each card are in its `deck`, or the id of a sample deck; None: a sample deck."""

    deck: Annotated[
        Annotated[str, Meta(max_length=60)] | Cards | None,
        Meta(description="a sample deck by its id, or how many of each card as a JSON object; empty: a sample deck"),
    ] = None


def deck_fault(book: Book, cards: Mapping[str, Any], max_copies: int = 0) -> str | None:
    """What is wrong with a deck, as the end of a sentence that begins with its field; None: it may be played."""
    for card, count in cards.items():
        if card not in book.cards:
            return _stranger(card)
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= SIZE:
            return f".{card}: it is a number from 0 to {SIZE} (HT-1.2)"
        if max_copies and count > max_copies:
            return f".{card}: {count} copies of {book.cards[card].name}, at most {max_copies} (HT-18.7)"
    size = sum(cards.values())
    if size != SIZE:
        return f": a deck has {SIZE} cards, this one {size} (HT-1.2)"
    if not any(count and book.cards[card].type == "location" for card, count in cards.items()):
        return ": a deck has a location to start at (HT-2.1)"
    return None


def _stranger(card: str) -> str:
    """A name that is no card's; one that cannot be a field is told as it is written, cut if it is long."""
    if card.isidentifier() and card.isascii() and len(card) <= SHOWN:
        return f".{card}: there is no such card in this pack (HT-0.2)"
    return f": there is no card {card[:SHOWN]!a} in this pack (HT-0.2)"


def check_setup(book: Book, setup: Setup, field: str, max_copies: int) -> None:
    """Refuse what a seat brings.

    Raises:
        PositionError: a sentence that names the field, and the card if one is at fault.
    """
    if isinstance(setup.deck, str) and setup.deck not in book.decks:
        raise PositionError(f"{field}.deck: there is no sample deck {setup.deck}; there is {', '.join(book.decks)}")
    if setup.deck is None:
        return
    cards = book.decks[setup.deck].cards if isinstance(setup.deck, str) else setup.deck
    fault = deck_fault(book, cards, max_copies)
    if fault is not None:
        raise PositionError(f"{field}.deck{fault}")


def deck_of(book: Book, setup: Setup | None, seat: int, max_copies: int) -> dict[str, int]:
    """The deck that a seat plays with: its own, else the sample deck of its number, in the order of ids."""
    brought = setup.deck if setup is not None else None
    if isinstance(brought, str):
        cards: Mapping[str, int] = book.decks[brought].cards
    elif brought is not None:
        cards = brought
    else:
        cards = _trimmed(book, list(book.decks.values())[seat % len(book.decks)].cards, max_copies)
    return {card: count for card, count in sorted(cards.items()) if count}


def _trimmed(book: Book, cards: Mapping[str, int], max_copies: int) -> dict[str, int]:
    """A sample deck with no more copies than allowed, filled up with the other cards of the pack in their order."""
    if not max_copies:
        return dict(cards)
    deck = {card: min(count, max_copies) for card, count in cards.items()}
    for card in book.cards:
        more = min(SIZE - sum(deck.values()), max_copies - deck.get(card, 0))
        if more > 0:
            deck[card] = deck.get(card, 0) + more
    return deck


def check_copies(book: Book, max_copies: int) -> None:
    """Refuse a limit under which nobody who brings no deck could play.

    Raises:
        PositionError: the pack has too few cards for it.
    """
    if max_copies and len(book.cards) * max_copies < SIZE:
        raise PositionError(f"options.max_copies: the pack has too few cards for decks of {SIZE} (HT-18.7)")
