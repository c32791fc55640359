"""Shooting and drilling (specification, 4.6): aim, then name the target."""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal, Self

from games.block_mania.actions.naming import OfBlocker, types_in
from games.block_mania.aiming import Aiming, aim_refusal, aims, drill_of, drill_refusal, gun_of
from games.block_mania.board import Side
from games.block_mania.effects import AttackDeclared, BlockerFlipped, FireChosen
from games.block_mania.engine import Engine
from games.block_mania.equipment import give_back, reveal
from games.block_mania.melee import mandatory
from games.block_mania.refusals import demand
from games.block_mania.state import State
from games.block_mania.steps.assault import Assault
from games.block_mania.steps.shooting import Aftermath, ChooseFire, Shot, Target, TargetStep, declare
from games.kernel import Action, Public, Table

Fires = Literal[0, 1, 2, 3]
ALL_FIRES = 3


class Aim(OfBlocker, frozen=True):
    """A blocker takes aim with a token; the target comes next, and there is no way back."""

    rule: ClassVar[str] = "BM-3CI-1"
    exact: ClassVar[bool] = True

    token: Public[str]
    mode: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Whatever has a target."""
        return (cls(*found) for found in aims(state, seat))

    def check(self, state: State, seat: int) -> None:
        """The blocker, the weapon, a target."""
        demand(aim_refusal(state, seat, self.blocker, self.token, self.mode))

    def apply(self, table: Table[State], seat: int) -> None:
        """Ask for the target; the phase goes on after it."""
        reveal(table, self.blocker, self.token)
        table.push(TargetStep(seats=(seat,), blocker=self.blocker, token=self.token, mode=self.mode))
        table.stay()


class Drill(OfBlocker, frozen=True):
    """A deployed drill damages the square in which it stands (BM-3CI-4)."""

    rule: ClassVar[str] = "BM-3CI-4"

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every blocker with a deployed drill."""
        return (cls(one.id) for one in state.blockers.values() if drill_of(state, one) is not None)

    def check(self, state: State, seat: int) -> None:
        """The blocker and its drill."""
        demand(drill_refusal(state, seat, self.blocker))

    def apply(self, table: Table[State], seat: int) -> None:
        """Damage, whatever comes of it; flip."""
        blocker = table.state.blockers[self.blocker]
        token = drill_of(table.state, blocker)
        assert token is not None
        reveal(table, self.blocker, token)
        table.emit(AttackDeclared(self.blocker, blocker.type, token, "drill", blocker.at, blocker.side, "square"))
        engine = Engine(table)
        engine.damage(blocker.at, "attack")
        engine.drain()
        if self.blocker in table.state.blockers:
            table.emit(BlockerFlipped(self.blocker))
        table.stay()


class EndStep(Action, frozen=True):
    """No more attacks of this type (BM-PLAY-4)."""

    rule: ClassVar[str] = "BM-PLAY-4"
    declines: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        yield cls()

    def check(self, state: State, seat: int) -> None:
        """Fights that must be fought are fought (BM-3CII-1)."""
        if isinstance(state.agenda[-1], Assault) and mandatory(state):
            demand(("BM-3CII-1", "fight_first"))

    def apply(self, table: Table[State], seat: int) -> None:
        """The phase is over."""


class _AtTarget(Action, frozen=True):
    """What is fired with the gun that was aimed."""

    exact: ClassVar[bool] = True

    @staticmethod
    def aiming(state: State) -> Aiming:
        """The gun, looking for targets."""
        step = state.agenda[-1]
        assert isinstance(step, TargetStep)
        return Aiming(state, gun_of(state, step.blocker, step.token, step.mode))

    @staticmethod
    def declare(table: Table[State], seat: int, square: str, side: Side, **target: str) -> None:
        """Declare the attack."""
        step = table.state.agenda[-1]
        assert isinstance(step, TargetStep)
        kind: Target = target.get("target", "blockers")  # type: ignore[assignment] # one of these words
        shot = Shot(
            seat=seat,
            blocker=step.blocker,
            token=step.token,
            mode=step.mode,
            square=square,
            side=side,
            target=kind,
            unit=target.get("unit"),
        )
        declare(table, shot)


