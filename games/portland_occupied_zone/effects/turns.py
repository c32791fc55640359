"""Effects of a character's turn: beginning, equipping, moving, ending (specification, 4.5 and 9.1)."""

from games.kernel import Effect, Public
from games.portland_occupied_zone.pieces import end_modifiers, note, put_pc
from games.portland_occupied_zone.state import Slot, Space, State, Turn


class TurnStarted(Effect, frozen=True):
    """A character's turn begins."""

    pc: Public[str]

    def fold(self, state: State) -> None:
        """What held until now for it holds no more."""
        state.turn_index = state.turn_order.index(self.pc)
        end_modifiers(state, "next_turn", self.pc)
        state.turn = Turn(pc=self.pc, start_space=state.pcs[self.pc].space)


class TurnLost(Effect, frozen=True):
    """A character loses its turn, knocked out or in jail (POZ-KO-3, POZ-ARR-1)."""

    pc: Public[str]

    def fold(self, state: State) -> None:
        """It has paid."""
        state.turn_index = state.turn_order.index(self.pc)
        end_modifiers(state, "next_turn", self.pc)
        state.pcs[self.pc].skip = 0


class TurnEnded(Effect, frozen=True):
    """A character's turn, played or lost, is over."""

    pc: Public[str]

    def fold(self, state: State) -> None:
        """What held for this turn holds no more."""
        end_modifiers(state, "turn", self.pc)
        state.turn = None


class Revived(Effect, frozen=True):
    """A character comes to, unhurt (POZ-KO-4)."""

    pc: Public[str]

    def fold(self, state: State) -> None:
        """Awake, no injuries."""
        who = state.pcs[self.pc]
        who.status, who.injuries = "awake", 0


class Released(Effect, frozen=True):
    """A character leaves the jail (ALG-RELEASE); not `awake`: the jail is gone, but it still loses its turn."""

    pc: Public[str]
    space: Public[Space]
    awake: Public[bool] = True

    def fold(self, state: State) -> None:
        """In front of the courthouse, or in the Commune."""
        who = state.pcs[self.pc]
        who.jail = None
        if self.awake:
            who.status = "awake"
        put_pc(state, self.pc, self.space)


class BricksReplenished(Effect, frozen=True):
    """A character took bricks from the supply at the start of its turn, or of the game (POZ-TRN-2)."""

    pc: Public[str]
    n: Public[int]

    def fold(self, state: State) -> None:
        """From the supply to the character."""
        state.pcs[self.pc].bricks += self.n
        state.supplies.bricks -= self.n


class BricksChanged(Effect, frozen=True):
    """A card or power gave bricks (or took them: n below 0)."""

    pc: Public[str]
    n: Public[int]

    def fold(self, state: State) -> None:
        """From the supply to the character, or back."""
        state.pcs[self.pc].bricks += self.n
        state.supplies.bricks -= self.n


class EquippingClosed(Effect, frozen=True):
    """The first action after equipping: no more of it in this turn (POZ-TRN-3)."""

    pc: Public[str]

    def fold(self, state: State) -> None:
        """The turn is under way."""
        if state.turn is not None:
            state.turn.equip_open, state.turn.acted = False, True


class Equipped(Effect, frozen=True):
    """A hand card was equipped; what was in the slot goes to the hand."""

    pc: Public[str]
    card: Public[str]
    back: Public[str]
    slot: Public[Slot]

    def fold(self, state: State) -> None:
        """Hand to slot."""
        who, turn = state.pcs[self.pc], state.turn
        card = state.board.card(self.card, self.back)
        old = getattr(who.slots, self.slot)
        who.hand.remove(card)
        setattr(who.slots, self.slot, card)
        if old is not None:
            who.hand.append(old)
        if turn is not None:
            turn.acted = True
            turn.equipped.append(self.slot)
            if old is not None:
                turn.unequipped.append(old)


class Unequipped(Effect, frozen=True):
    """An item went from its slot to the hand."""

    pc: Public[str]
    slot: Public[Slot]
    card: Public[str]

    def fold(self, state: State) -> None:
        """Slot to hand."""
        who = state.pcs[self.pc]
        card = getattr(who.slots, self.slot)
        setattr(who.slots, self.slot, None)
        who.hand.append(card)
        if state.turn is not None:
            state.turn.acted = True
            state.turn.unequipped.append(card)


class Stepped(Effect, frozen=True):
    """A character moved by itself: `how` step, tunnel or push (behind its dumpster)."""

    pc: Public[str]
    to: Public[Space]
    how: Public[str] = "step"
    cost: Public[int] = 1

    def fold(self, state: State) -> None:
        """It is there, the movement is spent."""
        put_pc(state, self.pc, self.to)
        if state.turn is not None:
            state.turn.moved += self.cost
        if self.how == "step":
            note(state, self.pc, "steps")


class Relocated(Effect, frozen=True):
    """A character was moved: `how` shove, power, snuggle."""

    pc: Public[str]
    to: Public[Space]
    how: Public[str]

    def fold(self, state: State) -> None:
        """It is there."""
        put_pc(state, self.pc, self.to)


class GasNoticed(Effect, frozen=True):
    """Whether a character in its turn must act in gas first (`in_gas`, POZ-R27): at its start, and when that ends."""

    pc: Public[str]
    in_gas: Public[bool]

    def fold(self, state: State) -> None:
        """Noted in the turn."""
        if state.turn is not None:
            state.turn.in_gas = self.in_gas


#: Every effect of this module.
TurnEffect = (
    TurnStarted
    | TurnLost
    | TurnEnded
    | Revived
    | Released
    | BricksReplenished
    | BricksChanged
    | EquippingClosed
    | Equipped
    | Unequipped
    | Stepped
    | Relocated
    | GasNoticed
)
