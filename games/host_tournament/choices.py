"""What a choice inside a card text offers (specification, 4.4.6): each set of cards can be chosen in one way only."""

from games.host_tournament import ops
from games.host_tournament.cards import op_at
from games.host_tournament.downloads import offers
from games.host_tournament.state import State
from games.host_tournament.steps.ops import CardChoice, Do

Answer = tuple[str, str | None]  # what is chosen, and from which zone if that is not plain


def behind(cards: tuple[str, ...], index: int) -> tuple[str, ...]:
    """What may come after the one at an index: later ones, but none of a kind that was passed over."""
    return tuple(card for card in cards[index + 1 :] if card not in cards[:index])


def left(state: State, step: CardChoice) -> list[Answer]:
    """The answers: cards that leave enough for the least number, each kind once."""
    if step.zone == "deck":
        text = next(s for s in reversed(state.agenda) if isinstance(s, Do))
        return list(offers(state, text.frame, query_of(state, text)))
    cards = step.offer
    return [
        (card, None)
        for index, card in enumerate(cards)
        if card not in cards[:index] and len(behind(cards, index)) >= step.least - 1
    ]


def query_of(state: State, text: Do) -> ops.Download:
    """The download that a text is about to make."""
    op = op_at(state.book.cards[text.frame.card].rules[text.frame.rule], text.path)[text.at]
    assert isinstance(op, ops.Download)
    return op
