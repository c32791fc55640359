"""What is played: TPOC, and the tiny ruleset with cards of which each is the only one of its kind, to be traced."""

from functools import cache

import msgspec

from server.catalogue import Catalogue, Entry
from tests import tiny
from tests.tiny.pack import SHELF


@cache
def catalogue():
    """All rulesets. Loaded once a process."""
    return Catalogue([*Catalogue.load().values(), Entry(tiny.RULES, {"en": {}}, ())])


@cache
def canaries():
    """The digest of the tiny pack whose cards are called canary00, canary01, and so on."""
    pack = msgspec.json.decode(SHELF.source(tiny.PACK))
    kinds = [card for card in pack["cards"] for _ in range(card["count"])]
    pack["pack"] = "canaries"
    pack["cards"] = [card | {"id": f"canary{n:02d}", "count": 1} for n, card in enumerate(kinds)]
    return SHELF.add(msgspec.json.encode(pack))
