"""Carrying out card texts, operation by operation (cards, 2.4)."""

from collections.abc import Callable
from typing import Any

from msgspec import structs

from games.host_tournament import ops
from games.host_tournament.asking import Asking, NeedsAnswer
from games.host_tournament.cards import op_at
from games.host_tournament.drawing import drop, recycle, sift, text_draw
from games.host_tournament.effects.board import Freed, GroupFormed, LeftStasis, Stopped
from games.host_tournament.effects.plays import CardDiscarded, CardEntered, CardNullified
from games.host_tournament.effects.subgames import DieRerolled, EntryForced, PaceChanged
from games.host_tournament.finish import score
from games.host_tournament.look import NOBODY, Names
from games.host_tournament.moves import carried
from games.host_tournament.ops import Op, Rule, Target
from games.host_tournament.state import TABLE, State
from games.host_tournament.steps.moving import Movers
from games.host_tournament.steps.ops import CardChoice, Do
from games.host_tournament.steps.subgame import Subgame
from games.host_tournament.text_downloads import download
from games.host_tournament.values import immune, members, seat_of, true, value
from games.kernel import Table


def rule_of(state: State, text: Do) -> Rule:
    """The rule that a text is of; without a card it is the one of the folder."""
    if text.frame.card:
        return state.book.cards[text.frame.card].rules[text.frame.rule]
    assert state.book.sorting is not None
    return state.book.sorting


def perform(table: Table[State], text: Do) -> None:
    """Carry out the operation at hand; if it asks something, it is asked and the operation done after the answer."""
    found = op_at(rule_of(table.state, text), text.path)
    if text.at >= len(found):
        return
    more = text.at + 1 < len(found)
    if more:
        table.push(structs.replace(text, at=text.at + 1, chosen=()))
    asking = Asking(table, text)
    try:
        _carry_out(table, text, found[text.at], asking)
    except NeedsAnswer as need:
        if more:
            table.drop()
        table.push(need.step, structs.replace(text, chosen=tuple(asking.answers)))


def _carry_out(table: Table[State], text: Do, op: Op, asking: Asking) -> None:
    doing = _DOING.get(type(op))
    if doing is not None:
        doing(table, text, op, asking)


def _hit(state: State, text: Do, w: Target, asking: Asking) -> Names:
    """Whom an operation works on: a chula does nothing to those that are immune to it (4.5.2)."""
    card = text.frame.card
    found = members(state, text.frame, w, asking)
    if not card or state.book.cards[card].type != "chula":
        return found
    return tuple(name for name in found if not immune(state, name, card))


def _stop(table: Table[State], text: Do, op: ops.Stop, asking: Asking) -> None:
    for name in _hit(table.state, text, op.w, asking):
        table.emit(Stopped(name, op.n))


def _free(table: Table[State], text: Do, op: ops.Free, asking: Asking) -> None:
    for name in _hit(table.state, text, op.w, asking):
        if table.state.in_play[name].stop:
            table.emit(Freed(name))


def _wake(table: Table[State], text: Do, op: ops.Wake, asking: Asking) -> None:
    for name in _hit(table.state, text, op.w, asking):
        card = table.state.in_play[name]
        if card.stasis is not None or card.awake < op.n:
            table.emit(LeftStasis(name, op.n))


def _stay(table: Table[State], text: Do, op: ops.Stay, _: Asking) -> None:
    state = table.state
    at = TABLE if op.spot == "TABLE" else text.frame.here
    if state.played(text.frame.name) is not None and (at == TABLE or at in state.look.copies):
        table.emit(CardEntered(text.frame.name, at or TABLE, state.entry_no))


def _discard(table: Table[State], text: Do, op: ops.Discard, asking: Asking) -> None:
    """A location is discarded with the copy on or under it (HT-15.5)."""
    state = table.state
    for name in _hit(state, text, op.w, asking):
        if name in state.in_play:
            pid = state.in_play[name].at
            both = state.look.copies.get(pid, NOBODY) if state.card(name).type == "location" else (name,)
            for copy in both:
                table.emit(CardDiscarded(copy))


def _move(table: Table[State], text: Do, op: ops.Move, asking: Asking) -> None:
    """Their owner names the place; who may be carried may be left behind, the others all go."""
    state = table.state
    names = _hit(state, text, op.w, asking)
    if not names:
        return
    owner, start = state.in_play[names[0]].owner, state.in_play[names[0]].at
    places = tuple(place.pid for place in state.places if place.pid != start)
    to = asking.ask(CardChoice(seat=owner, kind="move", zone="place", offer=places))
    if to:
        table.emit(GroupFormed(start, to[0]))
        carry = tuple(name for name in carried(state, start, owner) if name not in names)
        table.push(
            Movers(seats=(owner,), seat=owner, from_=start, to=to[0], movers=names, carry=carry, text=True),
        )


