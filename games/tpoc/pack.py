"""The content pack: labels, counts and numbers (specification, section 2.2), and what makes one valid."""

from functools import cached_property
from typing import Literal

from msgspec import Struct

from games.content import ContentError, Shelf
from games.tpoc.codes import COLOURS

CARDS = 90  # TPOC-1.9
CARDS_PER_COLOUR = 15  # TPOC-R1
VILLAGERS = 90  # TPOC-1.2
LEADERS_PER_COLOUR = 3  # TPOC-1.6
CHEFS = 3  # TPOC-1.8
TILES = 111  # TPOC-1.10
AREAS = (*COLOURS, "pot")  # TPOC-1.1


class _Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a pack; what it does not know is a misspelling."""


class Colour(_Part, frozen=True):
    """Labels of a colour: its issue, its area on the board, the title of its leader."""

    id: str
    issue: str
    area: str
    leader: str


class Villager(_Part, frozen=True):
    """A kind of villager and how many copies of it there are."""

    dominant: str
    secondary: str
    count: int


class Place(_Part, frozen=True):
    """A drawn villager joins the board in the area of its dominant colour."""

    op: Literal["place"]
    area: Literal["dominant"]


class Endorse(_Part, frozen=True):
    """A drawn leader is settled by 4.6; a held one is worth `votes`, losing it costs `penalty` cards."""

    op: Literal["endorse"]
    votes: Literal[1]
    penalty: Literal[1]


class Cull(_Part, frozen=True):
    """A drawn chef lets its seat remove up to `max` villagers for `cost` hand cards each (4.7)."""

    op: Literal["cull"]
    max: int
    cost: Literal[1]


class OnDraw(_Part, frozen=True):
    """What a drawn tile does, by its kind."""

    villager: Place
    leader: Endorse
    chef: Cull


class Limits(_Part, frozen=True):
    """The numbers of the rulebook that do not depend on the number of players."""

    deal: int
    start_platform: int
    platform: int
    secret: Literal[1]
    hand: int
    start_tiles: int
    start_keep_min: int
    lunch_draw: int


class Players(_Part, frozen=True):
    """What depends on the number of players."""

    remove_cards: int


class Pack(_Part, frozen=True, dict=True):
    """A content pack. `layout` has the centre of each area on a unit square, for clients to draw."""

    pack: str
    colours: tuple[Colour, ...]
    cards: dict[str, int]
    villagers: tuple[Villager, ...]
    leaders: dict[str, int]
    chefs: int
    on_draw: OnDraw
    limits: Limits
    players: dict[str, Players]
    pot_limit: Literal["players"]
    abstainers: Literal["players"]
    layout: dict[str, tuple[float, float]] = {}

    @cached_property
    def tiles(self) -> dict[str, int]:
        """How many tiles of each code there are, in canonical order."""
        kinds = {f"{kind.dominant}/{kind.secondary}": kind.count for kind in self.villagers}
        counts = {f"{d}/{s}": kinds.get(f"{d}/{s}", 0) for d in COLOURS for s in COLOURS if d != s}
        counts |= {f"leader:{colour}": self.leaders[colour] for colour in COLOURS}
        counts["chef"] = self.chefs
        return {code: count for code, count in counts.items() if count}


def check(pack: Pack) -> None:
    """Test a pack against the rulebook's component list.

    Raises:
        ContentError: a sentence that names the field and the rule.
    """
    _check_colours(pack)
    _check_villagers(pack)
    _expect(sum(pack.tiles.values()) == TILES, "villagers, leaders, chefs", f"there are {TILES} tiles", "TPOC-1.10")
    _check_numbers(pack)


def _check_colours(pack: Pack) -> None:
    ids = tuple(colour.id for colour in pack.colours)
    _expect(ids == COLOURS, "colours", f"the six colours are {', '.join(COLOURS)}, in this order", "TPOC-1.6")
    for colour in pack.colours:
        labelled = colour.issue and colour.area and colour.leader
        _expect(bool(labelled), f"colours.{colour.id}", "issue, area and leader have labels", "TPOC-R3")
    _expect(set(pack.cards) == set(COLOURS), "cards", "every colour has cards, and no other word", "TPOC-1.9")
    for colour_id, count in pack.cards.items():
        _expect(count == CARDS_PER_COLOUR, f"cards.{colour_id}", f"there are {CARDS_PER_COLOUR} of each", "TPOC-R1")
    _expect(set(pack.leaders) == set(COLOURS), "leaders", "every colour has leaders, and no other word", "TPOC-1.6")
    for colour_id, count in pack.leaders.items():
        _expect(count == LEADERS_PER_COLOUR, f"leaders.{colour_id}", f"there are {LEADERS_PER_COLOUR}", "TPOC-1.6")
    _expect(pack.chefs == CHEFS, "chefs", f"there are {CHEFS}", "TPOC-1.8")
    unknown = sorted(set(pack.layout) - set(AREAS))
    _expect(not unknown, "layout", f"the areas are {', '.join(AREAS)}, not {', '.join(unknown)}", "TPOC-1.1")


def _check_villagers(pack: Pack) -> None:
    seen = set()
    for index, kind in enumerate(pack.villagers):
        field = f"villagers[{index}]"
        known = kind.dominant in COLOURS and kind.secondary in COLOURS
        _expect(known, field, "both colours are listed under colours", "TPOC-1.2")
        _expect(kind.dominant != kind.secondary, field, "a villager has two different colours", "TPOC-1.2")
        _expect(kind.count >= 0, f"{field}.count", "a count is not below 0", "TPOC-1.2")
        _expect((kind.dominant, kind.secondary) not in seen, field, "each kind is listed once", "TPOC-R2")
        seen.add((kind.dominant, kind.secondary))
    found = sum(kind.count for kind in pack.villagers)
    _expect(found == VILLAGERS, "villagers", f"there are {VILLAGERS} in all, not {found}", "TPOC-1.2")


def _check_numbers(pack: Pack) -> None:
    limits = pack.limits
    _expect(set(pack.players) == {"3", "4", "5"}, "players", "games have 3, 4 or 5 players", "TPOC-3.1.1")
    _expect(limits.deal - limits.start_platform <= limits.hand, "limits.deal", "a hand keeps to its limit", "TPOC-2.8")
    _expect(1 <= limits.start_platform <= limits.platform, "limits.start_platform", "1 to limits.platform", "TPOC-2.2")
    _expect(1 <= limits.start_keep_min <= limits.start_tiles, "limits.start_keep_min", "1 to start_tiles", "TPOC-3.5")
    _expect(limits.lunch_draw >= 1, "limits.lunch_draw", "at least one tile is drawn", "TPOC-4.4.2")
    _expect(pack.on_draw.chef.max >= 0, "on_draw.chef.max", "a count is not below 0", "TPOC-4.2.C1")
    for number, players in pack.players.items():
        deck = CARDS - players.remove_cards - int(number) * limits.deal
        fits = players.remove_cards >= 0 and deck >= 1
        _expect(fits, f"players.{number}.remove_cards", "a deck is left to play with", "TPOC-3.1")


def _expect(holds: bool, field: str, sentence: str, rule: str) -> None:  # noqa: FBT001 a test and its complaint
    if not holds:
        raise ContentError(f"{field}: {sentence} ({rule})")


#: The packs in use, by SHA-256; whoever reads files fills it.
SHELF: Shelf[Pack] = Shelf(Pack, check)
