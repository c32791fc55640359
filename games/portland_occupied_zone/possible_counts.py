"""Whether there are as many pieces and cards as there can be (specification, 3.1 and 3.3).

A position may have fewer than a fresh set-up: what a listed deck lacks, or a listed supply, is out of the game.
"""

from collections import Counter
from collections.abc import Iterable

from games.kernel.positions import impossible
from games.portland_occupied_zone.cards import HOMEBREW
from games.portland_occupied_zone.game import Game, components
from games.portland_occupied_zone.state import State


def check_counts(game: Game, fresh: Game) -> None:
    """Compare a state with a fresh set-up of its game.

    Raises:
        PositionError: there is more of something than exists, with the field and a sentence.
    """
    _check_supplies(game, fresh)
    exist = components(fresh)
    for what, n in components(game).items():
        if n > exist.get(what, 0):
            impossible(what.replace(":", "."), f"there are {exist.get(what, 0)}, not {n}")
    open_piles = _open_piles(game)
    for pile, cards in _open_piles(fresh).items():
        printed = Counter(cards)
        for card, n in Counter(open_piles[pile]).items():
            if n > printed[card]:
                impossible(f"decks.{pile}", f"{card} is there too often")
    _check_piles(game)


def _check_supplies(game: Game, fresh: Game) -> None:
    supplies = game.supplies
    for field in ("bricks", "arson", "npc", "befoul"):
        if getattr(supplies, field) < 0:
            impossible(f"supplies.{field}", "there are not so many")
    for kind, n in supplies.structures.items():
        if n < 0 or kind not in fresh.supplies.structures:
            impossible(f"supplies.structures.{kind}", "there are not so many")


def _open_piles(state: State) -> dict[str, Iterable[str]]:
    """All Aktions, plans and narratives, wherever they are."""
    decks = state.decks
    return {
        "aktion": [*decks.aktion, *decks.aktion_discard, *([] if state.aktion is None else [state.aktion])],
        "plans": [*decks.plans, *decks.shown, *decks.claimed],
        "narrative": [*decks.narrative, *decks.narrative_out, *([] if state.plot is None else [state.plot])],
    }


def _check_piles(game: Game) -> None:
    """What lies in the piles of used, thrown away and harvested cards."""
    board, decks = game.board, game.decks
    for pile, cards in (("garbage", decks.garbage), ("removed", decks.removed), ("store", decks.store)):
        for card in cards:
            if board.kind(card).type == "P" or (pile == "store") > (board.back(card) == HOMEBREW):
                impossible(f"decks.{pile}", f"{card} does not go there")
