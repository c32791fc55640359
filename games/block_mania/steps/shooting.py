"""Shooting at blockers, blocks, the Sky-Rail and units, step by step (specification, 4.6)."""

from typing import Any, ClassVar, Literal

from msgspec import structs

from games.block_mania.aiming import Gun, aims, drill_of, drill_refusal, gun_of, has_effect
from games.block_mania.board import Side
from games.block_mania.effects import AttackDeclared, AttackRolled, BlockerFlipped, SquareCollapsed, UnitRemoved
from games.block_mania.engine import Engine
from games.block_mania.equipment import reveal
from games.block_mania.pack import SHELF
from games.block_mania.predicates import answers_for, occupants, open_air, owner, place
from games.block_mania.state import Blocker, State
from games.block_mania.steps.window import Declared, attack_windows
from games.block_mania.volley import HIT, Blast, Carrier, square_modifier, volley
from games.kernel import Hidden, Public, Step, Table

Target = Literal["blockers", "square", "sky_rail", "unit"]
SQUARE_STRENGTH, ARMORY_STRENGTH, RAIL_STRENGTH = 6, 8, 4  # BM-3CI-5, BM-3CI-6


class Shoot(Step, frozen=True):
    """The phasing seat shoots, attacks the block and drills, blocker by blocker (BM-3CI-1, -2)."""

    menu: ClassVar[tuple[str, ...]] = ("aim", "drill", "end_step")
    root: ClassVar[bool] = True

    def alive(self, state: State) -> bool:
        """Whether there is anything to do but to end it."""
        return can_shoot(state)


class TargetStep(Step, frozen=True, kw_only=True, tag="target"):
    """A blocker has aimed a token: at what it fires."""

    blocker: Public[str]
    token: Public[str]
    mode: Public[str]

    menu: ClassVar[tuple[str, ...]] = ("shoot", "attack_block", "shoot_sky_rail", "throw_fire_bombs", "shoot_unit")


class Shot(Declared, frozen=True, kw_only=True):
    """A declared attack: the dice, who dies of them, and what else the weapon does (steps 3 to 5)."""

    seat: Public[int]
    blocker: Public[str]
    token: Public[str]
    mode: Public[str]
    square: Public[str]
    side: Public[Side]
    target: Public[Target] = "blockers"
    unit: Public[str | None] = None
    cause: Public[str] = "shot"
    bonus: Public[int] = 0

    def modified(self, seat: int, amount: int, *, own: bool) -> dict[str, Any]:
        """Cards of either side add to, or take from, every die."""
        return {"bonus": self.bonus + amount}

    def run(self, table: Table[State]) -> None:
        """Roll; then the special effects, with the demo checks and the flip beneath."""
        gun = gun_of(table.state, self.blocker, self.token, self.mode)
        carriers: tuple[Carrier, ...] = ()
        if self.target == "blockers":
            blast = Blast(self.cause, gun.shot.dv + self.bonus)
            carriers = volley(table, blast, _targets(table.state, self))
        elif self.target != "square" or not has_effect(gun.shot):
            self._roll_at_thing(table, gun)
        stands = not table.state.square(self.square).collapsed
        after = Aftermath(blocker=self.blocker, fired=gun.item.range is not None, carriers=carriers, stands=stands)
        self._special(table, gun, after)

    def _roll_at_thing(self, table: Table[State], gun: Gun) -> None:
        """A die against the square itself, the Sky-Rail or a unit."""
        state = table.state
        die = table.roll(self.cause, 6)
        score = die + gun.shot.dv + self.bonus + square_modifier(state, self.square) - self._strength(state)
        hit = score >= HIT
        table.emit(AttackRolled(self.cause, self.square, die, score, hit, None, self.unit))
        if not hit:
            return
        if self.target == "sky_rail":
            table.emit(SquareCollapsed(self.square, "cut", None))
        elif self.unit is not None:
            table.emit(UnitRemoved(self.unit))
        else:
            engine = Engine(table)
            engine.damage(self.square, "attack")
            engine.drain()

    def _strength(self, state: State) -> int:
        """Of the Sky-Rail, a unit (BM-R58), an Armory, any other square."""
        if self.target == "sky_rail":
            return RAIL_STRENGTH
        if self.target == "unit":
            kind = next(unit.kind for unit in state.units if unit.id == self.unit)
            return next(unit.strength for unit in SHELF[state.pack].units if unit.id == kind)
        return ARMORY_STRENGTH if "armory" in place(state, self.square).tags else SQUARE_STRENGTH

    def _special(self, table: Table[State], gun: Gun, after: "Aftermath") -> None:
        """Damage and fire of the weapon (step 5); in Defensive Fire too, but for a flamer (BM-DF-6, BM-SH-9, -10)."""
        held_back = self.cause == "defensive_fire" and "no_defensive_fires" in gun.item.flags
        if gun.shot.fires == "choose" and not held_back:
            choice = ChooseFire(seats=(self.seat,), blocker=self.blocker, token=self.token, square=self.square)
            table.push(choice, after)
            return
        engine = Engine(table)
        if gun.shot.damage is not None:
            engine.damage(self.square, "attack", engine.half_roll(self.square) if gun.shot.damage == "half_d6" else 1)
        if isinstance(gun.shot.fires, int):
            engine.fire(self.square, "attack", gun.shot.fires)
        engine.drain()
        table.push(after.less(engine))


