"""What a choice inside a card text offers (specification, 4.4.6): each set of cards can be chosen in one way only."""

from games.host_tournament import ops
from games.host_tournament.cards import op_at
from games.host_tournament.downloads import offers
from games.host_tournament.state import State
from games.host_tournament.steps.ops import CardChoice, Do

Answer = tuple[str, str | None]  # what is chosen, and from which zone if that is not plain


def left(state: State, step: CardChoice) -> list[Answer]:
    """The answers to a choice; of a download also from which zone, if there are two."""
    if step.zone == "deck":
        text = next(s for s in reversed(state.agenda) if isinstance(s, Do))
        return list(offers(state, text.frame, query_of(state, text)))
    return [(card, None) for card in step.choosable()]


def query_of(state: State, text: Do) -> ops.Download:
    """The download that a text is about to make."""
    op = op_at(state.book.cards[text.frame.card].rules[text.frame.rule], text.path)[text.at]
    assert isinstance(op, ops.Download)
    return op
