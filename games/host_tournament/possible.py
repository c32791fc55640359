"""What a position may be at all (specification, 3.4): where cards are, what they are called, who has won."""

from collections import Counter
from collections.abc import Iterable

from games.host_tournament import ops
from games.host_tournament.cards import words
from games.host_tournament.game import Game
from games.host_tournament.position_doc import PositionDoc, is_known, is_spot
from games.host_tournament.state import POINTS, TABLE, InPlay, Place, Played, Roll, Used
from games.host_tournament.zones import card_of
from games.kernel.positions import impossible


def check(game: Game, doc: PositionDoc) -> None:
    """Refuse what breaks an invariant of 3.4.

    Raises:
        PositionError: a sentence that names the field.
    """
    for name, card in game.in_play.items():
        _check_name(game, name, card)
        _check_at(game, name, card)
    _check_places(game)
    _check_unique(game)
    _once([card.entry for card in game.in_play.values()], "in_play", "each card has an entry number of its own")
    if any(card.entry >= game.entry_no for card in game.in_play.values()):
        impossible("entry_no", "it is the number of the next card that enters play")
    _check_plays(game)
    if game.roll is not None:
        _check_roll(game, game.roll)
    _check_end(game, doc)
    for number in range(2):
        _check_seat(game, number)


def _check_name(game: Game, name: str, card: InPlay) -> None:
    if not is_known(game, name) or card_of(name) != card.card:
        impossible(f"in_play.{name}", f"it is called {card.card} and a number")


def _check_at(game: Game, name: str, card: InPlay) -> None:
    what, pids = game.book.cards[card.card], {place.pid for place in game.places}
    fits = card.at in pids
    if what.type == "equipment":
        host = game.in_play.get(card.at)
        fits = host is not None and host.owner == card.owner and game.book.cards[host.card].type == "personnel"
    elif what.type not in ("personnel", "location"):
        spot = "TABLE" if card.at == TABLE else "HERE"
        stays = any(isinstance(word, ops.Stay) and word.spot == spot for word in words(what.rules))
        fits = stays and (fits or card.at == TABLE)
    if not fits and not (what.type == "personnel" and card.at in game.gone):
        impossible(f"in_play.{name}.at", f"a {what.type} is not at {card.at or 'nothing'}")
    if (card.counter is None) != (what.cd is None) or (card.counter or 0) > (what.cd or 0):
        impossible(f"in_play.{name}.counter", "cards with a countdown icon have one, up to its number, others none")
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
        _check_place(game, place)
    for pid, town in game.gone.items():
        if town not in game.book.towns or not (pid in game.book.cards or is_known(game, pid)):
            impossible(f"gone.{pid}", "it has the towns of places that have left play")


def _check_place(game: Game, place: Place) -> None:
    card = game.card(place.copies[0])
    if place.town not in game.book.towns or card.town not in ("any", place.town):
        impossible(f"places.{place.pid}.town", f"it is a town, of this location {card.town}")
    owners = [game.in_play[copy].owner for copy in place.copies]
    same = {game.in_play[copy].card for copy in place.copies}
    if len(set(owners)) < len(owners) or len(same) > 1 or (len(owners) > 1 and not card.unique):
        impossible(f"places.{place.pid}.copies", "at most one copy of each seat, of the same unique location")
    if place.pid != (card.id if card.unique else place.copies[0]):
        impossible(f"places.{place.pid}.pid", "it is the id of a unique location, the name of a universal one")


def _check_unique(game: Game) -> None:
    cards = [(card.owner, game.book.cards[card.card]) for card in game.in_play.values()]
    keys = [(owner, card.key) for owner, card in cards if card.unique]
    for owner, key in keys:
        if keys.count((owner, key)) > 1:
            impossible("in_play", f"seat {owner} has one of {key} in play (HT-15.2)")


