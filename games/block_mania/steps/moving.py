"""What a move sets off (specification, 4.4): rides on the way, tokens in the square entered, windows, being pinned."""

from typing import ClassVar, Final

from games.block_mania.board import Area
from games.block_mania.effects import (
    ActivationEnded,
    BlockerMoved,
    BlockerPinned,
    CarMoved,
    TokenInspected,
    TrapSprung,
)
from games.block_mania.engine import Engine
from games.block_mania.predicates import enemy, item, occupants, type_of
from games.block_mania.state import State, Token
from games.block_mania.steps.window import Window, asked
from games.block_mania.volley import Blast
from games.kernel import Public, Step, Table

#: What goes off under whoever comes.
MINE: Final = "trip_mine"


def enter(table: Table[State], blocker: str, area: Area, how: str, cost: int) -> None:
    """A blocker comes to an area (entry effects 1 to 3, always: BM-R13); what comes after has been pushed before."""
    state = table.state
    mover = state.blockers[blocker]
    start, (square, side) = mover.at, area
    table.emit(BlockerMoved(blocker, start, square, side, how, cost))
    # BM-R19.
    if how == "sky_rail" and state.options.sky_rail_car_moves:
        table.emit(CarMoved(start, square))
    others = [one for one in occupants(state, square, side) if one.id != blocker]
    if any(enemy(mover, one) for one in others):
        table.emit(BlockerPinned(blocker, tuple(one.id for one in others)))
    if state.square(square).tokens:
        table.push(FindTokens(blocker=blocker, square=square))


class FindTokens(Step, frozen=True, kw_only=True):
    """The blocker that entered meets the tokens there, oldest first, those after `after` (BM-WALK-8, BM-ALT-3)."""

    blocker: Public[str]
    square: Public[str]
    after: Public[int] = -1

    def alive(self, state: State) -> bool:
        """Whether the blocker is still there."""
        return self.blocker in state.blockers and state.blockers[self.blocker].at == self.square

    def run(self, table: Table[State]) -> None:
        """The next token, and then the others."""
        state = table.state
        tokens = sorted(state.square(self.square).tokens, key=lambda token: token.order)
        found = next((one for one in tokens if one.order > self.after and _met(one)), None)
        if found is None:
            return
        table.push(FindTokens(blocker=self.blocker, square=self.square, after=found.order))
        seat = state.phasing
        if found.face_down:
            table.emit(TokenInspected(seat, self.square, found.order, found.token))
        if found.token == MINE:
            self._spring(table, found)
        elif "no_equipment" not in type_of(state, state.blockers[self.blocker]).flags:
            table.push(TakeToken(seats=(seat,), blocker=self.blocker, square=self.square, order=found.order))

    def _spring(self, table: Table[State], mine: Token) -> None:
        """An attack on the mover, then damage to the square."""
        table.emit(TrapSprung(self.blocker, self.square, mine.order))
        engine = Engine(table)
        engine.attack(Blast("trip_mine", item(table.state, "trip_mine").dv), [table.state.blockers[self.blocker]])
        engine.damage(self.square, "trip_mine")
        engine.drain()


def _met(token: Token) -> bool:
    return token.face_down or token.token == MINE


class TakeToken(Step, frozen=True, kw_only=True):
    """The seat that moves the blocker may take what it found (BM-ALT-3)."""

    blocker: Public[str]
    square: Public[str]
    order: Public[int]

    menu: ClassVar[tuple[str, ...]] = ("take_token",)


class AfterMove(Step, frozen=True, kw_only=True):
    """After a move: a blocker pinned by it is done (BM-R12); else the others may play on it, if it stands alone."""

    blocker: Public[str]
    how: Public[str]

    def alive(self, state: State) -> bool:
        """Whether its activation goes on."""
        return state.active == self.blocker

    def run(self, table: Table[State]) -> None:
        """End the activation, or open the window (2.9)."""
        state = table.state
        mover = state.blockers[self.blocker]
        others = [one for one in occupants(state, mover.at, mover.side) if one.id != self.blocker]
        if any(enemy(mover, one) for one in others):
            table.emit(ActivationEnded(state.phasing, self.blocker, "pinned"))
        elif not others:
            seats = tuple(state.after(state.phasing))
            entered = Window(kind="H", event="enter", order=seats, blocker=self.blocker, how=self.how)
            table.push(*asked(state, entered))


class Ride(Step, frozen=True, kw_only=True):
    """An elevator goes past the squares of `path`; a single enemy there may stop it (BM-TR-4, BM-R15)."""

    blocker: Public[str]
    path: Public[tuple[str, ...]]

    def alive(self, state: State) -> bool:
        """Whether it has not been stopped."""
        return bool(self.path) and self.blocker in state.blockers

    def run(self, table: Table[State]) -> None:
        """Past the next square, or at the end of the path out of the elevator."""
        state = table.state
        square, *rest = self.path
        if not rest:
            table.push(AfterMove(blocker=self.blocker, how="elevator"))
            enter(table, self.blocker, (square, "-"), "elevator", 1)
            return
        table.push(Ride(blocker=self.blocker, path=tuple(rest)))
        rider, there = state.blockers[self.blocker], occupants(state, square, "-")
        if len(there) == 1 and enemy(rider, there[0]) and there[0].stuck_until is None:
            controller = there[0].controller
            if controller is not None:
                table.push(AnswerElevator(seats=(controller,), blocker=self.blocker, square=square))


class AnswerElevator(Step, frozen=True, kw_only=True):
    """The controller of the one enemy in a shaft square lets the rider pass or stops it (BM-TR-4)."""

    blocker: Public[str]
    square: Public[str]

    menu: ClassVar[tuple[str, ...]] = ("answer_elevator",)


class Arrive(Step, frozen=True, kw_only=True):
    """A ride on the Mega-Way comes to its end, if the rider lives (2.9, H:vehicle)."""

    blocker: Public[str]
    to: Public[str]

    def alive(self, state: State) -> bool:
        """Whether there is still a rider."""
        return state.active == self.blocker

    def run(self, table: Table[State]) -> None:
        """It is there; the fare is paid already."""
        table.push(AfterMove(blocker=self.blocker, how="mega_way"))
        enter(table, self.blocker, (self.to, "-"), "mega_way", 0)
