"""A state that a reader could not tell from the real one (specification, 3.2): to prove that views leak nothing.

Hidden cards change places with others of the same back and type: backs are public, and what a hand holds of food or
drugs may show (Steve's rate, `bad_batch`). Pools are sorted before they are shuffled, so that what is dealt depends on
what the reader sees and on the dice alone.
"""

from collections.abc import Callable

import msgspec

from games.dice import Dice
from games.kernel import encode
from games.portland_occupied_zone.game import Game
from games.portland_occupied_zone.state import State

#: A place where a hidden card lies: the card, and how to put another one there.
Place = tuple[str, Callable[[str], None]]


def resample(state: State, reader: int, dice: Dice) -> Game:
    """A copy in which all that `reader` (a seat or SPECTATOR) cannot see is dealt anew, every zone keeping its size."""
    game: Game = msgspec.json.decode(encode(state), type=Game)
    if game.outcome is None:
        _deal_cards(game, reader, dice)
        _shuffle_decks(game, dice)
        _declare_anew(game, reader, dice)
    return game


def _deal_cards(game: Game, reader: int, dice: Dice) -> None:
    pools: dict[tuple[str, str], list[Place]] = {}
    offered = _offered(game)
    shown, known = _known(game, reader, offered)
    for cards in _hidden(game, reader):
        for index, card in enumerate(cards):
            if index not in (known if cards is shown else ()):
                kind = game.board.back(card), game.board.kind(card).type
                pools.setdefault(kind, []).append((card, _putter(cards, index)))
    _loot_places(game, pools)
    for pool in pools.values():
        deal = dice.shuffle("resample", sorted(card for card, _ in pool))
        for card, (_, put) in zip(deal, pool, strict=True):
            put(card)
    for things, hand, places in offered:
        for index, place in places:
            things[index] = hand[place]


def _known(game: Game, reader: int, offered: list["Offered"]) -> tuple[list[str], set[int]]:
    """The hand of which the reader knows something, since it has been offered it: which of its cards."""
    offer = game.offer
    if offer is None or not offer.sent or game.pcs[offer.to].seat != reader:
        return [], set()
    _, hand, places = offered[0]
    return hand, {place for _, place in places}


def _hidden(game: Game, reader: int) -> list[list[str]]:
    """The hands and piles whose faces the reader does not see."""
    seen = game.turn.searched if game.turn is not None and game.pcs[game.turn.pc].seat == reader else []
    hands = [pc.hand for name, pc in game.pcs.items() if pc.seat != reader and name not in seen]
    return [*hands, game.decks.garbage]


def _loot_places(game: Game, pools: dict[tuple[str, str], list[Place]]) -> None:
    """Loot decks have ids of kinds: a card that comes from elsewhere loses its back on the way."""
    for deck, cards in game.decks.loot.items():
        for index, kind in enumerate(cards):
            card = game.board.card(kind, deck)
            put = _kind_putter(cards, index)
            pools.setdefault((deck, game.board.cards[kind].type), []).append((card, put))


def _putter(cards: list[str], index: int) -> Callable[[str], None]:
    def put(card: str) -> None:
        cards[index] = card

    return put


def _kind_putter(cards: list[str], index: int) -> Callable[[str], None]:
    def put(card: str) -> None:
        cards[index] = card.rpartition(":")[2]

    return put


Offered = tuple[list[str], list[str], list[tuple[int, int]]]


def _offered(game: Game) -> list[Offered]:
    """What lies in an offer is a hand card: by its place in the hand, so that it stays one."""
    offer = game.offer
    if offer is None:
        return []
    found: list[Offered] = []
    for things, pc in ((offer.items, offer.pc), (offer.given, offer.to)):
        hand, used, places = game.pcs[pc].hand, set[int](), list[tuple[int, int]]()
        for index, thing in enumerate(things):
            place = next((i for i, card in enumerate(hand) if card == thing and i not in used), None)
            if place is not None:
                used.add(place)
                places.append((index, place))
        found.append((things, hand, places))
    return found


def _shuffle_decks(game: Game, dice: Dice) -> None:
    decks = game.decks
    for name in ("disease", "aktion", "plans"):
        setattr(decks, name, dice.shuffle("resample", sorted(getattr(decks, name))))
    left = decks.standard_left
    standard, battle = sorted(decks.narrative[:left]), sorted(decks.narrative[left:])
    decks.narrative = [*dice.shuffle("resample", standard), *dice.shuffle("resample", battle)]


def _declare_anew(game: Game, reader: int, dice: Dice) -> None:
    """Bricks that another seat has declared in a fight."""
    fight = game.combat
    for name in () if fight is None else tuple(fight.declared):
        assert fight is not None
        pc = game.pcs[name]
        if pc.seat != reader:
            least = int(name == fight.attacker and not fight.bonus)
            fight.declared[name] = least - 1 + dice.roll("resample", pc.bricks + 1 - least)
