"""Playing the lines of a case, without looking at what they expect."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Final

from games.dice import ScriptMismatchError
from games.kernel import Action, Effect, IllegalError, PositionError, encode
from server.cases.given import prepare, script
from server.cases.load import Located
from server.cases.match import matches
from server.cases.model import ActLine, AnyLine, Given, RunLine, UntilLine
from server.cases.play import Passage, Play
from server.cases.report import StopCaseError
from server.cases.suite import Suite
from server.catalogue import InvalidActionError, InvalidSettingError, decode_action

#: Default answers for one line (`until`, or what stands in the way of an action) before the case is given up.
ANSWERS_MAX: Final = 10_000


@contextmanager
def stopping(where: str) -> Iterator[None]:
    """Whatever goes wrong inside stops the case, be it a bug of the ruleset.

    Raises:
        StopCaseError: with the place in the case and what went wrong.
    """
    try:
        yield
    except StopCaseError:
        raise
    except (InvalidSettingError, PositionError, ScriptMismatchError, InvalidActionError) as error:
        raise StopCaseError(where, str(error)) from error
    except Exception as error:
        # Anyone's case may come upon a bug of a ruleset; that ends this case and no other.
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.lineno}"
        raise StopCaseError(where, f"{type(error).__name__} in {place}: {error}") from error


def opened(suite: Suite, located: Located, given: Given, readers: tuple[int, ...] = ()) -> tuple[Play, Passage]:
    """The game where the lines of a case begin; `given` is that of the first case of its chain.

    Raises:
        StopCaseError: it does not come so far.
    """
    chain = suite.chain(located)
    with stopping("given"):
        play = Play(suite.entry, prepare(suite.entry, given), readers)
        play.answers_default = given.answers is not None
        passage = play.begin()
    for base, following in pairwise(chain):
        passage = walk(play, base.case.when, passage, f"after {base.case.id}: when")
        play.answers_default = following.case.given.answers is not None
        play.rescript(script(following.case.given))
    return play, passage


def walk(play: Play, lines: tuple[AnyLine, ...], passage: Passage, name: str) -> Passage:
    """Play lines without looking at what they expect; refused lines are left out, for they change nothing."""
    for i, line in enumerate(lines):
        if not refusing(line):
            passage = play_line(play, line, f"{name}[{i}]") or passage
    return passage


def play_line(play: Play, line: AnyLine, where: str) -> Passage | None:
    """Play a line; None if it was only a question.

    Raises:
        StopCaseError: the rules refuse what should be accepted, or a decision stands in the way.
    """
    with stopping(where):
        if isinstance(line, ActLine):
            return _act(play, line, where)
        if isinstance(line, UntilLine):
            return _until(play, line, where)
        if isinstance(line, RunLine):
            return play.procedure(line.run, line.args)
    return None


def refusing(line: AnyLine) -> bool:
    """Whether the line expects to be refused."""
    return isinstance(line, ActLine) and (
        line.illegal is not None or (line.then is not None and line.then.illegal is not None)
    )


def told(refusal: IllegalError) -> str:
    """A refusal in words: its rule and reason."""
    return f"{refusal.rule or 'no rule'}: {refusal.reason}"


def _act(play: Play, line: ActLine, where: str) -> Passage:
    action = decode_action(play.entry, line.action)
    if play.answers_default:
        _clear_way(play, line.seat, action, where)
    try:
        return play.act(line.seat, action)
    except IllegalError as refusal:
        owed = (
            ", ".join(f"seat {d['seat']} owes {d['step']}" for d in play.decisions() if d["owes"]) or "nothing is owed"
        )
        raise StopCaseError(where, f"the action is refused: {told(refusal)}\n({owed})") from refusal


def _clear_way(play: Play, seat: int, action: Action, where: str) -> None:
    for _ in range(ANSWERS_MAX):
        if play.state.outcome is not None or play.waits_for(seat, action):
            return
        play.answer()
    raise StopCaseError(where, f"not asked for within {ANSWERS_MAX} default answers")


def _until(play: Play, line: UntilLine, where: str) -> Passage:
    before = encode(play.state)
    effects: list[Effect] = []
    for _ in range(ANSWERS_MAX):
        if matches(line.until, play.dump()):
            return Passage(before, tuple(effects))
        if play.state.outcome is not None:
            raise StopCaseError(where, "the game ended before the position came about")
        effects += play.answer().effects
    raise StopCaseError(where, f"the position did not come about within {ANSWERS_MAX} default answers")
