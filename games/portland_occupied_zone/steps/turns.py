"""A character's turn (specification, 4.5), and its end (ALG-ENDTURN)."""

from typing import ClassVar

from games.kernel import Public, Step, Table
from games.portland_occupied_zone.effects import (
    DrugWoreOff,
    GasNoticed,
    Revived,
    TurnEnded,
    TurnLost,
    TurnStarted,
)
from games.portland_occupied_zone.harm import fire, foul, heal, hurt, immune, release, stability
from games.portland_occupied_zone.modifiers import flagged
from games.portland_occupied_zone.places import gassed, is_building
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.steps.setup import replenish


class TakeTurn(Step, frozen=True):
    """A character's place in the order has come: it has its turn, or loses it."""

    pc: Public[str]

    def run(self, table: Table[State]) -> None:
        """By its status (4.5 step 1)."""
        who = table.state.pcs[self.pc]
        if who.status == "dead":
            return
        if who.status == "jailed" or (who.status == "ko" and who.skip):
            self._lose(table)
            return
        if who.status == "ko":
            table.emit(Revived(self.pc))
        self._begin(table)

    def _lose(self, table: Table[State]) -> None:
        """Lost, in bed or in jail; who was in jail is free at its end (POZ-ARR-7)."""
        table.emit(TurnLost(self.pc))
        wear_off(table, self.pc)
        table.push(TurnOver(pc=self.pc))
        if table.state.pcs[self.pc].status == "jailed":
            release(table, self.pc)

    def _begin(self, table: Table[State]) -> None:
        """Bricks, fire, gas; then it is the seat's turn (4.5 steps 2 to 5)."""
        state = table.state
        who = state.pcs[self.pc]
        table.emit(TurnStarted(self.pc))
        table.push(Turn(seats=(who.seat,), pc=self.pc), AfterTurn(pc=self.pc))
        replenish(table, self.pc)
        if is_building(state, who.space):
            fire(table, self.pc, str(who.space))
        if who.awake and state.options.gas_timing == "first_action" and _chokes(state, self.pc):
            table.emit(GasNoticed(self.pc, in_gas=True))


class Turn(Step, frozen=True):
    """The turn of a character: action after action, until its seat ends it or it is knocked out."""

    #: Throwing a card away comes first: it is the default while the hand is too big for the turn to end (4.11).
    menu: ClassVar[tuple[str, ...]] = (
        "discard",
        "equip",
        "unequip",
        "step",
        "push_dumpster",
        "use_tunnel",
        "loot",
        "commit_arson",
        "destroy_camera",
        "attack",
        "attack_police",
        "dumpster_dive",
        "use_structure",
        "use_power",
        "use_card",
        "offer_trade",
        "claim_plan",
        "create_npc",
        "transmit_disease",
        "search_body",
        "steal_from_body",
        "take_tin_pot",
        "extinguish",
        "clear_gas",
        "end_turn",
    )
    root: ClassVar[bool] = True

    pc: Public[str]
    over: Public[bool] = False

    def alive(self, state: State) -> bool:
        """A turn is cut short when its character is not awake."""
        return state.turn is not None and state.turn.pc == self.pc and state.pcs[self.pc].awake

    def run(self, table: Table[State]) -> None:
        """After an action: the next one."""
        if self.over:
            return
        state = table.state
        turn = state.turn
        if turn is not None and turn.in_gas and not _chokes(state, self.pc):
            table.emit(GasNoticed(self.pc, in_gas=False))
        table.push(Turn(seats=(state.seat_of(self.pc),), pc=self.pc))


class AfterTurn(Step, frozen=True):
    """The end of a turn, played to its end or cut short (ALG-ENDTURN)."""

    pc: Public[str]

    def run(self, table: Table[State]) -> None:
        """Drugs wear off, a rest in the Ball Pit heals, filth knocks out."""
        state = table.state
        who, turn = state.pcs[self.pc], state.turn
        wear_off(table, self.pc)
        table.push(TurnOver(pc=self.pc))
        if not who.awake or turn is None:
            return
        thing = state.structures.get(who.space) if isinstance(who.space, str) else None
        if thing is not None and thing.type == "ball_pit" and turn.start_space == who.space and not turn.left_start:
            heal(table, self.pc, None)
        if not immune(state, self.pc, who.space):
            foul(table, self.pc)


class TurnOver(Step, frozen=True):
    """What held for the turn holds no more."""

    pc: Public[str]

    def run(self, table: Table[State]) -> None:
        """It is over."""
        table.emit(TurnEnded(self.pc))


def wear_off(table: Table[State], pc: str) -> None:
    """ALG-ENDTURN 1, in the order used: states taken back, injuries, the card; who is down feels nothing of it."""
    state = table.state
    who = state.pcs[pc]
    for tail in tuple(who.drug_tail):
        if who.awake and tail.stability:
            stability(table, pc, -tail.stability, soften=False)
        for call in state.board.kind(tail.card).tail:
            if call.name == "hurt":
                hurt(table, pc, call.number(1), "other")
        table.emit(DrugWoreOff(pc, tail.card))


def _chokes(state: State, pc: str) -> bool:
    """Whether a character stands in gas unprotected."""
    return gassed(state, state.pcs[pc].space) and not flagged(state, pc, "immune_gas")
