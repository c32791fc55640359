"""Downloads (specification, 4.6): what may be downloaded from where, to whom or where."""

from collections.abc import Iterator

from games.host_tournament import ops
from games.host_tournament.cards import Card
from games.host_tournament.frame import Frame
from games.host_tournament.legality import (
    ACTION_TYPES,
    frame_of,
    kinds,
    place_fault,
    play_fault,
    rule_fault,
    targets,
    when_fault,
)
from games.host_tournament.refusals import Fault
from games.host_tournament.state import State, Used

Way = tuple[str | None, str | None]  # the target, and the persona that is replaced


def zones_of(state: State, seat: int, card: str) -> list[str]:
    """In which of deck and hand a seat has a card."""
    owner = state.seats[seat]
    return [zone for zone, cards in (("deck", owner.deck), ("hand", owner.hand)) if card in cards]


def ways(state: State, frame: Frame, card: Card) -> list[Way]:
    """Every legal way to download a card with this source, at its place (4.6 rules 2, 3 and 6)."""
    if card.type not in ACTION_TYPES:
        return []
    found: list[Way] = [
        (target, None) for target in _targets(state, frame, card) if play_fault(state, frame.you, card, target) is None
    ]
    if card.type == "personnel" and not found and (old := replaced(state, frame, card)) is not None:
        found.append((frame.here, old))
    return found


def _targets(state: State, frame: Frame, card: Card) -> Iterator[str | None]:
    """The targets that the source leaves: itself, or one of the own there; its place; any town (HT-6.8, HT-6.9)."""
    if card.type == "equipment":
        source = state.in_play.get(frame.name)
        if source is not None and state.book.cards[source.card].type == "personnel":
            yield frame.name
        else:
            yield from state.look.all_of(frame.here, frame.you)
    elif card.at_place:
        yield frame.here
    else:
        yield from targets(state, frame.you, card)


def replaced(state: State, frame: Frame, card: Card) -> str | None:
    """The persona at the place that a downloaded one would replace (HT-16.3)."""
    there = state.look.all_of(frame.here, frame.you)
    old = next((name for name in there if state.card(name).key == card.key and state.card(name).id != card.id), None)
    if old is None or not card.unique or place_fault(state, frame.you, card, frame.here) is not None:
        return None
    return None if rule_fault(state, frame_of(state, frame.you, card, frame.here), card) is not None else old


def offers(state: State, frame: Frame, query: ops.Download) -> list[tuple[str, str | None]]:
    """What a text may download: card by card, from the deck if it is there; `hand` if the seat may take it thence."""
    seat = state.seats[frame.you]
    cards = [query.card] if query.card else kinds([*seat.hand, *sorted(set(seat.deck))])
    found: list[tuple[str, str | None]] = []
    for name in cards:
        card = state.book.cards[name]
        zones = zones_of(state, frame.you, name)
        if not zones or (query.type and card.type != query.type) or not ways(state, frame, card):
            continue
        found.append((name, None))
        if len(zones) > 1:
            found.append((name, "hand"))
    return found


def source_fault(state: State, seat: int, source: str) -> Fault | None:
    """What keeps a card in play from being used by a seat: not its own, stopped or in stasis (4.6 rule 4)."""
    card = state.in_play.get(source)
    if card is None:
        return ("HT-0.2", "no_such_card")
    if card.owner != seat:
        return ("HT-0.2", "not_yours")
    if state.look.active(source):
        return None
    return ("HT-12.5", "not_active") if card.stasis is None else ("HT-6.3", "not_active")


def sources(state: State, seat: int) -> Iterator[str]:
    """The cards in play that a seat may use."""
    look = state.look
    return (name for name in look.able if look.in_play[name].owner == seat and look.active(name))


def act_fault(state: State, seat: int, source: str, index: int) -> Fault | None:
    """The lowest rule that forbids using an ability."""
    fault = source_fault(state, seat, source)
    if fault is not None and fault[0] == "HT-0.2":
        return fault
    rule = dict(state.card(source).acts).get(index)
    if rule is None:
        return ("HT-0.2", "no_such_rule")
    if rule.n > state.actions_left:
        return ("HT-3.1", "too_few_actions")
    if fault is not None and fault[0] == "HT-6.3":
        return fault
    frame = state.look.frame(source, index)
    only = rule.ops[0] if len(rule.ops) == 1 else None
    if isinstance(only, ops.Download) and fault is None and not offers(state, frame, only):
        return ("HT-6.6", "cannot_be_played_now")
    return fault or when_fault(state, frame, rule.c)


def acts(state: State, seat: int) -> Iterator[tuple[str, int, str | None]]:
    """The abilities that a seat may use, and from which zone comes what one downloads."""
    for source in sources(state, seat):
        for index, rule in state.card(source).acts:
            if act_fault(state, seat, source, index) is not None:
                continue
            card = downloaded(rule)
            if card is None:
                yield source, index, None
            else:
                yield from ((source, index, zone) for zone in zones_of(state, seat, card))


def downloaded(rule: ops.Act) -> str | None:
    """The card that an ability downloads if that is all it does; None: it does something else."""
    only = rule.ops[0] if len(rule.ops) == 1 else None
    return only.card or None if isinstance(only, ops.Download) else None


def specials(state: State, seat: int) -> Iterator[tuple[str, int, str, str | None, str | None]]:
    """The special downloads that a seat may make: source, index, zone, target, what is replaced."""
    for source in sources(state, seat):
        card = state.card(source)
        for index, rule in card.dls:
            if Used(card.id, index) in state.seats[seat].used_specials:
                continue
            zones = zones_of(state, seat, rule.card)
            if not zones:
                continue
            for target, old in ways(state, state.look.frame(source, index), state.book.cards[rule.card]):
                yield from ((source, index, zone, target, old) for zone in zones)
