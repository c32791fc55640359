"""Secrets kept: the case played again with something changed that some readers may not notice, byte by byte."""

import msgspec

from games.kernel import encode
from server.cases.expect import reader_of
from server.cases.given import laid_over
from server.cases.lines import opened, stopping, walk
from server.cases.load import Located
from server.cases.match import show, unequal
from server.cases.model import AnyLine, Given, Json, SameFor
from server.cases.play import Play
from server.cases.report import Failure, failed
from server.cases.suite import Suite


def same_for(suite: Suite, located: Located, same: SameFor, where: str) -> list[Failure]:
    """Where the readers could tell the changed game from the case; the change is of the first given of its chain."""
    first = suite.chain(located)[0].case.given
    changed = msgspec.convert(laid_over(msgspec.to_builtins(first), msgspec.to_builtins(same.given)), Given)
    readers = tuple(reader_of(reader) for reader in same.readers)
    with stopping(where):
        play = _played(suite, located, first, located.case.when, readers)
        other = _played(suite, located, changed, located.case.when if same.when is None else same.when, readers)
    if play.trail == other.trail:
        return [Failure(where, "the change changes nothing that the game knows, so it shows nothing")]
    found = []
    for reader, named in zip(readers, same.readers, strict=True):
        found += _told_apart(play.seen[reader], other.seen[reader], f"{where}.{named}")
    return found


def _played(suite: Suite, located: Located, given: Given, when: tuple[AnyLine, ...], readers: tuple[int, ...]) -> Play:
    play, passage = opened(suite, located, given, readers)
    walk(play, when, passage, "when")
    return play


def _told_apart(first: list[Json], second: list[Json], where: str) -> list[Failure]:
    if len(first) != len(second):
        return [Failure(where, f"expected {len(first)} events\ngot      {len(second)}")]
    for i, (a, b) in enumerate(zip(first, second, strict=True)):
        if encode(a) != encode(b):
            found = failed(f"{where}.event[{i}]", unequal(a, b))
            return found or [Failure(f"{where}.event[{i}]", f"the order of fields differs: {show(a)}\n{show(b)}")]
    return []
