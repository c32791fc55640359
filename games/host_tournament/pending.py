"""Which agendas a position may have: what they ask fits the state, so that every answer can be carried out."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.host_tournament import pending_texts as texts
from games.host_tournament.entering import portion
from games.host_tournament.look import Names
from games.host_tournament.moves import carried, cost
from games.host_tournament.ops import After, End, Start
from games.host_tournament.position_doc import is_known, is_spot
from games.host_tournament.state import State
from games.host_tournament.steps import moving, ops, plays, settle, subgame, turns, windows
from games.host_tournament.windows import SUBGAME
from games.kernel import Step
from games.kernel.positions import impossible

#: Decisions that may lie beneath others with their seats named already.
MAY_WAIT: Final = (turns.MainAction, turns.StartPlace, subgame.Entry)
#: What lies at the bottom in each phase.
BOTTOM: Final[Mapping[str, tuple[type[Step], ...]]] = {
    "first_player": (turns.Throw, turns.AskPlaces),
    "start_places": (turns.Deal, turns.AskPlaces),
    "play": (turns.MainAction, turns.NextTurn, turns.BeginTurn),
    "ended": (),
}
BOTTOMS: Final = tuple(kind for kinds in BOTTOM.values() for kind in kinds)
#: What drives a subgame on: there is one of them while one runs, after the window that it names.
DRIVERS: Final[Mapping[type[Step], str]] = {
    subgame.ForceEntry: "entry",
    subgame.Enter: "entry",
    subgame.Count: "roll",
    subgame.Drink: "roll",
    subgame.MakeOrder: "roll",
    subgame.EndSubgame: "result",
}


def check_agenda(state: State) -> None:
    """Refuse an agenda that does not fit.

    Raises:
        PositionError: a sentence that names the step.
    """
    if state.outcome is not None:
        return  # what was under way as the game ended is left as it was
    for index, step in enumerate(state.agenda):
        _check_asked(state, step, index)
    _check_subgame(state)
    for index, step in enumerate(state.agenda):
        beneath = state.agenda[index - 1] if index else None
        _check_step(state, step, beneath, f"agenda[{index}]")
    _check_owed(state)


def _check_asked(state: State, step: Step, index: int) -> None:
    """Who is asked, and what lies at the bottom."""
    field = f"agenda[{index}]"
    top = index == len(state.agenda) - 1
    if step.also or (step.seats and not top and not isinstance(step, MAY_WAIT)):
        impossible(field, "only what is on top asks")
    if step.seats and not step.menu:
        impossible(field, "nobody is asked in it")
    if any(seat not in (0, 1) for seat in step.seats) or len(set(step.seats)) < len(step.seats):
        impossible(field, "there are seats 0 and 1")
    if isinstance(step, BOTTOMS if index else BOTTOM[state.phase]) != (index == 0):
        impossible(field, f"in the phase {state.phase} it does not lie there")


def _check_owed(state: State) -> None:
    """What the agenda has to do for cards that move, have counted down or are announced."""
    moves = any(isinstance(step, moving.Movers | moving.Arrive) for step in state.agenda)
    for name, card in state.in_play.items():
        if card.moving and not moves:
            impossible(f"in_play.{name}.moving", "nobody moves")
        if card.counter == 0 and not any(getattr(step, "card", None) == name for step in state.agenda):
            impossible(f"in_play.{name}.counter", "what has counted down is discarded")
    if state.plays and not state.agenda:
        impossible("plays", "nothing in the agenda carries them out")


def _check_subgame(state: State) -> None:
    """One step drives a running subgame on, and its windows lie above it."""
    at = [index for index, step in enumerate(state.agenda) if type(step) in DRIVERS]
    if len(at) != (state.roll is not None):
        impossible("agenda", "one step drives a running subgame on, none if none runs")
    for index, step in enumerate(state.agenda):
        kind = step.window if isinstance(step, windows.React) else ""
        if kind in SUBGAME and not (at and at[0] < index and DRIVERS[type(state.agenda[at[0]])] == kind):
            impossible(f"agenda[{index}].window", "it is a window of the running subgame")


def _check_step(state: State, step: Step, beneath: Step | None, field: str) -> None:
    for name, fits, sentence in CHECKS.get(type(step), ()):
        if not fits(state, step, beneath):
            impossible(f"{field}.{name}" if name else field, sentence)


Fits = Callable[[State, Any, Step | None], bool]
Check = tuple[str, Fits, str]


def _own(_: State, step: Any, __: Step | None) -> bool:
    return step.seat in (0, 1) and step.seats in ((), (step.seat,))


def _asked_main(state: State, step: turns.MainAction, _: Step | None) -> bool:
    return step.seats == (state.active,) or (not step.seats and state.agenda[-1] is step)


def _throws(state: State, step: turns.Throw, _: Step | None) -> bool:
    return step.seats == tuple(seat for seat in (0, 1) if state.rps[seat] is None) != ()


def _starts(state: State, step: turns.StartPlace, _: Step | None) -> bool:
    return state.phase == "start_places" and len(step.seats) == 1


def _order(_: State, step: windows.React, __: Step | None) -> bool:
    return step.order in ((0,), (1,), (0, 1), (1, 0)) and set(step.passed) <= set(step.order)


def _asks(state: State, step: windows.React, _: Step | None) -> bool:
    due = tuple(seat for seat in step.order if seat not in step.passed)
    return not step.seats or (step.seats == due[:1] and step.opened and step.alive(state))


def _motion(state: State, step: windows.React, _: Step | None) -> bool:
    if step.window == "motion":
        return is_spot(state, step.subject) and any(isinstance(one, moving.Arrive) for one in state.agenda)
    return step.window not in SUBGAME or (state.roll is not None and step.subject == state.roll.place)


def _queued(state: State, step: windows.Fire, _: Step | None) -> bool:
    return all(
        is_known(state, name)
        and (
            name not in state.in_play
            or (
                (0 <= index < len(state.card(name).rules))
                and isinstance(state.card(name).rules[index], Start | End | After)
            )
        )
        for name, index in step.queue or ()
    )


def _timed(_: State, step: windows.Fire, __: Step | None) -> bool:
    return step.timing in ("start", "end", *(f"{kind}_{game}" for kind in SUBGAME for game in ("t", "d")))


def _group(state: State, step: moving.Movers, _: Step | None) -> bool:
    there = state.look.all_of(step.from_, step.seat)
    return bool(step.movers) and set(step.movers) <= set(there) and len(set(step.movers)) == len(step.movers)


def _carries(state: State, step: moving.Movers, _: Step | None) -> bool:
    return set(step.carry) <= set(carried(state, step.from_, step.seat)) - set(step.movers)


def _ways(state: State, step: moving.Movers, _: Step | None) -> bool:
    return step.from_ in state.look.copies and step.to in state.look.copies and step.from_ != step.to


def _pays(state: State, step: moving.Movers, _: Step | None) -> bool:
    return step.text or cost(state, step.from_, step.to, step.movers) <= state.actions_left


def _arrives(state: State, step: moving.Arrive, _: Step | None) -> bool:
    return all(is_known(state, name) for name in (*step.movers, *step.carry)) and is_spot(state, step.to)


def _lost(state: State, step: settle.Displace, _: Step | None) -> bool:
    return bool(settle.displaced(state, step.seat)) and len(set(step.places)) == len(step.places) > 1


def _open_places(state: State, step: settle.Displace, _: Step | None) -> bool:
    return set(step.places) <= set(state.look.copies)


def _entering(state: State, step: subgame.Entry, beneath: Step | None) -> bool:
    return state.roll is not None and step.place == state.roll.place and isinstance(beneath, DRIVER_OR_ENTRY)


def _portion(state: State, step: subgame.Entry, _: Step | None) -> bool:
    seats = set(step.seats) <= set(step.asked) <= {0, 1} and len(set(step.asked)) == len(step.asked)
    return bool(step.seats) and seats and step.portion >= 0 and all(portion(state, n, step.portion) for n in step.seats)


def _diced(state: State, _: Step, __: Step | None) -> bool:
    roll = state.roll
    return roll is not None and roll.kind == "tournament" and set(roll.entrants) == set(roll.dice)


def _paced(state: State, _: Step, __: Step | None) -> bool:
    return state.roll is not None and state.roll.kind == "drinking" and state.roll.pace is not None


def _classes(state: State, step: subgame.MakeOrder, _: Step | None) -> bool:
    names = [name for tied in step.classes for name in tied]
    rolled = state.roll is not None and set(names) <= set(state.roll.dice)
    return bool(names) and rolled and len(set(names)) == len(names) and all(_is_person(state, name) for name in names)


def _is_person(state: State, name: str) -> bool:
    return (
        name in state.in_play and state.card(name).type == "personnel" and state.in_play[name].at in state.look.copies
    )


def _ordered(state: State, step: subgame.MakeOrder, _: Step | None) -> bool:
    """Each slot has a card of its tie and of the seat whose slot it is."""
    slots = [(name, tied) for tied in step.classes for name in tied]
    owner = {name: state.in_play[name].owner for name, _ in slots}
    fits = all(put in tied and owner[put] == owner[name] for put, (name, tied) in zip(step.order, slots, strict=False))
    return fits and len(step.order) < len(slots) and len(set(step.order)) == len(step.order)


def _tied(state: State, step: subgame.ArrangeTies, beneath: Step | None) -> bool:
    if not isinstance(beneath, subgame.MakeOrder):
        return False
    slots = [(name, tied) for tied in beneath.classes for name in tied]
    name, tied = slots[len(beneath.order)]
    own = {card for card in tied if _owner(state, card) == _owner(state, name) and card not in beneath.order}
    return _owner(state, name) == step.seat and own == set(step.cards) and len(step.cards) == len(own) > 1


def _owner(state: State, name: str) -> int:
    return state.in_play[name].owner


def _counting(state: State, step: turns.Countdown, _: Step | None) -> bool:
    queue: Names = step.queue or ()
    return all(is_known(state, name) for name in queue) and len(set(queue)) == len(queue)


def _is_finished(state: State, step: turns.Finish, _: Step | None) -> bool:
    card = state.in_play.get(step.card)
    return is_known(state, step.card) and (card is None or card.counter == 0)


def _plays(state: State, step: plays.Resolve | plays.Leave, _: Step | None) -> bool:
    return is_known(state, step.play)


def _begins(state: State, step: subgame.Subgame, _: Step | None) -> bool:
    return is_known(state, step.event) and (step.place is None or is_spot(state, step.place))


DRIVER_OR_ENTRY: Final = (subgame.Enter, subgame.Entry)
OWN: Final[Check] = ("seat", _own, "it is of seat 0 or 1, and asks that one")
#: What each step needs: a field, whether it fits, and the sentence that refuses it otherwise.
CHECKS: Final[Mapping[type[Step], tuple[Check, ...]]] = {
    turns.Throw: (("seats", _throws, "those throw who have not thrown"),),
    turns.StartPlace: (("seats", _starts, "one seat is asked, before the game"),),
    turns.BeginTurn: (OWN,),
    turns.MainAction: (("seats", _asked_main, "the active seat is asked"),),
    turns.Countdown: (("queue", _counting, "they are instances of cards, each once"),),
    turns.Finish: (("card", _is_finished, "it is the instance of a card that has counted down"),),
    windows.React: (
        ("order", _order, "it names seats, each once, and only they pass"),
        ("subject", _motion, "it is the place where the group or the subgame is"),
        ("seats", _asks, "the next seat that has not passed is asked, while the window is open"),
    ),
    windows.Fire: (
        ("timing", _timed, "it is start, end, or a window of a subgame"),
        ("queue", _queued, "it has instances of cards, and rules that run by themselves"),
    ),
    plays.Resolve: (("play", _plays, "it is an instance of a card"),),
    plays.Leave: (("play", _plays, "it is an instance of a card"),),
    settle.Displace: (
        OWN,
        ("places", _open_places, "they are places"),
        ("places", _lost, "there is a choice for personnel that have lost their place"),
    ),
    ops.Do: texts.DO,
    ops.CardChoice: (OWN, *texts.CHOICE),
    ops.ChooseIcon: (OWN, *texts.ICON),
    moving.Movers: (
        OWN,
        ("to", _ways, "it is another place"),
        ("movers", _group, "they are personnel of the seat there, each once"),
        ("carry", _carries, "they are in stasis there"),
        ("movers", _pays, "the move can be paid"),
    ),
    moving.Arrive: (OWN, ("movers", _arrives, "they are instances of cards, and there is a place to arrive at")),
    subgame.Subgame: (("place", _begins, "a card in play begins it at a place"),),
    subgame.Entry: (
        ("place", _entering, "it is about the running subgame, before it is entered"),
        ("asked", _portion, "it asks seats that have somebody to choose"),
    ),
    subgame.Count: (("", _diced, "each entrant of the tournament has a die"),),
    subgame.Drink: (("", _paced, "the session has a pace"),),
    subgame.MakeOrder: (
        ("classes", _classes, "they are entrants in play, each once, with their dice"),
        ("order", _ordered, "each slot has a card of its tie and its seat, and one is left"),
    ),
    subgame.ArrangeTies: (OWN, ("cards", _tied, "they are the cards for the next slot")),
}
