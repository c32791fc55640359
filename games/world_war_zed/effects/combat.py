"""Effects of Zed attacks (specification, 4.4 and 4.10). `held` Zeds go back to where R6 says."""

from typing import ClassVar

from games.kernel import EVERYONE, Effect, Public
from games.world_war_zed.pieces import add_unit, gathered, regroup, remove_unit
from games.world_war_zed.state import State


class DzCrossed(Effect, frozen=True):
    """Rough terrain held some of the group back (WWZ-4.2-11)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    dz: Public[str]
    die: Public[int]
    held: Public[int]
    left: Public[int]

    def fold(self, state: State) -> None:
        """Those held return to the Region that they came from (WWZ-R6)."""
        assert state.group is not None
        _hold(state, state.group.region, self.held, self.left)


class FortAssaulted(Effect, frozen=True):
    """A Fort held some of the group back; it falls if any are left (WWZ-4.2-13, -14)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    place: Public[str]
    die: Public[int]
    held: Public[int]
    left: Public[int]
    fort_removed: Public[bool]

    def fold(self, state: State) -> None:
        """Those held take no further part; the Fort stands or falls."""
        _hold(state, self.place.partition(".")[0], self.held, self.left)
        if self.fort_removed:
            state.forts.remove(self.place)


class UnitAssaulted(Effect, frozen=True):
    """A unit fought the group: `killed` of it, `left` before `zeds_added` for a Survivalist (WWZ-4.2-15 to -19)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    unit: Public[str]
    dice: Public[tuple[int, ...]]
    killed: Public[int]
    left: Public[int]
    eliminated: Public[bool]
    zeds_added: Public[int]

    def fold(self, state: State) -> None:
        """Zeds fall, or the unit does."""
        regroup(state, state.units[self.unit].at.partition(".")[0], self.left + self.zeds_added)
        if self.eliminated:
            remove_unit(state, self.unit)


class RefugeesOverrun(Effect, frozen=True):
    """All Refugees of the Area went; some took to arms, some turned, a D6Z for each (WWZ-4.2-21, WWZ-R14)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    units: Public[tuple[str, ...]]
    dice: Public[tuple[int, ...]]
    zeds_added: Public[int]
    survivalists: Public[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """The counters go with their Riots; Survivalists stand in the Open Area."""
        region = state.units[self.units[0]].at.partition(".")[0]
        _grow(state, region, self.zeds_added)
        for unit in self.units:
            remove_unit(state, unit)
        for unit in self.survivalists:
            add_unit(state, unit, "survivalist", f"{region}.open")


class FarmDestroyed(Effect, frozen=True):
    """A Farm fell to Zeds (WWZ-4.2-22)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    region: Public[str]
    die: Public[int]
    zeds_added: Public[int]

    def fold(self, state: State) -> None:
        """Its counter goes; the group grows."""
        _grow(state, self.region, self.zeds_added)
        state.regions[self.region].farm = False


class CityDestroyed(Effect, frozen=True):
    """A City fell to Zeds; `refugee` is the counter that fled it (WWZ-4.2-23)."""

    region: Public[str]
    refugee: Public[str | None]
    zeds_added: Public[int]

    def fold(self, state: State) -> None:
        """Its counter and Riot go; the group grows."""
        _grow(state, self.region, self.zeds_added)
        state.regions[self.region].city = False
        state.regions[self.region].riot = False
        if self.refugee is not None:
            add_unit(state, self.refugee, "refugee", f"{self.region}.open")


def _hold(state: State, region: str, held: int, left: int) -> None:
    back = gathered(state, region).region
    state.regions[back].zeds += held
    regroup(state, region, left)


def _grow(state: State, region: str, more: int) -> None:
    regroup(state, region, gathered(state, region).n + more)
