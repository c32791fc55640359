"""What a card does (specification, 2.8, 2.10): its ops, one after the other."""

from collections.abc import Sequence
from functools import singledispatch

from games.block_mania import ops as o
from games.block_mania.cards import Target, can_deploy, near
from games.block_mania.deaths import remove
from games.block_mania.drawing import deploy, draw_blocker, draw_klegg, draw_token
from games.block_mania.effects import (
    ActivationEnded,
    BlockerFlagged,
    CarPlaced,
    ControlTaken,
    FireRemoved,
    PointsLost,
    PowerSet,
    RemovalRolled,
    TurnFlagSet,
    UnitPlaced,
)
from games.block_mania.engine import Engine
from games.block_mania.equipment import DrawTokens
from games.block_mania.predicates import block_of
from games.block_mania.state import State
from games.block_mania.steps.command import roll_points
from games.block_mania.steps.window import Declared
from games.block_mania.volley import Blast
from games.kernel import Table

TURN_FLAGS = {"cost_override": "mob_cost", "move_bonus": "fatty_bonus", "ban_activation": "no_fatties"}


def do_all(table: Table[State], seat: int, what: Sequence[o.Op], target: Target, mover: str | None = None) -> None:
    """Carry out a card's ops; `mover` is the blocker that its window is about."""
    for op in what:
        do(op, table, seat, target, mover)


@singledispatch
def do(op: o.Op, table: Table[State], seat: int, target: Target, mover: str | None) -> None:
    """Carry out one op."""
    raise NotImplementedError(op)


@do.register
def _(op: o.Deploy, table: Table[State], seat: int, target: Target, mover: str | None) -> None:
    for _ in range(op.n):
        if not can_deploy(table.state, seat, op.source):
            return
        name, pool = draw_blocker(table, seat) if op.source == "pool" else (draw_klegg(table, seat), "armory")
        deploy(table, seat, name, op.cost)
        draw_token(table, name, pool)


@do.register
def _(op: o.TakeControl, table: Table[State], seat: int, target: Target, mover: str | None) -> None:
    taken = [name for name, one in table.state.blockers.items() if one.type == op.type and one.controller != seat]
    if taken:
        table.emit(ControlTaken(seat, tuple(taken)))


@do.register
def _(op: o.PlaceToken, table: Table[State], seat: int, target: Target, mover: str | None) -> None:
    if target.square is None:
        return
    if op.token == "sky_rail_car":
        table.emit(CarPlaced(target.square))
    else:
        table.emit(UnitPlaced(f"u{table.state.units_made + 1}", op.token, target.square, target.block))


@do.register
def _(op: o.AddCommand, table: Table[State], seat: int, target: Target, mover: str | None) -> None:
    if op.dice:
        roll_points(table, op.dice)
    lost = min(-(op.points or 0), table.state.command_points)
    if lost:
        table.emit(PointsLost(table.state.phasing, lost, "radio_jammer"))


@do.register
def _(op: o.ModifyAttack, table: Table[State], seat: int, target: Target, mover: str | None) -> None:
    declared = next(step for step in reversed(table.state.agenda) if isinstance(step, Declared))
    table.amend(type(declared), **declared.modified(seat, op.amount, own=op.side == "own"))


@do.register
def _(op: o.Attack, table: Table[State], seat: int, target: Target, mover: str | None) -> None:
    engine = Engine(table)
    victim = table.state.blockers[mover or ""]
    engine.attack(Blast("card", op.dv, modified=op.square_modifiers), [victim])
    engine.drain()


@do.register
def _(op: o.Remove, table: Table[State], seat: int, target: Target, mover: str | None) -> None:
    name = target.blocker if op.target == "named" else mover
    if name is None:
        return
    state, cause = table.state, "card"
    first = state.blockers[name]
    others = [] if op.spread == "none" else near(state, first, interior=op.spread == "adjacent8_interior")
    for one in (name, *others):
        die = None if op.roll_max is None else table.roll("removal", 6)
        gone = die is None or die <= (op.roll_max or 0)
        if die is not None:
            table.emit(RemovalRolled(one, die, gone))
        if gone:
            remove(table, one, cause)


@do.register
def _(op: o.RemoveType, table: Table[State], seat: int, target: Target, mover: str | None) -> None:
    for name in [name for name, one in table.state.blockers.items() if one.type == op.type]:
        remove(table, name, "card")


@do.register
def _(op: o.ClearFire, table: Table[State], seat: int, target: Target, mover: str | None) -> None:
    if target.block is None:
        return
    state = table.state
    for name in state.map.tower[block_of(state, target.block)]:
        if state.square(name).fire:
            table.emit(FireRemoved(name, state.square(name).fire, "card"))


@do.register
def _(op: o.PlaceFire, table: Table[State], seat: int, target: Target, mover: str | None) -> None:
    engine = Engine(table)
    for _ in range(op.n):
        engine.fire(target.square or "", "card")
    engine.drain()


@do.register
def _(op: o.Collapse, table: Table[State], seat: int, target: Target, mover: str | None) -> None:
    engine = Engine(table)
    engine.collapse(target.square or "", "card")
    engine.drain()


@do.register
def _(op: o.SetTurnFlag, table: Table[State], seat: int, target: Target, mover: str | None) -> None:
    value = op.value if op.flag != "ban_activation" else 1
    table.emit(TurnFlagSet(table.state.phasing, TURN_FLAGS[op.flag], value))


@do.register
def _(op: o.SetBlockerFlag, table: Table[State], seat: int, target: Target, mover: str | None) -> None:
    phasing, name = table.state.phasing, mover or ""
    table.emit(BlockerFlagged(name, op.flag, phasing if op.flag == "stuck" else None))
    if op.flag == "stuck":
        table.emit(ActivationEnded(phasing, name, "stuck"))


@do.register
def _(op: o.SetPower, table: Table[State], seat: int, target: Target, mover: str | None) -> None:
    if target.block is not None:
        table.emit(PowerSet(target.block, not table.state.seats[target.block].power, "card"))


@do.register
def _(op: o.DrawEquipment, table: Table[State], seat: int, target: Target, mover: str | None) -> None:
    table.push(DrawTokens(blocker=target.blocker or "", pool=op.pool, left=op.n))
