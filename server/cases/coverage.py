"""Which case shows which rule: every ID of a ruleset's index with the cases that name it."""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from server.cases.load import Located
from server.catalogue import Entry


class CoverageRow(Struct, frozen=True):
    """One rule and the cases that show it, each as `file: case`."""

    id: str
    kind: Literal["case", "content", "advice"]
    text: str
    cases: tuple[str, ...]


def coverage(entry: Entry, cases: Iterable[Located]) -> tuple[CoverageRow, ...]:
    """Every rule of the index, in its order; IDs that a case names and the index has not are that case's failure."""
    shown: dict[str, list[str]] = {}
    for located in cases:
        for rule in dict.fromkeys(located.case.rules):
            shown.setdefault(rule, []).append(f"{located.file.name}: {located.case.case}")
    return tuple(CoverageRow(row.id, row.kind, row.text, tuple(shown.get(row.id, ()))) for row in entry.index)


def without_case(rows: Sequence[CoverageRow]) -> tuple[CoverageRow, ...]:
    """The rules that a case has to show and none does."""
    return tuple(row for row in rows if row.kind == "case" and not row.cases)
