"""Running a case: its given, its lines one by one, and everything it expects on the way."""

from games.kernel import IllegalError, encode
from server.cases.expect import ask, expect
from server.cases.given import seat_count
from server.cases.lines import opened, play_line, refusing, stopping, told
from server.cases.load import Located
from server.cases.match import show
from server.cases.model import ActLine, AnyLine, AskLine, Given, listed
from server.cases.play import Passage, Play
from server.cases.report import Failure, Report, StopCaseError, failed
from server.cases.same import same_for
from server.cases.suite import Suite
from server.cases.vocabulary import unknown_names
from server.catalogue import decode_action


def run_case(suite: Suite, located: Located) -> Report:
    """Run one case; whatever goes wrong in it, be it a bug of the ruleset, is a failure in its report."""
    failures: list[Failure] = []
    try:
        with stopping("case"):
            _check(suite, located, failures)
    except StopCaseError as stop:
        failures.append(stop.failure)
    return Report(str(located.file), located.line, located.case.case, tuple(failures))


def run_suite(suite: Suite) -> tuple[Report, ...]:
    """Run every case of a suite."""
    return tuple(run_case(suite, located) for located in suite.cases)


def _check(suite: Suite, located: Located, failures: list[Failure]) -> None:
    case = located.case
    first = suite.chain(located)[0].case.given
    _own_given(case.given)
    failures += unknown_names(suite.entry, case, seat_count(suite.entry, first))
    if failures:
        return
    play, passage = opened(suite, located, first)
    failures += _faults(play, "given")
    for i, line in enumerate(case.when):
        passage = _line(play, line, passage, f"when[{i}]", failures)
    failures += expect(play, case.then, passage, "then")
    for i, same in enumerate(listed(case.then.same_for if case.then else ())):
        failures += same_for(suite, located, same, f"then.same_for[{i}]")
    if (unused := play.unused()) and not suite.continued(located):
        failures.append(Failure("given", f"the game did not ask for all that is scripted: left {', '.join(unused)}"))


def _own_given(given: Given) -> None:
    fixed = ("base", "seats", "options", "pack", "setups", "state")
    also = [name for name in fixed if getattr(given, name)]
    if given.after is not None and also:
        raise StopCaseError("given", f"after goes on from another case, so {', '.join(also)} cannot be given")


def _line(play: Play, line: AnyLine, passage: Passage, where: str, failures: list[Failure]) -> Passage:
    if isinstance(line, AskLine):
        failures += ask(play, line.ask, f"{where}.ask")
        return passage
    if isinstance(line, ActLine) and refusing(line):
        passage = _refused(play, line, where, failures)
    else:
        passage = play_line(play, line, where) or passage
        failures += _faults(play, where)
    failures += expect(play, line.then, passage, f"{where}.then")
    return passage


def _faults(play: Play, where: str) -> list[Failure]:
    return [failure for name, found in play.faults().items() for failure in failed(f"{where}: {name}", found)]


def _refused(play: Play, line: ActLine, where: str, failures: list[Failure]) -> Passage:
    """An action that must be refused, and change nothing; it is tried at once, nothing is answered before it."""
    full = line.then.illegal if line.then is not None else None
    rules = listed(line.illegal if line.illegal is not None else full.rule if full else ())
    action = decode_action(play.entry, line.action)
    before, draws = encode(play.state), play.dice.draws
    try:
        play.act(line.seat, action)
    except IllegalError as refusal:
        if refusal.rule not in rules:
            failures.append(Failure(f"{where}.illegal", f"expected {show(rules)}\ngot      {told(refusal)}"))
        if full is not None and full.reason not in (None, refusal.reason):
            failures.append(Failure(f"{where}.then.illegal", f"expected {full.reason}\ngot      {refusal.reason}"))
        if (encode(play.state), play.dice.draws) != (before, draws):
            raise StopCaseError(where, "the refused action changed the state") from refusal
        return Passage(before, (), refusal)
    raise StopCaseError(f"{where}.illegal", f"expected {show(rules)}\ngot      the action was accepted")
