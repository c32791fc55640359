"""The End Phase up to the draw: virus, fires, catastrophe (specification, 4.11). Nobody decides anything in it."""

from typing import Final

from games.block_mania.catastrophe import check_catastrophe, due
from games.block_mania.deaths import kill
from games.block_mania.effects import AttackRolled, FireChecked, FireRemoved, VirusChecked, VirusMoved
from games.block_mania.engine import FIRES_MAX, Engine, scattered
from games.block_mania.predicates import block_of, open_air, owner, place
from games.block_mania.state import State
from games.kernel import Step, Table

BURNS: Final = 7  # die and markers (BM-FIRE-8, -9)
SPRINKLED: Final = 2
VIRUS_EATS: Final = 4
VIRUS_TRIES: Final = 20  # BM-R55


class EndVirus(Step, frozen=True):
    """The plascrete virus eats the square in which it is, and moves on (BM-4A-1)."""

    def run(self, table: Table[State]) -> None:
        """Every virus on the map."""
        for square in _infected(table.state):
            die = table.roll("virus", 6)
            table.emit(VirusChecked(square, die))
            if die < VIRUS_EATS:
                continue
            if not table.state.square(square).collapsed:
                engine = Engine(table)
                engine.collapse(square, "virus")
                engine.drain()
            _move_virus(table, square)


class EndFire(Step, frozen=True):
    """The fires of the phasing seat's block grow, spread, damage and kill (BM-FIRE-6 to -9)."""

    def run(self, table: Table[State]) -> None:
        """The four steps, each over what burns as it begins."""
        engine = Engine(table)
        for square in _burning(table.state, 1):
            if table.state.square(square).fire:
                engine.kindle(square, "end_phase")
                engine.drain()
        for square in _burning(table.state, FIRES_MAX + 1):
            if table.state.square(square).fire > FIRES_MAX:
                table.emit(FireRemoved(square, 1, "spread"))
                engine.spread(square)
                engine.drain()
        for square in _burning(table.state, 1):
            if table.state.square(square).fire:
                _check_fire(table, engine, square)
        _burn_blockers(table)


class EndCatastrophe(Step, frozen=True):
    """Blocks that have lost too much may fall (BM-4C-1)."""

    def run(self, table: Table[State]) -> None:
        """Every block that is to be checked now."""
        for seat in due(table.state):
            check_catastrophe(table, seat)


def opening_end_virus(state: State) -> tuple[Step, ...]:
    """A virus that is to be checked now."""
    return (EndVirus(),) if _infected(state) else ()


def opening_end_fire(state: State) -> tuple[Step, ...]:
    """Something burns in the block."""
    return (EndFire(),) if _burning(state, 1) else ()


def opening_end_catastrophe(state: State) -> tuple[Step, ...]:
    """A block that is to be checked."""
    return (EndCatastrophe(),) if due(state) else ()


def _infected(state: State) -> list[str]:
    """Where viruses are checked now (BM-R85)."""
    every = state.options.virus_check == "every_end_phase"
    found = [name for name, here in state.squares.items() if here.virus]
    return [
        name for name in sorted(found, key=state.map.rank.__getitem__) if every or owner(state, name) == state.phasing
    ]


def _move_virus(table: Table[State], square: str) -> None:
    """Dice until they lead to another tower square of the same block, collapsed or not; at most twenty times."""
    state = table.state
    if open_air(state, square):
        return
    dice: list[int] = []
    block = place(state, square).block
    for _ in range(VIRUS_TRIES):
        pair = table.roll("virus_move", 6), table.roll("virus_move", 6)
        dice += pair
        to = scattered(state, square, pair)
        if to is not None and to != square and place(state, to).block == block:
            table.emit(VirusMoved(square, to, tuple(dice)))
            return
    table.emit(VirusMoved(square, square, tuple(dice)))


def _burning(state: State, least: int) -> list[str]:
    """The squares of the phasing seat's block with so many Fire markers: level ascending, west to east.

    Only this block is checked, whoever set it on fire (BM-4B-1, BM-FIRE-5, BM-ARS-2).
    """
    tower = state.map.tower[block_of(state, state.phasing)]
    return [name for name in tower if state.square(name).fire >= least]


def _check_fire(table: Table[State], engine: Engine, square: str) -> None:
    """Step c for a square (BM-FIRE-8)."""
    state = table.state
    die = table.roll("fire", 6)
    if die <= SPRINKLED and _sprinklers(state):
        table.emit(FireChecked(square, die, "removed"), FireRemoved(square, 1, "sprinklers"))
        return
    damages = die + state.square(square).fire >= BURNS
    table.emit(FireChecked(square, die, "damage" if damages else "none"))
    if damages:
        engine.damage(square, "fire")
        engine.drain()


def _sprinklers(state: State) -> bool:
    """Whether the water tank of the phasing seat's block is whole (BM-SD-5)."""
    tower = state.map.tower[block_of(state, state.phasing)]
    tanks = [name for name in tower if "water_tank" in place(state, name).tags]
    return all(not state.square(name).damage and not state.square(name).collapsed for name in tanks)


def _burn_blockers(table: Table[State]) -> None:
    """Step d: a die for each blocker in a burning square of the block, whoever owns it (BM-FIRE-9)."""
    state = table.state
    for square in _burning(state, 1):
        there = [blocker for blocker in state.blockers.values() if blocker.at == square]
        for blocker in sorted(there, key=lambda one: one.arrived):
            die = table.roll("fire_blocker", 6)
            score = die + state.square(square).fire
            table.emit(AttackRolled("fire", square, die, score, score >= BURNS, blocker.id))
            if score >= BURNS:
                kill(table, blocker.id, "fire")
