"""A state that a reader could not tell from the real one: to prove that views leak nothing.

Zones are put in the order of names before they are shuffled, so that what is dealt depends on what the reader sees and
on the dice alone. Cards whose one face is seen keep that face: only the other one is dealt anew.
"""

import msgspec
from msgspec import structs

from games.block_mania.messages import Game
from games.block_mania.pieces import put, take
from games.block_mania.predicates import answers_for, item, lies_open, may_use
from games.block_mania.state import Blocker, Square, Token
from games.block_mania.steps.shooting import Aftermath
from games.block_mania.supply import listed
from games.block_mania.volley import DEMO, Carrier
from games.dice import Dice
from games.kernel import encode


def resample(state: Game, reader: int, dice: Dice) -> Game:
    """A copy in which all that `reader` (a seat or SPECTATOR) cannot see is dealt anew, every zone keeping its size."""
    game = msgspec.json.decode(encode(state), type=Game)
    if game.outcome is None:
        _deal_cards(game, reader, dice)
        if game.options.equipment_hidden:
            _deal_tokens(game, reader, dice)
            _deal_charges(game, reader, dice)
    return game


def _deal_cards(game: Game, reader: int, dice: Dice) -> None:
    """Other hands, the deck and the cards discarded at the set-up."""
    others = [seat for number, seat in enumerate(game.seats) if number != reader]
    deck = game.justice_deck if game.endgame else game.mania_deck
    shown = [listed(seat.hand) for seat in others] + [deck[:1]]
    unknown = [deck[1:], listed(game.setup_discard)]
    pool = dice.shuffle("resample", sorted(card for zone in (*shown, *unknown) for card in zone))
    dealt = [[_like(game, card, pool) for card in _by_face(game, zone)] for zone in shown]
    for seat, cards in zip(others, dealt, strict=False):
        seat.hand = _counts(cards)
    rest = len(deck) - 1 if deck else 0
    deck[:] = [*dealt[-1], *pool[:rest]]
    game.setup_discard = _counts(pool[rest:])


def _by_face(game: Game, zone: list[str]) -> list[str]:
    """The cards in an order that does not depend on the face that is hidden."""
    return sorted(zone, key=lambda card: _face(game, card))


def _face(game: Game, card: str) -> str:
    """The face that everybody sees; nothing if backs are hidden (BM-R7)."""
    return card.split("/")[1 if game.endgame else 0] if game.options.card_backs_visible else ""


def _like(game: Game, card: str, pool: list[str]) -> str:
    """Take the first card of the pool that shows the same face."""
    found = next(other for other in pool if _face(game, other) == _face(game, card))
    pool.remove(found)
    return found


def _counts(cards: list[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for card in cards:
        put(found, card)
    return found


def _deal_tokens(game: Game, reader: int, dice: Dice) -> None:
    """Hidden equipment of other seats and face-down tokens change places with the pools (BM-R57)."""
    for name, pool in (("armory", game.armory_pool), ("hardware", game.hardware_pool)):
        holders = [one for one in game.blockers.values() if answers_for(one) != reader and not lies_open(game, one)]
        hidden = [(one, kind) for one in holders for kind in _hidden(one) if item(game, kind).pool == name]
        covered = [(at, token) for at, token in _covered(game, reader) if item(game, token.token).pool == name]
        for _, token in covered:
            put(pool, token.token)
        for one, kind in hidden:
            put(pool, kind)
            one.equipment = _swapped(one.equipment, kind, "")
        for at, token in covered:
            _cover(game.squares[at], token, _deal(pool, list(pool), dice))
        for one, _ in hidden:
            fitting = [kind for kind in pool if may_use(game, one, kind)]
            one.equipment = _swapped(one.equipment, "", _deal(pool, fitting, dice))


def _deal_charges(game: Game, reader: int, dice: Dice) -> None:
    """What was shot at carries the charges that it was dealt, and the dead some of the pool to which they went."""
    for place, step in enumerate(game.agenda):
        if isinstance(step, Aftermath):
            carriers = tuple(_charged(game, reader, carrier, dice) for carrier in step.carriers)
            game.agenda[place] = structs.replace(step, carriers=carriers)


def _charged(game: Game, reader: int, carrier: Carrier, dice: Dice) -> Carrier:
    if carrier.seat == reader or not carrier.unknown:
        return carrier
    living = game.blockers.get(carrier.blocker)
    if living is not None:
        return structs.replace(carrier, charges=living.equipment.count(DEMO))
    pool = dice.shuffle("resample", sorted(listed(game.armory_pool)))
    return structs.replace(carrier, charges=carrier.known + pool[: carrier.unknown].count(DEMO))


def _deal(pool: dict[str, int], kinds: list[str], dice: Dice) -> str:
    """One token of these kinds out of the pool, each with the same chance."""
    among = [kind for kind in kinds for _ in range(pool[kind])]
    dealt = among[dice.roll("resample", len(among)) - 1]
    take(pool, dealt)
    return dealt


def _covered(game: Game, reader: int) -> list[tuple[str, Token]]:
    """The face-down tokens that the reader has not seen, with their squares."""
    tokens = ((at, token) for at, square in game.squares.items() for token in square.tokens)
    return [(at, token) for at, token in tokens if token.face_down and reader not in (token.by, *token.seen)]


def _cover(square: Square, old: Token, kind: str) -> None:
    new = structs.replace(old, token=kind)
    square.tokens = tuple(new if token.order == old.order else token for token in square.tokens)


def _hidden(one: Blocker) -> list[str]:
    """The tokens of a blocker that are not shown."""
    rest = list(one.equipment)
    for kind in one.shown:
        rest.remove(kind)
    return rest


def _swapped(held: tuple[str, ...], old: str, new: str) -> tuple[str, ...]:
    place = len(held) - 1 - held[::-1].index(old)
    return (*held[:place], new, *held[place + 1 :])
