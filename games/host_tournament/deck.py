"""Decks: what a seat brings, whether it may play with it, and what it plays with if it brings nothing (HT-1.2)."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from games.host_tournament.cards import Book
from games.kernel import PositionError

SIZE = 60  # HT-1.2


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """A deck: the id of a sample deck of the pack, or how many of each card; nothing: a sample deck."""

    deck: Annotated[str, Meta(max_length=60)] | None = None
    cards: Annotated[dict[str, Annotated[int, Meta(ge=1, le=SIZE)]], Meta(max_length=SIZE)] | None = None


def deck_fault(book: Book, cards: Mapping[str, int], max_copies: int = 0) -> str | None:
    """What is wrong with a deck, as the end of a sentence that begins with its field; None: it may be played."""
    for card, count in cards.items():
        if card not in book.cards:
            return f".{card}: there is no such card in this pack (HT-0.2)"
        if max_copies and count > max_copies:
            return f".{card}: {count} copies of {book.cards[card].name}, at most {max_copies} (HT-18.7)"
    size = sum(cards.values())
    if size != SIZE:
        return f": a deck has {SIZE} cards, this one {size} (HT-1.2)"
    if not any(book.cards[card].type == "location" for card in cards):
        return ": a deck has a location to start at (HT-2.1)"
    return None


def check_setup(book: Book, setup: Setup, field: str, max_copies: int) -> None:
    """Refuse what a seat brings.

    Raises:
        PositionError: a sentence that names the field, and the card if one is at fault.
    """
    if setup.deck is not None and setup.cards is not None:
        raise PositionError(f"{field}: a sample deck or cards, not both")
    if setup.deck is not None and setup.deck not in book.decks:
        raise PositionError(f"{field}.deck: there is no sample deck {setup.deck}; there is {', '.join(book.decks)}")
    cards = setup.cards if setup.cards is not None else book.decks[setup.deck].cards if setup.deck is not None else None
    fault = deck_fault(book, cards, max_copies) if cards is not None else None
    if fault is not None:
        raise PositionError(f"{field}.{'deck' if setup.cards is None else 'cards'}{fault}")


def deck_of(book: Book, setup: Setup | None, seat: int, max_copies: int) -> dict[str, int]:
    """The deck that a seat plays with: its own, else the sample deck of its number, in the order of ids."""
    if setup is not None and setup.cards is not None:
        cards: Mapping[str, int] = setup.cards
    elif setup is not None and setup.deck is not None:
        cards = book.decks[setup.deck].cards
    else:
        cards = _trimmed(book, list(book.decks.values())[seat % len(book.decks)].cards, max_copies)
    return dict(sorted(cards.items()))


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
