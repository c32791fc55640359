"""Which agendas a position may have: what they ask fits the state, so that every answer can be carried out."""

from games.host_tournament.position_doc import impossible
from games.host_tournament.state import State
from games.host_tournament.steps.subgame import Entry
from games.host_tournament.steps.turns import MainAction, StartPlace

#: Decisions that may lie beneath others with their seats named already.
MAY_WAIT = (MainAction, StartPlace, Entry)


def check_agenda(state: State) -> None:
    """Refuse an agenda that does not fit.

    Raises:
        PositionError: a sentence that names the step.
    """
    for index, step in enumerate(state.agenda):
        field = f"agenda[{index}]"
        top = index == len(state.agenda) - 1
        if step.also or (step.seats and not top and not isinstance(step, MAY_WAIT)):
            impossible(field, "only what is on top asks")
        if step.seats and not step.menu:
            impossible(field, "nobody is asked in it")
        if any(seat not in (0, 1) for seat in step.seats):
            impossible(field, "there are seats 0 and 1")