def _check_plays(game: Game) -> None:
    _once([*game.in_play, *(play.name for play in game.plays)], "plays", "each instance has a name of its own")
    for number, play in enumerate(game.plays):
        field = f"plays[{number}]"
        card = game.book.cards.get(play.card)
        if card is None or play.seat not in (0, 1) or not is_known(game, play.name) or card_of(play.name) != card.id:
            impossible(field, "it is a card of seat 0 or 1, called by its id and a number")
        rule = card.rules[play.rule] if 0 <= play.rule < len(card.rules) else None
        fits = play.rule == -1 if rule is None else isinstance(rule, ops.Play | ops.Reply | ops.Chula)
        if play.kind != card.type or not fits:
            impossible(field, "its kind is that of the card, its rule one of those that are played")
        _check_named(game, play, field)


def _check_named(game: Game, play: Played, field: str) -> None:
    if play.here is not None and not is_spot(game, play.here):
        impossible(f"{field}.here", "it is a place")
    target = play.target
    if target is not None and not (is_spot(game, target) or target in game.book.towns or is_known(game, target)):
        impossible(f"{field}.target", "it is a place, a town, or the instance of a card")
    town = game.book.cards[play.card].town
    if (town == "any" and target not in game.book.towns) or (play.kind in ("personnel", "equipment") and not target):
        impossible(f"{field}.target", "the player has named one")
    if play.kind == "personnel" and not is_spot(game, target):
        impossible(f"{field}.target", "it is a place")
    others = (*play.group, *(name for name in (play.trig, play.replace) if name is not None))
    if not all(is_known(game, name) for name in others):
        impossible(field, "the others that it names are instances of cards")


def _check_roll(game: Game, roll: Roll) -> None:
    if not is_spot(game, roll.place):
        impossible("roll.place", "it is a place")
    listed = {
        "forced_in": roll.forced_in,
        "forced_out": roll.forced_out,
        "entrants": roll.entrants,
        "chosen": [name for names in roll.chosen for name in names or ()],
        "dice": list(roll.dice),
        "order": roll.order,
    }
    for field, names in listed.items():
        known = all(is_known(game, name) and game.book.cards[card_of(name)].type == "personnel" for name in names)
        if not known or len(set(names)) < len(names):
            impossible(f"roll.{field}", "it names personnel, each once")
    if roll.winner is not None and roll.winner not in roll.order:
        impossible("roll.winner", "it is in the order")
    if not all(is_known(game, name) for name in (roll.event, *(name for name, _ in roll.paces))):
        impossible("roll", "the event and what changes the pace are instances of cards")


def _check_end(game: Game, doc: PositionDoc) -> None:
    if (doc.phase == "ended") != (doc.outcome is not None):
        impossible("outcome", "a game that is over has an outcome, any other has none")
    if doc.agenda and doc.outcome is not None:
        impossible("agenda", "a game that is over has none")
    if doc.resigned and (doc.outcome is None or len(set(doc.resigned)) < len(doc.resigned)):
        impossible("resigned", "who resigns ends the game, once")
    if doc.outcome is not None:
        counts = (len(doc.outcome.scores), len(doc.outcome.places))
        if counts != (2, 2) or not set(doc.outcome.winners) <= {0, 1}:
            impossible("outcome", "two seats have scores and places, and win")
    if doc.phase != "ended" and any(seat.score >= POINTS for seat in game.seats):
        impossible("seats", "who has 100 points has won (HT-4.2)")


def _check_seat(game: Game, number: int) -> None:
    seat, cards = game.seats[number], game.book.cards
    if Counter(seat.shown) - Counter(seat.hand):
        impossible(f"seats.{number}.shown", "they are cards of the hand")
    for used in (used for used in [*seat.used_specials, *seat.used_turn] if isinstance(used, Used)):
        if used.card not in cards or not 0 <= used.index < len(cards[used.card].rules):
            impossible(f"seats.{number}", f"there is no rule {used.index} of {used.card}")
    located = any(game.card(name).type == "location" and game.in_play[name].owner == number for name in game.in_play)
    located = located or any(cards[card].type == "location" for card in seat.deck)
    if game.phase in ("first_player", "start_places") and not located:
        impossible(f"seats.{number}.deck", "it has a location to start at (HT-2.1)")


def _once(things: Iterable[object], field: str, sentence: str) -> None:
    seen = list(things)
    if any(seen.count(thing) > 1 for thing in seen):
        impossible(field, sentence)
