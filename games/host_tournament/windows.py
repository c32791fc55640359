"""Reaction windows (specification, 4.4): who is asked, by public facts alone, and what a window lets through."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from games.host_tournament.frame import Frame
from games.host_tournament.legality import kinds, reply_fault, when_fault
from games.host_tournament.state import AutoPass, State, other

if TYPE_CHECKING:
    from games.host_tournament.steps.windows import React

#: Windows of a subgame.
SUBGAME = ("entry", "roll", "result")


def timing(state: State, window: "React | None", seat: int) -> str | None:
    """The word of the card texts for what a seat may answer in a window; without one: in its own turn (4.4.1)."""
    if window is None:
        return "open"
    kind = window.window
    if kind in SUBGAME:
        assert state.roll is not None
        return f"{kind}_{state.roll.kind[0]}"
    if kind == "announce":
        return _answer(state, window, seat)
    return None if kind == "motion" else "open"


def _answer(state: State, window: "React", seat: int) -> str | None:
    play = state.played(window.subject)
    if play is None or play.seat == seat:
        return None
    if play.kind == "chula":
        return "answer_motion" if play.moved else None
    return f"answer_{play.kind}" if play.kind in ("interrupt", "event") else None


def may_ask(state: State, window: "React", seat: int) -> bool:
    """Whether a seat that has not passed is asked: public facts only (4.4.3)."""
    if not state.seats[seat].hand:
        return False
    if state.options.reactions == "smart":
        return _has_play(state, window, seat)
    kind, book = window.window, state.book
    word = timing(state, window, seat)
    if word is not None and word in book.timings:
        return True
    if kind == "motion":
        return book.motion_chulas and seat == window.order[0]
    if kind == "after_action":
        return book.static_chulas and any(state.look.group(place.pid, state.active) for place in state.places)
    return kind == "turn_start" and seat in state.fresh and _has_persona(state, seat)


def _has_persona(state: State, seat: int) -> bool:
    """Whether a card in play has a second persona in the pack."""
    return any(
        card.owner == seat and len(state.book.personas[state.book.cards[card.card].key]) > 1
        for card in state.in_play.values()
    )


def _has_play(state: State, window: "React", seat: int) -> bool:
    return (
        next(interrupts(state, window, seat), None) is not None
        or next(chulas(state, window, seat), None) is not None
        or (window.window == "turn_start" and next(swaps(state, seat), None) is not None)
    )


def interrupts(state: State, window: "React | None", seat: int) -> Iterator[tuple[str, str | None]]:
    """The interrupts that a seat may play now, with the target."""
    word = timing(state, window, seat)
    if word is None or word not in state.book.timings:
        return
    for name in kinds(state.seats[seat].hand):
        card = state.book.cards[name]
        if card.type != "interrupt" or card.reply(word) is None:
            continue
        places = [place.pid for place in state.places] if word == "open" and card.at_place else [None]
        for target in places:
            if reply_fault(state, card, word, reply_frame(state, window, seat, name, target)) is None:
                yield name, target


def reply_frame(state: State, window: "React | None", seat: int, card: str, target: str | None) -> Frame:
    """What an interrupt works with: its *here* is named, or the place of what it answers."""
    word = timing(state, window, seat)
    found = state.book.cards[card].reply(word or "")
    rule = found[0] if found is not None else -1
    if window is None or word == "open":
        return Frame(seat, card, "", rule, target)
    if state.roll is not None and window.window in SUBGAME:
        return Frame(seat, card, "", rule, state.roll.place)
    play = state.played(window.subject)
    if play is None:
        return Frame(seat, card, "", rule)
    return Frame(seat, card, "", rule, play.here, None, play.group, play.moved, play.name)


def groups(state: State, window: "React | None", seat: int) -> dict[str, tuple[str, ...]]:
    """The groups that a chula may be played on in a window, by place (4.5.2)."""
    if window is None or seat != window.order[0]:
        return {}
    look = state.look
    if window.window == "motion":
        movers = tuple(name for name in look.order if state.in_play[name].moving and look.active(name))
        return {window.subject or "": movers} if movers else {}
    if window.window == "after_action":
        found = {place.pid: look.group(place.pid, other(seat)) for place in state.places}
        return {pid: group for pid, group in found.items() if group}
    return {}


def chulas(state: State, window: "React | None", seat: int) -> Iterator[tuple[str, str]]:
    """The chulas that a seat may play now, with the place of the group."""
    there = groups(state, window, seat)
    if not there or window is None:
        return
    moved = window.window == "motion"
    for name in kinds(state.seats[seat].hand):
        card = state.book.cards[name]
        if card.chula is None or not (card.motion if moved else card.static):
            continue
        for pid, group in there.items():
            if chula_holds(state, seat, name, pid, group, moved=moved):
                yield name, pid


def chula_holds(  # noqa: PLR0913 (who, what, where, on whom, when)
    state: State, seat: int, card: str, pid: str, group: tuple[str, ...], *, moved: bool
) -> bool:
    """Whether a chula's conditions hold on a group."""
    found = state.book.cards[card].chula
    if found is None:
        return False
    frame = Frame(seat, card, "", found[0], pid, None, group, moved)
    return when_fault(state, frame, found[1].c) is None


def swaps(state: State, seat: int) -> Iterator[tuple[str, str]]:
    """The persona swaps that a seat may make: what is in play, and what is in hand (4.9)."""
    if seat not in state.fresh:
        return
    hand = kinds(state.seats[seat].hand)
    for name in state.look.order:
        card = state.in_play[name]
        key = state.book.cards[card.card].key
        others = state.book.personas[key]
        if card.owner != seat or len(others) < 2:
            continue
        yield from ((name, kept) for kept in hand if kept in others and kept != card.card)


def covered(state: State, window: "React", seat: int) -> bool:
    """Whether a seat passes by itself in a window (4.4.4)."""
    kept = state.seats[seat].auto_pass
    return kept.rest != "window" or covers(state, window, seat, kept)


def covers(state: State, window: "React", seat: int, kept: AutoPass) -> bool:
    """Whether a preference covers a window, unless something wakes the seat."""
    kind = window.window
    narrow = f"announce.{window.about}"
    if kind not in kept.kinds and not (kind == "announce" and narrow in kept.kinds):
        return False
    return not any(_wakes(state, window, seat, wake) for wake in kept.wake)


def _wakes(state: State, window: "React", seat: int, wake: str) -> bool:
    match wake:
        case "answer":
            return window.about in ("interrupt", "chula")
        case "event":
            return window.about == "event" or window.window in SUBGAME
        case "dice":
            return window.window == "roll"
    play = state.played(window.subject)
    if play is None or play.seat == seat:
        return False
    named = (play.target, *play.group)
    return any(name in state.in_play and state.in_play[name].owner == seat for name in named if name is not None)
