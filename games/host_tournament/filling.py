"""A state from a position: what it leaves out is completed, what cannot be is refused (specification, 3.4)."""

from collections import Counter

import msgspec
from msgspec import UNSET

from games.host_tournament.deck import SIZE
from games.host_tournament.game import Game, unfolded
from games.host_tournament.position_doc import CardDoc, PositionDoc, SeatDoc
from games.host_tournament.state import InPlay, Place, Roll, Seat
from games.host_tournament.zones import card_of
from games.kernel.positions import impossible


def fill(game: Game, doc: PositionDoc) -> None:
    """Lay a position over a new game."""
    for name in ("phase", "actions_left", "rps", "ties", "gone", "made", "plays", "resigned", "outcome"):
        setattr(game, name, getattr(doc, name))
    game.first = doc.first if doc.first is not UNSET else game.first
    game.active = doc.active if doc.active is not UNSET else game.active
    game.turn = doc.turn if doc.turn is not UNSET else int(doc.phase == "play")
    begins = doc.phase == "play" and doc.actions_left == 3
    game.fresh = list(doc.fresh) if doc.fresh is not UNSET else [game.active] if begins else []
    if doc.phase not in ("play", "ended"):
        game.actions_left = 0
    _fill_table(game, doc)
    _fill_made(game, doc)
    seats = doc.seats if isinstance(doc.seats, dict) else {str(n): seat for n, seat in enumerate(doc.seats)}
    if unknown := sorted(set(seats) - {"0", "1"}):
        impossible(f"seats.{unknown[0]}", "there are seats 0 and 1")
    for number in range(2):
        game.seats[number] = _seat(game, number, seats.get(str(number), SeatDoc()))
    game.roll = None if doc.roll is None else msgspec.convert(msgspec.to_builtins(doc.roll), Roll)
    game.agenda = list(doc.agenda)


def _fill_table(game: Game, doc: PositionDoc) -> None:
    for number, (name, card) in enumerate(doc.in_play.items(), 1):
        what = game.book.cards.get(card.card)
        if what is None:
            impossible(f"in_play.{name}.card", f"there is no card {card.card} in this pack")
        game.in_play[name] = InPlay(
            card=card.card,
            owner=card.owner,
            at=card.at if card.at is not UNSET else "",
            entry=card.entry if card.entry is not UNSET else number,
            stop=card.stop,
            stasis=card.stasis,
            awake=card.awake,
            counter=card.counter if card.counter is not UNSET else what.cd,
            moving=card.moving,
        )
    if doc.places is UNSET:
        _open_places(game, doc.in_play)
    else:
        for place in doc.places:
            bottom = game.in_play.get(place.copies[0]) if place.copies else None
            if bottom is None:
                impossible(f"places.{place.pid}", "its copies are locations in play")
            town = place.town if place.town is not UNSET else game.book.cards[bottom.card].town
            game.places.append(Place(place.pid, town, list(place.copies)))
    for opened in game.places:
        for copy in opened.copies:
            if copy in game.in_play:
                game.in_play[copy].at = opened.pid
    last = max((card.entry for card in game.in_play.values()), default=0)
    game.entry_no = doc.entry_no if doc.entry_no is not UNSET else last + 1


def _open_places(game: Game, cards: dict[str, CardDoc]) -> None:
    """Each location opens its place, or lies on the other seat's copy of it."""
    for name, card in cards.items():
        what = game.book.cards[card.card]
        if what.type != "location":
            continue
        if what.town == "any" and card.town is UNSET:
            impossible(f"in_play.{name}.town", "a location of any town names it")
        below = next((p for p in game.places if what.unique and game.in_play[p.copies[0]].card == card.card), None)
        if below is not None:
            below.copies.append(name)
        else:
            pid = card.card if what.unique else name
            game.places.append(Place(pid, card.town if card.town is not UNSET else what.town, [name]))


def _fill_made(game: Game, doc: PositionDoc) -> None:
    names = (*game.in_play, *(play.name for play in doc.plays))
    for name in names:
        card = game.in_play[name].card if name in game.in_play else card_of(name)
        number = name.removeprefix(card)
        if number.isdecimal():
            game.made[card] = max(game.made.get(card, 0), int(number))


def _seat(game: Game, number: int, doc: SeatDoc) -> Seat:
    out = [card.card for card in game.in_play.values() if card.owner == number]
    out += [play.card for play in game.plays if play.seat == number]
    listed = Counter([*out, *doc.hand, *doc.discard, *(doc.deck if doc.deck is not UNSET else ())])
    stated = () if doc.deck_list is UNSET else doc.deck_list
    for card in (*listed, *stated):
        if card not in game.book.cards:
            impossible(f"seats.{number}", f"there is no card {card} in this pack")
    cards = _deck_list(game, number, doc, listed)
    deck = list(doc.deck) if doc.deck is not UNSET else unfolded(dict(sorted((Counter(cards) - listed).items())))
    kept = {name: getattr(doc, name) for name in SeatDoc.__struct_fields__ if name not in ("deck", "deck_list")}
    return Seat(deck=deck, deck_list=cards, **kept)


def _deck_list(game: Game, number: int, doc: SeatDoc, listed: Counter[str]) -> dict[str, int]:
    """As given; else that of the new game, with listed cards in it for others; of a listed deck, what is listed."""
    if doc.deck_list is not UNSET:
        given = Counter(doc.deck_list)
        if listed - given or (doc.deck is not UNSET and given - listed):
            impossible(f"seats.{number}.deck_list", "it has the cards of all zones, on the table too")
        return dict(sorted(given.items()))
    if doc.deck is not UNSET:
        return dict(sorted(listed.items()))
    cards = Counter(game.seats[number].deck_list) | listed
    for card in sorted(cards, reverse=True):
        surplus = max(0, sum(cards.values()) - SIZE)
        cards[card] -= min(surplus, cards[card] - listed[card])
    return dict(sorted((+cards).items()))
