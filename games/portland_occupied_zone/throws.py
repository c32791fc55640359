"""Throwing bricks (ALG-THROW) and the cop die."""

from msgspec import Struct

from games.kernel import Table
from games.portland_occupied_zone.effects import BricksThrown, DieRolled
from games.portland_occupied_zone.effects.combat import Purpose, Side
from games.portland_occupied_zone.modifiers import modifier
from games.portland_occupied_zone.state import State

#: Which modifier counts for what a throw is for.
KEYS: dict[Purpose, str] = {
    "attack": "hits_players",
    "attack_police": "hits_police",
    "defense": "defense",
    "arson": "arson",
    "camera": "arson",
}
HITS = {"flat": 0, "thin": 1, "end": 2}  # POZ-BRK-4


class Thrown(Struct, frozen=True):
    """Hits as the bricks lie, and with all modifiers."""

    natural: int
    total: int


def faces(state: State) -> tuple[Side, ...]:
    """How a brick lies, by the value of its die (2.4)."""
    die = state.board.pack.bricks[state.options.brick_die]
    sides: tuple[Side, ...] = ("flat", "thin", "end")
    return tuple(
        sides[0] if value <= die.flat else sides[1] if value <= die.thin else sides[2]
        for value in range(1, die.sides + 1)
    )


def throw(table: Table[State], pc: str, b: int, purpose: Purpose, bonus: int = 0) -> Thrown:
    """Throw `b` bricks of a character; `bonus` comes on top of its modifiers (a burning dumpster, a wall)."""
    state = table.state
    sides = faces(state)
    dice = tuple(table.pick("brick", sides) for _ in range(b))
    natural = sum(HITS[side] for side in dice)
    total = natural + bonus + (modifier(state, pc, KEYS[purpose]) if purpose in KEYS else 0)
    if "end" in dice and purpose != "clear_gas":  # POZ-R79
        total += modifier(state, pc, "crit")
    total = max(0, total)
    table.emit(BricksThrown(pc, purpose, dice, natural, total))
    return Thrown(natural, total)


def d4(table: Table[State], purpose: str) -> int:
    """The cop die, or any other roll of 1 to 4."""
    value = table.roll(purpose, 4)
    table.emit(DieRolled(purpose, value))
    return value
