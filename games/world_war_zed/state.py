"""The state of a game (specification, section 3). Everything is public; only future dice are unknown."""

from typing import Literal

from msgspec import Struct

from games import kernel
from games.world_war_zed.board import Board, board
from games.world_war_zed.options import Options
from games.world_war_zed.starts import Start

Phase = Literal["event", "zed1", "zed2", "player", "over"]
PlayerStep = Literal["research", "riots", "relief", "pp", "tracks", "strikes", "build", "move", "attack"]
BossStatus = Literal["absent", "on_map", "slain", "gone"]

TURNS = 10  # WWZ-7-01


class Tracks(Struct, kw_only=True, forbid_unknown_fields=True):
    """The game tracks (WWZ-1.1-12 to -20); `priority` has the Attack Priority, the first one first."""

    burst_min: int
    burst_max: int
    strength: int
    toughness: int
    priority: tuple[str, ...]
    research: int
    food: int
    pp: int
    air: int
    defcon: int


class Region(Struct, kw_only=True):
    """What lies in a Region but for units and Forts; `riot` is on its City."""

    zeds: int = 0
    city: bool = False
    riot: bool = False
    farm: bool = False
    nukes: int = 0


class Unit(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A counter with an id of its own: its type, its place, and whether it riots (Refugees only)."""

    type: str
    at: str
    riot: bool = False


class Group(Struct, frozen=True):
    """The Zeds on the move or in combat, in or from `region`; `boss`: the Zed Boss is with them."""

    n: int
    region: str
    boss: bool = False


class Spent(Struct, kw_only=True, forbid_unknown_fields=True):
    """What has been bought this Turn (WWZ-6.4-01 to -03)."""

    research: bool = False
    food: bool = False
    defcon: bool = False


class TurnMods(Struct, kw_only=True, forbid_unknown_fields=True):
    """What a Random Event does to the rest of this Turn."""

    zed1_extra: int = 0
    zed1_use_min: bool = False
    skip_zed2: bool = False
    pp: int = 0


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    """How the game ended: completed or lost, its level, and what the score is made of."""

    result: Literal["completed", "lost"]
    level: str
    breakdown: dict[str, int]


class State(kernel.State, kw_only=True):
    """A game. `regions` in the map's order, `forts` in that of the areas, `units` within a type in id order.

    `made` counts the counters ever made of each type, for the next id; `nukes_used` the markers ever placed.
    """

    pack: str
    options: Options
    scenario: str
    turn: int
    phase: Phase
    step: PlayerStep | None = None
    tracks: Tracks
    regions: dict[str, Region]
    forts: list[str] = []
    units: dict[str, Unit] = {}
    made: dict[str, int] = {}
    pool: dict[str, int]
    box: dict[str, int]
    biochem: bool = False
    breakthrough_turns: list[int] = []
    spent: Spent
    turn_mods: TurnMods
    group: Group | None = None
    zeds_seen: bool = False
    nukes_used: int = 0
    boss: BossStatus = "absent"
    boss_at: str | None = None
    result: Result | None = None

    @property
    def seat_count(self) -> int:
        """There is one player."""
        return 1

    @property
    def board(self) -> Board:
        """The map and tables of this game."""
        return board(self.pack)

    @property
    def start(self) -> Start:
        """The scenario of this game."""
        return board(self.pack).starts[self.scenario]

    def zeds(self) -> int:
        """All Zeds on the map, those on the move too."""
        return sum(region.zeds for region in self.regions.values()) + (self.group.n if self.group else 0)

    def d6z(self, die: int) -> int:
        """A die as D6Z (WWZ-1-04)."""
        return max(self.tracks.burst_min, min(self.tracks.burst_max, die))


def d3(die: int) -> int:
    """A six-sided die as D3 (WWZ-1-03)."""
    return (die + 1) // 2
