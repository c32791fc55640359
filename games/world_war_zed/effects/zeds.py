"""Effects of bursts and marches, and of the Zed Boss (specification, 4.3 and 4.10)."""

from typing import ClassVar

from msgspec import structs

from games.kernel import EVERYONE, Effect, Public
from games.world_war_zed.state import Group, Phase, State

PHASES: dict[int, Phase] = {1: "zed1", 2: "zed2"}


class RegionDrawn(Effect, frozen=True):
    """Two dice chose a Region from the Random Region Table."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    dice: Public[tuple[int, int]]
    region: Public[str]

    def fold(self, state: State) -> None:
        """Nothing moves: what happens there follows."""


class BurstRegionSelected(Effect, frozen=True):
    """The Region of the burst; `tied` had most Zeds, `draw` chose among several (WWZ-4.1-01, -02)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    phase: Public[int]
    region: Public[str]
    tied: Public[tuple[str, ...]]
    draw: Public[int | None]

    def fold(self, state: State) -> None:
        """The Zed Phase is under way."""
        state.phase = PHASES[self.phase]


class ZedPhaseSkipped(Effect, frozen=True):
    """A Zed Phase does not take place."""

    phase: Public[int]

    def fold(self, state: State) -> None:
        """It is over at once."""
        state.phase = PHASES[self.phase]


class ZedsPlaced(Effect, frozen=True):
    """Zeds appeared; `cause` is zed1, zed2, setup or event; `die` is what an event rolled."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    region: Public[str]
    n: Public[int]
    cause: Public[str]
    die: Public[int | None] = None

    def fold(self, state: State) -> None:
        """Into the Open Area."""
        state.regions[self.region].zeds += self.n
        state.zeds_seen = state.zeds_seen or self.n > 0


class ZedsRemoved(Effect, frozen=True):
    """Zeds were removed by an event."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    region: Public[str]
    n: Public[int]
    cause: Public[str]
    die: Public[int | None] = None

    def fold(self, state: State) -> None:
        """Off the map."""
        state.regions[self.region].zeds -= self.n


class GroupSplit(Effect, frozen=True):
    """The Zeds of a Region split; the larger half moves (WWZ-4.3-04)."""

    region: Public[str]
    total: Public[int]
    moving: Public[int]
    staying: Public[int]

    def fold(self, state: State) -> None:
        """The Boss of the Region goes with those that move (WWZ-ZB-03)."""
        state.group = Group(self.moving, self.region, state.boss_at == self.region)
        state.regions[self.region].zeds = self.staying


class DirectionRolled(Effect, frozen=True):
    """A die for the direction; `to` is a Region, CAN, MEX or (no match) nothing (WWZ-4.3-05)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    region: Public[str]
    die: Public[int]
    to: Public[str | None]

    def fold(self, state: State) -> None:
        """Nothing moves yet."""


class ZedsMoved(Effect, frozen=True, rename={"from_": "from"}):
    """`n` Zeds entered a Region; `joined` were there and fight with them (option arrival_attack)."""

    from_: Public[str]
    to: Public[str]
    n: Public[int]
    joined: Public[int] = 0

    def fold(self, state: State) -> None:
        """The group is in the Region now."""
        assert state.group is not None
        boss = state.group.boss or (self.joined > 0 and state.boss_at == self.to)
        state.regions[self.to].zeds -= self.joined
        state.group = Group(self.n + self.joined, self.to, boss)


class ZedsLeftMap(Effect, frozen=True, rename={"from_": "from"}):
    """The group wandered off to Canada or Mexico (WWZ-4.3-11)."""

    from_: Public[str]
    to: Public[str]
    n: Public[int]

    def fold(self, state: State) -> None:
        """They are gone."""
        state.group = None


class ZedPhaseEnded(Effect, frozen=True):
    """A Zed Phase is over; `reason` is attack, held, eliminated, left_map or halted."""

    phase: Public[int]
    reason: Public[str]

    def fold(self, state: State) -> None:
        """The group joins the Zeds of the Region where it is."""
        if state.group is not None:
            state.regions[state.group.region].zeds += state.group.n
            state.group = None


class BossEntered(Effect, frozen=True):
    """The Zed Boss came with a burst (WWZ-ZB-01)."""

    region: Public[str]

    def fold(self, state: State) -> None:
        """It stands in the Open Area."""
        state.boss = "on_map"
        state.boss_at = self.region


class BossMoved(Effect, frozen=True, rename={"from_": "from"}):
    """The Boss went along with its group (WWZ-ZB-03)."""

    from_: Public[str]
    to: Public[str]

    def fold(self, state: State) -> None:
        """It is in the Region entered."""
        state.boss_at = self.to


class BossSlain(Effect, frozen=True):
    """The Boss was slain (WWZ-ZB-05, -06, -08)."""

    region: Public[str]

    def fold(self, state: State) -> None:
        """Off the map, for points."""
        state.boss = "slain"
        _boss_off(state)


class BossGone(Effect, frozen=True):
    """The Boss left the map and never returns (WWZ-ZB-07)."""

    to: Public[str]

    def fold(self, state: State) -> None:
        """Off the map, for nothing."""
        state.boss = "gone"
        _boss_off(state)


def _boss_off(state: State) -> None:
    state.boss_at = None
    if state.group is not None:
        state.group = structs.replace(state.group, boss=False)
