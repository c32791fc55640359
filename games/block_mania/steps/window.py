"""Reaction windows (specification, 2.9): every seat with a card is asked, so that being asked tells nothing."""

from collections.abc import Iterable
from typing import Any, ClassVar

from msgspec import structs

from games.block_mania.effects import WindowOpened
from games.block_mania.state import State, WindowKind
from games.kernel import Action, Public, Step, Table


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
        for seat in self.order:
            if seat in passed:
                continue
            if state.seats[seat].hand and self._asked(state, seat):
                table.push(structs.replace(self, passed=passed, seats=(seat,), opened=True))
                return
            passed = (*passed, seat)

    def _asked(self, state: State, seat: int) -> bool:
        """With `eligible_card` only a seat that can play one is asked (which tells that it can)."""
        if state.options.reaction_prompt == "any_card":
            return True
        from games.block_mania.cards import playable  # noqa: PLC0415 (cards push steps)

        return next(iter(playable(state, seat, self)), None) is not None

    def standing(self, state: State, seat: int) -> Action | None:
        """A pass for the rest of the turn covers every window of its kind."""
        from games.block_mania.actions.cards import Pass  # noqa: PLC0415 (actions push steps)

        return Pass() if self.kind in state.seats[seat].standing else None


def window(
    state: State, kind: WindowKind, event: str, order: Iterable[int], blocker: str | None = None, how: str = ""
) -> tuple[Step, ...]:
    """A window for these seats, if any of them holds a card; there are none in the endgame (2.9)."""
    asked = tuple(seat for seat in order if state.seats[seat].hand and seat not in state.resigned)
    if state.endgame or not asked:
        return ()
    return (Window(kind=kind, event=event, order=asked, blocker=blocker, how=how),)


def attack_windows(state: State, attacker: int, owners: Iterable[int], *, close: bool = False) -> tuple[Step, ...]:
    """A+ and A- of a declared attack: the attacking seat adds, the `owners` of targets subtract; in Close Assault both.

    Seats are asked in turn order, the attacking seat first.
    """
    others = set(owners) - {attacker}
    after = [seat for seat in state.after(attacker) if seat in others]
    plus = [attacker, *after] if close else [attacker]
    minus = [attacker, *after] if close or attacker in set(owners) else after
    return (
        *window(state, "A+", "attack_declared", plus),
        *window(state, "A-", "attack_declared", minus),
    )