def _score(table: Table[State], text: Do, op: ops.Score, _: Asking) -> None:
    n = value(table.state, text.frame, op.v)
    score(table, (n, 0) if seat_of(text.frame, op.player) == 0 else (0, n))


def _run(table: Table[State], text: Do, op: ops.Tournament | ops.Drinking, _: Asking) -> None:
    kind = "tournament" if isinstance(op, ops.Tournament) else "drinking"
    table.push(Subgame(kind=kind, event=text.frame.name, place=text.frame.here))  # type: ignore[arg-type] # its words


def _enter(table: Table[State], text: Do, op: ops.Enter, asking: Asking) -> None:
    roll = table.state.roll
    if roll is None or roll.kind != op.game:
        return
    names = _hit(table.state, text, op.w, asking)
    into, out = roll.forced_in, roll.forced_out
    if op.how == "must":
        into = [*into, *(name for name in names if name not in into)]
    else:
        out = [*out, *(name for name in names if name not in out)]
    if names:
        table.emit(EntryForced(tuple(into), tuple(out)))


def _reroll(table: Table[State], text: Do, op: ops.Reroll, asking: Asking) -> None:
    roll = table.state.roll
    for name in _hit(table.state, text, op.w, asking):
        if roll is not None and name in roll.dice:
            table.emit(DieRerolled(name, table.roll("reroll", 6)))


def _pace(table: Table[State], text: Do, op: ops.Pace, _: Asking) -> None:
    if table.state.roll is not None:
        table.emit(PaceChanged(text.frame.name, op.n))


def _cancel(table: Table[State], text: Do, _: ops.Cancel, __: Asking) -> None:
    if text.frame.trig is not None and table.state.played(text.frame.trig) is not None:
        table.emit(CardNullified(text.frame.trig))


def _may(table: Table[State], text: Do, op: ops.May, asking: Asking) -> None:
    """The player may do it: asked only if something would happen."""
    if not any(_would(table.state, text, inner) for inner in op.ops):
        return
    seat = seat_of(text.frame, op.player)
    chosen = asking.ask(CardChoice(seat=seat, kind="may", zone="text", offer=(text.frame.name,), least=0))
    if chosen:
        _branch(table, text, 0)


def _would(state: State, text: Do, op: Op) -> bool:
    """Whether an operation would do anything; one whose target is still to be chosen might."""
    w = getattr(op, "w", "")
    if not isinstance(w, str) or w == "":
        return True
    names = members(state, text.frame, w)
    if isinstance(op, ops.Reroll):
        return state.roll is not None and any(name in state.roll.dice for name in names)
    return bool(names)


def _check(table: Table[State], text: Do, op: ops.Check, _: Asking) -> None:
    _branch(table, text, 0 if true(table.state, text.frame, op.k) else 1)


def _ladder(table: Table[State], text: Do, op: ops.Ladder, _: Asking) -> None:
    reached = value(table.state, text.frame, op.v)
    rungs = [number for number, (rung, _) in enumerate(op.rungs) if rung <= reached]
    if rungs:
        _branch(table, text, rungs[-1])


def _branch(table: Table[State], text: Do, branch: int) -> None:
    table.push(Do(frame=text.frame, path=(*text.path, text.at, branch)))


#: What each word does; `go` and `attach` do nothing more (who plays equipment has attached it).
_DOING: dict[type[Op], Callable[[Table[State], Do, Any, Asking], None]] = {
    ops.Stop: _stop,
    ops.Free: _free,
    ops.Wake: _wake,
    ops.Stay: _stay,
    ops.Discard: _discard,
    ops.Move: _move,
    ops.Score: _score,
    ops.Draw: text_draw,
    ops.Drop: drop,
    ops.Sift: sift,
    ops.Recycle: recycle,
    ops.Download: download,
    ops.Tournament: _run,
    ops.Drinking: _run,
    ops.Enter: _enter,
    ops.Reroll: _reroll,
    ops.Pace: _pace,
    ops.Cancel: _cancel,
    ops.May: _may,
    ops.Check: _check,
    ops.Ladder: _ladder,
}
