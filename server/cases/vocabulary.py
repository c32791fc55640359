"""Whether a case speaks of what its ruleset has: a misspelt name must fail, never pass because nothing has it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from games.kernel import HIDDEN_TAG, Message
from server.cases.model import ActLine, AskLine, Case, Json, LineThen, RunLine, SameFor, Then, listed
from server.cases.report import Failure
from server.catalogue import Entry


def unknown_names(entry: Entry, case: Case, seats: int) -> list[Failure]:
    """Every rule, effect, action, step, field, question, procedure and reader in the case that there is not."""
    known = {row.id for row in entry.index}
    found = [Failure("rules", f"{entry.rules.id} has no rule {rule}") for rule in case.rules if rule not in known]
    return found + [Failure(where, text) for where, text in _Names(entry, seats).case(case)]


class _Names:
    def __init__(self, entry: Entry, seats: int) -> None:
        self.entry = entry
        self.rules = entry.rules
        self.seats = {str(seat) for seat in range(seats)}
        self.known = {row.id for row in entry.index}

    def case(self, case: Case) -> Iterator[tuple[str, str]]:
        yield from self.lines(case.when, "when")
        if case.then is not None:
            yield from self.then(case.then, "then")
            for i, same in enumerate(listed(case.then.same_for)):
                yield from self.same_for(same, f"then.same_for[{i}]")

    def same_for(self, same: SameFor, where: str) -> Iterator[tuple[str, str]]:
        yield from self.readers(map(str, same.readers), f"{where}.readers")
        yield from self.lines(same.when or (), f"{where}.when")
        if same.given.after is not None:
            yield where, "after cannot be changed"

    def lines(self, lines: Sequence[Any], name: str) -> Iterator[tuple[str, str]]:
        for i, line in enumerate(lines):
            where = f"{name}[{i}]"
            if isinstance(line, ActLine):
                yield from self.message(line.action, self.rules.action_types, "action", f"{where}.action")
                yield from self.refusal(line.illegal, f"{where}.illegal")
                yield from self.readers([str(line.seat)], f"{where}.seat")
            if isinstance(line, RunLine) and line.run not in self.rules.position.procedures:
                yield f"{where}.run", f"{self.rules.id} has no procedure {line.run}"
            if isinstance(line, AskLine):
                yield from self.ask(line.ask, f"{where}.ask")
            elif line.then is not None:
                yield from self.then(line.then, f"{where}.then")

    def then(self, then: Then, where: str) -> Iterator[tuple[str, str]]:
        types = self.rules.effect_types
        for name in ("effects", "effects_exactly"):
            yield from self.messages(getattr(then, name) or (), types, "effect", f"{where}.{name}")
        yield from self.messages([{"effect": tag} for tag in then.no_effects], types, "effect", f"{where}.no_effects")
        for reader, effects in then.effects_for.items():
            told = [effect for effect in effects if effect.get("effect") != HIDDEN_TAG]
            yield from self.messages(told, types, "effect", f"{where}.effects_for.{reader}")
        for i, said in enumerate(listed(then.legal)):
            for name in ("includes", "excludes", "exactly"):
                place = f"{where}.legal[{i}].{name}"
                yield from self.messages(getattr(said, name) or (), self.rules.action_types, "action", place)
            yield from self.readers([str(said.seat)], f"{where}.legal[{i}].seat")
        for i, decision in enumerate(then.decisions or ()):
            rest = {key: value for key, value in decision.items() if key not in ("seat", "owes", "sealed")}
            yield from self.message(rest, self.rules.step_types, "step", f"{where}.decisions[{i}]")
        yield from self.places(then.state, f"{where}.state")
        yield from self.readers([*then.views, *then.effects_for], where)
        if isinstance(then, LineThen) and then.illegal is not None:
            yield from self.refusal(then.illegal.rule, f"{where}.illegal.rule")
        yield from self.ask(then.ask, f"{where}.ask")

    def places(self, states: Any, where: str) -> Iterator[tuple[str, str]]:
        for state in listed(states):
            if "at" in state:
                yield from self.message({"effect": state["at"]}, self.rules.effect_types, "effect", f"{where}.at")

    def messages(
        self, messages: Iterable[Json], types: Mapping[str, type[Message]], field: str, where: str
    ) -> Iterator[tuple[str, str]]:
        for i, message in enumerate(messages):
            yield from self.message(message, types, field, f"{where}[{i}]")

    def message(
        self, message: Json, types: Mapping[str, type[Message]], field: str, where: str
    ) -> Iterator[tuple[str, str]]:
        kind = types.get(str(message.get(field)))
        if kind is None:
            yield where, f"{self.rules.id} has no {field} {message.get(field)}"
            return
        fields = kind.__struct_encode_fields__
        for name in message:
            if name != field and name not in fields:
                yield where, f"{message[field]} has no field {name}; it has {', '.join(fields) or 'none'}"

    def refusal(self, rules: Any, where: str) -> Iterator[tuple[str, str]]:
        for rule in listed(rules):
            if rule not in self.known:
                yield where, f"{self.rules.id} has no rule {rule}"

    def readers(self, readers: Iterable[str], where: str) -> Iterator[tuple[str, str]]:
        for reader in readers:
            if reader != "spectator" and reader not in self.seats:
                yield where, f"{reader} is no seat of this game (nor spectator)"

    def ask(self, questions: Any, where: str) -> Iterator[tuple[str, str]]:
        for question in listed(questions):
            names = [name for name in question if name != "is"]
            if len(names) != 1 or "is" not in question:
                yield where, "a question is {name: {arguments}, is: answer}"
            elif names[0] not in self.rules.position.questions:
                yield where, f"{self.rules.id} has no question {names[0]}"
