"""Everything that `then` can say, compared with the game after a line."""

from collections.abc import Sequence
from typing import Any

from games.kernel import EVERYTHING, SPECTATOR, redact, tag_of
from server.cases import effects
from server.cases.match import ABSENT, differences, matches, pair_off, show
from server.cases.model import Json, Legal, Then, listed
from server.cases.play import Passage, Play, plain
from server.cases.report import Failure, failed


def expect(play: Play, then: Then | None, passage: Passage, where: str) -> list[Failure]:
    """Every point in which the game is not as `then` says."""
    if then is None:
        return []
    found = _effects(then, passage, where)
    for i, position in enumerate(listed(then.state)):
        found += _state(play, position, passage, _at(where, "state", then.state, i))
    if then.decisions is not None:
        found += _decisions(play, then.decisions, f"{where}.decisions")
    for i, said in enumerate(listed(then.legal)):
        found += _legal(play, said, _at(where, "legal", then.legal, i))
    for reader, view in then.views.items():
        found += failed(f"{where}.views.{reader}", differences(view, play.view(reader_of(reader))))
    if then.outcome is not None:
        found += failed(f"{where}.outcome", differences(then.outcome, _outcome(play)))
    return found + ask(play, then.ask, f"{where}.ask")


def reader_of(name: str | int) -> int:
    """A reader as the kernel names it: a seat's number, or the spectator."""
    return SPECTATOR if name == "spectator" else int(name)


def ask(play: Play, questions: Json | Sequence[Json], where: str) -> list[Failure]:
    """The ruleset's pure questions, by name, and whether the answers are as said."""
    found = []
    for i, question in enumerate(listed(questions)):
        (name, args), *_ = ((key, value) for key, value in question.items() if key != "is")
        answer = play.entry.rules.position.questions[name](play.state, **(args or {}))
        found += failed(f"{_at(where, '', questions, i)}.{name}", differences(question["is"], plain(answer)))
    return found


def _effects(then: Then, passage: Passage, where: str) -> list[Failure]:
    actual = [plain(redact(effect, EVERYTHING)) for effect in passage.effects]
    found = effects.in_order(then.effects or (), actual, f"{where}.effects")
    if then.effects_exactly is not None:
        found += effects.exactly(then.effects_exactly, actual, f"{where}.effects_exactly")
    found += effects.none_of(then.no_effects, actual, f"{where}.no_effects")
    for reader, expected in then.effects_for.items():
        told = [plain(redact(effect, reader_of(reader))) for effect in passage.effects]
        found += effects.in_order(expected, told, f"{where}.effects_for.{reader}")
    return found


def _state(play: Play, position: Json, passage: Passage, where: str) -> list[Failure]:
    rest = {key: value for key, value in position.items() if key != "at"}
    if "at" not in position:
        return failed(where, differences(rest, play.dump()))
    state = play.entry.rules.state_decoder.decode(passage.before)
    for effect in passage.effects:
        effect.fold(state)
        if tag_of(type(effect)) == position["at"]:
            dumped = plain(play.entry.rules.position.dump(state))
            return failed(f"{where}(at {position['at']})", differences(rest, dumped))
    return [Failure(where, f"no effect {position['at']} in this line to compare the state at")]


def _decisions(play: Play, expected: Sequence[Json], where: str) -> list[Failure]:
    """Who owes what is complete; seats that may answer without owing are compared only if a case names them."""
    actual = play.decisions()
    named = [e for e in expected if e.get("owes") is False]
    optional = [d for d in actual if not d["owes"] and any(matches(e, d) for e in named)]
    ordered = sorted(expected, key=lambda e: e.get("seat", -1))
    shown = [d for d in actual if d["owes"] or d in optional]
    return failed(where, differences(ordered, shown))


def _legal(play: Play, said: Legal, where: str) -> list[Failure]:
    actual = play.legal(said.seat)
    found = [
        Failure(f"{where}.includes[{i}]", f"expected {show(action)}\namong    {show(actual)}")
        for i, action in enumerate(said.includes)
        if not any(matches(action, other) for other in actual)
    ]
    found += [
        Failure(f"{where}.excludes[{i}]", f"expected no {show(action)}\ngot      {show(other)}")
        for i, action in enumerate(said.excludes)
        for other in actual
        if matches(action, other)
    ]
    if said.excludes and not actual:
        found.append(
            Failure(f"{where}.excludes", f"seat {said.seat} has no legal action at all, so this shows nothing")
        )
    if said.count is not None and said.count != len(actual):
        found.append(Failure(f"{where}.count", f"expected {said.count}\ngot      {len(actual)}: {show(actual)}"))
    return found + (_complete(said.exactly, actual, f"{where}.exactly") if said.exactly is not None else [])


def _complete(expected: Sequence[Json], actual: list[Json], where: str) -> list[Failure]:
    pairs = pair_off(expected, actual)
    missing = [show(action) for i, action in enumerate(expected) if i not in pairs]
    others = [show(action) for j, action in enumerate(actual) if j not in pairs.values()]
    if not missing and not others:
        return []
    text = [
        *(f"expected {action}, which is not legal" for action in missing),
        *(f"got      {a} as well" for a in others),
    ]
    return [Failure(where, "\n".join(text))]


def _outcome(play: Play) -> Any:
    """The outcome with the ranking (seats by place, the best first) beside the places."""
    outcome = play.state.outcome
    if outcome is None:
        return ABSENT
    places = sorted(set(outcome.places))
    ranking = [[seat for seat, place in enumerate(outcome.places) if place == shared] for shared in places]
    return {**plain(outcome), "ranking": ranking}


def _at(where: str, name: str, value: Any, index: int) -> str:
    place = f"{where}.{name}" if name else where
    return f"{place}[{index}]" if isinstance(value, (list, tuple)) else place
