"""Effects of the set-up and of the turn's frame (specification, 4.1, 4.2, 4.11 to 4.13)."""

from typing import ClassVar

from games.block_mania.pieces import arrive, put, take
from games.block_mania.predicates import content_of
from games.block_mania.state import Blocker, Phase, Side, State
from games.kernel import EVERYONE, Effect, Hidden, Outcome, Public


class GameStarted(Effect, frozen=True):
    """Turn order, and the deck as shuffled with the cards discarded at the set-up (BM-SET-6, -9)."""

    turn_order: Public[tuple[int, ...]]
    discarded: Public[int]
    deck: Hidden[tuple[str, ...]]
    setup_discard: Hidden[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """The deck lies there."""
        state.turn_order = list(self.turn_order)
        state.phasing = self.turn_order[0]
        state.mania_deck = list(self.deck)
        state.setup_discard = {}
        for card in self.setup_discard:
            put(state.setup_discard, card)


class BlockChosen(Effect, frozen=True):
    """A seat took a board and laid it at an end of the row (BM-SET-7)."""

    seat: Public[int]
    board: Public[str]
    side: Public[str | None]

    def fold(self, state: State) -> None:
        """It lies there."""
        state.seats[self.seat].board = self.board
        west = self.side == "left"
        state.boards = (self.board, *state.boards) if west else (*state.boards, self.board)
        state.owners = (self.seat, *state.owners) if west else (*state.owners, self.seat)


class BlockerDrawn(Effect, frozen=True):
    """A seat drew a blocker: `counter` is its pool's word for it, or `klegg` from the supply (BM-1CI-3)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    blocker: Public[str]
    counter: Public[str]

    def fold(self, state: State) -> None:
        """It is in the seat's hand: not on the map yet."""
        name = self.counter.partition("/")[0]
        kind = content_of(state.pack).types[name]
        if kind.supply == "common":
            state.klegg_supply -= 1
        else:
            take(state.seats[self.seat].blocker_pool, self.counter)
        state.made += 1
        controller = None if "any_may_activate" in kind.flags else self.seat
        state.blockers[self.blocker] = Blocker(id=self.blocker, type=name, seat=self.seat, controller=controller)


class BlockerPlaced(Effect, frozen=True):
    """A seat placed one of its first four (BM-SET-8)."""

    seat: Public[int]
    blocker: Public[str]
    square: Public[str]
    side: Public[Side]

    def fold(self, state: State) -> None:
        """It stands there."""
        arrive(state, state.blockers[self.blocker], self.square, self.side)


class PhaseStarted(Effect, frozen=True):
    """A phase of the turn began; phases in which nothing can be done are passed over without one."""

    seat: Public[int]
    phase: Public[Phase]

    def fold(self, state: State) -> None:
        """The game is there."""
        state.phase = self.phase


class TurnStarted(Effect, frozen=True):
    """A seat's turn began."""

    seat: Public[int]
    turn_no: Public[int]

    def fold(self, state: State) -> None:
        """It is phasing; what was for one turn is over."""
        state.phasing = self.seat
        state.turn_no = self.turn_no


class TurnEnded(Effect, frozen=True):
    """A seat's turn is over (4.11, step 5)."""

    seat: Public[int]

    def fold(self, state: State) -> None:
        """Turn memory and standing passes are cleared."""
        state.command_points = 0
        state.gas = []
        for seat in state.seats:
            seat.standing = []
            seat.collapses_this_turn = 0
            seat.no_fatties, seat.mob_cost, seat.fatty_bonus = False, None, 0
        for blocker in state.blockers.values():
            blocker.activated_this_turn = blocker.movement_over = blocker.drew = blocker.must_leave = False
            blocker.fired_this_turn = blocker.fought_this_turn = False
            blocker.mp_left, blocker.free_trail, blocker.sucker_entered_turn = 0, (), None


class BlockersUnflipped(Effect, frozen=True):
    """The phasing seat's blockers and all Futsies are ready again (BM-4E-1, BM-R90)."""

    seat: Public[int]
    blockers: Public[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """Face up again."""
        for name in self.blockers:
            state.blockers[name].flipped = False


class BlockersFreed(Effect, frozen=True):
    """Stuck blockers move again: the turn of the seat that they wait for begins (2.9)."""

    seat: Public[int]
    blockers: Public[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """Not stuck any more."""
        for name in self.blockers:
            state.blockers[name].stuck_until = None


class GameOver(Effect, frozen=True):
    """The game is over; `items` says what the `dp` of each seat are for (BM-PLAY-7, -8).

    `reason` is no_blockers, all_collapsed, cards or resigned.
    """

    reason: Public[str]
    dp: Public[tuple[int, ...]]
    items: Public[tuple[dict[str, int], ...]]
    places: Public[tuple[int, ...]]
    winners: Public[tuple[int, ...]]

    def fold(self, state: State) -> None:
        """Note how it ended."""
        state.phase = "over"
        state.active = None
        state.outcome = Outcome(self.winners, self.dp, self.places, self.reason)