class ChooseFire(Step, frozen=True, kw_only=True):
    """How many Fire markers a flamer or Fire Bombs leave in the square."""

    blocker: Public[str]
    token: Public[str]
    square: Public[str]

    menu: ClassVar[tuple[str, ...]] = ("choose_fire",)


class Aftermath(Step, frozen=True, kw_only=True):
    """Demo charges that were shot at may go off; then the firer flips (steps 6 and 7).

    `carriers` are all who were rolled against: who of them has charges comes out by their dice alone.
    `fired`: it was a weapon, no robodog; `stands`: the square was not collapsed before step 5.
    """

    blocker: Public[str]
    fired: Public[bool]
    carriers: Hidden[tuple[Carrier, ...]]
    stands: Public[bool]

    def less(self, engine: Engine) -> "Aftermath":
        """Without the charges that have gone off meanwhile."""
        left = (structs.replace(c, charges=c.charges - engine.exploded[c.blocker]) for c in self.carriers)
        return structs.replace(self, carriers=tuple(left))

    def run(self, table: Table[State]) -> None:
        """Check the carriers, unless their square has just collapsed; flip."""
        state = table.state
        Engine(table).check_demos(
            [c for c in self.carriers if not (self.stands and state.square(c.square).collapsed)], drained=True
        )
        if self.blocker in state.blockers:
            table.emit(BlockerFlipped(self.blocker, fired=self.fired))


def can_shoot(state: State) -> bool:
    """Whether the phasing seat can aim anything, or drill."""
    seat = state.phasing
    drills = any(drill_of(state, one) and drill_refusal(state, seat, one.id) is None for one in state.blockers.values())
    return drills or next(aims(state, seat), None) is not None


def declare(table: Table[State], shot: Shot) -> None:
    """An attack is declared: all hear of it, cards may be played if dice will be thrown, then they are (step 1, 2)."""
    state = table.state
    reveal(table, shot.blocker, shot.token)
    table.emit(
        AttackDeclared(
            shot.blocker, state.blockers[shot.blocker].type, shot.token, shot.mode, shot.square, shot.side, shot.target
        )
    )
    windows = attack_windows(state, shot.seat, _owners(state, shot)) if _opens(state, shot) else ()
    table.push(*windows, shot)


def _opens(state: State, shot: Shot) -> bool:
    """Whether there are windows: dice will be thrown at blockers, the block or the Sky-Rail (2.9)."""
    if shot.target == "blockers":
        return bool(_targets(state, shot))
    if shot.target == "square":
        return not has_effect(gun_of(state, shot.blocker, shot.token, shot.mode).shot)
    return shot.target == "sky_rail"


def _targets(state: State, shot: Shot) -> list[Blocker]:
    """Whom it is rolled against: all in the area but the firer (BM-SH-8); volleys leave the stuck alone."""
    return [one for one in occupants(state, shot.square, shot.side) if one.id != shot.blocker]


def _owners(state: State, shot: Shot) -> set[int]:
    """The seats that may play against it: those of the targets, or of the block that is attacked (2.9)."""
    if shot.target == "blockers":
        return {answers_for(one) for one in _targets(state, shot) if one.stuck_until is None}
    block = None if open_air(state, shot.square) else owner(state, shot.square)
    return set() if block is None else {block}
