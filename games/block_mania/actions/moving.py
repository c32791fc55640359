"""The moves of an active blocker, one step or ride at a time (specification, 4.4)."""

from collections.abc import Iterator
from typing import Any, ClassVar, Self

from games.block_mania.actions.command import active
from games.block_mania.board import Side
from games.block_mania.deaths import kill
from games.block_mania.effects import MpSpent, SwingRolled
from games.block_mania.engine import Engine
from games.block_mania.movement import indoors, step_cost
from games.block_mania.mover import Mover
from games.block_mania.refusals import demand
from games.block_mania.state import State
from games.block_mania.steps.moving import AfterMove, Arrive, Ride, enter
from games.block_mania.steps.window import Window, asked
from games.block_mania.volley import Blast
from games.block_mania.ways import swing_end
from games.kernel import Action, Public, Table

#: On this die a swinger bounces, and is attacked with this damage value (BM-SW-2).
BOUNCE, BOUNCE_DV = 1, 2


class Walk(Action, frozen=True):
    """One step on foot, to a square next to the blocker's."""

    rule: ClassVar[str] = "BM-WALK-1"
    exact: ClassVar[bool] = True

    to: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each square that a step leads to."""
        return map(cls, Mover(state, active(state)).walks())

    def check(self, state: State, seat: int) -> None:
        """As 4.4.1."""
        demand(Mover(state, active(state)).walk_refusal(self.to))

    def apply(self, table: Table[State], seat: int) -> None:
        """It is there."""
        state = table.state
        cost = step_cost(state, active(state).at, self.to)
        _go(table, self.to, indoors(state, self.to), "walk", cost)

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """Its cost in movement points."""
        return {"cost": step_cost(state, active(state).at, self.to)}


def _go(table: Table[State], to: str, side: Side, how: str, cost: int) -> None:
    """Come to an area; windows and pins follow when what lies there has been met."""
    name = table.state.active or ""
    table.stay()
    table.push(AfterMove(blocker=name, how=how))
    enter(table, name, (to, side), how, cost)


class _RideTo(Action, frozen=True):
    """What rides with a destination share."""

    exact: ClassVar[bool] = True
    mode: ClassVar[str] = ""

    to: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each square that the ride leads to."""
        return map(cls, Mover(state, active(state)).rides(cls.mode))

    def check(self, state: State, seat: int) -> None:
        """As 4.4.2."""
        demand(Mover(state, active(state)).ride_refusal(self.mode, self.to))

    def apply(self, table: Table[State], seat: int) -> None:
        """It is there."""
        _go(table, self.to, "-", self.mode, 1)

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """Its cost in movement points."""
        return {"cost": 1}


class RideElevator(_RideTo, frozen=True):
    """Ride an elevator; an enemy on the way may stop it."""

    rule: ClassVar[str] = "BM-TR-4"
    mode: ClassVar[str] = "elevator"

    def apply(self, table: Table[State], seat: int) -> None:
        """Past each square on the way."""
        state = table.state
        rider = active(state)
        shaft = next(
            shaft for letter, shaft in state.map.shafts[rider.at].items() if letter != "G" and self.to in shaft
        )
        start, end = shaft.index(rider.at), shaft.index(self.to)
        path = shaft[start + 1 : end + 1] if end > start else shaft[end:start][::-1]
        table.stay()
        table.push(Ride(blocker=rider.id, path=path))


class RideGravChute(Action, frozen=True):
    """Drop down the grav chute to its bottom; with a collapsed square in it that is death."""

    rule: ClassVar[str] = "BM-TR-5"
    exact: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        if Mover(state, active(state)).ride_refusal("grav_chute", None) is None:
            yield cls()

    def check(self, state: State, seat: int) -> None:
        """As 4.4.2."""
        demand(Mover(state, active(state)).ride_refusal("grav_chute", None))

    def apply(self, table: Table[State], seat: int) -> None:
        """It is there, or dead."""
        mover = Mover(table.state, active(table.state))
        if mover.lethal_chute():
            _die(table, "grav_chute")
        else:
            _go(table, mover.chute_end() or "", "-", "grav_chute", 1)

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """Its cost, whether it kills, and where it ends."""
        mover = Mover(state, active(state))
        return {"cost": 1, "lethal": mover.lethal_chute(), "to": mover.chute_end()}


def _die(table: Table[State], cause: str) -> None:
    """Pay the movement point and die."""
    name = table.state.active or ""
    table.emit(MpSpent(name, 1))
    kill(table, name, cause)
    table.stay()


class RideSkyRail(_RideTo, frozen=True):
    """Ride the Sky-Rail to another Station."""

    rule: ClassVar[str] = "BM-TR-6"
    mode: ClassVar[str] = "sky_rail"


class RideMegaWay(_RideTo, frozen=True):
    """Drive along the Mega-Way to another Vehicle Park; wreckers may lie in wait."""

    rule: ClassVar[str] = "BM-TR-7"
    mode: ClassVar[str] = "mega_way"

    def apply(self, table: Table[State], seat: int) -> None:
        """Pay, let the others play, arrive."""
        state = table.state
        name = state.active or ""
        table.stay()
        table.emit(MpSpent(name, 1))
        ride = Window(kind="H", event="vehicle", order=tuple(state.after(seat)), blocker=name)
        table.push(*asked(state, ride), Arrive(blocker=name, to=self.to))


class RidePedway(_RideTo, frozen=True):
    """Ride a working Pedway to an end of it."""

    rule: ClassVar[str] = "BM-TR-8"
    mode: ClassVar[str] = "pedway"


class Fly(Action, frozen=True):
    """Fly to an area of this board or a neighbouring one, for all movement points."""

    rule: ClassVar[str] = "BM-FLY-1"
    exact: ClassVar[bool] = True

    to: Public[str]
    side: Public[Side]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each area that a flight leads to."""
        return (cls(*area) for area in Mover(state, active(state)).flights())

    def check(self, state: State, seat: int) -> None:
        """As 4.4.3."""
        demand(Mover(state, active(state)).fly_refusal((self.to, self.side)))

    def apply(self, table: Table[State], seat: int) -> None:
        """It is there, out of movement points."""
        _go(table, self.to, self.side, "fly", active(table.state).mp_left)

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """Its cost in movement points."""
        return {"cost": active(state).mp_left}


class SuckerSwing(Action, frozen=True):
    """Swing through a Window to the opposite wall, three levels down."""

    rule: ClassVar[str] = "BM-SW-1"
    exact: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        if Mover(state, active(state)).swing_refusal() is None:
            yield cls()

    def check(self, state: State, seat: int) -> None:
        """As 4.4.4."""
        demand(Mover(state, active(state)).swing_refusal())

    def apply(self, table: Table[State], seat: int) -> None:
        """Bounce perhaps; whoever lives arrives (BM-R17)."""
        state = table.state
        swinger = active(state)
        if Mover(state, swinger).lethal_swing():
            _die(table, "swing")
            return
        end = swing_end(state.map, swinger.at) or ""
        die = table.roll("swing", 6)
        table.emit(SwingRolled(swinger.id, die))
        if die == BOUNCE:
            engine = Engine(table)
            engine.attack(Blast("bounce", BOUNCE_DV, at=end), [swinger])
            engine.drain()
        if swinger.id in state.blockers:
            _go(table, end, "in", "swing", 1)
        else:
            table.stay()

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """Its cost, whether it kills, and where it ends."""
        mover = Mover(state, active(state))
        return {"cost": 1, "lethal": mover.lethal_swing(), "to": swing_end(state.map, mover.area[0])}
