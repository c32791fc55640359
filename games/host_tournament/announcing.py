"""Announcing a play: it is paid, leaves its zone, may be answered, then is carried out and settled (4.3.1)."""

from games.host_tournament.effects.plays import CardAnnounced, RuleUsed
from games.host_tournament.effects.turns import ActionPaid, DeckSearched
from games.host_tournament.ops import Once
from games.host_tournament.state import State
from games.host_tournament.steps.ops import shuffle
from games.host_tournament.steps.plays import Completed, Freely, Resolve
from games.host_tournament.steps.settle import Settle
from games.host_tournament.steps.windows import announced
from games.kernel import Step, Table


def announce(table: Table[State], play: CardAnnounced, *then: Step) -> None:
    """Announce a card; `then` follows when it is resolved and settled."""
    state = table.state
    table.emit(play)
    card = state.book.cards[state.plays[-1].card]
    use_rule(table, play.seat, card.id, play.rule)
    if play.zone == "deck":
        table.emit(DeckSearched(play.seat))
        shuffle(table, play.seat)
    about = "special" if play.special else card.type
    table.push(announced(play.card, about, play.seat), Resolve(play=play.card), Settle(), *then)


def use_rule(table: Table[State], seat: int, card: str, index: int) -> None:
    """A rule that works once a turn is used up by being announced (HT-R40)."""
    rules = table.state.book.cards[card].rules
    when = getattr(rules[index], "c", None) if 0 <= index < len(rules) else None
    if when is not None and any(isinstance(k, Once) for k in when.all):
        table.emit(RuleUsed(seat, card, index))


def pay(table: Table[State], n: int) -> tuple[Step, ...]:
    """Pay for a play of the main menu; what follows it: the window after a normal action, none after a free one."""
    if n:
        table.emit(ActionPaid(n))
        return (Completed(),)
    return after_free(table.state)


def after_free(state: State) -> tuple[Step, ...]:
    """What follows a free play of the main menu: nothing, or by an option a static window (HT-R14)."""
    return (Freely(),) if state.options.static_after_free else ()