class Shoot(_AtTarget, frozen=True):
    """Shoot at everybody in an area (BM-SH-8)."""

    rule: ClassVar[str] = "BM-SH-1"

    square: Public[str]
    side: Public[Side]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The areas in reach."""
        return (cls(*area) for area in cls.aiming(state).areas())

    def check(self, state: State, seat: int) -> None:
        """Somebody there, line of fire, range."""
        demand(self.aiming(state).area_refusal((self.square, self.side)))

    def apply(self, table: Table[State], seat: int) -> None:
        """Declare it."""
        self.declare(table, seat, self.square, self.side)

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """The types of all who stand there."""
        return {"there": types_in(state, self.square, self.side)}


class AttackBlock(_AtTarget, frozen=True):
    """Attack a square itself (BM-3CI-3, BM-3CI-6)."""

    rule: ClassVar[str] = "BM-3CI-6"

    square: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The squares in reach."""
        return map(cls, cls.aiming(state).blocks())

    def check(self, state: State, seat: int) -> None:
        """Something that can be damaged, line of fire, range."""
        demand(self.aiming(state).block_refusal(self.square))

    def apply(self, table: Table[State], seat: int) -> None:
        """Declare it."""
        side = table.state.map.squares[self.square].sides[0]
        self.declare(table, seat, self.square, side, target="square")


class ShootSkyRail(_AtTarget, frozen=True):
    """Cut the Sky-Rail (BM-3CI-5)."""

    rule: ClassVar[str] = "BM-3CI-5"

    square: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The rails in reach."""
        return map(cls, cls.aiming(state).rails())

    def check(self, state: State, seat: int) -> None:
        """A laser, a rail, line of fire, range."""
        demand(self.aiming(state).rail_refusal(self.square))

    def apply(self, table: Table[State], seat: int) -> None:
        """Declare it."""
        self.declare(table, seat, self.square, "-", target="sky_rail")


class ThrowFireBombs(_AtTarget, frozen=True):
    """Throw Fire Bombs from a high Window at a plaza, empty or not (BM-FB-1)."""

    rule: ClassVar[str] = "BM-FB-1"

    square: Public[str]
    side: Public[Side]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The plazas below."""
        return (cls(*area) for area in cls.aiming(state).throws())

    def check(self, state: State, seat: int) -> None:
        """A plaza in sight, or the Entrance Plaza opposite."""
        demand(self.aiming(state).throw_refusal((self.square, self.side)))

    def apply(self, table: Table[State], seat: int) -> None:
        """Declare it."""
        self.declare(table, seat, self.square, self.side)


class ShootUnit(_AtTarget, frozen=True):
    """Shoot at a Justice unit, if the option lets (BM-ALT-2)."""

    rule: ClassVar[str] = "BM-ALT-2"

    unit: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The units in reach."""
        return map(cls, cls.aiming(state).units())

    def check(self, state: State, seat: int) -> None:
        """The option, a unit, line of fire, range."""
        demand(self.aiming(state).unit_refusal(self.unit))

    def apply(self, table: Table[State], seat: int) -> None:
        """Declare it."""
        square = next(unit.at for unit in table.state.units if unit.id == self.unit)
        self.declare(table, seat, square, "-", target="unit", unit=self.unit)


class ChooseFireAction(Action, frozen=True, tag="choose_fire"):
    """How many Fire markers to leave; all three use the token up (BM-SH-9)."""

    rule: ClassVar[str] = "BM-SH-9"

    n: Public[Fires]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """None to three."""
        return (cls(n) for n in (0, 1, 2, 3))

    def apply(self, table: Table[State], seat: int) -> None:
        """The token goes back, the square burns."""
        step = table.state.agenda[-1]
        assert isinstance(step, ChooseFire)
        table.emit(FireChosen(seat, step.blocker, step.token, self.n))
        if self.n == ALL_FIRES:
            give_back(table, step.blocker, step.token, "spent")
        engine = Engine(table)
        engine.fire(step.square, "attack", self.n)
        engine.drain()
        after = next(found for found in reversed(table.state.agenda) if isinstance(found, Aftermath))
        table.amend(Aftermath, carriers=after.less(engine).carriers)
