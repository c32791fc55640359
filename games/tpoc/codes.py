"""The words for cards and tiles, their canonical order, and multisets of them (specification, section 2).

A card is its colour; a villager is `dominant/secondary`, a leader `leader:colour`, a chef `chef`. Copies of a code
cannot be told apart. A multiset is a dict of counts without zeros, its keys in canonical order, so that equal ones are
equal bytes.
"""

from collections.abc import Iterable, Mapping

#: Colours in canonical order.
COLOURS = ("red", "grey", "green", "yellow", "orange", "blue")
VILLAGERS = tuple(f"{dominant}/{secondary}" for dominant in COLOURS for secondary in COLOURS if dominant != secondary)
LEADERS = tuple(f"leader:{colour}" for colour in COLOURS)
CHEF = "chef"
#: Tiles in canonical order.
TILES = (*VILLAGERS, *LEADERS, CHEF)

RANK = {code: rank for rank, code in enumerate((*COLOURS, *TILES))}
_VILLAGERS = frozenset(VILLAGERS)
_LEADERS = frozenset(LEADERS)
_DOMINANT = {villager: villager.partition("/")[0] for villager in VILLAGERS}


def is_villager(tile: str) -> bool:
    """Whether the tile has two colours and may lie on the board."""
    return tile in _VILLAGERS


def is_leader(tile: str) -> bool:
    """Whether the tile is a leader."""
    return tile in _LEADERS


def colour_of(leader: str) -> str:
    """The colour of a leader tile."""
    return leader.removeprefix("leader:")


def dominant_of(villager: str) -> str:
    """The dominant colour of a villager: its area (TPOC-1.3)."""
    return _DOMINANT[villager]


def put(counts: dict[str, int], code: str) -> None:
    """Add one `code` to a multiset, at its canonical place."""
    if code in counts:
        counts[code] += 1
        return
    rank = RANK[code]
    later = [other for other in counts if RANK[other] > rank]
    counts[code] = 1
    for other in later:
        counts[other] = counts.pop(other)


def take(counts: dict[str, int], code: str) -> None:
    """Take one `code` out of a multiset that has it."""
    if counts[code] == 1:
        del counts[code]
    else:
        counts[code] -= 1


def total(counts: Mapping[str, int]) -> int:
    """How many pieces a multiset has."""
    return sum(counts.values())


def in_order(codes: Iterable[str]) -> tuple[str, ...]:
    """The codes in canonical order."""
    return tuple(sorted(codes, key=RANK.__getitem__))


def counted(codes: Iterable[str]) -> dict[str, int]:
    """The multiset of these codes."""
    counts: dict[str, int] = {}
    for code in in_order(codes):
        counts[code] = counts.get(code, 0) + 1
    return counts


def listed(counts: Mapping[str, int]) -> list[str]:
    """The pieces of a multiset one by one, in its order."""
    return [code for code, count in counts.items() for _ in range(count)]


def holds(counts: Mapping[str, int], codes: Iterable[str]) -> bool:
    """Whether the multiset holds all these codes, each as often as it is named."""
    left = dict(counts)
    for code in codes:
        if not left.get(code):
            return False
        left[code] -= 1
    return True
