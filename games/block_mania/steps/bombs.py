"""The start of the Combat Phase: dropped bombs, then gas (specification, 4.10; BM-3A-1 to -3)."""

from typing import ClassVar, Final

from games.block_mania.deaths import kill
from games.block_mania.effects import AttackRolled, TokenRemoved
from games.block_mania.engine import Engine
from games.block_mania.predicates import block_of, item, open_air, place, takes_damage
from games.block_mania.state import State, Token
from games.kernel import Public, Step, Table

GAS_KILLS: Final = 6
GAS_KILLS_INSIDE: Final = 5


class CombatBombs(Step, frozen=True):
    """The bombs that lie armed on the map go off, in the order in which they were dropped."""

    def run(self, table: Table[State]) -> None:
        """The next bomb, and then the others."""
        state = table.state
        found = min(armed(state), key=lambda bomb: bomb[1].order, default=None)
        if found is None:
            return
        table.push(CombatBombs())
        square, bomb = found
        table.emit(TokenRemoved(square, bomb.order, bomb.token))
        engine = Engine(table)
        if item(state, bomb.token).drop == "demo":
            engine.demo(square)
            engine.drain()
        else:
            _melt(table, engine, square)


class ChooseThermoFire(Step, frozen=True, kw_only=True):
    """Which of the squares above a melted one burns (BM-3A-2)."""

    squares: Public[tuple[str, ...]]

    menu: ClassVar[tuple[str, ...]] = ("choose_thermo_fire",)
    auto: ClassVar[bool] = True


class Gas(Step, frozen=True):
    """Nerve gas that was released this turn kills in its blocks, whoever owns the blockers (BM-3A-3)."""

    def run(self, table: Table[State]) -> None:
        """A die for each blocker in the tower: level ascending, west to east, for each token released."""
        state = table.state
        for seat in state.gas:
            ranks = {} if state.seats[seat].collapsed else _ranks(state, seat)
            there = [one for one in state.blockers.values() if one.at in ranks]
            for blocker in sorted(there, key=lambda one: (ranks[one.at], one.arrived)):
                die = table.roll("gas", 6)
                window = place(state, blocker.at).cls == "window"
                dies = die >= (GAS_KILLS if window else GAS_KILLS_INSIDE)
                table.emit(AttackRolled("gas", blocker.at, die, die, dies, blocker.id))
                if dies:
                    kill(table, blocker.id, "gas")


def armed(state: State) -> list[tuple[str, Token]]:
    """The bombs that will go off: those dropped face up."""
    return [
        (name, token)
        for name, here in state.squares.items()
        for token in here.tokens
        if not token.face_down and item(state, token.token).drop in ("demo", "thermo")
    ]


def opening_combat_bombs(state: State) -> tuple[Step, ...]:
    """A bomb, or gas."""
    return (*((CombatBombs(),) if armed(state) else ()), *((Gas(),) if state.gas else ()))


def _melt(table: Table[State], engine: Engine, square: str) -> None:
    """A thermo bomb: its square collapses, then one above it burns (BM-3A-2, BM-R71)."""
    state = table.state
    if takes_damage(state, square) and not state.square(square).collapsed:
        engine.collapse(square, "thermo")
        engine.drain()
    above = state.map.above[square]
    choices = tuple(name for name in above if not open_air(state, name) and not state.square(name).collapsed)
    if choices:
        table.push(ChooseThermoFire(seats=(state.phasing,), squares=choices))


def _ranks(state: State, seat: int) -> dict[str, int]:
    return {name: rank for rank, name in enumerate(state.map.tower[block_of(state, seat)])}
