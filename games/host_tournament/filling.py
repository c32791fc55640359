"""A state from a position: what it leaves out is completed, what cannot be is refused (specification, 3.4)."""

from collections import Counter
from collections.abc import Iterable

import msgspec
from msgspec import UNSET

from games.host_tournament.cards import Book
from games.host_tournament.deck import SIZE
from games.host_tournament.game import Game, unfolded
from games.host_tournament.position_doc import CardDoc, PositionDoc, SeatDoc, impossible
from games.host_tournament.state import TABLE, InPlay, Place, Roll, Seat, Used
from games.host_tournament.zones import card_of


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
    for card in listed:
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


def check(game: Game, doc: PositionDoc) -> None:
    """Refuse what breaks an invariant of 3.4.

    Raises:
        PositionError: a sentence that names the field.
    """
    for name, card in game.in_play.items():
        _check_at(game, name, card)
    _check_places(game)
    _check_unique(game, game.book)
    _once([card.entry for card in game.in_play.values()], "in_play", "each card has an entry number of its own")
    if (doc.phase == "ended") != (doc.outcome is not None):
        impossible("outcome", "a game that is over has an outcome, any other has none")
    if doc.agenda and doc.outcome is not None:
        impossible("agenda", "a game that is over has none")
    if doc.phase == "play" and any(seat.score >= 100 for seat in game.seats):
        impossible("seats", "who has 100 points has won (HT-4.2)")
    for number, seat in enumerate(game.seats):
        if Counter(seat.shown) - Counter(seat.hand):
            impossible(f"seats.{number}.shown", "they are cards of the hand")
        for used in (used for used in [*seat.used_specials, *seat.used_turn] if isinstance(used, Used)):
            if used.card not in game.book.cards or not 0 <= used.index < len(game.book.cards[used.card].rules):
                impossible(f"seats.{number}", f"there is no rule {used.index} of {used.card}")


def _check_at(game: Game, name: str, card: InPlay) -> None:
    what, pids = game.book.cards[card.card], {place.pid for place in game.places}
    fits = card.at in pids
    if what.type == "equipment":
        host = game.in_play.get(card.at)
        fits = host is not None and host.owner == card.owner and game.book.cards[host.card].type == "personnel"
    elif what.type not in ("personnel", "location"):
        fits = fits or card.at == TABLE
    if not fits and not (what.type == "personnel" and card.at in game.gone):
        impossible(f"in_play.{name}.at", f"a {what.type} is not at {card.at or 'nothing'}")
    if (card.counter is None) != (what.cd is None):
        impossible(f"in_play.{name}.counter", "cards with a countdown icon have one, others have none")
    if (card.stop or card.stasis or card.awake or card.moving) and what.type != "personnel":
        impossible(f"in_play.{name}", "only personnel are stopped, in stasis, or move")


def _check_places(game: Game) -> None:
    _once([place.pid for place in game.places], "places", "each has an id of its own")
    copies = [copy for place in game.places for copy in place.copies]
    _once(copies, "places", "each copy is at one place")
    locations = [name for name, card in game.in_play.items() if game.book.cards[card.card].type == "location"]
    if sorted(copies) != sorted(locations):
        impossible("places", "every location in play is a copy of a place")
    for place in game.places:
        if place.town not in game.book.towns:
            impossible(f"places.{place.pid}.town", f"there is no town {place.town}")
        owners = [game.in_play[copy].owner for copy in place.copies]
        same = {game.in_play[copy].card for copy in place.copies}
        if len(set(owners)) < len(owners) or len(same) > 1:
            impossible(f"places.{place.pid}.copies", "at most one copy of each seat, of the same location")


def _check_unique(game: Game, book: Book) -> None:
    cards = [(card.owner, book.cards[card.card]) for card in game.in_play.values()]
    keys = [(owner, card.key) for owner, card in cards if card.unique]
    for owner, key in keys:
        if keys.count((owner, key)) > 1:
            impossible("in_play", f"seat {owner} has one of {key} in play (HT-15.2)")


def _once(things: Iterable[object], field: str, sentence: str) -> None:
    seen = list(things)
    if any(seen.count(thing) > 1 for thing in seen):
        impossible(field, sentence)
