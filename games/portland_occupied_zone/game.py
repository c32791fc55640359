"""A game as it begins, and where every piece of it is (conservation: specification, 3.1)."""

from collections import Counter

from games.kernel import Setting, Table
from games.portland_occupied_zone.all_steps import AnyStep
from games.portland_occupied_zone.board import Board, board
from games.portland_occupied_zone.effects import CharacterChosen
from games.portland_occupied_zone.options import Options
from games.portland_occupied_zone.pack_parts import Disease, Loot
from games.portland_occupied_zone.places import burnables
from games.portland_occupied_zone.state import (
    Building,
    Camera,
    Decks,
    Dumpster,
    Medic,
    Officer,
    State,
    Supplies,
    TeachIn,
    Tokens,
)
from games.portland_occupied_zone.steps.setup import ChooseCharacters, LayOut


class Game(State, kw_only=True):
    """The state with its agenda typed, so that it can be read back from JSON."""

    agenda: list[AnyStep] = []


def initial(setting: Setting) -> Game:
    """A game laid out, its decks as they were unpacked, before anybody has a character (4.2 step 2)."""
    options: Options = setting.options
    here = board(setting.pack, options.tiles)
    limits = here.pack.limits
    return Game(
        pack=setting.pack,
        options=options,
        seats=setting.seats,
        teach_in=TeachIn(),
        decks=_decks(here),
        buildings={name: Building() for name in here.buildings},
        dumpsters={name: Dumpster(cell=cell) for name, cell in here.dumpsters.items()},
        cameras={name: Camera() for name in here.cameras},
        tokens=Tokens(),
        supplies=Supplies(
            bricks=options.brick_supply,
            arson=limits.arson,
            npc=limits.npcs,
            befoul=options.befoul_tokens,
            structures={kind.id: kind.copies for kind in here.structures.values()},
        ),
        jackson=Officer(),
        medic=Medic(),
        made={"s": 0, "r": 0, "k": 0},
    )


def _decks(here: Board) -> Decks:
    pack = here.pack
    standard = [card.id for card in pack.narratives.standard for _ in range(card.n)]
    battle = [card.id for card in pack.narratives.battle for _ in range(card.n)]
    loot = {name: _copies(here, pack.loot[name]) for name in here.businesses}
    return Decks(
        loot=loot,
        disease=_copies(here, pack.diseases),
        homebrew={card.id: card.n for card in pack.homebrew if here.on_map(card.refs)},
        aktion=[card.id for card in pack.aktions],
        narrative=standard + battle,
        standard_left=len(standard),
        plans=[plan.id for plan in pack.plans],
        unshuffled=[*(f"loot:{name}" for name in loot), "disease", "aktion", "narrative", "plans"],
    )


def _copies(here: Board, cards: tuple[Loot, ...] | tuple[Disease, ...]) -> list[str]:
    """The cards of a deck; those that name what is not on the map would be discarded when drawn (POZ-ALT-3)."""
    return [card.id for card in cards if here.on_map(card.refs) for _ in range(card.n)]


def set_up(table: Table[Game], _: Setting) -> None:
    """Characters first, as the options say or as the seats choose; then the rest of 4.2."""
    state = table.state
    for seat, named in enumerate(state.options.characters or ()):
        table.emit(*(CharacterChosen(seat, pc) for pc in named))
    table.push(ChooseCharacters(), LayOut())


def components(state: State) -> dict[str, int]:
    """Every piece by kind, wherever it is: tokens, structures, cards of each kind and back."""
    pcs, supplies = state.pcs.values(), state.supplies
    built = Counter(thing.type for thing in state.structures.values())
    counts = {
        "bricks": supplies.bricks + sum(pc.bricks for pc in pcs),
        "arson": supplies.arson + sum(place.arson for _, place in burnables(state)),
        "npc": supplies.npc + sum(thing.npcs for thing in state.structures.values()),
        "befoul": supplies.befoul + len(state.tokens.befoul),
        **{f"structure:{kind}": n + built[kind] for kind, n in supplies.structures.items()},
        **{f"dumpster:{name}": 1 for name in state.dumpsters},
        "aktions": len(state.decks.aktion) + len(state.decks.aktion_discard) + (state.aktion is not None),
        "plans": len(state.decks.plans) + len(state.decks.shown) + len(state.decks.claimed),
    }
    return counts | {f"card:{card}": n for card, n in sorted(_cards(state).items())}


def _cards(state: State) -> Counter[str]:
    here, decks = state.board, state.decks
    found: Counter[str] = Counter()
    for deck, cards in decks.loot.items():
        found.update(here.card(card, deck) for card in cards)
    found.update(decks.disease)
    found.update(decks.homebrew)
    found.update([*decks.store, *decks.garbage, *decks.removed])
    for pc in state.pcs.values():
        found.update([*pc.hand, *(card for _, card in pc.slots.filled()), *pc.catching])
        found.update(tail.card for tail in pc.drug_tail if tail.kept)
    for name, who in here.characters.items():
        if name not in state.pcs:  # with its board, out of the game, unless a position has it somewhere
            found[who.personal] = max(found[who.personal], 1)
    return found
