"""Reaction windows (specification, 2.9): every seat with a card is asked, so that being asked tells nothing."""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Self

from msgspec import structs

from games.block_mania.cards import playable
from games.block_mania.effects import Screened, WindowOpened, WindowPassed
from games.block_mania.state import State, WindowKind
from games.kernel import Action, Public, Secret, Step, Table


class Declared(Step, frozen=True, kw_only=True):
    """An attack whose dice are not thrown yet: what A cards amend. A ruleset's attack steps derive from it."""

    def modified(self, seat: int, amount: int, *, own: bool) -> dict[str, Any]:
        """The fields to change when `seat` plays a card: on its `own` roll, or on that of the other side."""
        raise NotImplementedError


class Window(Step, frozen=True, kw_only=True):
    """A window: `order` is asked seat by seat; who plays is asked again, who has `passed` is out of it.

    `event` says what opened it, `blocker` whom it is about and `how` that one came; when it is gone an H window closes.
    """

    kind: Public[WindowKind]
    event: Public[str]
    order: Public[tuple[int, ...]]
    passed: Public[tuple[int, ...]] = ()
    blocker: Public[str | None] = None
    how: Public[str] = ""
    opened: Public[bool] = False

    menu: ClassVar[tuple[str, ...]] = ("play_mania", "pass")
    window: ClassVar[bool] = True

    def alive(self, state: State) -> bool:
        """Whether the blocker that it is about is still there (2.9)."""
        return self.kind != "H" or self.blocker is None or self.blocker in state.blockers

    def run(self, table: Table[State]) -> None:
        """Ask the next seat that is to be asked."""
        state, passed = table.state, self.passed
        if not self.opened:
            table.emit(WindowOpened(self.kind, self.event, self.blocker))
        by_card = state.options.reaction_prompt == "eligible_card"
        for seat in self.order:
            if seat in passed:
                continue
            eligible = bool(state.seats[seat].hand) and (not by_card or self._can_play(state, seat))
            if by_card:
                table.emit(Screened(seat, self.kind, eligible))
            if eligible:
                table.push(structs.replace(self, passed=passed, seats=(seat,), opened=True))
                return
            passed = (*passed, seat)

    def _can_play(self, state: State, seat: int) -> bool:
        """Whether the seat has a card for this window (being asked then tells that it has one)."""
        return next(iter(playable(state, seat, self)), None) is not None

    def standing(self, state: State, seat: int) -> Action | None:
        """A pass for the rest of the turn covers every window of its kind."""
        return Pass() if self.kind in state.seats[seat].standing else None


class Pass(Action, frozen=True):
    """Play nothing in this window; `rest_of_turn`: nor in any window of its kind until the turn ends (2.9)."""

    rule: ClassVar[str] = "BM-MAN-1"
    declines: ClassVar[bool] = True
    exact: ClassVar[bool] = True

    rest_of_turn: Secret[bool] = False

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """For now, or for the turn."""
        return map(cls, (False, True))

    def apply(self, table: Table[State], seat: int) -> None:
        """It is out of this window."""
        window = table.state.agenda[-1]
        assert isinstance(window, Window)
        table.emit(WindowPassed(seat, window.kind, self.rest_of_turn))
        table.amend(Window, passed=(*window.passed, seat))

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """The kind of window that it passes."""
        window = state.agenda[-1]
        assert isinstance(window, Window)
        return {"window": window.kind}


def asked(state: State, window: Window) -> tuple[Step, ...]:
    """A window, if any of its seats holds a card; there are none in the endgame (2.9)."""
    order = tuple(seat for seat in window.order if state.seats[seat].hand and seat not in state.resigned)
    return () if state.endgame or not order else (structs.replace(window, order=order),)


def attack_windows(state: State, attacker: int, owners: Iterable[int], *, close: bool = False) -> tuple[Step, ...]:
    """A+ and A- of a declared attack: the attacking seat adds, the `owners` of targets subtract; in Close Assault both.

    Seats are asked in turn order from the one after the phasing seat, but the attacking seat first.
    """
    targets = set(owners)
    in_turn = (*state.after(state.phasing), state.phasing)
    after = [seat for seat in in_turn if seat in targets and seat != attacker]
    plus = (attacker, *after) if close else (attacker,)
    minus = (attacker, *after) if close or attacker in targets else tuple(after)
    event = "attack_declared"
    return (
        *asked(state, Window(kind="A+", event=event, order=plus)),
        *asked(state, Window(kind="A-", event=event, order=minus)),
    )
