"""Fights between characters, and attacks that a character defends itself from (ALG-PVP, ALG-COPHIT, op `strike`)."""

from typing import ClassVar

from games.kernel import Public, Step, Table
from games.portland_occupied_zone.effects import CombatBegun, CombatDecided, OutcomeChosen
from games.portland_occupied_zone.effects.people import Cause
from games.portland_occupied_zone.effects.police import JACKSON
from games.portland_occupied_zone.fighting import hit_figure, stats, wall
from games.portland_occupied_zone.harm import hurt
from games.portland_occupied_zone.modifiers import in_force
from games.portland_occupied_zone.places import figures
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.tasks.burning import HITS, ignite
from games.portland_occupied_zone.throws import d4, throw


class Combat(Step, frozen=True):
    """Attacker and defender declare their bricks, hidden until both are in (POZ-PVP-2).

    `pc`: whose turn it is to declare if one seat plays both; `last`: after this the bricks are thrown.
    """

    menu: ClassVar[tuple[str, ...]] = ("commit_bricks",)
    sealed: ClassVar[bool] = True
    auto: ClassVar[bool] = True

    pc: Public[str | None] = None
    last: Public[bool] = False

    def run(self, table: Table[State]) -> None:
        """Throw; the winner chooses (POZ-PVP-10)."""
        if self.last and _won(table):
            fight = table.state.combat
            assert fight is not None
            table.push(ChooseOutcome(seats=(table.state.seat_of(fight.attacker),)))


class ChooseOutcome(Step, frozen=True):
    """The attacker has won: injuries, or something else (POZ-PVP-10 to -16)."""

    menu: ClassVar[tuple[str, ...]] = ("choose_outcome",)


class Defend(Step, frozen=True):
    """A character attacked by a police `figure`, or struck by a card (`damage`), says how many bricks it throws."""

    menu: ClassVar[tuple[str, ...]] = ("commit_bricks",)
    auto: ClassVar[bool] = True

    pc: Public[str]
    figure: Public[str | None] = None
    damage: Public[int] = 0
    by: Public[str | None] = None

    def alive(self, state: State) -> bool:
        """Only who is awake defends itself."""
        return state.pcs[self.pc].awake


def begin_combat(table: Table[State], attacker: str, defender: str, bonus: int = 0) -> None:
    """Both declare their bricks, hidden; one seat for both is asked twice, the attacker first (4.1)."""
    state = table.state
    table.emit(CombatBegun(attacker, defender, bonus))
    seats = state.seat_of(attacker), state.seat_of(defender)
    if seats[0] == seats[1]:
        table.push(Combat(seats=seats[:1], pc=attacker), Combat(seats=seats[:1], pc=defender, last=True))
    else:
        table.push(Combat(seats=tuple(sorted(seats)), last=True))


def _won(table: Table[State]) -> bool:
    """Both throw, the attacker's dice first (POZ-PVP-3); whether any injury would result."""
    state = table.state
    fight = state.combat
    assert fight is not None
    attacker, defender, declared = fight.attacker, fight.defender, dict(fight.declared)
    hits = throw(table, attacker, declared[attacker], "attack", fight.bonus).total
    guard = throw(table, defender, declared[defender], "defense", wall(state, defender)).total
    table.emit(CombatDecided(attacker, defender, max(0, hits - guard)))
    if hits <= guard:
        table.emit(OutcomeChosen(attacker, defender))
    return hits > guard


def defended(table: Table[State], step: Defend, b: int) -> None:
    """The cop die, then the bricks; what is not blocked hurts (ALG-COPHIT; POZ-COP-2 to -4)."""
    state = table.state
    damage, cause = step.damage, _cause(step)
    if step.figure is not None:
        damage = d4(table, "cop") + damage_bonus(state, step.figure)
    guard = throw(table, step.pc, b, "defense", wall(state, step.pc)).total
    hurt(table, step.pc, damage - guard, cause, step.by)


def _cause(step: Defend) -> Cause:
    return "pc" if step.figure is None else "cop"


def damage_bonus(state: State, figure: str) -> int:
    """What is added to the cop die of a figure."""
    return stats(state, figure).damage + (in_force(state, "jackson_damage") if figure == JACKSON else 0)


def cop_hits(table: Table[State], figure: str, pc: str) -> None:
    """A cop attacks a character, which may defend itself (ALG-COPHIT)."""
    table.push(Defend(seats=(table.state.seat_of(pc),), pc=pc, figure=figure))


def strike(table: Table[State], pc: str, target: str, hits: int) -> None:
    """Fixed hits on a character, a figure or a checkpoint (op `strike`)."""
    state = table.state
    if target in state.pcs:
        if state.pcs[target].awake:
            table.push(Defend(seats=(state.seat_of(target),), pc=target, damage=hits, by=pc))
    elif target in state.checkpoints:
        ignite(table, target, hits // HITS, pc)
    elif target in figures(state):  # it may be gone since it was picked
        hit_figure(table, pc, target, hits)
