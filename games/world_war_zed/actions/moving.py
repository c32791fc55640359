"""Moving and attacking (specification, 4.6, 4.8 and 4.12)."""

from collections.abc import Iterator
from typing import ClassVar, Self

from games.kernel import Action, Public, Table
from games.world_war_zed.actions.paying import check_pp, pay
from games.world_war_zed.actions.refusals import refuse
from games.world_war_zed.board import Area
from games.world_war_zed.effects import UnitMoved, ZedsAttacked
from games.world_war_zed.fighting import boss_alone, fighting_dice, toughness
from games.world_war_zed.legality import attackers, moves
from games.world_war_zed.places import destinations
from games.world_war_zed.scoring import finished
from games.world_war_zed.state import State


class MoveUnit(Action, frozen=True):
    """Move a unit: 1 PP."""

    rule: ClassVar[str] = "WWZ-6.7-01"

    unit: Public[str]
    to: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every unit with every destination."""
        return (cls(unit, to) for unit, to in moves(state))

    def check(self, state: State, seat: int) -> None:
        """A PP, then the move."""
        check_pp(state)
        check_move(state, self.unit, self.to)

    def apply(self, table: Table[State], seat: int) -> None:
        """Pay; it is there."""
        pay(table)
        table.emit(UnitMoved(self.unit, table.state.units[self.unit].at, self.to))


class Attack(Action, frozen=True):
    """Attack all Zeds of the Region with a unit in its Open Area, free of charge."""

    rule: ClassVar[str] = "WWZ-6.8-02"

    unit: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every unit that may."""
        return map(cls, attackers(state))

    def check(self, state: State, seat: int) -> None:
        """A unit that fights, in an Open Area, beside Zeds."""
        unit = state.units.get(self.unit)
        if unit is None:
            refuse("WWZ-6.8-02", "no_such_unit", unit=self.unit)
        if unit.type == "refugee":
            refuse("WWZ-6.8-02", "does_not_attack", unit=self.unit)
        region, _, kind = unit.at.partition(".")
        if kind != "open" or not state.regions[region].zeds:
            refuse("WWZ-6.8-01", "no_zeds_beside_it", unit=self.unit, at=unit.at)

    def apply(self, table: Table[State], seat: int) -> None:
        """Roll; either the Zeds are gone or the unit is (WWZ-R41, WWZ-R46)."""
        state = table.state
        region = state.units[self.unit].at.partition(".")[0]
        zeds = state.regions[region].zeds
        dice = fighting_dice(table, "attack", self.unit, toughness(state, region))
        removed = min(sum(dice), zeds)
        table.emit(ZedsAttacked(self.unit, dice, removed, removed < zeds))
        boss_alone(table)
        finished(table)


def check_move(state: State, name: str, to: str) -> None:
    """Refuse a move that 6.7 does not allow, whatever it costs, in the order of 4.12."""
    unit, area = state.units.get(name), state.board.areas.get(to)
    if unit is None:
        refuse("WWZ-6.7-04", "no_such_unit", unit=name)
    if unit.type == "survivalist":
        refuse("WWZ-6.7-04", "never_moves", unit=name)
    if unit.riot:
        refuse("WWZ-6.7-03", "riots", unit=name)
    if area is None:
        refuse("WWZ-6.7-01", "no_such_area", area=to)
    if unit.type == "refugee" and area.kind == "dz":
        refuse("WWZ-6.7-03", "not_into_a_zone", unit=name)
    check_counter(state, area)
    if to not in destinations(state, unit):
        refuse("WWZ-6.7-01", "not_next_to_it", unit=name, at=unit.at, to=to)


def check_counter(state: State, area: Area) -> None:
    """Refuse a City or Farm Area without its counter."""
    if area.region is None:
        return
    region = state.regions[area.region]
    if area.kind == "city" and not region.city:
        refuse("WWZ-1.1-05", "no_city_there", region=area.region)
    if area.kind == "farm" and not region.farm:
        refuse("WWZ-1.1-06", "no_farm_there", region=area.region)
