"""Effects of Random Events (specification, H6, 2.3 and 4.10)."""

from typing import ClassVar

from games.kernel import EVERYONE, Effect, Public
from games.world_war_zed.pieces import add_unit, remove_unit
from games.world_war_zed.state import State


class RandomEventRolled(Effect, frozen=True):
    """Two dice chose the Random Event of this Turn (WWZ-3-01)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    dice: Public[tuple[int, int]]
    event: Public[str]

    def fold(self, state: State) -> None:
        """The phase is under way."""
        state.phase = "event"


class EffectApplied(Effect, frozen=True):
    """An op of the event takes effect: what it is, what it moves, and where; the facts follow."""

    op: Public[str]
    what: Public[str | None] = None
    at: Public[str | None] = None

    def fold(self, state: State) -> None:
        """Nothing moves yet."""


class EffectSkipped(Effect, frozen=True):
    """An op of the event comes to nothing."""

    op: Public[str]
    reason: Public[str]

    def fold(self, state: State) -> None:
        """Nothing moves."""


class EventTargetChosen(Effect, frozen=True):
    """The player chose where the event strikes."""

    target: Public[str]

    def fold(self, state: State) -> None:
        """What happens there follows."""


class TurnModified(Effect, frozen=True):
    """Something holds until the end of this Turn: zed1_extra, zed1_use_min, skip_zed2 or pp, now at `value`."""

    mod: Public[str]
    value: Public[int]

    def fold(self, state: State) -> None:
        """Note it."""
        flag = isinstance(getattr(state.turn_mods, self.mod), bool)
        setattr(state.turn_mods, self.mod, bool(self.value) if flag else self.value)


class UnitPlaced(Effect, frozen=True):
    """A unit came to the map by an event; Military comes from the pool or the box."""

    unit: Public[str]
    type: Public[str]
    at: Public[str]
    source: Public[str | None]

    def fold(self, state: State) -> None:
        """It is there now."""
        if self.source is not None:
            (state.pool if self.source == "pool" else state.box)[self.type] -= 1
        add_unit(state, self.unit, self.type, self.at)


class UnitRemoved(Effect, frozen=True):
    """A unit left the map by an event."""

    unit: Public[str]

    def fold(self, state: State) -> None:
        """Military to the Removed Military box."""
        remove_unit(state, self.unit)


class UnitRecovered(Effect, frozen=True):
    """A military counter may be built again."""

    type: Public[str]

    def fold(self, state: State) -> None:
        """From the box to the pool."""
        state.box[self.type] -= 1
        state.pool[self.type] += 1


class AreaRemoved(Effect, frozen=True):
    """A City or Farm counter was removed by an event; who was in it moves in the next effects (WWZ-R36)."""

    area: Public[str]

    def fold(self, state: State) -> None:
        """The counter goes, a City with its Riot."""
        region, _, kind = self.area.partition(".")
        if kind == "city":
            state.regions[region].city = state.regions[region].riot = False
        else:
            state.regions[region].farm = False
