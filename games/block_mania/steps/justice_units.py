"""H-Wagons and Pat Wagons act in every Combat Phase (specification, 4.10; BM-3B-1 to -4)."""

from typing import ClassVar, Final

from games.block_mania.deaths import remove
from games.block_mania.effects import RemovalRolled, Screened, UnitFired
from games.block_mania.engine import Engine
from games.block_mania.pack import SHELF
from games.block_mania.predicates import item, occupants, type_of
from games.block_mania.state import Blocker, JusticeUnit, State
from games.block_mania.volley import Blast, volley
from games.kernel import Public, Step, Table

FIRING: Final = ("h_wagon", "pat_wagon")
#: The priority lists: of those in sight the best of the first category, of these the best of the next (BM-3B-2).
PRIORITIES: Final = {"h_wagon": ("heavy", "fired", "armed", "closest"), "pat_wagon": ("closest", "strongest", "mob")}
FAR: Final = 10**6


class CombatJustice(Step, frozen=True, kw_only=True):
    """The units of `left` act, in the order in which they were placed."""

    left: Public[tuple[str, ...]]

    def run(self, table: Table[State]) -> None:
        """The first of them, and then the others."""
        if not self.left:
            return
        name, *rest = self.left
        table.push(CombatJustice(left=tuple(rest)))
        unit = next(unit for unit in table.state.units if unit.id == name)
        targets = candidates(table.state, unit)
        if table.state.options.equipment_hidden:
            table.emit(Screened(table.state.phasing, "combat_justice", len(targets) > 1))
        if len(targets) == 1:
            fire_unit(table, unit, targets[0])
        elif targets:
            blockers = tuple(target.id for target in targets)
            table.push(ChooseJusticeTarget(seats=(table.state.phasing,), unit=name, blockers=blockers))


class ChooseJusticeTarget(Step, frozen=True, kw_only=True):
    """Which of the blockers that the priorities leave equal a unit attacks."""

    unit: Public[str]
    blockers: Public[tuple[str, ...]]

    menu: ClassVar[tuple[str, ...]] = ("choose_justice_target",)


def opening_combat_justice(state: State) -> tuple[Step, ...]:
    """An H-Wagon or Pat Wagon on the map."""
    units = tuple(unit.id for unit in state.units if unit.kind in FIRING)
    return (CombatJustice(left=units),) if units else ()


def candidates(state: State, unit: JusticeUnit) -> list[Blocker]:
    """Whom a unit may attack: those in sight, cut down by its priority list as far as it decides (BM-3B-2)."""
    found = [one for one in state.blockers.values() if one.at and one.stuck_until is None and _seen(state, unit, one)]
    for category in PRIORITIES[unit.kind]:
        ratings = [_rating(state, unit, one, category) for one in found]
        found = [one for one, rating in zip(found, ratings, strict=True) if rating == max(ratings)]
    return found


def fire_unit(table: Table[State], unit: JusticeUnit, target: Blocker) -> None:
    """A Cyclops Laser at the target's area, or foam grenades at the target; no Defeat Points (BM-3B-3, BM-3B-4)."""
    state = table.state
    table.emit(UnitFired(unit.id, target.id))
    kind = next(part for part in SHELF[state.pack].units if part.id == unit.kind)
    if kind.dv is not None:
        engine = Engine(table)
        blast = Blast("h_wagon", kind.dv, counts=False)
        carriers = volley(table, blast, occupants(state, target.at, target.side))
        engine.check_demos(carriers, drained=True)  # whom a charge kills counts (BM-R88)
        return
    die = table.roll("pat_wagon", 6)
    removed = die <= (kind.roll_max or 0)
    table.emit(RemovalRolled(target.id, die, removed))
    if removed:
        remove(table, target.id, "pat_wagon")


def _seen(state: State, unit: JusticeUnit, blocker: Blocker) -> bool:
    """In the unit's own square, or in its line of fire (BM-R87)."""
    return blocker.at == unit.at or state.sight.visible((unit.at, "-"), (blocker.at, blocker.side))


def _rating(state: State, unit: JusticeUnit, blocker: Blocker, category: str) -> int:
    """How well a blocker fits a category of a priority list: the best are attacked."""
    match category:
        case "heavy":
            return int(bool(blocker.deployed))
        case "fired":
            return int(blocker.fired_this_turn)  # shots of Defensive Fire (BM-R9)
        case "armed":
            return int(any(item(state, kind).weapon for kind in blocker.equipment))
        case "strongest":
            return type_of(state, blocker).strength
        case "mob":
            return int(blocker.type == "mob")
        case _:
            away = state.sight.range((unit.at, "-"), (blocker.at, blocker.side))
            return -FAR if away is None else -away
