"""Deciding: the menu test, `check`, `apply`, then `advance` until somebody owes a decision or the game is over."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import Raw, Struct, structs

from games.dice import Dice
from games.kernel.effects import AgendaSet, Answered, PositionSet, Resign
from games.kernel.messages import Action, Effect, IllegalError, KernelError, State, Step
from games.kernel.ruleset import Ruleset, Setting, encode, tag_of
from games.kernel.table import Table

S = TypeVar("S", bound=State)

#: More steps than this within one event is a loop in a ruleset, not a game.
STEPS_MAX = 1_000_000


class Decided(Struct, frozen=True, gc=False):
    """What an act comes to: its effects and, for each, the index of the effect that caused it (see `Table.causes`)."""

    effects: tuple[Effect, ...]
    causes: tuple[int, ...]


class Decision(Struct, frozen=True, gc=False):
    """That `seat` owes (or, with `owes` false, may give) an answer to `step`."""

    seat: int
    owes: bool
    step: Step


def pending(state: State) -> Step | None:
    """The decision on top of the agenda, if the game waits for one."""
    if state.outcome is not None or not state.agenda:
        return None
    step: Step = state.agenda[-1]
    return step if step.seats else None


def decisions(state: State) -> list[Decision]:
    """Who owes what, in seat order; seats that may answer without owing come along."""
    step = pending(state)
    if step is None:
        return []
    asked = sorted({*step.seats, *step.also})
    return [Decision(seat, seat in step.seats, step) for seat in asked if _may_answer(state, step, seat)]


def legal(rules: Ruleset[S], state: S, seat: int) -> list[Action]:
    """Every legal action of `seat` in the pending decision, complete and in a stable order."""
    step = pending(state)
    if step is None or not _may_answer(state, step, seat):
        return []
    actions: list[Action] = []
    kinds = rules.action_types
    for tag in step.menu:
        kind = kinds[tag]
        options = kind.options(state, seat)
        actions += options if kind.exact else [action for action in options if _passes(action, state, seat)]
    return actions


def _may_answer(state: State, step: Step, seat: int) -> bool:
    # A seat that has resigned still owes while the kernel settles it, but has no free answers any more.
    return seat in step.seats or (seat in step.also and seat not in state.resigned)


def _passes(action: Action, state: State, seat: int) -> bool:
    try:
        action.check(state, seat)
    except IllegalError:
        return False
    return True


def default_action(rules: Ruleset[S], state: S, seat: int) -> Action:
    """The answer given for a seat that does not answer: the first legal one that declines or ends, else the first."""
    answers = legal(rules, state, seat)
    if not answers:
        raise KernelError(f"seat {seat} owes {pending(state)!r} but has no legal action")
    return default_of(answers)


def default_of(answers: Sequence[Action]) -> Action:
    """The default among all legal actions of a seat that has some: the first that declines or ends, else the first."""
    return next((action for action in answers if action.declines), answers[0])


def check(rules: Ruleset[S], state: S, seat: int, action: Action) -> None:
    """Raise `IllegalError` with the first rule that refuses this action of this seat now."""
    refused = _refused(state, seat, action)
    if refused is not None:
        raise IllegalError(rules.resign_rule if isinstance(action, Resign) else rules.menu_rule(state), refused)
    action.check(state, seat)


def _refused(state: State, seat: int, action: Action) -> str | None:
    """Why the kernel itself refuses the action, whatever it is: the menu test."""
    if state.outcome is not None:
        return "game_over"
    if seat in state.resigned:
        return "already_resigned"
    if action.out_of_turn:
        return None if 0 <= seat < state.seat_count else "not_your_decision"
    step = pending(state)
    if step is None or not _may_answer(state, step, seat):
        return "not_your_decision"
    return None if tag_of(type(action)) in step.menu else "not_on_menu"


def decide(rules: Ruleset[S], state: S, seat: int, action: Action, dice: Dice) -> Decided:
    """Decide an action: `state` is changed in place, the effects say how.

    Raises:
        IllegalError: the rules refuse it; nothing has changed.
        Exception: anything else leaves `state` unusable; rebuild it from the log.
    """
    check(rules, state, seat, action)
    before = tuple(state.agenda)
    table: Table[S] = Table(state, dice)
    if action.out_of_turn:
        action.apply(table, seat)
        if isinstance(action, Resign):
            _few_left(rules, table)
    else:
        _answer(table, seat, action)
    return _close(rules, table, before)


def expire(rules: Ruleset[S], state: S, seat: int, dice: Dice) -> Decided:
    """Answer by default for a seat that owes a decision and is out of time.

    Raises:
        IllegalError: it owes nothing (any more).
    """
    step = pending(state)
    if step is None or seat not in step.seats:
        raise IllegalError(rules.menu_rule(state), "game_over" if state.outcome is not None else "not_your_decision")
    before = tuple(state.agenda)
    table: Table[S] = Table(state, dice)
    _answer_for(table, step, seat, default_action(rules, state, seat), "expired")
    return _close(rules, table, before)


def start(rules: Ruleset[S], state: S, setting: Setting, dice: Dice) -> Decided:
    """The ordinary set-up of a game from its initial state, up to the first decision."""
    table: Table[S] = Table(state, dice)
    rules.set_up(table, setting)
    return _close(rules, table, ())


def start_at(rules: Ruleset[S], state: S, position: S, dice: Dice) -> Decided:
    """Start from a position (a scenario, a fork), and go on to its first decision."""
    table: Table[S] = Table(state, dice)
    table.emit(PositionSet(Raw(encode(position))))
    table.rebase()
    if not state.agenda:
        rules.position.begin(table)
    return _close(rules, table, tuple(position.agenda))


def run(rules: Ruleset[S], state: S, dice: Dice, procedure: Callable[[Table[S]], None]) -> Decided:
    """Run a named procedure of the specification on a state, then what follows (cases only)."""
    before = tuple(state.agenda)
    table: Table[S] = Table(state, dice)
    procedure(table)
    return _close(rules, table, before)


def _answer(table: Table[S], seat: int, action: Action, cause: int = -1) -> None:
    agenda = table.state.agenda
    index = len(agenda) - 1
    table.begin(cause)
    action.apply(table, seat)
    if not table.stays:
        agenda[index] = _without(agenda[index], seat)


def _without(step: Step, seat: int) -> Step:
    """The step without this seat among those that owe an answer to it (most often it is the only one)."""
    rest = () if step.seats == (seat,) else tuple(other for other in step.seats if other != seat)
    return structs.replace(step, seats=rest)


def _close(rules: Ruleset[S], table: Table[S], before: tuple[Step, ...]) -> Decided:
    _advance(rules, table)
    after = table.state.agenda
    keep = 0
    while keep < len(before) and keep < len(after) and before[keep] == after[keep]:
        keep += 1
    if keep != len(before) or keep != len(after):
        table.begin(-1)
        table.emit(AgendaSet(keep, tuple(after[keep:]), max(table.old - keep, 0)))
    return Decided(tuple(table.effects), tuple(table.causes))


def _advance(rules: Ruleset[S], table: Table[S]) -> None:
    state = table.state
    for _ in range(STEPS_MAX):
        if state.outcome is not None:
            while state.agenda:
                table.drop()
            return
        if not state.agenda:
            raise KernelError("the agenda is empty, but the game has no outcome")
        step: Step = state.agenda[-1]
        if not step.alive(state):
            table.drop()
        elif not step.seats:
            table.pop().run(table)
        elif not _settled(rules, table, step):
            return
    raise KernelError(f"more than {STEPS_MAX} steps in one event")


def _settled(rules: Ruleset[S], table: Table[S], step: Step) -> bool:
    """Answer for one seat of the pending decision if the kernel has to; whether it did."""
    state = table.state
    for seat in step.seats:
        if seat in state.resigned:
            _settle_resigned(rules, table, step, seat)
            return True
        standing = step.standing(state, seat)
        if standing is not None:
            _answer(table, seat, standing, len(table.effects) - 1)
            return True
        if step.auto:
            answers = legal(rules, state, seat)
            if len(answers) == 1 or (answers and all(a.declines for a in answers)):
                _answer_for(table, step, seat, answers[0], "forced")
                return True
    return False


def _settle_resigned(rules: Ruleset[S], table: Table[S], step: Step, seat: int) -> None:
    action = step.settle(table.state, seat, lambda: default_action(rules, table.state, seat))
    if action is None:
        table.state.agenda[-1] = _without(step, seat)
    else:
        _answer_for(table, step, seat, action, "resigned")


def _answer_for(table: Table[S], step: Step, seat: int, action: Action, why: str) -> None:
    table.begin(len(table.effects) - 1)
    if not step.window:
        table.emit(Answered(seat, action, why))
    _answer(table, seat, action, len(table.effects) - 1)


def _few_left(rules: Ruleset[S], table: Table[S]) -> None:
    left = [seat for seat in range(table.state.seat_count) if seat not in table.state.resigned]
    if len(left) <= 1:
        rules.last_seat(table, left[0] if left else None)
