"""What the seats of a random game bring, and the options that such games are played with, by ruleset.

A ruleset whose seats bring something is here; of any other the shared settings are enough.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from msgspec import structs

from games.host_tournament.deck import SIZE, Setup
from games.host_tournament.pack import book
from games.kernel import Ruleset, Setting

#: Games of Host Tournament without a limit would end by chance alone; most are cut short, some are played out.
TURNS = (6, 12, 24, 200)


def host_tournament(setting: Setting, chance: Random) -> Setting:
    """One seat in two brings a deck: random legal cards, many of a few or few of many."""
    options = structs.replace(setting.options, turn_limit=chance.choice(TURNS))
    brought = tuple(
        Setup(_deck(setting.pack, options.max_copies or SIZE, chance)) if chance.random() < 0.5 else None
        for _ in range(setting.seats)
    )
    return structs.replace(setting, options=options, setups=brought)


def _deck(pack: str, most: int, chance: Random) -> dict[str, int]:
    cards = book(pack).cards
    locations = [card.id for card in cards.values() if card.type == "location"]
    deck = {chance.choice(locations): 1}
    narrow = chance.sample(sorted(cards), chance.randint(max(4, -(-SIZE // most)), len(cards)))
    names = [name for name in narrow for _ in range(most)]
    chance.shuffle(names)
    for name in names:
        if sum(deck.values()) == SIZE:
            return deck
        if deck.get(name, 0) < most:
            deck[name] = deck.get(name, 0) + 1
    return _deck(pack, most, chance)


BROUGHT: Mapping[str, Callable[[Setting, Random], Setting]] = {"host_tournament": host_tournament}


def brought(rules: Ruleset[Any], setting: Setting, seed: int) -> Setting:
    """The setting with what the seats of game number `seed` bring."""
    bring = BROUGHT.get(rules.id)
    if bring is None:
        return setting
    made = bring(setting, Random(f"{rules.id} brings {seed}"))
    rules.check_setting(made)
    return made
