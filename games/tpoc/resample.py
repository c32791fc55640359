"""A state that a reader could not tell from the real one (specification, 3.4): to prove that views leak nothing.

Pools are put in canonical order before they are shuffled, so that what is dealt depends on what the reader sees and on
the dice alone: two states that look the same to a reader give it the same bytes.
"""

from itertools import islice

import msgspec

from games.dice import Dice
from games.kernel import KernelError, encode
from games.tpoc.codes import counted, in_order, is_villager, listed, total
from games.tpoc.game import Game, pending_lunch
from games.tpoc.state import Sealed, Seat, SetAside, State
from games.tpoc.stuck import lone_colour

#: Few deals break a constraint. After so many that do there is no state to give: the real one would be a leak.
TRIES_MAX = 10_000


def resample(state: State, reader: int, dice: Dice) -> Game:
    """A copy in which all that `reader` (a seat or SPECTATOR) cannot see is dealt anew, every zone keeping its size.

    Raises:
        KernelError: no deal is possible (the real one is, so this does not happen).
    """
    for _ in range(TRIES_MAX):
        game = _copy(state)
        if game.phase == "ended":
            return game
        _deal_cards(game, reader, dice)
        _deal_tiles(game, reader, dice)
        _deal_ballot(game, dice)
        if _possible(state, game):
            _choose_anew(game, reader, dice)
            return game
    raise KernelError(f"no possible deal among {TRIES_MAX}")


def _copy(state: State) -> Game:
    return msgspec.json.decode(encode(state), type=Game)


def _deal_cards(game: Game, reader: int, dice: Dice) -> None:
    """Pool (a): other hands, other secrets not revealed, the deck, the cards taken out."""
    others = [seat for number, seat in enumerate(game.seats) if number != reader]
    hands = [seat for seat in others if not _known_stuck(game, seat)]
    secrets = [seat for seat in others if seat.secret is not None and game.phase == "play"]
    pool = [*game.deck, *listed(game.cards_out), *(seat.secret for seat in secrets if seat.secret is not None)]
    for seat in hands:
        pool += listed(seat.hand)
    deal = iter(dice.shuffle("resample", in_order(pool)))
    for seat in hands:
        seat.hand = counted(islice(deal, total(seat.hand)))
    for seat in secrets:
        seat.secret = next(deal)
    game.deck = list(islice(deal, len(game.deck)))
    game.cards_out = counted(deal)


def _deal_tiles(game: Game, reader: int, dice: Dice) -> None:
    """Pool (b): the bag and what only other seats have seen."""
    others = [seat for number, seat in enumerate(game.seats) if number != reader]
    aside = [i for i, tile in enumerate(game.tiles_out_hidden) if tile.seat is not None and tile.seat != reader]
    lunch = pending_lunch(game)
    drawn = () if lunch is None or lunch.open or lunch.seat == reader else lunch.tiles
    pool = [*game.bag, *drawn, *(game.tiles_out_hidden[i].tile for i in aside)]
    pool += [tile for seat in others for tile in seat.start_tiles]
    deal = iter(dice.shuffle("resample", in_order(pool)))
    game.bag = list(islice(deal, len(game.bag)))
    for i in aside:
        game.tiles_out_hidden[i] = SetAside(next(deal), game.tiles_out_hidden[i].seat)
    for seat in others:
        seat.start_tiles = list(islice(deal, len(seat.start_tiles)))
    if lunch is not None and drawn:
        game.agenda[-1] = msgspec.structs.replace(lunch, tiles=tuple(deal))


def _deal_ballot(game: Game, dice: Dice) -> None:
    """Pool (c): the ballot and those who abstained."""
    absent = [i for i, aside in enumerate(game.tiles_out_hidden) if aside.seat is None]
    pool = in_order([*game.ballot, *(game.tiles_out_hidden[i].tile for i in absent)])
    deal = iter(dice.shuffle("resample", pool))
    game.ballot = list(islice(deal, len(game.ballot)))
    for i, tile in zip(absent, deal, strict=True):
        game.tiles_out_hidden[i] = SetAside(tile, None)


def _known_stuck(state: State, seat: Seat) -> bool:
    """Whether a turn passed over may have proved that this hand is all of one colour (TPOC-R29)."""
    colour = lone_colour(state, state.seats.index(seat))
    return colour is not None and set(seat.hand) == {colour}


def _possible(real: State, game: Game) -> bool:
    """Start tiles have a villager (TPOC-3.10), and nobody is stuck who has been asked for a main action."""
    for number, seat in enumerate(game.seats):
        if seat.start_tiles and not any(map(is_villager, seat.start_tiles)):
            return False
        if _known_stuck(game, seat) and not _known_stuck(real, real.seats[number]):
            return False
    return True


def _choose_anew(game: Game, reader: int, dice: Dice) -> None:
    """The sealed choice of another seat is made anew from its new cards and tiles."""
    limits = game.content().limits
    for number, seat in enumerate(game.seats):
        if seat.setup is None or number == reader:
            continue
        cards = dice.shuffle("resample", listed(seat.hand))[: limits.start_platform]
        villagers = [tile for tile in dice.shuffle("resample", seat.start_tiles) if is_villager(tile)]
        kept = villagers[: dice.roll("resample", len(villagers))]
        seat.setup = Sealed(in_order(cards), in_order(kept))
