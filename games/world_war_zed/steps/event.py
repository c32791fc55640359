"""The Random Event Phase: an event's ops one after the other (specification, H6, 2.3 and 4.1)."""

from typing import ClassVar

from games.kernel import Public, Step, Table
from games.world_war_zed.effects import EffectSkipped, RandomEventRolled
from games.world_war_zed.events.candidates import candidates, would_change
from games.world_war_zed.events.doing import do, do_at
from games.world_war_zed.ops import FirstOf, FreeMove, SimpleOp
from games.world_war_zed.state import State


class EventPhase(Step, frozen=True):
    """Two dice pick an event (WWZ-3-01)."""

    def run(self, table: Table[State]) -> None:
        """Roll, and push what the event does."""
        board = table.state.board
        dice = table.roll("event", 6), table.roll("event", 6)
        event = board.event_at(*dice)
        table.emit(RandomEventRolled(dice, event))
        table.push(*(EventOp(event=event, op=index) for index in range(len(board.events[event]))))


class EventOp(Step, frozen=True):
    """One op of an event; `choice` is the one chosen of a `first_of`."""

    event: Public[str]
    op: Public[int]
    choice: Public[int | None] = None

    def run(self, table: Table[State]) -> None:
        """Do it, ask where, or say that it comes to nothing."""
        state = table.state
        op = state.board.events[self.event][self.op]
        if isinstance(op, FirstOf):
            if self.choice is None:
                self._choose(table, op)
                return
            op = op.ops[self.choice]
        if not would_change(state, op):
            table.emit(EffectSkipped(_name(op), "nothing_to_do"))
        elif isinstance(op, FreeMove):
            table.push(EventFreeMove(seats=(0,)))
        else:
            self._aim(table, op)

    def _choose(self, table: Table[State], op: FirstOf) -> None:
        for index, inner in enumerate(op.ops):
            if would_change(table.state, inner):
                table.push(EventOp(event=self.event, op=self.op, choice=index))
                return
        table.emit(EffectSkipped(_name(op), "nothing_to_do"))

    def _aim(self, table: Table[State], op: SimpleOp) -> None:
        """One candidate is taken without asking (2.3)."""
        targets = candidates(table.state, op)
        if targets is None:
            do(table, op)
        elif len(targets) == 1:
            do_at(table, op, targets[0])
        else:
            table.push(
                ChooseEventTarget(seats=(0,), event=self.event, op=self.op, choice=self.choice, candidates=targets)
            )


class ChooseEventTarget(Step, frozen=True):
    """The player chooses where an op of the event strikes: a Region, an area, a unit or a type of unit."""

    menu: ClassVar[tuple[str, ...]] = ("choose_event_target",)
    root: ClassVar[bool] = True

    event: Public[str]
    op: Public[int]
    candidates: Public[tuple[str, ...]]
    choice: Public[int | None] = None

    def chosen_op(self, state: State) -> SimpleOp:
        """The op that the target is for."""
        op = state.board.events[self.event][self.op]
        if isinstance(op, FirstOf):
            assert self.choice is not None
            return op.ops[self.choice]
        return op


class EventFreeMove(Step, frozen=True):
    """The player may move one unit free of charge."""

    menu: ClassVar[tuple[str, ...]] = ("event_move_unit", "decline_event")
    root: ClassVar[bool] = True


def _name(op: SimpleOp | FirstOf) -> str:
    return str(op.__struct_config__.tag)
