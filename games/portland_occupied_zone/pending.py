"""Which agendas a position may have (specification, 3.3): what lies on what, who is asked, what can be answered.

A position is at a decision: what is on top asks somebody, and beneath it wait the steps that go on with the answer.
"""

from collections import Counter
from typing import Any, Final, get_args

from games.kernel import Action, IllegalError, Step, tag_of
from games.kernel.positions import impossible
from games.portland_occupied_zone import all_steps as steps
from games.portland_occupied_zone.actions import AnyAction
from games.portland_occupied_zone.pending_needs import NEEDS
from games.portland_occupied_zone.pending_order import beginning, lies_on, root
from games.portland_occupied_zone.pending_seats import asked
from games.portland_occupied_zone.possible_underway import check_underway
from games.portland_occupied_zone.state import State

#: Decisions that may lie beneath others before they are answered, and those that lie there answered.
WAITING: Final = (steps.ManagePoz, steps.Vote, steps.Combat, steps.DiseaseSlot)
ANSWERED: Final = (
    steps.PlacePulpit,
    steps.Turn,
    steps.BuildOffer,
    steps.PlaceStructure,
    steps.Defend,
    steps.ChooseOutcome,
    steps.LeaderChoice,
)
ACTIONS: Final[dict[str, type[Action]]] = {tag_of(kind): kind for kind in get_args(AnyAction)}


def check_agenda(state: State) -> None:
    """Refuse an agenda that does not fit, and what is under way without one.

    Raises:
        PositionError: a sentence that names the step.
    """
    if state.outcome is not None:
        if state.agenda:
            impossible("agenda", "a game that is over has none")
        return  # what was under way as the game ended is left as it was
    if state.agenda:
        for index, step in enumerate(state.agenda):
            _check_asked(state, step, index)
        _check_order(state)
    _check_catching(state)
    check_underway(state)
    for index, step in enumerate(state.agenda):
        _check_needs(state, step, index)
    if state.agenda:
        _check_answers(state, state.agenda[-1])


def _check_asked(state: State, step: Step, index: int) -> None:
    """What is on top asks; beneath, only what may wait."""
    field, top = f"agenda[{index}]", index == len(state.agenda) - 1
    if any(not 0 <= seat < state.seats for seat in (*step.seats, *step.also)):
        impossible(field, f"there are {state.seats} seats")
    if step.seats and not step.menu:
        impossible(field, "nobody is asked in it")
    if top and not step.seats:
        impossible(field, "what is on top asks somebody")
    if not top and step.menu and not isinstance(step, WAITING if step.seats else ANSWERED):
        impossible(field, "only what is on top asks")
    if step.also and not isinstance(step, steps.Vote):
        impossible(field, "everybody who is asked owes an answer")


def _check_order(state: State) -> None:
    """At the bottom what is left of the round, on it what is under way."""
    lowest = [*beginning(state), *root(state)]
    if state.agenda[: len(lowest)] != lowest or len(state.agenda) == len(lowest):
        impossible("agenda", "at its bottom is what is left of the round, and a decision is on it")
    for index in range(len(lowest), len(state.agenda)):
        beneath = state.agenda[index - 1] if index > len(lowest) else None
        if not lies_on(state, state.agenda[index], beneath):
            impossible(f"agenda[{index}]", "it does not lie there")


def _check_catching(state: State) -> None:
    """A disease that has no slot yet gets one next (ALG-INFECT)."""
    caught = Counter((name, card) for name, pc in state.pcs.items() for card in pc.catching)
    placed = Counter((step.pc, step.card) for step in state.agenda if isinstance(step, steps.DiseaseSlot))
    for pc, card in (caught - placed) + (placed - caught):
        impossible(f"pcs.{pc}.catching", f"{card} has no slot yet exactly if the agenda asks for one")


def _check_needs(state: State, step: Step, index: int) -> None:
    field, beneath = f"agenda[{index}]", state.agenda[index - 1] if index else None
    for name, fits, sentence in NEEDS.get(type(step), ()):
        if not fits(state, step, beneath):
            impossible(f"{field}.{name}" if name else field, sentence)
    who = asked(state, step, beneath)
    if step.seats and who is not None and step.seats != (who,):
        impossible(f"{field}.seats", f"it asks seat {who}")


def _check_answers(state: State, step: Step) -> None:
    """Everybody who owes an answer has one."""
    for seat in step.seats:
        if seat not in state.resigned and not any(_offers(state, seat, ACTIONS[tag]) for tag in step.menu):
            impossible(f"agenda[{len(state.agenda) - 1}]", f"seat {seat} could not answer it")


def _offers(state: State, seat: int, kind: type[Action]) -> bool:
    return any(kind.exact or _passes(action, state, seat) for action in kind.options(state, seat))


def _passes(action: Any, state: State, seat: int) -> bool:
    try:
        action.check(state, seat)
    except IllegalError:
        return False
    return True
