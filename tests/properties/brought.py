"""What the seats of a random game bring, and the options that such games are played with, by ruleset.

A ruleset whose seats bring something is here; of any other the shared settings are enough.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from msgspec import structs

from games.host_tournament.deck import SIZE, Setup
from games.host_tournament.pack import book
from games.kernel import PositionError, Ruleset, Setting
from games.portland_occupied_zone import RULES as PORTLAND

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


#: Parts of the map of Portland: the corners where few characters work, a cross, rows, all but one tile.
TILES = (
    ((1, 0), (2, 0), (1, 1), (2, 1)),
    ((0, 0), (0, 1), (1, 1), (1, 2)),
    ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2)),
    ((0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2)),
    tuple((x, y) for x in range(3) for y in range(3) if (x, y) != (2, 2)),
)


def portland_occupied_zone(setting: Setting, chance: Random) -> Setting:
    """One game in three is played on a part of the map, if enough characters work there."""
    if chance.random() < 2 / 3:
        return setting
    reduced = structs.replace(setting, options=structs.replace(setting.options, tiles=chance.choice(TILES)))
    try:
        PORTLAND.check_setting(reduced)
    except PositionError:
        return setting
    return reduced


BROUGHT: Mapping[str, Callable[[Setting, Random], Setting]] = {
    "host_tournament": host_tournament,
    "portland_occupied_zone": portland_occupied_zone,
}


def brought(rules: Ruleset[Any], setting: Setting, seed: int) -> Setting:
    """The setting with what the seats of game number `seed` bring."""
    bring = BROUGHT.get(rules.id)
    if bring is None:
        return setting
    made = bring(setting, Random(f"{rules.id} brings {seed}"))
    rules.check_setting(made)
    return made
