"""Effects of equipment and of tokens that lie in squares (specification, 4.3, 4.4, 4.10, 4.16).

Where equipment is hidden, `open` is false and a kind is seen by the seat in `seat` alone (BM-R57).
"""

from typing import Annotated, ClassVar

from msgspec import structs

from games.block_mania.pieces import lose, pool_of, square, take, tidy, to_pool
from games.block_mania.predicates import lies_open
from games.block_mania.state import State, Token
from games.kernel import EVERYONE, OTHERS, Effect, Public, secret_to

Kind = Annotated[str, secret_to("seat", unless="open")]


class EquipmentDrawn(Effect, frozen=True):
    """A blocker of `seat` drew a token (BM-EQA-1); one that its type cannot carry is returned next (BM-1CI-6)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    blocker: Public[str]
    pool: Public[str]
    token: Kind
    open: Public[bool]

    def fold(self, state: State) -> None:
        """From the pool to the blocker."""
        take(pool_of(state, self.token), self.token)
        blocker = state.blockers[self.blocker]
        blocker.equipment = (*blocker.equipment, self.token)


class EquipmentReturned(Effect, frozen=True):
    """A token went back to its pool; `cause`: surplus, spent, exploded, sent, heavy, unusable (BM-EQA-2, -4)."""

    seat: Public[int]
    blocker: Public[str]
    token: Kind
    cause: Public[str]
    open: Public[bool]

    def fold(self, state: State) -> None:
        """From the blocker to the pool."""
        lose(state.blockers[self.blocker], self.token, face_up=self.open)
        to_pool(state, self.token)


class EquipmentGiven(Effect, frozen=True):
    """A token was given to a neighbour, at a movement point of the one who got it (BM-EQA-5)."""

    seat: Public[int]
    blocker: Public[str]
    to: Public[str]
    token: Kind
    open: Public[bool]

    def fold(self, state: State) -> None:
        """From hand to hand, undeployed."""
        giver, receiver = state.blockers[self.blocker], state.blockers[self.to]
        # What has been seen stays seen in another's hands (BM-R57).
        shown = self.token in giver.shown or (self.open and not lies_open(state, receiver))
        lose(giver, self.token, face_up=self.open)
        giver.free_trail = ()
        receiver.equipment = (*receiver.equipment, self.token)
        receiver.shown = (*receiver.shown, self.token) if shown else receiver.shown
        receiver.mp_left -= 1


class EquipmentDeployed(Effect, frozen=True):
    """A heavy item was set up (BM-EQA-6)."""

    blocker: Public[str]
    token: Public[str]
    cost: Public[int]

    def fold(self, state: State) -> None:
        """It can be used where it stands."""
        blocker = state.blockers[self.blocker]
        blocker.deployed = (*blocker.deployed, self.token)
        blocker.mp_left -= self.cost
        blocker.free_trail = ()


class EquipmentShown(Effect, frozen=True):
    """A hidden token was used and is known to all from now on (BM-R57)."""

    tells: ClassVar[tuple[str, ...]] = OTHERS

    seat: Public[int]
    blocker: Public[str]
    token: Public[str]

    def fold(self, state: State) -> None:
        """Face up."""
        blocker = state.blockers[self.blocker]
        blocker.shown = (*blocker.shown, self.token)


class DrawUsed(Effect, frozen=True):
    """A blocker looked for equipment: it moves no more in this activation (BM-EQA-1)."""

    blocker: Public[str]

    def fold(self, state: State) -> None:
        """Once for each activation."""
        blocker = state.blockers[self.blocker]
        blocker.drew = blocker.movement_over = True
        blocker.free_trail = ()


class TokenDropped(Effect, frozen=True):
    """A token was put down, for a movement point; face down (not `open`) only its dropper knows it (BM-EQA-7)."""

    seat: Public[int]
    blocker: Public[str]
    square: Public[str]
    token: Kind
    open: Public[bool]
    must_leave: Public[bool]

    def fold(self, state: State) -> None:
        """It lies there."""
        blocker = state.blockers[self.blocker]
        lose(blocker, self.token)
        blocker.mp_left -= 1
        blocker.free_trail = ()
        blocker.must_leave = self.must_leave
        state.clock += 1
        here = square(state, self.square)
        dropped = Token(self.token, self.seat, state.turn_no, face_down=not self.open, order=state.clock)
        here.tokens = (*here.tokens, dropped)


class TokenInspected(Effect, frozen=True):
    """The blocker that entered looked at the token with this `order` (BM-ALT-3)."""

    tells: ClassVar[tuple[str, ...]] = ("seat",)

    seat: Public[int]
    square: Public[str]
    order: Public[int]
    token: Annotated[str, secret_to("seat")]

    def fold(self, state: State) -> None:
        """Its seat remembers it."""
        here = square(state, self.square)
        here.tokens = tuple(
            structs.replace(token, seen=tuple(sorted({*token.seen, self.seat}))) if token.order == self.order else token
            for token in here.tokens
        )


class TokenTaken(Effect, frozen=True):
    """The blocker took the token that it found (BM-ALT-3)."""

    seat: Public[int]
    blocker: Public[str]
    square: Public[str]
    order: Public[int]
    token: Annotated[str, secret_to("seat")]

    def fold(self, state: State) -> None:
        """From the square to the blocker."""
        _lift(state, self.square, self.order)
        blocker = state.blockers[self.blocker]
        blocker.equipment = (*blocker.equipment, self.token)


class TokenRemoved(Effect, frozen=True):
    """A token in a square is used up: a bomb that went off (BM-3A-1, -2)."""

    square: Public[str]
    order: Public[int]
    token: Public[str]

    def fold(self, state: State) -> None:
        """To its pool."""
        _lift(state, self.square, self.order)
        to_pool(state, self.token)


class TrapSprung(Effect, frozen=True):
    """A trip mine went off under a blocker; the attack follows (BM-WALK-8)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    blocker: Public[str]
    square: Public[str]
    order: Public[int]

    def fold(self, state: State) -> None:
        """To its pool."""
        _lift(state, self.square, self.order)
        to_pool(state, "trip_mine")


def _lift(state: State, name: str, order: int) -> None:
    here = square(state, name)
    here.tokens = tuple(token for token in here.tokens if token.order != order)
    tidy(state, name)
