"""Effects of the Command Phase: points, deploying, activating, moving (specification, 4.3 and 4.4)."""

from typing import ClassVar

from games.block_mania.pieces import arrive, leave_map
from games.block_mania.state import Side, State
from games.kernel import EVERYONE, Effect, Public


class CommandRolled(Effect, frozen=True):
    """Dice for command points: the 2d6 of 1b, or two more by a card; `points` are added (BM-1B-1)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    dice: Public[tuple[int, ...]]
    points: Public[int]

    def fold(self, state: State) -> None:
        """On the track."""
        state.command_points += self.points


class PointsLost(Effect, frozen=True):
    """Command points went: jammed, or left at the end of the phase (BM-1D-1)."""

    seat: Public[int]
    points: Public[int]
    cause: Public[str]

    def fold(self, state: State) -> None:
        """Off the track."""
        state.command_points -= self.points


class BlockerDeployed(Effect, frozen=True):
    """A drawn blocker came to a numbered square: all dice thrown for it, two for each try (BM-1CI-1 to -4)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    blocker: Public[str]
    dice: Public[tuple[int, ...]]
    square: Public[str]
    side: Public[Side]
    cost: Public[int]

    def fold(self, state: State) -> None:
        """It stands there."""
        arrive(state, state.blockers[self.blocker], self.square, self.side)
        state.command_points -= self.cost


class ActivationStarted(Effect, frozen=True):
    """A blocker was activated (BM-ACT-1 to -3)."""

    seat: Public[int]
    blocker: Public[str]
    type: Public[str]
    cost: Public[int]
    mp: Public[int]

    def fold(self, state: State) -> None:
        """It has its movement points."""
        state.command_points -= self.cost
        state.active = self.blocker
        blocker = state.blockers[self.blocker]
        blocker.activated_this_turn = True
        blocker.mp_left = self.mp
        blocker.free_trail = ()


class ActivationEnded(Effect, frozen=True):
    """An activation is over; `cause` is ended, pinned or stuck."""

    seat: Public[int]
    blocker: Public[str]
    cause: Public[str]

    def fold(self, state: State) -> None:
        """Nobody is active."""
        state.active = None


class MpBought(Effect, frozen=True):
    """Command points became movement points (BM-ACT-3)."""

    seat: Public[int]
    blocker: Public[str]
    n: Public[int]

    def fold(self, state: State) -> None:
        """From the track to the blocker."""
        state.command_points -= self.n
        state.blockers[self.blocker].mp_left += self.n


class MpSpent(Effect, frozen=True):
    """Movement points were spent on something that is no step."""

    blocker: Public[str]
    n: Public[int]

    def fold(self, state: State) -> None:
        """They are gone; free steps begin anew (BM-R92)."""
        blocker = state.blockers[self.blocker]
        blocker.mp_left -= self.n
        blocker.free_trail = ()


class BlockerMoved(Effect, frozen=True, rename={"from_": "from"}):
    """A blocker came to another area; `how`: walk, fly, swing, charge, or the word for a ride (elevator, pedway)."""

    blocker: Public[str]
    from_: Public[str]
    to: Public[str]
    side: Public[Side]
    how: Public[str]
    cost: Public[int]

    def fold(self, state: State) -> None:
        """It is there; a free step goes on the trail, any other ends it (BM-R92)."""
        blocker = state.blockers[self.blocker]
        free = self.how == "walk" and self.cost == 0
        blocker.free_trail = (*blocker.free_trail, self.from_) if free else ()
        blocker.mp_left -= self.cost
        blocker.must_leave, blocker.flew_in = False, self.how == "fly"
        # It may fight with a bonus in the square that it entered so, and in no other (BM-SW-3).
        blocker.sucker_entered_turn = state.turn_no if self.how == "swing" else None
        arrive(state, blocker, self.to, self.side)


class BlockerPinned(Effect, frozen=True):
    """A move has pinned a blocker and those whom it joined (4.4)."""

    blocker: Public[str]
    by: Public[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """Nothing moves: who is pinned follows from where they stand."""


class BlockerFlagged(Effect, frozen=True):
    """A card holds a blocker: `flag` is stuck or movement_over; `until` is the seat whose Command Phase frees it."""

    blocker: Public[str]
    flag: Public[str]
    until: Public[int | None]

    def fold(self, state: State) -> None:
        """It is held."""
        blocker = state.blockers[self.blocker]
        if self.flag == "stuck":
            blocker.stuck_until = self.until
        else:
            blocker.movement_over = True


class BlockerKilled(Effect, frozen=True):
    """A blocker died; its Defeat Point goes to `dp_seat`, if to anybody (BM-DP-1)."""

    blocker: Public[str]
    type: Public[str]
    square: Public[str]
    cause: Public[str]
    dp_seat: Public[int | None]

    def fold(self, state: State) -> None:
        """Out of the game."""
        leave_map(state, self.blocker)
        if self.dp_seat is not None:
            state.seats[self.dp_seat].dead_blockers += 1


class BlockerRemoved(Effect, frozen=True):
    """A blocker was arrested or taken away: no Defeat Point (BM-1A-3)."""

    blocker: Public[str]
    type: Public[str]
    square: Public[str]
    cause: Public[str]

    def fold(self, state: State) -> None:
        """Out of the game."""
        leave_map(state, self.blocker)


class BlockerFlipped(Effect, frozen=True):
    """A blocker has attacked and lies face down until it is unflipped; `fired` a weapon, `fought` hand to hand."""

    blocker: Public[str]
    fired: Public[bool] = False
    fought: Public[bool] = False

    def fold(self, state: State) -> None:
        """Face down."""
        blocker = state.blockers[self.blocker]
        blocker.flipped = True
        blocker.fired_this_turn |= self.fired
        blocker.fought_this_turn |= self.fought


class ControlTaken(Effect, frozen=True):
    """A seat controls these blockers from now on (Kleggs: BM-BLK-12)."""

    seat: Public[int]
    blockers: Public[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """They change sides."""
        for name in self.blockers:
            state.blockers[name].controller = self.seat


class TurnFlagSet(Effect, frozen=True):
    """A card holds for the phasing seat's turn: no_fatties (without a value: 0), mob_cost or fatty_bonus."""

    seat: Public[int]
    flag: Public[str]
    value: Public[int]

    def fold(self, state: State) -> None:
        """Note it."""
        seat = state.seats[self.seat]
        if self.flag == "no_fatties":
            seat.no_fatties = True
        elif self.flag == "mob_cost":
            seat.mob_cost = self.value
        else:
            seat.fatty_bonus += self.value


class ElevatorAnswered(Effect, frozen=True):
    """The controller of an enemy in the shaft let the rider pass or did not (BM-TR-4)."""

    seat: Public[int]
    allow: Public[bool]

    def fold(self, state: State) -> None:
        """Nothing moves: the ride follows."""


class SwingRolled(Effect, frozen=True):
    """The die of a swing: on 1 the swinger bounces (BM-SW-2)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    blocker: Public[str]
    die: Public[int]

    def fold(self, state: State) -> None:
        """Nothing moves yet."""
