"""How cards go from zone to zone: the hands of the folds in `effects/`."""

from typing import Literal

from games.host_tournament.cards import Card
from games.host_tournament.state import InPlay, Place, Played, Roll, State


def card_of(name: str) -> str:
    """The card of an instance that the game has named (no card's id ends with a digit)."""
    return name.rstrip("0123456789")


def take(state: State, seat: int, card: str, zone: str) -> None:
    """A card leaves hand or deck; one that all know of leaves the hand first."""
    owner = state.seats[seat]
    (owner.hand if zone == "hand" else owner.deck).remove(card)
    if zone == "hand" and card in owner.shown:
        owner.shown.remove(card)


def announced(state: State, play: Played) -> None:
    """A card lies announced; whoever acts in its own turn can no longer swap a persona."""
    state.plays.append(play)
    _made(state, play.name)
    if play.seat == state.active:
        state.fresh = [seat for seat in state.fresh if seat != play.seat]


def _made(state: State, name: str) -> None:
    card = card_of(name)
    state.made[card] = max(state.made.get(card, 0), int(name.removeprefix(card)))


def unplay(state: State, name: str) -> None:
    """What was announced goes to its owner's discard pile."""
    play = state.played(name)
    if play is not None:
        state.plays.remove(play)
        state.seats[play.seat].discard.append(play.card)


def enter(state: State, name: str, at: str) -> None:
    """What was announced is in play."""
    play = state.played(name)
    if play is not None:
        state.plays.remove(play)
        _put(state, name, state.book.cards[play.card], play.seat, at)


def _put(state: State, name: str, card: Card, owner: int, at: str) -> None:
    state.in_play[name] = InPlay(card=card.id, owner=owner, at=at, entry=state.entry_no, counter=card.cd)
    state.entry_no += 1


def open_place(state: State, seat: int, name: str, pid: str, town: str) -> None:
    """A location opens its place; before the game it comes straight from the deck."""
    _lay(state, seat, name, pid)
    state.places.append(Place(pid, town, [name]))


def stack_place(state: State, seat: int, name: str, pid: str) -> None:
    """A second copy of a location lies on top of the first."""
    _lay(state, seat, name, pid)
    place = state.place(pid)
    if place is not None:
        place.copies.append(name)


def _lay(state: State, seat: int, name: str, pid: str) -> None:
    if state.played(name) is not None:
        enter(state, name, pid)
        return
    card = card_of(name)
    take(state, seat, card, "deck")
    _made(state, name)
    _put(state, name, state.book.cards[card], seat, pid)


def discard(state: State, name: str) -> None:
    """A card in play goes to its owner's discard pile; a place without copies is gone."""
    card = state.in_play.pop(name, None)
    if card is None:
        return
    state.seats[card.owner].discard.append(card.card)
    for place in state.places:
        if name in place.copies:
            place.copies.remove(name)
            if not place.copies:
                state.gone[place.pid] = place.town
    state.places = [place for place in state.places if place.copies]


def swap(state: State, seat: int, out: str, name: str) -> None:
    """A persona takes over everything of another one but stasis for want of a Pint, which is looked at anew."""
    if (play := state.played(name)) is not None:
        state.plays.remove(play)
    else:
        take(state, seat, card_of(name), "hand")
        _made(state, name)
    old = state.in_play.pop(out)
    card = card_of(name) if play is None else play.card
    stasis = None if old.stasis == "beer" else old.stasis
    state.in_play[name] = InPlay(
        card=card, owner=seat, at=old.at, entry=old.entry, stop=old.stop, stasis=stasis, awake=old.awake
    )
    for part in state.in_play.values():
        if part.at == out:
            part.at = name
    state.seats[seat].hand.append(old.card)
    state.seats[seat].shown.append(old.card)
    state.fresh = [other for other in state.fresh if other != seat]


def begin_roll(state: State, kind: Literal["tournament", "drinking"], event: str, place: str) -> None:
    """A subgame begins."""
    state.roll = Roll(kind=kind, event=event, place=place)
