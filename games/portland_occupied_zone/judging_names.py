"""Whether everything that a position names is there (specification, 3.3): asked before anything is built on it."""

from collections.abc import Collection, Iterable, Iterator

from msgspec import UNSET

from games.kernel.positions import impossible
from games.portland_occupied_zone.board import Board
from games.portland_occupied_zone.cards import HOMEBREW, kind_of
from games.portland_occupied_zone.game import Game
from games.portland_occupied_zone.position_doc import PositionDoc, given
from games.portland_occupied_zone.vocabulary import FLAGS, KEYS


def check_names(game: Game, doc: PositionDoc) -> None:
    """Refuse a position that names what there is not.

    Raises:
        PositionError: a sentence that names the field.
    """
    board = game.board
    for field, cards in _cards(doc):
        for card in cards:
            if not is_card(board, card):
                impossible(field, f"there is no card {card}")
    _check_decks(board, doc)
    for field, names, known in (
        ("plot", [doc.plot], {None, *board.narratives}),
        ("aktion", [doc.aktion], {None, *board.aktions}),
        ("decks.unshuffled", doc.decks.unshuffled, game.decks.unshuffled),
        ("turn.claimed", [] if doc.turn is None else doc.turn.claimed, board.plans),
        ("resigned", doc.resigned, range(game.seats)),
    ):
        if names is not UNSET:
            _all_in(field, names, known)
    for index, part in enumerate(doc.timed):
        _all_in(f"timed[{index}].key", [part.key], (*KEYS, *FLAGS))


def is_card(board: Board, card: str) -> bool:
    """Whether a card is written so: by its kind, with its back if its deck is not the first that has the kind."""
    back, colon, kind = card.rpartition(":")
    if kind not in board.cards or (colon and kind not in _kinds_of(board, back)):
        return False
    return board.card(kind, board.back(card)) == card


def _cards(doc: PositionDoc) -> Iterator[tuple[str, Iterable[str]]]:
    """Every list of cards with its field."""
    for name, pc in doc.pcs.items():
        fields = given(pc)
        yield f"pcs.{name}.hand", fields.get("hand", ())
        yield f"pcs.{name}.catching", fields.get("catching", ())
        yield f"pcs.{name}.drug_tail", [tail.card for tail in fields.get("drug_tail", ())]
        for slot, card in fields.get("slots", {}).items():
            yield f"pcs.{name}.slots.{slot}", () if card is None else (card,)
    for pile in ("store", "garbage", "removed"):
        yield f"decks.{pile}", given(doc.decks).get(pile, ())
    if doc.turn is not None:
        yield "turn", given(doc.turn).get("unequipped", ())


def _kinds_of(board: Board, back: str) -> set[str]:
    if back in board.pack.loot:
        return {card.id for card in board.pack.loot[back]}
    return {kind.id for kind in board.cards.values() if kind.back == back}


def _check_decks(board: Board, doc: PositionDoc) -> None:
    for deck, cards in doc.decks.loot.items():
        if deck not in board.businesses:
            impossible(f"decks.loot.{deck}", "there is no such business on the map")
        _all_in(f"decks.loot.{deck}", map(kind_of, cards), _kinds_of(board, deck))
    _all_in("decks.homebrew", doc.decks.homebrew, _kinds_of(board, HOMEBREW))
    piles: dict[str, Collection[str]] = {
        "disease": _kinds_of(board, "disease"),
        "aktion": board.aktions,
        "aktion_discard": board.aktions,
        "narrative": board.narratives,
        "narrative_out": board.narratives,
        "plans": board.plans,
        "shown": board.plans,
        "claimed": board.plans,
    }
    for pile, known in piles.items():
        cards = getattr(doc.decks, pile)
        if cards is not UNSET:
            _all_in(f"decks.{pile}", cards, known)


def _all_in(field: str, names: Iterable[object], known: Collection[object]) -> None:
    for name in names:
        if name not in known:
            impossible(field, f"there is no {name}")


def check_people(game: Game, doc: PositionDoc) -> None:
    """Refuse a position that names characters who are not in the game.

    Raises:
        PositionError: a sentence that names the field.
    """
    for field, names in _people(doc):
        for name in names:
            if name not in game.pcs:
                impossible(field, f"there is no {name} in the game")


def _people(doc: PositionDoc) -> Iterator[tuple[str, Iterable[str]]]:
    if doc.turn is not None:
        yield "turn.pc", (doc.turn.pc,)
    if doc.lead is not UNSET and doc.lead is not None and doc.lead.holder is not UNSET:
        yield "lead.holder", (doc.lead.holder,)
    if doc.turn_order is not UNSET:
        yield "turn_order", doc.turn_order
    if doc.offer is not None:
        yield "offer", (doc.offer.pc, doc.offer.to)
    if doc.combat is not None:
        yield "combat", (doc.combat.attacker, doc.combat.defender, *doc.combat.declared)
    if doc.turn is not None:
        yield "turn.searched", given(doc.turn).get("searched", ())
    yield "medic.beside", given(doc.medic).get("beside", ())
    yield "timed", [part.pc for part in doc.timed if part.pc is not None]
    for index, step in enumerate(doc.agenda):
        named = [getattr(step, "pc", None), *getattr(step, "pcs", ()), getattr(step, "me", None)]
        yield f"agenda[{index}]", [name for name in named if name is not None]
