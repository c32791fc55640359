"""Which agendas a position may have: what they ask fits the state, so that every answer can be carried out."""

from games.kernel import Step
from games.kernel.positions import impossible
from games.world_war_zed.events.candidates import candidates
from games.world_war_zed.ops import FirstOf, SimpleOp
from games.world_war_zed.places import target
from games.world_war_zed.state import State
from games.world_war_zed.steps import (
    AssignRiot,
    Attack,
    ChooseEventTarget,
    EventOp,
    March,
    PlaceRiots,
    ZedPhase,
)
from games.world_war_zed.steps.player import DECISIONS
from games.world_war_zed.steps.riots import calm_class


def check_agenda(state: State) -> None:
    """Refuse an agenda that does not fit.

    Raises:
        PositionError: a sentence that names the step.
    """
    if state.outcome is not None and state.agenda:
        impossible("agenda", "a game that is over has none")
    for index, step in enumerate(state.agenda):
        field = f"agenda[{index}]"
        top = index == len(state.agenda) - 1
        if step.also or step.seats not in ((), (0,)) or (step.seats and not top):
            impossible(field, "the player answers, and only what is on top")
        if step.seats and not step.menu:
            impossible(field, "nobody is asked in it")
        if not step.seats and step.menu:
            impossible(field, "it asks the player")
        _check_step(state, step, field)


def _check_step(state: State, step: Step, field: str) -> None:
    match step:
        case EventOp():
            _op(state, step, field)
        case ChooseEventTarget(candidates=named):
            if (named or None) != candidates(state, _op(state, step, field)):
                impossible(f"{field}.candidates", "they are all that the event can strike")
        case ZedPhase() | March() | Attack():
            _check_zeds(state, step, field)
        case PlaceRiots() | AssignRiot():
            _check_riots(state, step, field)
        case _ if type(step) in DECISIONS.values():
            if DECISIONS.get(state.step or "") is not type(step):
                impossible(field, f"the step is {state.step}")


def _check_zeds(state: State, step: ZedPhase | March | Attack, field: str) -> None:
    if step.phase not in (1, 2):
        impossible(f"{field}.phase", "it is 1 or 2")
    if isinstance(step, ZedPhase):
        return
    if step.region not in state.regions or not state.regions[step.region].zeds:
        impossible(f"{field}.region", f"there is no Region {step.region} with Zeds")
    if isinstance(step, Attack) and step.kind != target(state, step.region):
        impossible(f"{field}.kind", "it is the target of the Zeds there")


def _check_riots(state: State, step: PlaceRiots | AssignRiot, field: str) -> None:
    if isinstance(step, AssignRiot):
        if not 1 <= step.left < len(calm_class(state, step.kind)):
            impossible(f"{field}.left", "there is a choice only among more than are left")
    elif not 0 <= step.left <= len(calm_class(state, "refugees")) + len(calm_class(state, "cities")):
        impossible(f"{field}.left", "so many are not calm")


def _op(state: State, step: EventOp | ChooseEventTarget, field: str) -> SimpleOp:
    ops = state.board.events.get(step.event, ())
    if not 0 <= step.op < len(ops):
        impossible(field, f"there is no such op of an event {step.event}")
    found = ops[step.op]
    if not isinstance(found, FirstOf):
        if step.choice is not None:
            impossible(f"{field}.choice", "there is nothing to choose from")
        return found
    choice = 0 if step.choice is None and isinstance(step, EventOp) else step.choice
    if choice is None or not 0 <= choice < len(found.ops):
        impossible(f"{field}.choice", "it is one of the ops of first_of")
    return found.ops[choice]
