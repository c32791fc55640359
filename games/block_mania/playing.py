"""What a card does (specification, 2.8, 2.10): its ops, one after the other."""

from collections.abc import Sequence

from msgspec import Struct

from games.block_mania import ops as o
from games.block_mania.cards import CAR, Target, can_deploy, near
from games.block_mania.deaths import remove
from games.block_mania.drawing import deploy, draw_blocker, draw_klegg, draw_token
from games.block_mania.effects import (
    ActivationEnded,
    BlockerFlagged,
    CarPlaced,
    ControlTaken,
    FireRemoved,
    PointsLost,
    RemovalRolled,
    SquareCollapsed,
    TurnFlagSet,
    UnitPlaced,
)
from games.block_mania.engine import Engine
from games.block_mania.predicates import block_of
from games.block_mania.state import State
from games.block_mania.steps.command import roll_points
from games.block_mania.steps.window import Declared
from games.block_mania.volley import Blast
from games.kernel import Table

TURN_FLAGS = {"cost_override": "mob_cost", "move_bonus": "fatty_bonus", "ban_activation": "no_fatties"}


class Play(Struct, frozen=True):
    """A card that is played: by whom, on what, and the blocker that its window is about."""

    table: Table[State]
    seat: int
    target: Target
    mover: str | None = None

    def do(self, what: Sequence[o.Op]) -> None:
        """Carry out the ops, one after the other."""
        for op in what:
            self._do_one(op)

    def _do_one(self, op: o.Op) -> None:  # noqa: C901, PLR0912 one line for each op of the language
        table, target, mover = self.table, self.target, self.mover
        match op:
            case o.Deploy():
                deploy_blockers(table, self.seat, op)
            case o.TakeControl():
                take_control(table, self.seat, op.type)
            case o.PlaceToken():
                place_token(table, op, target)
            case o.AddCommand():
                add_command(table, op)
            case o.ModifyAttack():
                modify_attack(table, self.seat, op)
            case o.Attack():
                attack(table, op, mover or "")
            case o.Remove():
                remove_blockers(table, op, target.blocker if op.target == "named" else mover)
            case o.RemoveType():
                remove_type(table, op.type)
            case o.ClearFire():
                clear_fire(table, target.block)
            case o.PlaceFire():
                place_fire(table, target.square or "", op.n)
            case o.Collapse():
                collapse(table, target.square or "")
            case o.Cut():
                table.emit(SquareCollapsed(target.square or "", "cut", None))
            case o.SetTurnFlag():
                value = op.value if op.flag != "ban_activation" else 0
                table.emit(TurnFlagSet(table.state.phasing, TURN_FLAGS[op.flag], value))
            case o.SetBlockerFlag():
                hold(table, op.flag, mover or "")


def deploy_blockers(table: Table[State], seat: int, op: o.Deploy) -> None:
    """Deploy as many as there are, up to the card's number; a Klegg comes with an Armory token (2.8)."""
    for _ in range(op.n):
        if not can_deploy(table.state, seat, op.source):
            return
        name, pool = draw_blocker(table, seat) if op.source == "pool" else (draw_klegg(table, seat), "armory")
        deploy(table, seat, name, op.cost)
        draw_token(table, name, pool)


def take_control(table: Table[State], seat: int, kind: str) -> None:
    """All of a type change sides (BM-BLK-12), among former friends too, who are enemies now (BM-R65)."""
    taken = [name for name, one in table.state.blockers.items() if one.type == kind and one.controller != seat]
    if taken:
        table.emit(ControlTaken(seat, tuple(taken)))


def place_token(table: Table[State], op: o.PlaceToken, target: Target) -> None:
    """A car or Justice token comes to the map, if one is left (2.6)."""
    if target.square is None:
        return
    if op.token == CAR:
        table.emit(CarPlaced(target.square))
    else:
        table.emit(UnitPlaced(f"u{table.state.units_made + 1}", op.token, target.square, target.block))


def add_command(table: Table[State], op: o.AddCommand) -> None:
    """More dice, or points lost, never below 0 (2.8, 2.9)."""
    if op.dice:
        roll_points(table, op.dice)
    lost = min(-(op.points or 0), table.state.command_points)
    if lost:
        table.emit(PointsLost(table.state.phasing, lost, "card"))


def modify_attack(table: Table[State], seat: int, op: o.ModifyAttack) -> None:
    """The attack beneath the window rolls with more, or with less."""
    declared = next(step for step in reversed(table.state.agenda) if isinstance(step, Declared))
    table.amend(type(declared), **declared.modified(seat, op.amount, own=op.side == "own"))


def attack(table: Table[State], op: o.Attack, mover: str) -> None:
    """A gang, robbers or wreckers attack the blocker that moves (2.9)."""
    engine = Engine(table)
    engine.attack(Blast("card", op.dv, modified=op.square_modifiers), [table.state.blockers[mover]])
    engine.drain()


def remove_blockers(table: Table[State], op: o.Remove, name: str | None) -> None:
    """The blocker is removed, perhaps by a die, and with it those around it (BM-1A-4 to -9)."""
    if name is None:
        return
    first = table.state.blockers[name]
    others = [] if op.spread == "none" else near(table.state, first, interior=op.spread == "adjacent8_interior")
    for one in (name, *others):
        gone = True
        if op.roll_max is not None:
            die = table.roll("removal", 6)
            gone = die <= op.roll_max
            table.emit(RemovalRolled(one, die, gone))
        if gone:
            remove(table, one, "card")


def remove_type(table: Table[State], kind: str) -> None:
    """All of a type are removed (BM-1A-10)."""
    for name in [name for name, one in table.state.blockers.items() if one.type == kind]:
        remove(table, name, "card")


def clear_fire(table: Table[State], block: int | None) -> None:
    """All fire of a block goes out (BM-1A-8)."""
    if block is None:
        return
    state = table.state
    for name in state.map.tower[block_of(state, block)]:
        if state.square(name).fire:
            table.emit(FireRemoved(name, state.square(name).fire, "card"))


def place_fire(table: Table[State], square: str, n: int) -> None:
    """Fire markers, one after the other."""
    engine = Engine(table)
    engine.fire(square, "card", n)
    engine.drain()


def collapse(table: Table[State], square: str) -> None:
    """A square collapses."""
    engine = Engine(table)
    engine.collapse(square, "card")
    engine.drain()


def hold(table: Table[State], flag: str, mover: str) -> None:
    """The blocker that moves is stuck until the phasing seat's next turn, or moves no further (2.9)."""
    phasing = table.state.phasing
    table.emit(BlockerFlagged(mover, flag, phasing if flag == "stuck" else None))
    if flag == "stuck":
        table.emit(ActivationEnded(phasing, mover, "stuck"))
