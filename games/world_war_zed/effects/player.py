"""Effects of the Player Phase (specification, 4.6 to 4.8 and 4.10)."""

from typing import ClassVar, Literal

from games.kernel import EVERYONE, Effect, Public
from games.world_war_zed.pieces import add_fort, add_unit, change_unit, remove_unit
from games.world_war_zed.state import State

StrikeKind = Literal["air", "nuclear", "biochemical"]


class ResearchRolled(Effect, frozen=True):
    """The die for a breakthrough; Research falls in the next effect (WWZ-6.1-01, -02)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    die: Public[int]
    success: Public[bool]

    def fold(self, state: State) -> None:
        """The Player Phase is under way; a success is noted with its Turn."""
        state.phase = "player"
        state.step = "research"
        if self.success:
            state.breakthrough_turns.append(state.turn)


class BreakthroughChosen(Effect, frozen=True):
    """What came of a breakthrough; a track moves in the next effect (WWZ-6.1-03 to -07)."""

    option: Public[str]

    def fold(self, state: State) -> None:
        """Biochemical weapons are there from now on."""
        if self.option == "biochem":
            state.biochem = True


class RiotsCounted(Effect, frozen=True):
    """Supply against demand; `due` Riots are placed now (WWZ-6.2-01 to -03)."""

    supply: Public[int]
    demand: Public[int]
    shortage: Public[int]
    due: Public[int]

    def fold(self, state: State) -> None:
        """Riots first, then relief."""
        state.phase = "player"
        state.step = "riots" if self.due else "relief"


class RiotPlaced(Effect, frozen=True):
    """A Riot broke out on a Refugee (its id) or a City (its Region); `left` more are due (WWZ-6.2-04)."""

    target: Public[str]
    forced: Public[bool]
    left: Public[int]

    def fold(self, state: State) -> None:
        """The marker is placed."""
        _set_riot(state, self.target, riot=True)
        if state.step == "riots" and not self.left:
            state.step = "relief"


class RiotRemoved(Effect, frozen=True):
    """A Riot was fed (WWZ-6.2-06)."""

    target: Public[str]

    def fold(self, state: State) -> None:
        """The marker goes."""
        _set_riot(state, self.target, riot=False)


class FortRemoved(Effect, frozen=True):
    """A Fort went without a fight."""

    place: Public[str]

    def fold(self, state: State) -> None:
        """Off the map."""
        state.forts.remove(self.place)


class StrikeResolved(Effect, frozen=True):
    """A strike removed Zeds, a nuclear one everything in the Region (WWZ-6.5-03, -05, -07)."""

    # Of a nuclear strike it tells nothing new; declared for all three, as a class tells or does not.
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    kind: Public[StrikeKind]
    region: Public[str]
    dice: Public[tuple[int, ...]]
    removed: Public[int]

    def fold(self, state: State) -> None:
        """Off the map; Military to the Removed Military box (WWZ-R26)."""
        here = state.regions[self.region]
        here.zeds -= self.removed
        if self.kind != "nuclear":
            return
        here.city = here.riot = here.farm = False
        here.nukes += 1
        state.nukes_used += 1
        places = {f"{self.region}.{kind}" for kind in ("city", "farm", "open")}
        state.forts = [place for place in state.forts if place not in places]
        for unit in [name for name, unit in state.units.items() if unit.at in places]:
            remove_unit(state, unit)


class UnitBuilt(Effect, frozen=True):
    """A military unit was built from the pool (WWZ-6.6-01)."""

    unit: Public[str]
    type: Public[str]
    at: Public[str]

    def fold(self, state: State) -> None:
        """From the pool to the map."""
        state.pool[self.type] -= 1
        add_unit(state, self.unit, self.type, self.at)


class FortBuilt(Effect, frozen=True):
    """A Fort was built (WWZ-6.6-01)."""

    at: Public[str]

    def fold(self, state: State) -> None:
        """It stands."""
        add_fort(state, self.at)


class UnitMoved(Effect, frozen=True, rename={"from_": "from"}):
    """A unit moved."""

    unit: Public[str]
    from_: Public[str]
    to: Public[str]

    def fold(self, state: State) -> None:
        """It is there now."""
        change_unit(state, self.unit, at=self.to)


class ZedsAttacked(Effect, frozen=True):
    """A unit attacked all Zeds of its Region (WWZ-6.8-03 to -05)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    unit: Public[str]
    dice: Public[tuple[int, ...]]
    removed: Public[int]
    unit_eliminated: Public[bool]

    def fold(self, state: State) -> None:
        """Zeds fall; the attacker too if any are left."""
        state.regions[state.units[self.unit].at.partition(".")[0]].zeds -= self.removed
        if self.unit_eliminated:
            remove_unit(state, self.unit)


def _set_riot(state: State, target: str, *, riot: bool) -> None:
    if target in state.units:
        change_unit(state, target, riot=riot)
    else:
        state.regions[target].riot = riot
