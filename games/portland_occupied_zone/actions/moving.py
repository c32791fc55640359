"""Walking, tunnels, the end of a turn (specification, 4.5)."""

from collections.abc import Iterator
from typing import ClassVar, Self

from games.kernel import Action, Public, Table
from games.portland_occupied_zone.actions.common import begin, check_free, check_hand, me, turn_of
from games.portland_occupied_zone.actions.refusals import refuse
from games.portland_occupied_zone.effects import Stepped
from games.portland_occupied_zone.harm import enter, foul
from games.portland_occupied_zone.modifiers import hand_limit, move_rate
from games.portland_occupied_zone.places import barred, exists, is_building, neighbours, padj, space_at
from games.portland_occupied_zone.state import Space, State
from games.portland_occupied_zone.steps.turns import Turn


class Walk(Action, frozen=True, tag="step"):
    """Take a step into a neighbouring space."""

    rule: ClassVar[str] = "POZ-TRN-5"
    exact: ClassVar[bool] = True

    space: Public[Space]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every neighbour that can be entered."""
        pc = turn_of(state).pc
        if turn_of(state).moved < move_rate(state, pc):
            yield from (cls(s) for s in neighbours(state, me(state).space) if barred(state, pc, s) is None)

    def check(self, state: State, seat: int) -> None:
        """A neighbour, open to this character, with movement left."""
        here = me(state).space
        if not exists(state, self.space):
            refuse("POZ-TRN-6", "no_such_space")
        if self.space not in neighbours(state, here):
            walls = padj(state, here, self.space) and (is_building(state, here) or is_building(state, self.space))
            refuse("POZ-ARS-24" if walls else "POZ-TRN-6", "no_door_there" if walls else "not_next_to_it")
        shut = barred(state, turn_of(state).pc, self.space)
        if shut is not None:
            refuse(*shut)
        check_movement(state, 1)

    def apply(self, table: Table[State], seat: int) -> None:
        """It is there; what is there befalls it."""
        begin(table)
        pc = turn_of(table.state).pc
        table.emit(Stepped(pc, self.space))
        enter(table, pc, self.space, "step")


class UseTunnel(Action, frozen=True):
    """Go through the tunnels, from one burnt business to another; that ends the turn (POZ-ARS-12, -13)."""

    rule: ClassVar[str] = "POZ-ARS-13"
    exact: ClassVar[bool] = True

    entrance: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every other open end."""
        ends = tunnels(state)
        turn = turn_of(state)
        if turn.in_gas or me(state).space not in ends.values() or turn.moved >= move_rate(state, turn.pc):
            return
        if len(me(state).hand) <= hand_limit(state, turn.pc):
            for name, space in ends.items():
                if space != me(state).space and barred(state, turn.pc, space) is None:
                    yield cls(name)

    def check(self, state: State, seat: int) -> None:
        """Two open ends, the other one open to this character, movement, a hand that fits."""
        check_free(state)
        ends, here = tunnels(state), me(state).space
        if here not in ends.values():
            refuse("POZ-ARS-13", "no_tunnel_here")
        if self.entrance not in ends or ends[self.entrance] == here:
            refuse("POZ-ARS-12", "no_tunnel_there", entrance=self.entrance)
        shut = barred(state, turn_of(state).pc, ends[self.entrance])
        if shut is not None:
            refuse("POZ-R41", shut[1])
        check_movement(state, 1)
        check_hand(state)

    def apply(self, table: Table[State], seat: int) -> None:
        """Out at the other end."""
        table.amend(Turn, over=True)
        begin(table)
        pc, to = turn_of(table.state).pc, tunnels(table.state)[self.entrance]
        table.emit(Stepped(pc, to, "tunnel"))
        enter(table, pc, to, "tunnel")


class EndTurn(Action, frozen=True):
    """End the turn."""

    rule: ClassVar[str] = "POZ-LOT-5"
    exact: ClassVar[bool] = True
    declines: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """If the hand fits, or in gas."""
        turn = turn_of(state)
        if turn.in_gas or len(me(state).hand) <= hand_limit(state, turn.pc):
            yield cls()

    def check(self, state: State, seat: int) -> None:
        """In gas the hand does not matter."""
        if not turn_of(state).in_gas:
            check_hand(state)

    def apply(self, table: Table[State], seat: int) -> None:
        """In gas, it knocks out (POZ-GAS-4)."""
        table.amend(Turn, over=True)
        if turn_of(table.state).in_gas:
            foul(table, turn_of(table.state).pc)


def tunnels(state: State) -> dict[str, Space]:
    """The open ends of the tunnels: the spaces of the entrances of burnt businesses."""
    return {
        name: space_at(state, building.tunnel)
        for name, building in state.board.buildings.items()
        if building.tunnel is not None and not state.buildings[name].standing
    }


def check_movement(state: State, cost: int) -> None:
    """Refuse what costs more movement than is left (POZ-TRN-5)."""
    turn = turn_of(state)
    rate = move_rate(state, turn.pc)
    if turn.moved + cost > rate:
        refuse("POZ-TRN-5", "no_movement_left", rate=rate, moved=turn.moved)
