"""The cards of a position (specification, 3.3): piles as listed, and who else holds what."""

from msgspec import UNSET

from games.kernel.positions import impossible
from games.portland_occupied_zone.cards import HOMEBREW, kind_of
from games.portland_occupied_zone.game import Game
from games.portland_occupied_zone.language import parse
from games.portland_occupied_zone.position_doc import PcDoc, PositionDoc, given


def fill_piles(game: Game, doc: PositionDoc) -> None:
    """Piles as listed; then cards named elsewhere leave the piles that are not, and own set-ups take theirs."""
    decks, listed = game.decks, given(doc.decks)
    for name in ("loot", "homebrew"):
        getattr(decks, name).update(listed.pop(name))
    open_decks = set(decks.unshuffled) - {f"loot:{name}" for name in doc.decks.loot} - listed.keys()
    decks.unshuffled = [deck for deck in decks.unshuffled if deck in open_decks]
    for name, cards in listed.items():
        setattr(decks, name, cards)
    if doc.decks.narrative is not UNSET and doc.decks.standard_left is UNSET:
        decks.standard_left = 0 if game.battle else _standard(game)
    elif game.battle and doc.decks.narrative is UNSET:
        del decks.narrative[: decks.standard_left]
        decks.standard_left = 0
    for card in [] if doc.decks.unshuffled is not UNSET else _named(game, doc):
        _draw(game, card, doc)
    for pile, out in (("aktion", [game.aktion]), ("plans", [*decks.shown, *decks.claimed])):
        if pile in open_decks:
            rest = [card for card in getattr(decks, pile) if card not in out and card not in decks.aktion_discard]
            setattr(decks, pile, rest)
    if "narrative" in open_decks:
        _take_narratives(game)
    if doc.decks.unshuffled is UNSET:
        _own_set_up(game, doc)


def _take_narratives(game: Game) -> None:
    """The plot and what is out of play are not in the deck; a standard one goes first (POZ-RND-1.2)."""
    decks = game.decks
    for card in [*decks.narrative_out, *([] if game.plot is None else [game.plot])]:
        if card in decks.narrative:
            decks.standard_left -= decks.narrative.index(card) < decks.standard_left
            decks.narrative.remove(card)


def _standard(game: Game) -> int:
    """How many cards at the front can be standard ones."""
    standard = {card.id for card in game.board.pack.narratives.standard}
    cards = game.decks.narrative
    return next((n for n, card in enumerate(cards) if card not in standard), len(cards))


def _named(game: Game, doc: PositionDoc) -> list[str]:
    """The cards that a position puts into hands, slots and open piles."""
    decks = game.decks
    found = [*decks.store, *decks.garbage, *decks.removed]
    for name, pc in game.pcs.items():
        part = doc.pcs.get(name, PcDoc())
        found += pc.hand if part.hand is not UNSET else []
        found += [card for _, card in pc.slots.filled()] if part.slots is not UNSET else []
        found += [*pc.catching, *(tail.card for tail in pc.drug_tail if tail.kept)]
    return found


def _draw(game: Game, card: str, doc: PositionDoc) -> None:
    """A card named elsewhere leaves its deck."""
    if kind_of(card) not in game.board.cards:
        impossible("hand", f"there is no card {card}")
    back, kind, decks = game.board.back(card), kind_of(card), game.decks
    if back == HOMEBREW:
        if not decks.homebrew.get(kind, 0) and kind not in doc.decks.homebrew:
            impossible("hand", f"there are not so many {card}")
        decks.homebrew[kind] -= kind not in doc.decks.homebrew
        return
    pile = decks.disease if back == "disease" else decks.loot.get(back, [])
    if kind in pile:
        pile.remove(kind)
    elif back != "personal" and f"loot:{back}" in decks.unshuffled:
        impossible("hand", f"there are not so many {card}")


def _own_set_up(game: Game, doc: PositionDoc) -> None:
    """A hand that the position does not list is that of the character's own set-up (2.8)."""
    for name, pc in game.pcs.items():
        if game.phase == "setup" or doc.pcs.get(name, PcDoc()).hand is not UNSET:
            continue
        for call in parse(game.board.characters[name].setup):
            back = call.word(1) if call.name == "loot" else game.board.cards[call.word(1)].back
            pile = game.decks.loot.get(back, [])
            kind = call.word(1) if call.name == "gain" else next(iter(pile), "")
            if back == HOMEBREW and game.decks.homebrew.get(kind, 0):
                game.decks.homebrew[kind] -= 1
            elif kind in pile:
                pile.remove(kind)
            else:
                continue
            pc.hand.append(game.board.card(kind, back))
