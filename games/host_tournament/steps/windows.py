"""Reaction windows, and the rules that run by themselves when one opens (specification, 4.4)."""

from collections.abc import Iterator
from typing import ClassVar

from msgspec import structs

from games.host_tournament import windows
from games.host_tournament.cards import Card
from games.host_tournament.effects.plays import RuleFired, RuleUsed
from games.host_tournament.effects.turns import Passed, WindowClosed, WindowOpened
from games.host_tournament.legality import when_fault
from games.host_tournament.ops import Once
from games.host_tournament.passing import Pass
from games.host_tournament.state import Kind, State, other
from games.host_tournament.steps.ops import Do
from games.host_tournament.steps.settle import Settle
from games.host_tournament.zones import card_of
from games.kernel import Action, Public, Step, Table


class React(Step, frozen=True, kw_only=True):
    """A reaction window: `order` is asked one seat at a time until all have `passed` (HT-R11).

    `subject` is what may be answered (an instance, a place), `about` its type; `opened`: what runs by itself has run.
    """

    # The kernel asks of every step whether it is a `window`: a word says yes.
    window: Public[Kind]  # type: ignore[misc,assignment] # there a class variable that is true or false
    order: Public[tuple[int, ...]]
    subject: Public[str | None] = None
    about: Public[str] = ""
    passed: Public[tuple[int, ...]] = ()
    opened: Public[bool] = False

    menu: ClassVar[tuple[str, ...]] = ("play_interrupt", "play_chula", "swap_persona", "pass")

    def alive(self, state: State) -> bool:
        """A subject that is nullified or gone, a move without movers or start: the window closes at once."""
        if self.window == "motion":
            return self.subject in state.look.copies and any(card.moving for card in state.in_play.values())
        return self.window != "announce" or self.about == "ability" or state.played(self.subject) is not None

    def run(self, table: Table[State]) -> None:
        """Open it, ask the next seat that has not passed, or close it."""
        state = table.state
        if not self.opened:
            table.emit(WindowOpened(self.window, self.subject))
            if self.window in windows.SUBGAME:
                word = windows.timing(state, self, state.active)
                table.push(Fire(timing=word or ""), structs.replace(self, opened=True))
                return
        passed = self.passed
        for seat in self.order:
            if seat in passed:
                continue
            if windows.may_ask(state, self, seat):
                table.push(structs.replace(self, passed=passed, seats=(seat,), opened=True))
                return
            passed = (*passed, seat)
            table.emit(Passed(seat))
        table.emit(WindowClosed(self.window))

    def standing(self, state: State, seat: int) -> Action | None:
        """A pass by what the seat has said beforehand (4.4.4)."""
        return Pass() if windows.covered(state, self, seat) else None


def announced(subject: str, about: str, seat: int) -> React:
    """The window of what a seat has announced."""
    return React(window="announce", subject=subject, about=about, order=(other(seat), seat), passed=(seat,))


def after_action(state: State) -> React:
    """The window after an action of the active seat."""
    return React(window="after_action", order=(other(state.active),))


class Fire(Step, frozen=True, kw_only=True):
    """Rules of cards in play that run by themselves (4.4.5): at the start, at the end, or when a window opens.

    `queue` has instances with the rule's index, None before it is drawn up; `done` the instances that have worked, with
    their owners: of several copies of a card one works, with all its rules (HT-R36).
    """

    timing: Public[str]
    queue: Public[tuple[tuple[str, int], ...] | None] = None
    done: Public[tuple[tuple[str, int], ...]] = ()

    def run(self, table: Table[State]) -> None:
        """Carry out the first; whether it still works is looked at now."""
        state = table.state
        queue = tuple(_queue(state, self.timing)) if self.queue is None else self.queue
        if not queue:
            return
        (name, index), rest = queue[0], queue[1:]
        card = state.in_play.get(name)
        if card is None or self._copied(name, card.owner) or not self._works(state, name, index):
            table.push(structs.replace(self, queue=rest))
            return
        done = self.done if state.card(name).cum else (*self.done, (name, card.owner))
        table.emit(RuleFired(name, index))
        if any(isinstance(k, Once) for k in state.card(name).rules[index].c.all):  # type: ignore[union-attr]
            table.emit(RuleUsed(card.owner, card.card, index))
        table.push(Do(frame=state.look.frame(name, index)), Settle(), structs.replace(self, queue=rest, done=done))

    def _copied(self, name: str, owner: int) -> bool:
        """Whether another copy of the card, of the same owner, has worked."""
        return any(done != name and card_of(done) == card_of(name) and seat == owner for done, seat in self.done)

    def _works(self, state: State, name: str, index: int) -> bool:
        look = state.look
        frame = look.frame(name, index)
        rule = state.card(name).rules[index]
        if state.roll is not None and state.card(name).type == "location" and frame.here != state.roll.place:
            return False
        return look.active(name) and when_fault(state, frame, rule.c) is None  # type: ignore[union-attr] # these have c


def _queue(state: State, timing: str) -> Iterator[tuple[str, int]]:
    """The rules for this moment: those of the active seat by entry number, then the other's."""
    turn = timing in ("start", "end")
    for seat in (state.active,) if turn else (state.active, other(state.active)):
        for name in state.look.firing:
            if state.in_play[name].owner == seat:
                yield from ((name, index) for index in _indices(state.card(name), timing))


def _indices(card: Card, timing: str) -> list[int]:
    if timing == "start":
        return [index for index, _ in card.starts]
    if timing == "end":
        return [index for index, _ in card.ends]
    return [index for index, rule in card.afters if rule.t == timing]
