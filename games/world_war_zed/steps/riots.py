"""Riots and relief (specification, 4.1 and 6.2 of the rulebook)."""

from typing import ClassVar, Literal

from games.kernel import Public, Step, Table
from games.world_war_zed.effects import FortRemoved, RiotPlaced, RiotsCounted
from games.world_war_zed.places import riots, room, supply_and_demand
from games.world_war_zed.state import State

RiotClass = Literal["refugees", "cities"]


class RiotCheck(Step, frozen=True):
    """Supply is held against demand; a shortage means Riots (WWZ-6.2-01 to -03)."""

    def run(self, table: Table[State]) -> None:
        """Count, then place what is due; relief follows a shortage (WWZ-R19)."""
        state = table.state
        supply, demand = supply_and_demand(state)
        shortage = max(0, demand - supply)
        out = len(riots(state)) if state.options.riot_counting == "total" else 0  # WWZ-R18
        due = min(room(state, "riots", max(0, shortage - out)), sum(len(calm) for _, calm in _calm(state)))  # WWZ-R20
        table.emit(RiotsCounted(supply, demand, shortage, due))
        if shortage or state.options.riot_relief == "every_turn":
            table.push(PlaceRiots(left=due), Relief())


class PlaceRiots(Step, frozen=True):
    """`left` Riots are due: Refugees first, then Cities; the player chooses among too many (WWZ-6.2-04)."""

    left: Public[int]

    def run(self, table: Table[State]) -> None:
        """Place those that leave no choice, then ask."""
        left = self.left
        while left:
            kind, calm = next((kind, calm) for kind, calm in _calm(table.state) if calm)
            if len(calm) > left:
                table.push(AssignRiot(seats=(0,), kind=kind, left=left))
                return
            for target in calm:
                left -= 1
                place_riot(table, target, left, forced=True)


class AssignRiot(Step, frozen=True):
    """The player chooses who riots, of the class whose turn it is; `left` Riots are due."""

    menu: ClassVar[tuple[str, ...]] = ("assign_riot",)

    kind: Public[RiotClass]
    left: Public[int]

    def run(self, table: Table[State]) -> None:
        """The rest of those due."""
        table.push(PlaceRiots(left=self.left - 1))


class Relief(Step, frozen=True):
    """Food may remove a Riot, if there is both (WWZ-6.2-06)."""

    def run(self, table: Table[State]) -> None:
        """Ask."""
        if table.state.tracks.food and riots(table.state):
            table.push(RiotRelief(seats=(0,)))


class RiotRelief(Step, frozen=True):
    """The player may feed one Riot."""

    menu: ClassVar[tuple[str, ...]] = ("feed_rioters", "decline_relief")


def calm_class(state: State, kind: RiotClass) -> list[str]:
    """Who could riot of a class: Refugees by id, or Cities by their Region."""
    if kind == "refugees":
        return [name for name, unit in state.units.items() if unit.type == "refugee" and not unit.riot]
    return [name for name, region in state.regions.items() if region.city and not region.riot]


def place_riot(table: Table[State], target: str, left: int, *, forced: bool) -> None:
    """A Riot on a Refugee or City; a Fort in that Area goes (WWZ-6.2-05, WWZ-R22)."""
    state = table.state
    table.emit(RiotPlaced(target, forced, left))
    place = state.units[target].at if target in state.units else f"{target}.city"
    if place in state.forts:
        table.emit(FortRemoved(place))


def _calm(state: State) -> list[tuple[RiotClass, list[str]]]:
    kinds: tuple[RiotClass, ...] = ("refugees", "cities")
    return [(kind, calm_class(state, kind)) for kind in kinds]
