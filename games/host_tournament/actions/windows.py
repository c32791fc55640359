"""Answers in reaction windows, and passing by itself (specification, 4.4)."""

from collections.abc import Iterator
from typing import ClassVar, Self

from games.host_tournament import windows
from games.host_tournament.announcing import after_free, announce
from games.host_tournament.effects.plays import CardAnnounced
from games.host_tournament.effects.turns import AutoPassSet, Passed
from games.host_tournament.legality import reply_fault
from games.host_tournament.refusals import refuse, refused
from games.host_tournament.state import KINDS, AutoPass, Covered, State, Until, Wake, other
from games.host_tournament.steps.turns import MainAction
from games.host_tournament.steps.windows import React
from games.kernel import Action, Public, Secret, Step, Table, Visibility, secret_to


def window_of(state: State) -> React | None:
    """The window in which a seat is asked; None in its own turn."""
    step = state.agenda[-1] if state.agenda else None
    return step if isinstance(step, React) else None


class PlayInterrupt(Action, frozen=True):
    """Play an interrupt in the window that it names."""

    rule: ClassVar[str] = "HT-3.9"
    exact: ClassVar[bool] = True

    card: Public[str]
    target: Public[str | None] = None

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every interrupt that this window lets through."""
        return (cls(card, target) for card, target in windows.interrupts(state, window_of(state), seat))

    def check(self, state: State, seat: int) -> None:
        """In hand, an interrupt, a target where one is named, this window, its conditions."""
        if self.card not in state.seats[seat].hand:
            refused("HT-0.2", "not_in_hand", card=self.card)
        card = state.book.cards[self.card]
        if card.type != "interrupt":
            refused("HT-0.2", "wrong_type", card=self.card)
        window = window_of(state)
        word = windows.timing(state, window, seat)
        named = word == "open" and card.at_place
        if self.target is not None and not named:
            refused("HT-0.2", "no_target_wanted", target=self.target)
        if named and card.reply("open") is not None and self.target not in state.look.copies:
            refused("HT-0.2", "no_such_place", target=self.target)
        frame = windows.reply_frame(state, window, seat, self.card, self.target)
        refuse(reply_fault(state, card, word or "", frame), card=self.card)

    def apply(self, table: Table[State], seat: int) -> None:
        """Announce it; the window in which it was played begins anew afterwards."""
        state = table.state
        window = window_of(state)
        then: tuple[Step, ...] = ()
        if isinstance(state.agenda[-1], MainAction):
            table.stay()
            then = after_free(state)
        frame = windows.reply_frame(state, window, seat, self.card, self.target)
        told = CardAnnounced(
            seat,
            state.new_name(self.card),
            self.target,
            kind="interrupt",
            rule=frame.rule,
            here=frame.here,
            group=frame.group,
            moved=frame.moved,
            trig=frame.trig,
        )
        if window is not None:
            table.amend(React, passed=())
        announce(table, told, *then)


class PlayChula(Action, frozen=True):
    """Play a chula on a group of the opponent; `group` is the place where it is."""

    rule: ClassVar[str] = "HT-3.10"
    exact: ClassVar[bool] = True

    card: Public[str]
    group: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every chula on every group that this window lets through."""
        return (cls(card, group) for card, group in windows.chulas(state, window_of(state), seat))

    def check(self, state: State, seat: int) -> None:
        """In hand, a chula, a place with a group, this window, its conditions."""
        if self.card not in state.seats[seat].hand:
            refused("HT-0.2", "not_in_hand", card=self.card)
        card = state.book.cards[self.card]
        if card.type != "chula":
            refused("HT-0.2", "wrong_type", card=self.card)
        if self.group not in state.look.copies:
            refused("HT-0.2", "no_such_place", place=self.group)
        window = window_of(state)
        moved = window is not None and window.window == "motion"
        kinds = {"motion": card.motion, "after_action": card.static}
        if window is None or seat != window.order[0] or not kinds.get(window.window):
            refused("HT-10.1" if not card.static else "HT-10.2", "not_this_window", card=self.card)
        group = windows.groups(state, window, seat).get(self.group)
        if group is None:
            there = state.look.all_of(self.group, other(seat)) and not moved
            refused("HT-12.6" if there else "HT-10.1" if moved else "HT-10.2", "nobody_present", place=self.group)
        if not windows.chula_holds(state, seat, self.card, self.group, group, moved=moved):
            refused("HT-18.3", "condition_does_not_hold", card=self.card)

    def apply(self, table: Table[State], seat: int) -> None:
        """Announce it; another one may follow."""
        state = table.state
        window = window_of(state)
        group = windows.groups(state, window, seat)[self.group]
        rule = state.book.cards[self.card].chula
        told = CardAnnounced(
            seat,
            state.new_name(self.card),
            None,
            kind="chula",
            rule=rule[0] if rule is not None else -1,
            here=self.group,
            group=group,
            moved=window is not None and window.window == "motion",
        )
        table.amend(React, passed=())
        announce(table, told)


class SetAutoPass(Action, frozen=True):
    """Say in which windows to pass by oneself, from now on; if one is being asked in such a window, this is the pass.

    Taken at any time; the others see a pass at most (4.4.4).
    """

    rule: ClassVar[str] = "HT-0.1"
    out_of_turn: ClassVar[bool] = True
    audience: ClassVar[Visibility] = secret_to("seat")

    kinds: Secret[tuple[Covered, ...]]
    until: Secret[Until] = "end_of_turn"
    wake: Secret[tuple[Wake, ...]] = ("own_target", "event")

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Some of them: none, all, all but the dice, one kind."""
        yield cls(())
        yield cls(KINDS, "cancelled")
        yield cls(KINDS, "my_turn", ("dice", "answer"))
        yield from (cls((kind,), wake=()) for kind in KINDS)

    def check(self, state: State, seat: int) -> None:
        """Each word once."""
        for words in (self.kinds, self.wake):
            if len(set(words)) < len(words):
                refused("HT-0.2", "not_in_order")

    def apply(self, table: Table[State], seat: int) -> None:
        """Keep it; where it covers the question it is a pass, and looks like one."""
        window, kept = window_of(table.state), self._kept(table.state, seat)
        if window is None or not self.answers(table.state, seat):
            table.emit(AutoPassSet(seat, kept))
            return
        table.emit(Passed(seat, "window", kept))
        table.amend(React, seats=(), passed=(*window.passed, seat))

    def answers(self, state: State, seat: int) -> bool:
        """Whether the seat is being asked in a window that this covers: then it is a pass like any other."""
        window = window_of(state)
        asked = window is not None and seat in window.seats
        return window is not None and asked and windows.covers(state, window, seat, self._kept(state, seat))

    def _kept(self, state: State, seat: int) -> AutoPass:
        return AutoPass(self.kinds, self.until, self.wake, state.seats[seat].auto_pass.rest)
