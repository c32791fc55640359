"""What a position leaves out is put where the specification says (3.3, nr. 6): cards and tiles are 90 and 111."""

from collections import Counter

from games.kernel.positions import impossible
from games.tpoc.codes import COLOURS, TILES, listed, put, total
from games.tpoc.game import Game, cards, tiles
from games.tpoc.position_doc import PositionDoc


def complete(game: Game, doc: PositionDoc) -> None:
    """Put the missing cards and tiles where they belong.

    Raises:
        PositionError: more of a kind than there is, or too few left for what must be full.
    """
    _complete_cards(game, doc)
    _complete_tiles(game, doc)


def _complete_cards(game: Game, doc: PositionDoc) -> None:
    """Missing cards fill up `cards_out`; the rest is the deck, or if the deck is known, discards."""
    pack = game.content()
    missing = _missing(Counter(pack.cards), cards(game), COLOURS, "cards")
    gap = pack.players[str(game.seat_count)].remove_cards - total(game.cards_out)
    if gap < 0:
        impossible("cards_out", f"{-gap} more than leave the game with {game.seat_count} seats (TPOC-3.1)")
    if gap > len(missing):
        impossible("cards_out", f"{gap - len(missing)} cards too few are left for it (TPOC-3.1)")
    for card in missing[:gap]:
        put(game.cards_out, card)
    rest = missing[gap:]
    if doc.deck is None and game.phase in ("setup", "play"):
        game.deck.extend(rest)
    else:
        for card in rest:
            put(game.discards, card)


def _complete_tiles(game: Game, doc: PositionDoc) -> None:
    """Missing tiles come after those listed in the bag, or with an exact bag are out of the game."""
    missing = _missing(Counter(game.content().tiles), tiles(game), TILES, "tiles")
    if not doc.bag_exact:
        game.bag.extend(missing)
        return
    for tile in missing:
        put(game.tiles_out, tile)


def _missing(all_there_are: Counter[str], placed: Counter[str], order: tuple[str, ...], what: str) -> list[str]:
    for code, count in placed.items():
        if count > all_there_are[code]:
            impossible(what, f"{count} × {code} are placed, but there are {all_there_are[code]}")
    return listed({code: all_there_are[code] - placed[code] for code in order})
