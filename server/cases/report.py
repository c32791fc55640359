"""What came of a case: nothing to say, or where it failed, what was expected there and what there was."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from server.cases.match import Difference


class Failure(Struct, frozen=True):
    """One thing that is not as the case says: `where` in the case (`when[1].then.state.turn`), and why."""

    where: str
    text: str


class Report(Struct, frozen=True):
    """The result of one case of a file; it passes if there are no failures."""

    file: str
    line: int
    case: str
    failures: tuple[Failure, ...]

    @property
    def passes(self) -> bool:
        """Whether all is as the case says."""
        return not self.failures


class StopCaseError(Exception):
    """The case cannot go on: what it says next would mean nothing."""

    def __init__(self, where: str, text: str) -> None:
        super().__init__(f"{where}: {text}")
        self.failure = Failure(where, text)


def failed(where: str, found: Iterable[Difference]) -> list[Failure]:
    """Differences as failures beneath `where`."""
    return [Failure(".".join(filter(None, (where, d.path))), f"expected {d.expected}\ngot      {d.got}") for d in found]


def render(report: Report) -> str:
    """A report as lines for people: file and line, the case, then each failure with its place."""
    head = f"{report.file}:{report.line}: {report.case}"
    if report.passes:
        return f"{head}: passes"
    return "\n".join([f"{head}: fails", *(_render(failure) for failure in report.failures)])


def summary(reports: Sequence[Report]) -> str:
    """How many passed, in one sentence."""
    passing = sum(report.passes for report in reports)
    return f"{passing} of {len(reports)} cases pass"


def _render(failure: Failure) -> str:
    return f"  {failure.where}\n" + "\n".join(f"    {line}" for line in failure.text.split("\n"))
