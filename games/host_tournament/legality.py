"""What may be played where (specification, 4.3.1): one list of tests, for what is offered and what is refused."""

from collections.abc import Iterator

from games.host_tournament import ops
from games.host_tournament.cards import Card
from games.host_tournament.frame import Frame
from games.host_tournament.ops import When
from games.host_tournament.refusals import Fault
from games.host_tournament.state import State, Used
from games.host_tournament.values import barred, holds, true

ACTION_TYPES = ("personnel", "location", "equipment", "event")


def frame_of(state: State, seat: int, card: Card, target: str | None) -> Frame:
    """What a card that is being played works with: *here* is its place, that of its host, or none."""
    rule = card.play[0] if card.play is not None else -1
    if card.type == "equipment":
        return Frame(seat, card.id, "", rule, state.look.where(target) if target in state.in_play else None, target)
    return Frame(seat, card.id, "", rule, target if card.at_place else None)


def price(state: State, seat: int, card: Card, target: str | None) -> int:
    """The actions that it costs to play a card in the ordinary way (HT-18.5)."""
    free = card.free is not None and true(state, frame_of(state, seat, card, target), card.free)
    return 0 if free else card.cost


def used(state: State, seat: int, card: str, index: int, when: When) -> bool:
    """Whether a rule that works once a turn has been used in this one (HT-R40)."""
    return any(isinstance(k, ops.Once) for k in when.all) and Used(card, index) in state.seats[seat].used_turn


def when_fault(state: State, frame: Frame, when: When) -> Fault | None:
    """What keeps a rule from being used now: its conditions, or that it was used in this turn."""
    if not holds(state, frame, when):
        return ("HT-18.3", "condition_does_not_hold")
    if used(state, frame.you, frame.card, frame.rule, when):
        return ("HT-18.4", "used_this_turn")
    return None


def play_fault(state: State, seat: int, card: Card, target: str | None, actions: int | None = None) -> Fault | None:
    """The lowest rule that forbids playing a card so; `actions`: how many are left, None for a download."""
    fault = _target_fault(state, seat, card, target)
    if fault is not None:
        return fault
    if actions is not None and price(state, seat, card, target) > actions:
        return ("HT-3.1", "too_few_actions")
    return (
        place_fault(state, seat, card, target)
        or unique_fault(state, seat, card)
        or rule_fault(state, frame_of(state, seat, card, target), card)
    )


def _target_fault(state: State, seat: int, card: Card, target: str | None) -> Fault | None:
    if card.type == "equipment":
        host = state.in_play.get(target or "")
        fits = host is not None and host.owner == seat and state.book.cards[host.card].type == "personnel"
        return None if fits else ("HT-0.2", "no_such_personnel")
    if card.type == "location" and card.town == "any":
        return None if target in state.book.towns else ("HT-0.2", "no_such_town")
    if card.at_place:
        return None if target in state.look.copies else ("HT-0.2", "no_such_place")
    return None if target is None else ("HT-0.2", "no_target_wanted")


def place_fault(state: State, seat: int, card: Card, target: str | None) -> Fault | None:
    """Affiliated cards only in one of their towns (HT-3.3); with `own_place` only where the seat has a copy."""
    look = state.look
    pid = look.where(target) if card.type == "equipment" and target in state.in_play else target
    if card.aff and pid in look.towns and look.towns[pid] not in card.aff:
        return ("HT-3.3", "not_its_town")
    if card.type == "personnel" and state.options.play_to == "own_place":
        owners = [state.in_play[name].owner for name in look.copies.get(target or "", ())]
        if seat not in owners:
            return ("HT-3.3", "not_your_place")
    return None


def unique_fault(state: State, seat: int, card: Card) -> Fault | None:
    """One copy, and one persona, of a unique thing for each seat (HT-15.2, HT-16.1)."""
    if not card.unique or not state.look.has(seat, card.key):
        return None
    same = any(other.card == card.id and other.owner == seat for other in state.in_play.values())
    return ("HT-15.2", "in_play_already") if same else ("HT-16.1", "persona_in_play")


def rule_fault(state: State, frame: Frame, card: Card) -> Fault | None:
    """The card's own conditions, and what bars its subgame."""
    if card.play is not None and (fault := when_fault(state, frame, card.play[1].c)) is not None:
        return fault
    if card.games and any(barred(state, frame.here, game) for game in card.games):
        return ("HT-18.6", "barred")
    return None


def targets(state: State, seat: int, card: Card) -> Iterator[str | None]:
    """Every target that could be named for a card, in a stable order."""
    if card.type == "equipment":
        yield from state.look.field(seat, active=False)
    elif card.type == "location":
        yield from (state.book.towns if card.town == "any" else (None,))
    elif card.at_place:
        yield from (place.pid for place in state.places)
    else:
        yield None


def kinds(cards: list[str]) -> list[str]:
    """Each card once, in the order held."""
    return list(dict.fromkeys(cards))


def plays(state: State, seat: int) -> Iterator[tuple[str, str | None]]:
    """What a seat may play as an action or for free in its turn, with the target."""
    for name in kinds(state.seats[seat].hand):
        card = state.book.cards[name]
        if card.type not in ACTION_TYPES or (card.free is None and card.cost > state.actions_left):
            continue
        if unique_fault(state, seat, card) is not None:
            continue
        for target in targets(state, seat, card):
            if play_fault(state, seat, card, target, state.actions_left) is None:
                yield name, target


def reply_fault(state: State, card: Card, timing: str, frame: Frame) -> Fault | None:
    """What forbids playing an interrupt in a window."""
    found = card.reply(timing)
    if found is None:
        return ("HT-18.10", "not_this_window")
    return when_fault(state, frame, found[1].c)
